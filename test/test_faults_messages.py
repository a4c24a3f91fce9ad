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

"""Faults injected into messages: order, names, sizes, values, size of trajectories."""

import math
import random
import struct
import time

import numpy as np
import pytest
from rclpy.serialization import serialize_message
from robot_dynamics import load_robot, RobotDynamicsError, StateError, TrajectoryError
from robot_dynamics.nodes.messages import JointStateReader
from robot_dynamics.nodes.state_selector import StateSelector
from robot_dynamics.nodes.trajectory_messages import TrajectoryReader
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

NAMES = ('joint1', 'joint2')
START = 1000.0  # [s]


def state(k, names=NAMES, values=None):
    """Return the k-th joint state; its position tells its number."""
    message = JointState(name=list(names))
    stamp = START + 1e-3 * k
    message.header.stamp.sec = int(stamp)
    message.header.stamp.nanosec = round(stamp % 1 * 1e9)
    message.position = [float(k), -float(k)] if values is None else list(values)
    message.velocity = [0.0] * len(message.position)
    return message


def test_shuffled_and_repeated_states_end_as_if_sorted(faults):
    rng, count, dropped = random.Random(1), faults.count(10_000, 100_000), 0
    selector, newest = StateSelector(JointStateReader(NAMES)), -1
    k = 0
    while k < count:
        batch = [state(k + i) for i in range(rng.randint(1, 8))]
        k += len(batch)
        if rng.random() < 0.5:
            batch += rng.sample(batch, rng.randint(0, len(batch)))
        rng.shuffle(batch)
        if rng.random() < 0.3:
            batch.insert(0, state(max(0, k - rng.randint(9, 500))))
        used = selector.select(batch)
        dropped += used.old + used.overtaken
        newest_now = int(used.state.q[0])
        assert newest_now == k - 1 and newest_now > newest
        newest = newest_now
    assert dropped > count // 3
    faults.record(
        'states out of order, repeated or old',
        count,
        f'the newest is used, never an older one after it; {dropped:,} dropped and counted',
    )


def spoiled(rng):
    """Return a joint state with something wrong or merely unusual, and whether it is usable."""
    values = {'joint1': rng.uniform(-3, 3), 'joint2': rng.uniform(-3, 3), 'finger': 0.1}
    names = list(values)
    rng.shuffle(names)
    kind = rng.choice(
        [
            'fine',
            'missing',
            'doubled',
            'prefixed',
            'short',
            'long',
            'value',
            'one velocity',
            'no velocity',
            'NaN velocity',
            'NaN effort',
            'empty',
        ]
    )
    usable = kind in ('fine', 'no velocity', 'NaN velocity', 'NaN effort')
    if kind == 'missing':
        names.remove(rng.choice(NAMES))
    elif kind == 'doubled':
        names.insert(rng.randrange(4), rng.choice(NAMES))
    elif kind == 'prefixed':
        names = ['arm_' + name for name in names]
    elif kind == 'empty':
        names = []
    message = JointState(name=names)
    message.position = [values.get(name.removeprefix('arm_'), 0.0) for name in names]
    message.velocity, message.effort = [0.5] * len(names), [1.0] * len(names)
    if kind == 'short':
        message.position = message.position[:-1]
    elif kind == 'long':
        message.velocity = [0.0] * (len(names) + 1)
    elif kind == 'value':
        message.position[names.index(rng.choice(NAMES))] = rng.choice(
            [math.nan, math.inf, -math.inf]
        )
    elif kind == 'one velocity':
        message.velocity[names.index(rng.choice(NAMES))] = rng.choice(
            [math.nan, math.inf, -math.inf]
        )
    elif kind == 'no velocity':
        message.velocity = []
    elif kind == 'NaN velocity':
        message.velocity = [math.nan] * len(names)
    elif kind == 'NaN effort':
        message.effort = [math.nan] * len(names)
    return message, usable, values


def test_names_in_any_order_and_messages_of_any_shape(faults):
    rng, count = random.Random(2), faults.count(10_000, 100_000)
    reader, model, used = JointStateReader(NAMES), load_robot('arm_2r'), 0
    for _ in range(count):
        message, usable, values = spoiled(rng)
        try:
            q = reader.read(message).q
        except StateError as error:
            assert not usable, error
            assert str(error)
            continue
        assert usable, message
        used += 1
        np.testing.assert_allclose(
            model.gravity(q), model.gravity([values['joint1'], values['joint2']]), atol=1e-12
        )
    faults.record(
        'names missing, doubled, prefixed, permuted; arrays of other lengths; NaN',
        count,
        f'{used:,} usable ones read by name, permutations equal to 1e-12; the others dropped '
        'with a reason, no exception',
    )


