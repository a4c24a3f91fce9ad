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


"""Command: what is to be sent, and why."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.control.reference_point import ReferencePoint
from robot_dynamics.control.supervisor import State

Array = NDArray[np.float64]


class Command:
    """
    What is to be sent, and why; not changed afterwards.

    Parameters
    ----------
    effort : numpy.ndarray, shape (n,)
        Of the commanded joints [N m or N].
    state : State
        What the controller is doing.
    saturated : numpy.ndarray of bool, shape (n,)
        Where the effort or rate limit has changed the effort.
    reference : ReferencePoint or None
        What is being followed; None where the law has no reference or is not in command.
    error : numpy.ndarray, shape (n,), or None
        q_ref - q [rad or m], the short way round for continuous joints.
    output : numpy.ndarray, shape (n,)
        What the drives are to be sent: the effort, on the motors' side if that is asked for.

    """

    __slots__ = ('effort', 'state', 'saturated', '_reference', '_error', 'output')

    def __init__(
        self,
        effort: Array,
        state: State,
        saturated: NDArray[np.bool_],
        reference: ReferencePoint | None,
        error: Array | None,
        output: Array,
    ) -> None:
        """Keep the values."""
        self.effort = effort
        self.state = state
        self.saturated = saturated
        self._reference = reference
        self._error = error
        self.output = output

    @property
    def reference(self) -> ReferencePoint | None:
        """Return what is being followed."""
        return self._reference

    @property
    def error(self) -> Array | None:
        """Return q_ref - q (n,)."""
        return self._error


class SteadyCommand(Command):
    """
    A command of the usual cycle; its reference is cut out of one array when it is looked at.

    Parameters
    ----------
    effort, state, saturated
        As for ``Command``; the output is the effort.
    errors : numpy.ndarray
        Begins with the position errors (n,).
    values : numpy.ndarray
        Begins with position, velocity and acceleration of the reference.

    """

    __slots__ = ('_errors', '_values')

    def __init__(
        self,
        effort: Array,
        state: State,
        saturated: NDArray[np.bool_],
        errors: Array,
        values: Array,
    ) -> None:
        """Keep the values."""
        self.effort = self.output = effort
        self.state = state
        self.saturated = saturated
        self._errors = errors
        self._values = values

    @property
    def reference(self) -> ReferencePoint:
        """Return what is being followed."""
        n = len(self.effort)
        q, v, a = self._values[: 3 * n].reshape(3, n)
        return ReferencePoint(q, v, a)

    @property
    def error(self) -> Array:
        """Return q_ref - q (n,)."""
        return self._errors[: len(self.effort)]
