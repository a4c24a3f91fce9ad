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

"""Messages to arrays and back, always by joint name: joint states in, efforts out."""

from __future__ import annotations

import array
import math
from typing import Any, NamedTuple, Sequence
import unicodedata

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.errors import StateError
from robot_dynamics.nodes.joint_names import describe_missing, doubled
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

Array = NDArray[np.float64]


class MeasuredState(NamedTuple):
    """
    One measured state in the order of the model's joints.

    Attributes
    ----------
    q
        Positions (nv,), rad or m, finite.
    v
        Velocities (nv,), rad/s or m/s, finite; None when the driver does not measure them.
    effort
        Measured efforts (nv,), N·m or N; None when absent or not finite.
    stamp
        Time of the header in seconds, 0.0 when the driver leaves it unset.

    """

    q: Array
    v: Array | None
    effort: Array | None
    stamp: float


class JointStateReader:
    """
    Turns JointState messages into arrays by joint name.

    The map from names to indices is kept for as long as the list of names stays the same. Names
    that are not looked for are ignored, whatever their values.

    Parameters
    ----------
    joint_names
        Joints of the model, in its order.
    prefix
        What the driver writes before each of these names.

    """

    def __init__(self, joint_names: Sequence[str], *, prefix: str = '') -> None:
        self._wanted = tuple(prefix + name for name in joint_names)
        self._prefix = prefix
        self._raw_names: list[str] | None = None
        self._index: NDArray[np.intp] | None = None
        self._problem = ''

    @property
    def n_joints(self) -> int:
        """Return the number of joints looked for."""
        return len(self._wanted)

    @property
    def index(self) -> NDArray[np.intp]:
        """Return where each joint is in the names read last; they must have been usable."""
        if self._index is None:
            raise StateError(self._problem, where='joint_states')
        return self._index

    def stamp(self, message: JointState) -> float:
        """Return the time of the header in seconds."""
        return stamp_of(message)

    def read(self, message: JointState) -> MeasuredState:
        """
        Return the state in `message`.

        Velocities that are absent, or NaN for every joint, count as not measured. Efforts are
        taken along only when they are finite: drivers without effort sensors publish NaN.

        Raises
        ------
        StateError
            A joint is missing or there twice, an array has another length than the names, or a
            position or velocity is not finite. The message must then not be used at all.

        """
        names = message.name
        if names != self._raw_names:
            self._raw_names = list(names)
            self._map([unicodedata.normalize('NFC', name) for name in names])
        if self._index is None:
            raise StateError(self._problem, where='joint_states')
        count = len(names)
        if len(message.position) != count:
            raise StateError(
                f'{len(message.position)} positions for {count} names',
                where='joint_states',
                expected='one position for each name',
            )
        q = np.frombuffer(message.position)[self._index]
        self._check_finite(q, 'position')
        v = self._optional(message.velocity, count, 'velocities')
        if v is not None and not math.isfinite(v.dot(v)):
            if np.isnan(v).all():
                v = None
            else:
                self._check_finite(v, 'velocity')
        effort = self._optional(message.effort, count, 'efforts')
        if effort is not None and not math.isfinite(effort.dot(effort)):
            effort = None
        return MeasuredState(q, v, effort, stamp_of(message))

    def _optional(self, values: Any, count: int, field: str) -> Array | None:
        if not values:
            return None
        if len(values) != count:
            raise StateError(
                f'{len(values)} {field} for {count} names',
                where='joint_states',
                expected=f'none, or as many {field} as names',
            )
        selected: Array = np.frombuffer(values)[self._index]
        return selected

    def _check_finite(self, values: Array, field: str) -> None:
        if math.isfinite(values.dot(values)):
            return
        bad = np.flatnonzero(~np.isfinite(values))
        if bad.size:
            raise StateError(
                f"{field} of joint '{self._wanted[bad[0]]}' is {values[bad[0]]}",
                where='joint_states',
                expected='a finite number',
            )

    def _map(self, names: list[str]) -> None:
        """Look every joint up in a new list of names; keep what is wrong with it."""
        self._index = None
        missing = [name for name in self._wanted if name not in names]
        twice = [name for name in doubled(names) if name in self._wanted]
        if missing:
            self._problem = describe_missing(missing, names)
            if not self._prefix:
                self._problem += '; set joint_prefix if the driver writes one'
        elif twice:
            listed = ', '.join(f"'{name}'" for name in twice)
            self._problem = f'joint {listed} is there more than once'
        else:
            self._index = np.array([names.index(name) for name in self._wanted])


def stamp_of(message: Any) -> float:
    """Return the time of a message's header in seconds."""
    stamp = message.header.stamp
    return float(stamp.sec + 1e-9 * stamp.nanosec)


class JointStateWriter:
    """
    Fills one JointState message again and again, with a fixed list of names.

    Parameters
    ----------
    joint_names
        Names in the order of the arrays.
    prefix
        Written before each name.

    """

    def __init__(self, joint_names: Sequence[str], *, prefix: str = '') -> None:
        self._message = JointState(name=[prefix + name for name in joint_names])

    def write(
        self,
        stamp: Any,
        *,
        position: Array | None = None,
        velocity: Array | None = None,
        effort: Array | None = None,
    ) -> JointState:
        """
        Return the message with new values; it is overwritten by the next call.

        Parameters
        ----------
        stamp
            A ``builtin_interfaces/Time``.
        position, velocity, effort
            Arrays (n,) in SI units, or None for fields to leave empty.

        """
        message = self._message
        message.header.stamp = stamp
        message.position = _doubles(position)
        message.velocity = _doubles(velocity)
        message.effort = _doubles(effort)
        return message


class ArrayCommandWriter:
    """Efforts as Float64MultiArray in the order of the commanded joints."""

    message_type = Float64MultiArray
    is_serialized = False

    def __init__(self, joint_names: Sequence[str], *, prefix: str = '') -> None:
        self._message = Float64MultiArray()

    def write(self, effort: Array, clock: Any) -> Float64MultiArray:
        """Return the message with `effort` (n,); it is overwritten by the next call."""
        self._message.data = _doubles(effort)
        return self._message


class JointStateCommandWriter:
    """Efforts as JointState with names and the time of sending, the other fields empty."""

    message_type = JointState
    is_serialized = False

    def __init__(self, joint_names: Sequence[str], *, prefix: str = '') -> None:
        self._writer = JointStateWriter(joint_names, prefix=prefix)

    def write(self, effort: Array, clock: Any) -> JointState:
        """Return the message with `effort` (n,); it is overwritten by the next call."""
        return self._writer.write(clock.now().to_msg(), effort=effort)


COMMAND_WRITERS: dict[str, Any] = {
    'float64_multi_array': ArrayCommandWriter,
    'joint_state': JointStateCommandWriter,
}


def _doubles(values: Array | None) -> array.array[float]:
    """Return an array that a message takes without looking at each element."""
    return array.array('d') if values is None else array.array('d', values.tobytes())
