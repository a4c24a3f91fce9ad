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

"""Which of the joint states that have come is used, and what becomes of the others."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, Sequence

from robot_dynamics.errors import StateError
from robot_dynamics.nodes.messages import MeasuredState

CLOCK_RESET = 1.0  # [s] a stamp that much older than the last one means a clock set back


class Reader(Protocol):
    """What reads one message, such as JointStateReader or SerializedStateReader."""

    def stamp(self, message: Any) -> float:
        """Return the time of the header in seconds, 0.0 where it is not set."""

    def read(self, message: Any) -> MeasuredState:
        """Return the state, or raise StateError for a message that cannot be used."""


class StateSelection(NamedTuple):
    """
    The state to use out of a batch of messages, and what became of the others.

    Attributes
    ----------
    state
        The newest usable state, None when there is none.
    overtaken
        Usable messages not used since a newer one had come.
    old
        Messages whose stamp was before that of one already used.
    unusable
        Messages that could not be read.
    reason
        Why the last unusable message was so, or ''.
    clock_reset
        Whether the stamps jumped back so far that the driver's clock must have been set.

    """

    state: MeasuredState | None
    overtaken: int = 0
    old: int = 0
    unusable: int = 0
    reason: str = ''
    clock_reset: bool = False


class StateSelector:
    """
    Chooses the newest usable state out of all that have come, and drops the old ones.

    Stamps are only compared with each other, never with a clock of this machine, and only where
    they are set. A stamp before the last one used is a late or repeated message; one that is
    more than :data:`CLOCK_RESET` seconds before it means that the driver's clock was set back.
    Equal stamps pass, since a simulated clock may be coarser than the rate of the states.

    Parameters
    ----------
    reader
        Reads the messages.

    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._last_stamp = 0.0

    def select(self, messages: Sequence[Any]) -> StateSelection:
        """Return what to use out of `messages`, which are in order of receipt."""
        if len(messages) == 1:
            selection = self._only(messages[0])
            if selection is not None:
                return selection
        stamp_of = self._reader.stamp
        newest = self._last_stamp
        old = 0
        clock_reset = False
        candidates = []
        for message in messages:
            stamp = stamp_of(message)
            if 0.0 < stamp < newest:
                if newest - stamp <= CLOCK_RESET:
                    old += 1
                    continue
                clock_reset = True
            newest = stamp or newest
            candidates.append(message)
        unusable = 0
        reason = ''
        while candidates:
            try:
                state = self._reader.read(candidates.pop())
            except StateError as error:
                unusable += 1
                reason = reason or str(error)
                continue
            self._last_stamp = state.stamp or self._last_stamp
            return StateSelection(state, len(candidates), old, unusable, reason, clock_reset)
        return StateSelection(None, 0, old, unusable, reason, clock_reset)

    def _only(self, message: Any) -> StateSelection | None:
        """Return the selection of a usable message that is not old; the shortest way."""
        try:
            state = self._reader.read(message)
        except StateError:
            return None
        stamp = state.stamp
        if 0.0 < stamp < self._last_stamp:
            return None
        if stamp:
            self._last_stamp = stamp
        return StateSelection(state)
