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
The other side of every measurement over DDS: sends joint states at a rate, hears the commands.

It uses a wait set and serialized messages, so that its own work is small and the same for all
nodes it is paired with. Each state carries its number in the last joint's position; see
``answers.py`` for how a command is paired with its state.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import select
import struct
import sys
import time

import numpy as np
import rclpy
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

WARM_UP_RATE = 500.0  # [Hz]
LEARNING = 320  # states of the slow phase, more than there are levels
TAIL = 0.4  # [s] after the last state, for late commands and the ramp to zero effort
LONGEST_WAIT = 30.0  # [s] for the first command
_STAMP = 4  # [bytes] before the stamp in a serialized JointState
_PR_SET_TIMERSLACK = 29


class Arm:
    """
    States out and commands in of one namespace.

    Parameters
    ----------
    node : Node
        The driver's node.
    namespace : str
        Such as '/left', or ''.
    joints, position : sequence
        Names, and where they stay [rad].
    levels, step
        How states are numbered.

    """

    def __init__(self, node, namespace, joints, position, levels, step):
        reliable = QoSProfile(depth=10)
        # deep, so that what is lost is not lost here
        patient = QoSProfile(depth=1000, reliability=ReliabilityPolicy.BEST_EFFORT)
        self._publisher = node.create_publisher(JointState, f'{namespace}/joint_states', reliable)
        self._trajectories = node.create_publisher(
            JointTrajectory, f'{namespace}/dynamics/joint_trajectory', reliable
        )
        self.subscription = node.create_subscription(
            Float64MultiArray, f'{namespace}/dynamics/effort_command', lambda _: None, patient
        )
        self._take = self.subscription.handle.take_message
        self._joints, self._position = list(joints), list(position)
        self._levels = levels
        self._states = [self._state(level * step) for level in range(levels)]
        self.sent: list[int] = []
        self.heard: list[int] = []
        self.efforts: list[float] = []

    def _state(self, offset):
        position = [*self._position[:-1], self._position[-1] + offset]
        zeros = [0.0] * len(position)
        message = JointState(name=self._joints, position=position, velocity=zeros, effort=zeros)
        return bytearray(serialize_message(message))

    def send(self):
        """Send the next state."""
        data = self._states[len(self.sent) % self._levels]
        now = time.time_ns()
        struct.pack_into('<iI', data, _STAMP, now // 1_000_000_000, now % 1_000_000_000)
        data = bytes(data)
        self.sent.append(time.monotonic_ns())
        try:
            self._publisher.publish(data)
        except rclpy_implementation.RCLError:
            # the middleware's queue is full: a state that nobody answers
            return

    def hear(self):
        """Take all commands that have come."""
        while (taken := self._take(Float64MultiArray, True)) is not None:
            self.heard.append(time.monotonic_ns())
            self.efforts.append(struct.unpack_from('<d', taken[0], len(taken[0]) - 8)[0])

    def forget(self):
        """Begin to count anew."""
        self.sent, self.heard, self.efforts = [], [], []

    def stay(self):
        """Order a trajectory that stays where the robot is, so that a spline is followed."""
        points = []
        for seconds in (0, 100, 4000):
            point = JointTrajectoryPoint(positions=self._position)
            point.time_from_start.sec = seconds
            points.append(point)
        self._trajectories.publish(JointTrajectory(joint_names=self._joints, points=points))

    def phase(self):
        """Return what has been recorded since ``forget``."""
        return {
            'sent': np.array(self.sent, dtype=np.int64),
            'heard': np.array(self.heard, dtype=np.int64),
            'efforts': np.array(self.efforts),
        }


class Driver:
    """Sends at a steady rate on behalf of all arms, and hears whenever something has come."""

    def __init__(self, node, arms):
        self._arms = arms
        self._handles = [arm.subscription.handle for arm in arms]
        context = node.context.handle
        self._wait_set = rclpy_implementation.WaitSet(len(arms), 0, 0, 0, 0, 0, context)

    def _wait(self, nanoseconds):
        self._wait_set.clear_entities()
        for handle in self._handles:
            self._wait_set.add_subscription(handle)
        self._wait_set.wait(max(0, nanoseconds))
        for arm in self._arms:
            arm.hear()

    def run(self, rate, seconds, until=lambda: False):
        """Send for a time, or until a condition holds."""
        period = round(1e9 / rate)
        due = time.monotonic_ns()
        left = round(seconds * rate)
        while left and not until():
            now = time.monotonic_ns()
            if now < due:
                self._wait(due - now)
                continue
            for arm in self._arms:
                arm.send()
            left -= 1
            # as a driver does: after a pause one state late, but no burst of old ones
            due = max(due + period, now - period)

    def listen(self, seconds):
        """Only hear, for a time."""
        end = time.monotonic_ns() + round(seconds * 1e9)
        while (now := time.monotonic_ns()) < end:
            self._wait(end - now)


def _processor_time(pid):
    """Return the time that all threads of a process have computed [s]."""
    # The clock of a process by its number, as clock_getcpuclockid makes it: exact to the
    # nanosecond, where /proc/PID/stat counts hundredths of a second.
    return time.clock_gettime((~pid << 3) | 2)


def _arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--rate', type=float, default=1000.0)
    parser.add_argument('--seconds', type=float, default=2.0)
    parser.add_argument('--joints', required=True, help='names, separated by commas')
    parser.add_argument('--position', required=True, help='numbers, separated by commas')
    parser.add_argument('--namespaces', default='', help='separated by commas')
    parser.add_argument('--levels', type=int, required=True)
    parser.add_argument('--step', type=float, required=True)
    parser.add_argument('--trajectory', action='store_true', help='let the node follow one')
    parser.add_argument('--output', required=True, help='file for the recording')
    return parser.parse_args()


def main():
    """
    Measure once, in step with whoever has started this.

    It says 'ready' and hears the node's process number, says when the first command came and
    hears when to begin, says the result and hears when to end.
    """
    arguments = _arguments()
    # waits end when they should, not 50 us later
    ctypes.CDLL(None).prctl(_PR_SET_TIMERSLACK, 1)
    rclpy.init()
    node = Node('driver', enable_rosout=False, start_parameter_services=False)
    joints = arguments.joints.split(',')
    position = [float(word) for word in arguments.position.split(',')]
    arms = [
        Arm(node, name, joints, position, arguments.levels, arguments.step)
        for name in arguments.namespaces.split(',')
    ]
    driver = Driver(node, arms)
    print('ready', flush=True)
    pid = int(sys.stdin.readline())
    driver.run(WARM_UP_RATE, LONGEST_WAIT, lambda: all(arm.heard for arm in arms))
    if not all(arm.heard for arm in arms):
        raise SystemExit('no command came')
    print(max(arm.heard[0] for arm in arms), flush=True)
    while not select.select([sys.stdin], [], [], 0.0)[0]:
        driver.run(WARM_UP_RATE, 0.1)
    sys.stdin.readline()
    driver.run(WARM_UP_RATE, 0.4)
    if arguments.trajectory:
        for arm in arms:
            arm.stay()
        driver.run(WARM_UP_RATE, 0.4)
    gc.collect()
    gc.disable()
    before = sum(len(arm.heard) for arm in arms)
    for arm in arms:
        arm.forget()
    driver.run(WARM_UP_RATE, LEARNING / WARM_UP_RATE)
    learned = arms[0].phase()
    before += len(learned['heard'])
    for arm in arms:
        arm.forget()
    began, computed = time.monotonic(), _processor_time(pid)
    driver.run(arguments.rate, arguments.seconds)
    seconds, computed = time.monotonic() - began, _processor_time(pid) - computed
    driver.listen(0.02)
    phases = [arm.phase() for arm in arms]
    driver.listen(TAIL)
    np.savez(
        arguments.output,
        **{f'learned_{key}': value for key, value in learned.items()},
        **{f'{key}_{i}': value for i, arm in enumerate(phases) for key, value in arm.items()},
    )
    all_heard = before + sum(len(arm.heard) for arm in arms)
    print(
        json.dumps(
            {
                'seconds': seconds,
                'processor_time': computed,
                'commands_heard': all_heard,
            }
        ),
        flush=True,
    )
    sys.stdin.readline()  # the publishers live until the other side has been looked at


if __name__ == '__main__':
    main()
