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

"""What the robot is: no ROS and no time in this room."""

from robot_dynamics.model.findings import Finding, Severity
from robot_dynamics.model.friction import FrictionModel
from robot_dynamics.model.joints import JointInfo, JointLimits
from robot_dynamics.model.loading import load_robot
from robot_dynamics.model.overlay import Overlay
from robot_dynamics.model.payload import Payload
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.model.robots import find_robot, shipped_robots

__all__ = [
    'find_robot',
    'Finding',
    'FrictionModel',
    'JointInfo',
    'JointLimits',
    'load_robot',
    'Overlay',
    'Payload',
    'RobotModel',
    'Severity',
    'shipped_robots',
]
