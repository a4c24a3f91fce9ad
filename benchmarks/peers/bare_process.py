# Copyright 2026 The robot_dynamics authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

"""A process that only imports rclpy and Pinocchio and creates a node; tells when it has it."""

import time

import pinocchio
import rclpy
from rclpy.node import Node

rclpy.init()
node = Node('bare')
print(time.monotonic_ns(), pinocchio.__version__, flush=True)
rclpy.spin(node)
