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

"""A plant that computes with MuJoCo, as a second opinion."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.model import RobotModel
from robot_dynamics.simulation.mujoco_model import build_mujoco, MujocoBody
from robot_dynamics.simulation.plant import Plant

Array = NDArray[np.float64]


class MujocoPlant(Plant):
    """
    A plant whose mass matrix and bias forces come from MuJoCo; see ``Plant``.

    MuJoCo gets the same tree as a text and computes it with its own code.
    Integrator, friction, stops and push are those of every plant, so that two
    plants differ by rounding only; contacts are not modelled.

    Parameters
    ----------
    model : RobotModel
        The arm as it really is.
    **settings
        See ``Plant``.

    Raises
    ------
    SimulationError
        When MuJoCo is not installed or refuses the model, with its reason.

    """

    def __init__(self, model: RobotModel, **settings: Any) -> None:
        """Hand the model to MuJoCo."""
        self._body: MujocoBody = build_mujoco(model)
        super().__init__(model, **settings)

    def _free_acceleration(self, q: Array, v: Array, effort: Array) -> Array:
        matrix, bias = self._body.dynamics(q, v)
        return np.asarray(np.linalg.solve(matrix, effort - bias))

    def _mass_matrix(self, q: Array) -> Array:
        return self._body.dynamics(q, np.zeros(self.nv))[0]
