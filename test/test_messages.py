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

"""Messages to arrays and back: by joint name, whole or not at all."""

import math

from hypothesis import given, strategies as st
import numpy as np
import pytest
from rclpy.serialization import serialize_message
from robot_dynamics.errors import StateError, TrajectoryError
from robot_dynamics.nodes import trajectory_messages
from robot_dynamics.nodes.messages import (
    ArrayCommandWriter,
    JointStateReader,
    JointStateWriter,
)
from robot_dynamics.nodes.state_selector import StateSelector
from robot_dynamics.nodes.trajectory_messages import count_points, TrajectoryReader
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

NAMES = ('shoulder', 'elbow', 'wrist')
FINITE = st.floats(-1e6, 1e6)


def state(names=NAMES, position=(0.1, 0.2, 0.3), velocity=(1.0, 2.0, 3.0), effort=(), stamp=0.0):
    message = JointState(
        name=list(names), position=list(position), velocity=list(velocity), effort=list(effort)
    )
    message.header.stamp.sec = int(stamp)
    message.header.stamp.nanosec = round((stamp - int(stamp)) * 1e9)
    return message


def refused(message, **options):
    with pytest.raises(StateError) as caught:
        JointStateReader(NAMES, **options).read(message)
    return str(caught.value)


# ------------------------------------------------------------------ joint states


@given(
    order=st.permutations(range(5)),
    q=st.lists(FINITE, min_size=5, max_size=5),
    v=st.lists(FINITE, min_size=5, max_size=5),
)
def test_permutations_and_extra_names_give_the_same_arrays(order, q, v):
    names = [*NAMES, 'gripper', 'wheel']
    q[4] = v[4] = math.nan  # what nobody asked for may be anything
    message = state([names[i] for i in order], [q[i] for i in order], [v[i] for i in order])
    read = JointStateReader(NAMES).read(message)
    assert read.q.tolist() == q[:3]
    assert read.v.tolist() == v[:3]


@given(order=st.permutations(range(3)))
def test_one_reader_follows_a_change_of_order(order):
    reader = JointStateReader(NAMES)
    position = (0.1, 0.2, 0.3)
    assert reader.read(state(position=position)).q.tolist() == [0.1, 0.2, 0.3]
    message = state([NAMES[i] for i in order], [position[i] for i in order])
    assert reader.read(message).q.tolist() == [0.1, 0.2, 0.3]


def test_arrays_do_not_share_the_memory_of_the_message():
    message = state()
    read = JointStateReader(NAMES).read(message)
    message.position[0] = 9.0
    assert read.q[0] == 0.1


def test_missing_name_lists_what_is_there_with_the_closest_match():
    text = refused(state(['arm_shoulder', 'arm_elbow', 'wrist']))
    assert "joints 'shoulder' (closest match 'arm_shoulder')" in text
    assert "'elbow' (closest match 'arm_elbow') missing" in text
    assert "unmatched names there: 'arm_shoulder', 'arm_elbow'" in text
    assert 'joint_prefix' in text


@pytest.mark.parametrize('prefix', ['arm_', 'left/'])
def test_prefix_only_where_it_is_configured(prefix):
    message = state([prefix + name for name in NAMES])
    assert 'missing' in refused(message)
    assert JointStateReader(NAMES, prefix=prefix).read(message).q.tolist() == [0.1, 0.2, 0.3]
    assert 'missing' in refused(state([prefix + prefix + name for name in NAMES]), prefix=prefix)


def test_doubled_name_is_refused_only_among_our_joints():
    text = refused(state([*NAMES, 'shoulder'], [0.1, 0.2, 0.3, 0.9], [0.0] * 4))
    assert "'shoulder' is there more than once" in text
    harmless = state([*NAMES, 'x', 'x'], [0.1, 0.2, 0.3, 5.0, 6.0], [0.0] * 5)
    assert JointStateReader(NAMES).read(harmless).q.tolist() == [0.1, 0.2, 0.3]


