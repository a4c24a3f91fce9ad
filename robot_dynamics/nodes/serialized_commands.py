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

"""Effort commands in bytes: the same message as ever, with other numbers in it."""

from __future__ import annotations

import struct
from typing import Any, Sequence

from builtin_interfaces.msg import Time
import numpy as np
from numpy.typing import NDArray
from rclpy.serialization import deserialize_message, serialize_message
from robot_dynamics.nodes.messages import COMMAND_WRITERS

Array = NDArray[np.float64]

_STAMP_AT = 4  # behind the kind of encoding
_STAMP = struct.Struct('<iI')
_SECOND = 1_000_000_000  # [ns]


class _SerializedArray:
    """Efforts as the bytes of a Float64MultiArray."""

    is_serialized = True

    def __init__(self, typed: Any, head: bytes) -> None:
        self.message_type = typed.message_type
        self._head = head

    def write(self, effort: Array, clock: Any) -> bytes:
        """Return the message with `effort` (n,)."""
        return self._head + effort.tobytes()


class _SerializedJointState:
    """Efforts as the bytes of a JointState with names and the time of sending."""

    is_serialized = True

    def __init__(self, typed: Any, head: bytes) -> None:
        self.message_type = typed.message_type
        self._kind = head[:_STAMP_AT]
        stamp_end = _STAMP_AT + _STAMP.size
        self._names = head[stamp_end:]

    def write(self, effort: Array, clock: Any) -> bytes:
        """Return the message with `effort` (n,)."""
        stamp = _STAMP.pack(*divmod(clock.now().nanoseconds, _SECOND))
        return self._kind + stamp + self._names + effort.tobytes()


_SERIALIZED: dict[str, Any] = {
    'float64_multi_array': _SerializedArray,
    'joint_state': _SerializedJointState,
}


class _FixedClock:
    """Gives one time, to compare two messages."""

    nanoseconds = 0x0123_4567 * _SECOND + 987_654_321

    def now(self) -> _FixedClock:
        """Return what has ``nanoseconds`` and ``to_msg``."""
        return self

    def to_msg(self) -> Time:
        """Return the time as a message."""
        seconds, nanoseconds = divmod(self.nanoseconds, _SECOND)
        return Time(sec=seconds, nanosec=nanoseconds)


def command_writer(command_format: str, joint_names: Sequence[str], *, prefix: str = '') -> Any:
    """
    Return what writes effort commands: bytes where they are known, else messages.

    Both have ``message_type``, ``is_serialized`` and ``write(effort, clock)``, whose result a
    publisher takes.

    Parameters
    ----------
    command_format
        A key of ``COMMAND_WRITERS``.
    joint_names
        Names in the order of the efforts.
    prefix
        Written before each name.

    """
    typed = COMMAND_WRITERS[command_format](joint_names, prefix=prefix)
    clock = _FixedClock()
    effort = np.arange(1.0, len(joint_names) + 1.0)
    # what stands before the efforts; behind them is nothing but padding
    head, found, _ = serialize_message(typed.write(effort, clock)).partition(effort.tobytes())
    if not found:
        return typed
    writer = _SERIALIZED[command_format](typed, head)
    for numbers in (effort, -effort / 3.0):
        read = deserialize_message(writer.write(numbers, clock), typed.message_type)
        if read != typed.write(numbers, clock):
            return typed
    return writer
