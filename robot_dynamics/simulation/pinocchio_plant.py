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

"""A plant that computes with Pinocchio."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.simulation.plant import Plant

Array = NDArray[np.float64]


class PinocchioPlant(Plant):
    """A plant with the dynamics of its own RobotModel; see ``Plant``."""

    def _free_acceleration(self, q: Array, v: Array, effort: Array) -> Array:
        return self._model.forward_dynamics(q, v, effort)

    def _mass_matrix(self, q: Array) -> Array:
        return self._model.mass_matrix(q)
