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

"""Serialized messages: read and written as the typed ones, bit for bit, or not at all."""

import math
import struct

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from rclpy.clock import Clock
from rclpy.serialization import deserialize_message, serialize_message
from robot_dynamics.errors import StateError
from robot_dynamics.nodes import serialized_commands, serialized_states
from robot_dynamics.nodes.messages import COMMAND_WRITERS, JointStateReader
from robot_dynamics.nodes.serialized_commands import command_writer
from robot_dynamics.nodes.serialized_states import SerializedStateReader
from robot_dynamics.nodes.state_selector import StateSelector
from sensor_msgs.msg import JointState

NAMES = ('shoulder', 'elbow', 'wrist')
NUMBERS = st.floats(width=64) | st.sampled_from([math.nan, math.inf, -math.inf, -0.0, 1e200])


def state(names=NAMES, position=(), velocity=(), effort=(), stamp=0.0, frame=''):
    message = JointState(
        name=list(names), position=list(position), velocity=list(velocity), effort=list(effort)
    )
    message.header.frame_id = frame
    message.header.stamp.sec = int(stamp)
    message.header.stamp.nanosec = round((stamp - int(stamp)) * 1e9)
    return message


def outcome(reader, message):
    """Return all bits of the state, or why there is none."""
    try:
        q, v, effort, stamp = reader.read(message)
    except StateError as error:
        return str(error)
    return q.tobytes(), v is None or v.tobytes(), effort is None or effort.tobytes(), stamp


def typed_outcome(data, **options):
    try:
        message = deserialize_message(data, JointState)
    except Exception:
        return None
    return outcome(JointStateReader(NAMES, **options), message)


@st.composite
def messages(draw):
    names = draw(
        st.permutations([*NAMES, 'gripper'])
        | st.lists(st.sampled_from([*NAMES, 'a', 'arm_wrist', 'ü', '']), max_size=6)
    )

    def values():
        size = draw(st.sampled_from([len(names), len(names), 0, 2]))
        return draw(st.lists(NUMBERS | st.floats(-10.0, 10.0), min_size=size, max_size=size))

    stamp = draw(st.sampled_from([0.0, 1.5, 1_700_000_000.25]))
    frame = draw(st.sampled_from(['', 'b', 'base', 'base_link']))
    return state(names, values(), values(), values(), stamp, frame)


@given(st.lists(messages(), min_size=1, max_size=6))
def test_one_reader_gives_the_typed_result_for_any_sequence(sequence):
    reader, prefixed = (
        SerializedStateReader(JointStateReader(NAMES, prefix=prefix)) for prefix in ('', 'arm_')
    )
    for message in sequence + sequence:
        data = serialize_message(message)
        assert outcome(reader, data) == outcome(JointStateReader(NAMES), message)
        assert reader.stamp(data) == JointStateReader(NAMES).stamp(message)
        assert outcome(prefixed, data) == outcome(JointStateReader(NAMES, prefix='arm_'), message)


@given(
    order=st.permutations([*NAMES, 'gripper']),
    edits=st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=4),
    size=st.none() | st.integers(0, 400),
    more=st.binary(max_size=9),
)
@settings(max_examples=400)
def test_damaged_bytes_are_refused_or_read_as_typed(order, edits, size, more):
    q, v = [0.1, 0.2, 0.3, 0.4], [1.0, 2.0, 3.0, 4.0]
    data = serialize_message(state(order, q, v, v, 2.5, 'base'))
    reader = SerializedStateReader(JointStateReader(NAMES))
    outcome(reader, data)  # so that the layout is known
    damaged = bytearray(data)
    for place, value in edits:
        damaged[place % len(damaged)] = value
    damaged = bytes(damaged[:size]) + (more if size is None else b'')
    found, expected = outcome(reader, damaged), typed_outcome(damaged)
    if expected is None:
        assert isinstance(found, str) and found.startswith('joint_states: ')
    else:
        assert found == expected
    assert math.isfinite(reader.stamp(damaged))
    assert outcome(reader, data) == typed_outcome(data)


def test_the_short_way_is_taken_whatever_the_padding(monkeypatch):
    data = bytearray(serialize_message(state(NAMES, (1, 2, 3), (4, 5, 6), (math.nan,) * 3)))
    reader = SerializedStateReader(JointStateReader(NAMES))
    reader.read(bytes(data))
    monkeypatch.setattr(serialized_states, 'deserialize_message', None)
    for mark in (0, 255, 7, 7):
        data[data.index(b'elbow\0') + 6] = mark  # behind the name
        struct.pack_into('<3d', data, data.index(struct.pack('<d', 1.0)), mark, 2.0, 3.0)
        read = reader.read(bytes(data))
        assert read.q.tolist() == [mark, 2.0, 3.0]
        assert read.v.tolist() == [4.0, 5.0, 6.0]
        assert read.effort is None
        struct.pack_into('<d', data, data.index(struct.pack('<dd', mark, 2.0)), 1.0)


