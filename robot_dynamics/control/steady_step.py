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


"""A shorter way through the usual cycle: what it is, and which one there is for a law."""

from __future__ import annotations

from typing import Protocol, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.control.command import Command
from robot_dynamics.control.compiled_step import CompiledStep
from robot_dynamics.control.law_settings import Mode
from robot_dynamics.control.numpy_step import NumpyStep
from robot_dynamics.control.piece import Piece
from robot_dynamics.control.supervisor import State

if TYPE_CHECKING:
    from robot_dynamics.control.controller_settings import ControllerSetup

Array = NDArray[np.float64]


class SteadyStep(Protocol):
    """
    Answers states as long as nothing happens but one good state after the other.

    ``run`` either gives exactly what the whole cycle would give, to rounding, or gives None and
    has changed nothing: then the whole cycle finds out what is unusual, and says so.
    """

    @property
    def backend(self) -> str:
        """Return the name of what computes it."""

    @property
    def now(self) -> float:
        """Return the steady time of the last state answered [s]."""

    @property
    def q(self) -> Array:
        """Return the position in that state, shape (n,)."""

    @property
    def v(self) -> Array:
        """Return the velocity in that state, shape (n,)."""

    @property
    def effort(self) -> Array:
        """Return the effort sent for that state, shape (n,)."""

    def begin(
        self, now: float, q: Array, v: Array, effort: Array, piece: Piece, state: State
    ) -> None:
        """Go on after the cycle that answered ``q`` and ``v`` (n,) with ``effort`` (n,)."""

    def load(self) -> None:
        """Take note that masses or gravity of the model have changed."""

    def run(self, now: float, q: Array, v: Array | None) -> Command | None:
        """Return the command for a state, or None when there is anything unusual about it."""


def is_steady_law(setup: ControllerSetup) -> bool:
    """Return whether there is a shorter way for the law: computed torque of all the joints."""
    model, law = setup.model, setup.law
    return (
        law.settings.mode is Mode.COMPUTED_TORQUE
        and model.nv == model.n_commanded
        and not law.has_bristles
        and setup.motor_side is None
        and setup.settings.velocity_source == 'measured'
    )


def steady_step(setup: ControllerSetup) -> SteadyStep | None:
    """Return the shortest way that there is for a law, None when it always goes the whole way."""
    if setup.settings.backend == 'plain' or not is_steady_law(setup):
        return None
    if setup.settings.backend == 'auto' and setup.model.backend.name == 'numba':
        return CompiledStep(setup)
    return NumpyStep(setup) if setup.model.is_direct else None