@pytest.mark.parametrize(
    ('field', 'values', 'text'),
    [
        ('position', [], '0 positions for 3 names'),
        ('position', [0.0] * 2, '2 positions for 3 names'),
        ('velocity', [0.0] * 4, '4 velocities for 3 names'),
        ('effort', [0.0], '1 efforts for 3 names'),
    ],
)
def test_arrays_of_another_length_are_refused(field, values, text):
    message = state()
    setattr(message, field, values)
    assert text in refused(message)


@pytest.mark.parametrize('value', [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize('field', ['position', 'velocity'])
@pytest.mark.parametrize('joint', [0, 1, 2])
def test_a_number_that_is_not_finite_drops_the_whole_state(field, joint, value):
    message = state()
    getattr(message, field)[joint] = value
    text = refused(message)
    assert f"{field} of joint '{NAMES[joint]}' is {value}" in text


@pytest.mark.parametrize('velocity', [(), (math.nan,) * 3])
def test_absent_velocity_is_not_measured(velocity):
    read = JointStateReader(NAMES).read(state(velocity=velocity))
    assert read.v is None
    assert read.q.tolist() == [0.1, 0.2, 0.3]


def test_effort_is_taken_when_finite_and_harmless_otherwise():
    reader = JointStateReader(NAMES)
    assert reader.read(state(effort=(4.0, 5.0, 6.0))).effort.tolist() == [4.0, 5.0, 6.0]
    assert reader.read(state(effort=(math.nan, 5.0, 6.0))).effort is None
    assert reader.read(state()).effort is None


@given(
    st.lists(st.sampled_from([*NAMES, 'other', '']), max_size=6),
    st.lists(st.floats(), max_size=6),
    st.lists(st.floats(), max_size=6),
    st.lists(st.floats(), max_size=6),
)
def test_any_message_is_read_or_refused(names, q, v, effort):
    try:
        read = JointStateReader(NAMES).read(state(names, q, v, effort))
    except StateError as error:
        assert str(error).startswith('joint_states: ')
    else:
        assert np.isfinite(read.q).all()
        assert read.v is None or np.isfinite(read.v).all()


# ------------------------------------------------------ choosing among many states


def test_newest_usable_state_wins_and_the_others_are_counted():
    selector = StateSelector(JointStateReader(NAMES))
    batch = [state(position=(0.1 * k, 0.0, 0.0)) for k in range(4)]
    batch[3].position[0] = math.nan
    selection = selector.select(batch)
    assert selection.state.q[0] == pytest.approx(0.2)
    assert (selection.overtaken, selection.old, selection.unusable) == (2, 0, 1)
    assert 'nan' in selection.reason


def test_states_stamped_before_the_last_used_one_are_dropped():
    selector = StateSelector(JointStateReader(NAMES))
    assert selector.select([state(stamp=10.0)]).state is not None
    selection = selector.select([state(stamp=9.5), state(stamp=9.99)])
    assert selection.state is None and selection.old == 2
    assert selector.select([state(stamp=10.0)]).state is not None, 'a coarse clock repeats stamps'
    assert selector.select([state(stamp=0.0)]).state is not None, 'no stamp is no old stamp'


def test_a_clock_set_back_is_followed():
    selector = StateSelector(JointStateReader(NAMES))
    selector.select([state(stamp=3600.0)])
    selection = selector.select([state(stamp=1.0, position=(0.7, 0.0, 0.0))])
    assert selection.clock_reset and selection.state.q[0] == 0.7
    assert not selector.select([state(stamp=1.1)]).clock_reset


@given(st.permutations(range(8)), st.lists(st.integers(1, 3), min_size=8, max_size=8))
def test_shuffled_states_give_what_sorted_ones_give(order, sizes):
    selector = StateSelector(JointStateReader(NAMES))
    messages = [state(stamp=100.0 + 0.01 * k, position=(float(k), 0.0, 0.0)) for k in order]
    newest = -1.0
    counted = 0
    while messages:
        size = sizes.pop()
        batch, messages = messages[:size], messages[size:]
        selection = selector.select(batch)
        counted += selection.overtaken + selection.old + (selection.state is not None)
        best = max(message.position[0] for message in batch)
        if best > newest:
            assert selection.state.q[0] == best
            newest = best
        else:
            assert selection.state is None
    assert counted == 8


# ------------------------------------------------------------------- output


def test_command_array_is_in_the_order_of_the_joints():
    message = ArrayCommandWriter(NAMES).write(np.array([1.0, -2.0, 3.0]), None)
    assert list(message.data) == [1.0, -2.0, 3.0]


def test_joint_state_output_carries_prefixed_names_and_only_given_fields():
    writer = JointStateWriter(NAMES, prefix='arm_')
    message = writer.write(JointState().header.stamp, effort=np.array([1.0, 2.0, 3.0]))
    assert message.name == ['arm_shoulder', 'arm_elbow', 'arm_wrist']
    assert list(message.effort) == [1.0, 2.0, 3.0]
    assert not message.position and not message.velocity


# ------------------------------------------------------------------ trajectories


def trajectory(names=NAMES, times=(1.0, 2.0), positions=None, stamp=0.0, **fields):
    message = JointTrajectory(joint_names=list(names))
    message.header.stamp.sec = int(stamp)
    message.header.stamp.nanosec = round((stamp - int(stamp)) * 1e9)
    for k, time_from_start in enumerate(times):
        point = JointTrajectoryPoint(
            positions=[0.1 * (k + 1)] * len(names) if positions is None else list(positions[k])
        )
        point.time_from_start.sec = int(time_from_start)
        point.time_from_start.nanosec = round((time_from_start - int(time_from_start)) * 1e9)
        for field, rows in fields.items():
            setattr(point, field, list(rows[k]))
        message.points.append(point)
    return message


def refused_trajectory(message, now=100.0, **options):
    with pytest.raises(TrajectoryError) as caught:
        TrajectoryReader(NAMES, **options).read(message, now)
    return str(caught.value)


@given(st.permutations(range(3)))
def test_trajectory_is_matched_by_name(order):
    rows = [(0.1, 0.2, 0.3), (0.6, -0.4, 0.9)]
    message = trajectory(
        [NAMES[i] for i in order], positions=[[row[i] for i in order] for row in rows]
    )
    request = TrajectoryReader(NAMES).read(message, 0.0)
    assert request.trajectory.positions.tolist() == [list(row) for row in rows]
    assert request.trajectory.sample(2.0).q.tolist() == [0.6, -0.4, 0.9]


@pytest.mark.parametrize(
    ('names', 'text'),
    [
        (['elbow'], "joints 'shoulder', 'wrist' missing"),
        (['shoulder', 'elbow', 'gripper_x'], "unknown joint 'gripper_x'"),
        (['shoulder', 'elbw', 'wrist'], "unknown joint 'elbw' (closest match 'elbow')"),
        ([], 'joint_names: is empty'),
        (['shoulder', 'elbow', 'wrist', 'elbow'], "joint 'elbow' more than once"),
    ],
)
def test_joint_names_must_be_all_and_only_ours(names, text):
    assert text in refused_trajectory(trajectory(names))


def test_names_of_a_trajectory_carry_the_prefix():
    message = trajectory(['arm_' + name for name in NAMES])
    reader = TrajectoryReader(NAMES, prefix='arm_')
    assert reader.read(message, 0.0).trajectory.duration == 2.0
    assert 'unknown' in refused_trajectory(message)


def test_no_points_mean_stop_and_hold():
    request = TrajectoryReader(NAMES).read(JointTrajectory(), 0.0)
    assert request.trajectory is None and request.setpoint is None


def test_one_point_with_time_zero_is_a_setpoint():
    message = trajectory(times=[0.0], positions=[(0.1, 0.2, 0.3)], velocities=[(1.0, 0.0, -1.0)])
    request = TrajectoryReader(NAMES).read(message, 0.0)
    assert request.trajectory is None
    assert request.setpoint.q.tolist() == [0.1, 0.2, 0.3]
    assert request.setpoint.v.tolist() == [1.0, 0.0, -1.0]
    assert request.setpoint.a.tolist() == [0.0, 0.0, 0.0]


def test_setpoint_must_be_finite_and_for_now():
    bad = trajectory(times=[0.0], positions=[(0.1, math.nan, 0.3)])
    assert "position of joint 'elbow' is nan" in refused_trajectory(bad)
    late = trajectory(times=[0.0], stamp=99.0)
    assert 'setpoint_timeout = 0.1 s' in refused_trajectory(late)
    assert TrajectoryReader(NAMES).read(trajectory(times=[0.0], stamp=99.95), 100.0).setpoint


@pytest.mark.parametrize(
    ('stamp', 'delay'), [(0.0, 0.0), (100.0, 0.0), (99.5, -0.5), (101.0, 1.0), (98.01, -1.99)]
)
def test_stamp_tells_when_it_starts(stamp, delay):
    request = TrajectoryReader(NAMES).read(trajectory(stamp=stamp), 100.0)
    assert request.delay == pytest.approx(delay, abs=1e-9)


def test_wholly_past_is_refused_naming_both_times():
    text = refused_trajectory(trajectory(stamp=90.0))
    assert 'ends at 92.000 s, now is 100.000 s' in text
    assert 'use_sim_time' not in text
    assert 'use_sim_time' in refused_trajectory(trajectory(stamp=90.0), now=1e6)


def test_a_start_of_another_clock_is_refused():
    assert 'use_sim_time' in refused_trajectory(trajectory(stamp=1.7e9))


@pytest.mark.parametrize(
    ('change', 'text'),
    [
        ({'times': (0.0, 0.0)}, 'point 1, time'),
        ({'times': (2.0, 1.0)}, 'point 1, time'),
        ({'positions': [(0.1, 0.2, 0.3), (0.1, 0.2)]}, 'point 1: 2 positions'),
        ({'positions': [(), ()]}, 'no positions'),
        ({'positions': [(0.1, 0.2, 0.3), (0.1, math.inf, 0.3)]}, "point 1, joint 'elbow'"),
        ({'velocities': [(0.0,) * 3, ()]}, 'point 1: 0 velocities'),
        ({'velocities': [(), (0.0,) * 3]}, 'in every point or in none'),
        ({'velocities': [(0.0,) * 3, (0.0, 0.5, 0.0)]}, "joint 'elbow', velocities"),
        ({'accelerations': [(0.0,) * 2] * 2}, 'point 0: 2 accelerations'),
        ({'effort': [(0.0,) * 3, (0.0,) * 4]}, 'point 1: 4 effort'),
    ],
)
def test_what_cannot_be_followed_is_refused_whole(change, text):
    assert text in refused_trajectory(trajectory(**change))


def test_effort_in_points_is_ignored_with_a_notice_unless_zero():
    reader = TrajectoryReader(NAMES)
    assert reader.read(trajectory(effort=[(1.0, 0.5, 0.0)] * 2), 0.0).effort_ignored
    assert not reader.read(trajectory(effort=[(0.0,) * 3] * 2), 0.0).effort_ignored
    assert not reader.read(trajectory(), 0.0).effort_ignored


@pytest.mark.parametrize('frame', ['', 'a', 'base_link'])
def test_points_are_counted_in_the_bytes(frame):
    for count in (0, 1, 7):
        message = trajectory(times=range(1, count + 1))
        message.header.frame_id = frame
        assert count_points(serialize_message(message)) == count
    assert count_points(b'\x00\x01\x00\x00') is None


def test_too_many_points_are_refused_before_conversion(monkeypatch):
    point = JointTrajectoryPoint(positions=[0.0] * 3)
    message = JointTrajectory(joint_names=list(NAMES), points=[point] * 10_001)
    serialized = serialize_message(message)
    monkeypatch.setattr(trajectory_messages, 'deserialize_message', None)
    with pytest.raises(TrajectoryError, match='10001 points; expected at most 10000'):
        TrajectoryReader(NAMES).decode(serialized)
    with pytest.raises(TrajectoryError, match='max_trajectory_points'):
        TrajectoryReader(NAMES, max_points=1).read(trajectory(), 0.0)