def test_publishers_in_turn_keep_their_layouts(monkeypatch):
    arm = serialize_message(state((*NAMES, 'gripper'), (1, 2, 3, 4)))
    other = serialize_message(state(NAMES[::-1], (3, 2, 1), (6, 5, 4)))
    reader = SerializedStateReader(JointStateReader(NAMES))
    for data in (arm, other):
        reader.read(data)
    monkeypatch.setattr(serialized_states, 'deserialize_message', None)
    for data in (arm, other, arm):
        assert reader.read(data).q.tolist() == [1.0, 2.0, 3.0]


def test_arrays_do_not_change_with_the_next_message():
    reader = SerializedStateReader(JointStateReader(NAMES))
    first = [reader.read(serialize_message(state(NAMES, (1, 2, 3)))) for _ in range(2)][1]
    reader.read(serialize_message(state(NAMES, (7, 8, 9))))
    assert first.q.tolist() == [1.0, 2.0, 3.0]
    assert first.q.flags.writeable and first.q.flags.aligned


@pytest.mark.parametrize('data', [b'', b'\0\1\0\0', b'\0\0\0\0' + bytes(60), b'\xff' * 200])
def test_what_is_no_message_is_refused_with_a_reason(data):
    reader = SerializedStateReader(JointStateReader(NAMES))
    assert reader.stamp(data) in (0.0, struct.unpack_from('>i', data, 4)[0] if data[4:] else 0.0)
    with pytest.raises(StateError, match='^joint_states: '):
        reader.read(data)


@given(
    stamps=st.lists(st.sampled_from([0.0, 5.0, 5.5, 5.9, 7.5, 9.0, 3.0]), min_size=1, max_size=12),
    cuts=st.lists(st.integers(1, 4), min_size=12, max_size=12),
    bad=st.sets(st.integers(0, 11)),
)
def test_selection_is_that_of_typed_messages(stamps, cuts, bad):
    sent = [
        state(NAMES, (k, math.nan if k in bad else 0.0, 0.0), stamp=stamp)
        for k, stamp in enumerate(stamps)
    ]
    typed = StateSelector(JointStateReader(NAMES))
    raw = StateSelector(SerializedStateReader(JointStateReader(NAMES)))
    while sent:
        size = cuts.pop()
        batch, sent = sent[:size], sent[size:]
        expected = typed.select(batch)
        found = raw.select([serialize_message(message) for message in batch])
        assert found[1:] == expected[1:]
        assert (found.state is None) == (expected.state is None)
        if found.state is not None:
            assert found.state.q.tobytes() == expected.state.q.tobytes()
            assert found.state.stamp == expected.state.stamp


# ------------------------------------------------------------------------ commands


class StoppedClock(Clock):
    """A clock whose time does not go on."""

    def now(self):
        if not hasattr(self, '_time'):
            self._time = super().now()
        return self._time


@pytest.mark.parametrize('command_format', sorted(COMMAND_WRITERS))
@pytest.mark.parametrize('prefix', ['', 'left/'])
@pytest.mark.parametrize('n', [1, 2, 3])
def test_commands_are_those_of_the_typed_writer(command_format, prefix, n):
    clock = StoppedClock()
    typed = COMMAND_WRITERS[command_format](NAMES[:n], prefix=prefix)
    writer = command_writer(command_format, NAMES[:n], prefix=prefix)
    assert writer.is_serialized and writer.message_type is typed.message_type
    for effort in (np.zeros(n), np.array([-1.5, 1e-300, math.pi])[:n]):
        message = deserialize_message(writer.write(effort, clock), writer.message_type)
        assert message == typed.write(effort, clock)


def test_bytes_that_are_not_understood_are_not_written(monkeypatch):
    monkeypatch.setattr(
        serialized_commands, 'serialize_message', lambda message: serialize_message(message)[::-1]
    )
    writer = command_writer('float64_multi_array', NAMES)
    assert not writer.is_serialized
    assert list(writer.write(np.array([1.0, 2.0, 3.0]), None).data) == [1.0, 2.0, 3.0]
