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

"""Trajectories that break a rule are refused whole; what is in force goes on, bit for bit."""

import math

from fault_rig import NAMES, Q, Rig
import numpy as np
import pytest
from robot_dynamics import TrajectoryError
from robot_dynamics.control import SineReference, State, Trajectory
from robot_dynamics.nodes.trajectory_messages import TrajectoryReader
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

NOW = 1000.0  # [s] by the clock of the stamps

GOOD = {'times': [0.5, 1.0], 'positions': [[0.3, -0.7], [0.4, -0.6]]}
RULES = {
    'times zero': {'times': [0.0, 0.0]},
    'times equal': {'times': [0.5, 0.5]},
    'times falling': {'times': [1.0, 0.5]},
    'times negative': {'times': [-0.5, 1.0]},
    'times not finite': {'times': [0.5, math.inf]},
    'too few positions': {'positions': [[0.3], [0.4]]},
    'too few points': {'positions': [[0.3, -0.7]]},
    'position not finite': {'positions': [[0.3, math.nan], [0.4, -0.6]]},
    'velocity not finite': {'velocities': [[0.0, math.inf], [0.0, 0.0]]},
    'velocities of wrong size': {'velocities': [[0.0], [0.0]]},
    'acceleration not finite': {
        'velocities': [[0.0, 0.0]] * 2,
        'accelerations': [[0.0, 0.0], [math.nan, 0.0]],
    },
    'unknown joint': {'joint_names': ['joint1', 'gripper']},
    'doubled joint': {'joint_names': ['joint1', 'joint1']},
    'no joint': {'joint_names': []},
    'beyond a position limit': {'positions': [[0.3, -0.7], [40.0, -0.6]], 'times': [50.0, 100.0]},
    'beyond a velocity limit': {'times': [0.5, 0.501], 'positions': [[0.3, -0.7], [1.4, -0.6]]},
    'ends while moving': {'velocities': [[0.0, 0.0], [1.0, 0.0]]},
}


@pytest.mark.parametrize('rule', RULES)
def test_trajectories_that_break_a_rule(faults, rule):
    twin, rig, count = Rig(), Rig(), faults.count(3, 30)
    for each in (twin, rig):
        each.run(300)
    for _ in range(count):
        with pytest.raises(TrajectoryError) as caught:
            arguments = {'joint_names': NAMES, **GOOD, **RULES[rule]}
            rig.controller.set_trajectory(Trajectory(**arguments), rig.now)
        assert str(caught.value)
        for _ in range(5):
            np.testing.assert_array_equal(rig.run(1).output, twin.run(1).output)
    assert rig.controller.state is State.TRACKING
    faults.record(
        f'trajectory: {rule}',
        count,
        'refused whole; what is in force goes on, bit for bit',
    )


def message(stamp=0.0, times=(0.5, 2.0), positions=((0.3, -0.7), (0.5, -0.5)), names=NAMES):
    """Return a trajectory message, valid unless told otherwise."""
    result = JointTrajectory(joint_names=list(names))
    result.header.stamp.sec = int(stamp)
    result.header.stamp.nanosec = round(stamp % 1.0 * 1e9)
    for time, position in zip(times, positions, strict=False):
        point = JointTrajectoryPoint(positions=list(position))
        point.time_from_start.sec = int(time)
        point.time_from_start.nanosec = round(time % 1.0 * 1e9)
        result.points.append(point)
    return result


MESSAGES = {
    'wholly past': ({'stamp': NOW - 3.0}, 'wholly past'),
    'more than minutes ahead': ({'stamp': NOW + 3600.0}, 'too far in the future'),
    'a stamp of another clock': ({'stamp': 1.7e9}, 'use_sim_time'),
    'a set-point of long ago': (
        {'stamp': NOW - 1.0, 'times': (0.0,), 'positions': ((0.3, -0.7),)},
        'set-point for 999.000 s',
    ),
    'points without positions': ({'positions': ((), ())}, 'no positions'),
    'points of different sizes': ({'positions': ((0.3, -0.7), (0.5,))}, 'point 1: 1 positions'),
    'a joint left out': ({'names': NAMES[:1], 'positions': ((0.3,), (0.5,))}, 'joint2'),
}