def test_million_points_are_refused_before_conversion(faults):
    point = JointTrajectoryPoint(positions=[0.0, 0.0])
    message = JointTrajectory(joint_names=list(NAMES), points=[point] * 1_000_000)
    serialized = serialize_message(message)
    begin = time.perf_counter()
    with pytest.raises(TrajectoryError, match='1000000 points'):
        TrajectoryReader(NAMES).decode(serialized)
    taken = time.perf_counter() - begin
    assert taken < 1.0  # [s] the reply asked for
    faults.record('trajectory of 1,000,000 points', 1, f'refused in {taken * 1e3:.1f} ms')


def test_bytes_that_are_no_message_are_refused():
    message = JointTrajectory(joint_names=list(NAMES))
    reader, whole = TrajectoryReader(NAMES), serialize_message(message)
    assert reader.decode(whole) == message
    for serialized in (b'', whole[:3], whole[:20], whole[:16] + b'\xff' * 8, b'\xff' * 64):
        with pytest.raises(TrajectoryError, match=f'{len(serialized)} bytes|points'):
            reader.decode(serialized)


def spoiled_bytes(rng):
    """Return the bytes of a trajectory with some of them cut off, changed or exchanged."""
    message = JointTrajectory(joint_names=list(NAMES))
    for k in range(rng.randint(1, 4)):
        point = JointTrajectoryPoint(positions=[0.1, 0.2], velocities=[0.0, 0.0])
        point.time_from_start.sec = k + 1
        message.points.append(point)
    serialized = bytearray(serialize_message(message))
    kind = rng.choice(['cut', 'changed', 'length', 'other'])
    if kind == 'cut':
        size = rng.randrange(len(serialized))
        serialized = serialized[:size]
    elif kind == 'changed':
        for _ in range(rng.randint(1, 4)):
            serialized[rng.randrange(len(serialized))] = rng.randrange(256)
    elif kind == 'length':
        length = rng.choice([0, 0xFFFFFFFF, 0x7F000000, 0xFFFFFF])
        struct.pack_into('<I', serialized, 4 * rng.randrange(len(serialized) // 4), length)
    else:
        serialized = bytearray(rng.randbytes(rng.randrange(200)))
    return bytes(serialized)


def test_spoiled_bytes_of_trajectories(faults):
    rng, count, decoded = random.Random(4), faults.count(3000, 100_000), 0
    reader = TrajectoryReader(NAMES)
    for _ in range(count):
        try:
            message = reader.decode(spoiled_bytes(rng))
            decoded += 1
            request = reader.read(message, 1000.0)
        except TrajectoryError:
            continue
        curve = request.trajectory
        if curve is not None:
            assert np.isfinite(np.concatenate(curve.sample(0.5 * curve.duration))).all()
    assert 0 < decoded < count
    faults.record(
        'bytes of a trajectory cut off, changed or at random',
        count,
        f'{count - decoded:,} refused as no message, {decoded:,} read by its rules; no exception',
    )


def test_mutated_trajectory_messages(faults):
    rng, count, accepted = random.Random(3), faults.count(3000, 100_000), 0
    reader = TrajectoryReader(NAMES)
    values = [0.0, 1.0, -1.0, 1e308, math.nan, math.inf, 1e-9, 50.0]
    for _ in range(count):
        message = JointTrajectory(
            joint_names=rng.choice(
                [list(NAMES), list(NAMES[::-1]), ['joint1'], [], ['joint1', 'joint1'], ['a', 'b']]
            )
        )
        message.header.stamp.sec = rng.choice([0, 0, 0, 1, 1000, 2_000_000_000])
        for k in range(rng.randrange(5)):
            size = rng.choice([2, 2, 2, 1, 0, 3])
            point = JointTrajectoryPoint()
            for field in ('positions', 'velocities', 'accelerations', 'effort'):
                if field == 'positions' or rng.random() < 0.3:
                    setattr(point, field, [rng.choice(values) for _ in range(size)])
            point.time_from_start.sec = rng.choice([k + 1, k + 1, 0, -1, 5])
            message.points.append(point)
        try:
            request = reader.read(message, 1000.0)
        except RobotDynamicsError:
            continue
        accepted += 1
        curve = request.trajectory
        if curve is not None:
            assert np.isfinite(np.concatenate(curve.sample(0.5 * curve.duration))).all()
    assert 0 < accepted < count
    faults.record(
        'mutated trajectory messages',
        count,
        f'{count - accepted:,} refused with a reason, {accepted:,} valid ones finite throughout',
    )
