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

"""Effort commands as a drive hears them: both formats, by joint name where there are names."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Sequence

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.errors import StateError
from robot_dynamics.nodes.joint_names import describe_missing, doubled
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

Array = NDArray[np.float64]

_WHERE = 'effort_command'


class ArrayCommandReader:
    """Efforts from a Float64MultiArray in the order of the commanded joints."""

    message_type = Float64MultiArray

    def __init__(self, joint_names: Sequence[str]) -> None:
        self._names = tuple(joint_names)

    def read(self, message: Float64MultiArray) -> Array:
        """
        Return the efforts (n,) [N·m, N], all finite.

        Raises
        ------
        StateError
            Another number of values than joints, or one that is not finite.

        """
        if len(message.data) != len(self._names):
            raise StateError(
                f'{len(message.data)} values',
                where=_WHERE,
                expected=f'{len(self._names)}: {", ".join(self._names)}',
            )
        return _checked(np.array(message.data), self._names)


class JointStateCommandReader:
    """Efforts from a JointState by joint name; other names in it are ignored."""

    message_type = JointState

    def __init__(self, joint_names: Sequence[str]) -> None:
        self._names = tuple(joint_names)

    def read(self, message: JointState) -> Array:
        """
        Return the efforts (n,) [N·m, N] in the order of the commanded joints, all finite.

        Raises
        ------
        StateError
            A joint is missing or there twice, the number of efforts is not that of the names, or
            an effort is not finite.

        """
        names = list(message.name)
        twice = doubled(names)
        if twice:
            raise StateError(f"joint '{twice[0]}' more than once", where=_WHERE)
        missing = [name for name in self._names if name not in names]
        if missing:
            raise StateError(describe_missing(missing, names), where=_WHERE)
        if len(message.effort) != len(names):
            raise StateError(
                f'{len(message.effort)} efforts for {len(names)} names',
                where=_WHERE,
                expected='one effort for each name',
            )
        efforts = np.array([message.effort[names.index(name)] for name in self._names])
        return _checked(efforts, self._names)


COMMAND_READERS: dict[str, Any] = {
    'float64_multi_array': ArrayCommandReader,
    'joint_state': JointStateCommandReader,
}


class CommandSelection(NamedTuple):
    """
    The command to use out of a batch of messages.

    Attributes
    ----------
    effort
        The newest usable command (n,) [N·m, N]; None when there is none.
    reasons
        Why each newer message could not be used, the newest first.

    """

    effort: Array | None
    reasons: tuple[str, ...] = ()


def newest_usable(reader: Any, messages: Sequence[Any]) -> CommandSelection:
    """Return the newest of `messages`, in order of receipt, that `reader` accepts."""
    reasons: list[str] = []
    for message in reversed(messages):
        try:
            return CommandSelection(reader.read(message), tuple(reasons))
        except StateError as error:
            reasons.append(str(error))
    return CommandSelection(None, tuple(reasons))


def _checked(efforts: Array, names: Sequence[str]) -> Array:
    for name, effort in zip(names, efforts.tolist()):
        if not math.isfinite(effort):
            raise StateError(
                f"effort of joint '{name}' is {effort}", where=_WHERE, expected='a finite number'
            )
    return efforts