@pytest.mark.parametrize('rule', MESSAGES)
def test_messages_that_break_a_rule(faults, rule):
    change, text = MESSAGES[rule]
    twin, rig, count = Rig(), Rig(), faults.count(3, 30)
    for each in (twin, rig):
        each.run(300)
    for _ in range(count):
        with pytest.raises(TrajectoryError, match=text):
            hand_over(rig, message(**change))
        for _ in range(5):
            np.testing.assert_array_equal(rig.run(1).output, twin.run(1).output)
    assert rig.controller.state is State.TRACKING
    faults.record(
        f'trajectory message: {rule}',
        count,
        'refused whole; what is in force goes on, bit for bit',
    )


def hand_over(rig, trajectory):
    """Do what the node does with a message; return the request."""
    request = TrajectoryReader(NAMES).read(trajectory, NOW)
    if request.trajectory is None:
        rig.controller.hold(rig.now)
    else:
        start = rig.now + request.delay
        rig.controller.set_trajectory(request.trajectory, rig.now, start=start)
    return request


def feed(rig, seconds):
    """Feed states of a robot that stands still, and return the references and the last command."""
    references, command = [], None
    for _ in range(round(1e3 * seconds)):
        command = rig.feed(Q, np.zeros(2))
        references.append(command.reference.q)
    return np.array(references), command


def test_trajectory_that_is_partly_past(faults):
    rng, count, largest = np.random.default_rng(4), faults.count(10, 60), 0.0
    whole = {'times': (0.0, 1.0, 2.0), 'positions': (Q, (0.4, -0.6), (0.5, -0.5))}
    rig = Rig()
    rig.reference = SineReference(Q, [0.0, 0.0], [1.0, 1.0])
    rig.run(300)
    for _ in range(count):
        late = round(rng.uniform(0.1, 1.0), 3)
        request = hand_over(rig, message(stamp=NOW - late, **whole))
        assert request.delay == pytest.approx(-late, abs=1e-6)
        begin = rig.now
        references, command = feed(rig, 0.7)
        phase = rig.now - begin + late
        np.testing.assert_allclose(
            command.reference.q, request.trajectory.sample(phase)[0], rtol=0.0, atol=1e-6
        )
        largest = max(largest, np.abs(np.diff(references, axis=0)).max())
        rig.controller.hold(rig.now)
        feed(rig, 1.0)
        hand_over(rig, message(positions=(Q, Q)))
        feed(rig, 2.5)
    assert largest < 0.005  # [rad] in a millisecond
    faults.record(
        'trajectory that is partly past',
        count,
        f'entered by its phase; largest step of the reference {1e3 * largest:.2f} mrad',
    )


def test_empty_trajectory(faults):
    count, largest = faults.count(10, 60), 0.0
    rig = Rig()
    rig.reference = SineReference(Q, [0.0, 0.0], [1.0, 1.0])
    rig.run(300)
    for k in range(count):
        hand_over(rig, message())
        feed(rig, 0.2 + 0.01 * (k % 100))
        assert rig.controller.state is State.TRACKING
        hand_over(rig, JointTrajectory(joint_names=list(NAMES)))
        references, command = feed(rig, 1.5)
        assert command.state is State.HOLDING and not command.reference.v.any()
        largest = max(largest, np.abs(np.diff(references, axis=0)).max())
        hand_over(rig, message(positions=(Q, Q)))
        feed(rig, 2.5)
    assert largest < 0.005  # [rad] in a millisecond
    faults.record(
        'trajectory without points, in the middle of another',
        count,
        f'comes to rest and holds; largest step of the reference {1e3 * largest:.2f} mrad',
    )
