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

"""
The best loop without any dynamics that was found: what the middleware costs from Python.

It waits on its own wait set, takes all that has come without making messages of it, uses the
newest, and sends ready-made bytes.
"""

import signal

import rclpy
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

EFFORTS = 20  # [bytes] before the doubles of a serialized Float64MultiArray without layout


def main() -> None:
    """Run until a signal comes."""
    rclpy.init()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    node = Node('dynamics')
    publisher = node.create_publisher(Float64MultiArray, '~/effort_command', 1)
    qos = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)
    subscription = node.create_subscription(JointState, 'joint_states', lambda _: None, qos)
    wait_set = rclpy_implementation.WaitSet(1, 0, 0, 0, 0, 0, node.context.handle)
    take = subscription.handle.take_message
    command = bytearray()
    begin = end = 0
    while True:
        wait_set.clear_entities()
        wait_set.add_subscription(subscription.handle)
        wait_set.wait(-1)
        newest = None
        while (taken := take(JointState, True)) is not None:
            newest = taken[0]
        if newest is None:
            continue
        if not command:
            command, begin, end = _prepare(newest)
        command[EFFORTS:] = newest[begin:end]
        publisher.publish(bytes(command))


def _prepare(state: bytes) -> tuple[bytearray, int, int]:
    """Return a command with the state's positions as efforts, and where these stand in it."""
    from rclpy.serialization import deserialize_message

    position = deserialize_message(state, JointState).position
    begin = state.find(position.tobytes())
    command = bytearray(serialize_message(Float64MultiArray(data=position)))
    return command, begin, begin + 8 * len(position)


if __name__ == '__main__':
    main()
