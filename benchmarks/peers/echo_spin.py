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

"""A node without any dynamics, written as a tutorial would: each state is echoed by rclpy.spin."""

import signal

import rclpy
from rclpy.node import Node
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray


class Echo(Node):
    """Sends the positions back as efforts."""

    def __init__(self) -> None:
        super().__init__('dynamics')
        self._publisher = self.create_publisher(Float64MultiArray, '~/effort_command', 10)
        self.create_subscription(JointState, 'joint_states', self._on_state, 10)

    def _on_state(self, state: JointState) -> None:
        command = Float64MultiArray()
        command.data = state.position
        self._publisher.publish(command)


def main() -> None:
    """Run until a signal comes."""
    rclpy.init()
    # rclpy's own handler ends the spin with an exception; the end is not measured
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    rclpy.spin(Echo())


if __name__ == '__main__':
    main()
