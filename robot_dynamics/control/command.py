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

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.control.reference_point import ReferencePoint
from robot_dynamics.control.supervisor import State

Array = NDArray[np.float64]


class Command(Protocol):
    """What is to be sent, and why; not changed afterwards."""

    @property
    def effort(self) -> Array:
        """Return the effort of the commanded joints, shape (n,) [N m or N]."""

    @property
    def state(self) -> State:
        """Return what the controller is doing."""

    @property
    def saturated(self) -> NDArray[np.bool_]:
        """Return where the effort or rate limit has changed the effort, shape (n,)."""

    @property
    def reference(self) -> ReferencePoint | None:
        """Return what is followed; None where the law has no reference or is not in command."""

    @property
    def error(self) -> Array | None:
        """
        Return q_ref - q, shape (n,) [rad or m].

        The short way round for continuous joints; None where there is no reference.
        """

    @property
    def output(self) -> Array:
        """
        Return what the drives are to be sent, shape (n,).

        The effort, on the motors' side if that is asked for.
        """


class WholeCommand(NamedTuple):
    """A command of the whole cycle; see ``Command``."""

    effort: Array
    state: State
    saturated: NDArray[np.bool_]
    reference: ReferencePoint | None
    error: Array | None
    output: Array


class _Parts(NamedTuple):
    effort: Array
    state: State
    saturated: NDArray[np.bool_]
    errors: Array
    values: Array


class SteadyCommand(_Parts):
    """
    A command of the shorter way, whose output is the effort; see ``Command``.

    Reference and error are cut out of larger arrays when they are looked at: ``errors`` begins
    with the position errors, ``values`` with position, velocity and acceleration of the
    reference.
    """

    __slots__ = ()

    output = _Parts.effort

    @property
    def reference(self) -> ReferencePoint:
        """Return what is being followed."""
        n = len(self.effort)
        q, v, a = self.values[: 3 * n].reshape(3, n)
        return ReferencePoint(q, v, a)

    @property
    def error(self) -> Array:
        """Return q_ref - q (n,)."""
        return self.errors[: len(self.effort)]
