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

"""More than a running node can take: a trajectory of a million points, busy cores."""

import struct
import time

import numpy as np
import pytest

pytest.importorskip('rclpy', reason="needs rclpy: source ROS 2, or pip install '.[ros]'")

from fault_bench import DrivenBench, Hogs, milliseconds, SLACK  # noqa: E402, I100
from rclpy.serialization import deserialize_message, serialize_message  # noqa: E402
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('ros_domain_id')]

T = 0.002  # [s] between states


def many_points(names, number):
    """Return a serialized trajectory of so many points at zero; ROS would take seconds for it."""
    head = 4 + 8 + 8 + 4 + 12 * len(names)  # encapsulation, header, names of 4 to 7 letters
    message = serialize_message(JointTrajectory(joint_names=names))[:head]
    first = struct.pack('<I4x2d3IiI', 2, 0.0, 0.0, 0, 0, 0, 0, 0)
    further = struct.pack('<I2d3IiI', 2, 0.0, 0.0, 0, 0, 0, 0, 0)
    return message + struct.pack('<I', number) + first + further * (number - 1)


def test_million_points_sent_to_the_running_node(faults):
    count, replies, gaps, held = faults.count(1, 20), [], [], 0
    timeout = 0.05  # [s] shorter than the middleware takes to hand over so many bytes
    with (
        DrivenBench(mode='pd_gravity', state_timeout=timeout) as bench,
        bench.start_driver(1.0 / T),
    ):
        names = list(bench.model.joint_names)
        three = deserialize_message(many_points(names, 3), JointTrajectory)
        assert three.points == 3 * [JointTrajectoryPoint(positions=[0.0, 0.0])]
        message = many_points(names, 1_000_000)
        bench.wait(lambda: bench.trajectories.get_subscription_count(), 'the trajectory topic')
        for number in range(1, count + 1):
            bench.wait_for_effort(bench.gravity())
            bench.commands.clear()
            begin, wall = time.monotonic(), time.time()
            bench.trajectories.publish(message)
            bench.wait(lambda: refusals(bench) >= number, 'the refusal')
            replies.append(time.monotonic() - begin)
            bench.wait_for_effort(bench.gravity())
            stamps, efforts = bench.stamped()
            gaps.append(np.diff(stamps[stamps > wall]).max())
            held += (np.abs(efforts[:, 0]) >= 0.99 * np.abs(bench.gravity()[0])).all()
            assert (np.abs(efforts) <= np.abs(bench.gravity()) + 1e-9).all()
        bench.node.end()
    assert max(replies) < 1.0
    assert max(gaps) <= timeout + 2.0 * SLACK
    faults.record(
        'trajectory of 1,000,000 points (40 MB) sent to the running node',
        count,
        f'refused with a reason within {milliseconds(max(replies))}, its serialization included; '
        f'longest gap between commands {milliseconds(max(gaps))}, while the middleware hands it '
        f'over; no safe stop from it in {held} of {count} (state_timeout {milliseconds(timeout)})',
    )


def refusals(bench):
    """Return how many trajectories of a million points the node has refused."""
    return bench.node.output().count('1000000 points; expected at most 10000')


def test_overload(faults):
    seconds, speed = faults.count(3, 60), 1e-3  # [m/s]
    with DrivenBench('rp_arm', state_timeout=1.0) as bench, Hogs(2):
        origin = time.time()
        with bench.start_driver(1000.0, speed, origin):
            bench.wait(lambda: bench.commands, 'commands')
            bench.client.handle_for(0.5)
            bench.commands.clear()
            bench.client.handle_for(seconds)
            stamps, efforts = bench.stamped()
            values = bench.wait_for_status('holding', b'\0')
        bench.node.end()
    # Joint 1 carries the slide: its effort tells the position, and that the time of the state.
    q = np.array([bench.position, bench.position + [0.0, 1.0]])
    effort = [bench.model.gravity(row)[0] for row in q]
    used = origin + (efforts[:, 0] - effort[0]) / (effort[1] - effort[0]) / speed
    age = stamps - used
    assert (np.diff(used) > 0.0).all(), 'never an older state after a newer one'
    half = len(age) // 2
    first, second = np.median(age[:half]), np.median(age[half:])
    assert second <= max(2.0 * first, 0.005), 'no backlog grows'
    assert np.median(age) <= 0.005
    counts = {key: int(values[f'states {key}']) for key in ('received', 'overtaken', 'unusable')}
    answered = counts['received'] - counts['overtaken'] - counts['unusable']
    assert 0 <= answered - int(values['commands']) < 10, 'each state answered or counted'
    faults.record(
        'overload: 2 CPU hogs beside, states at 1 kHz [s]',
        seconds,
        f'{len(age):,} commands heard, each from a newer state; their age '
        f'{1e3 * np.median(age):.2f} ms (median; 99 %: {1e3 * np.quantile(age, 0.99):.1f} ms), '
        f'not growing; {counts["overtaken"]:,} overtaken states counted',
    )
