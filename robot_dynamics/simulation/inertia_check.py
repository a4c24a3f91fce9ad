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

"""Whether a mass matrix can be inverted, and which joint is to blame."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.errors import SimulationError

_SMALLEST = 1e-12  # relative to the largest entry, and of the scaled eigenvalues


def require_inertia(mass_matrix: NDArray[np.float64], joint_names: Sequence[str]) -> None:
    """
    Refuse a mass matrix that is singular.

    Parameters
    ----------
    mass_matrix : numpy.ndarray, shape (nv, nv)
        M(q), symmetric.
    joint_names : sequence of str
        Its order.

    Raises
    ------
    SimulationError
        Naming the joint that has no inertia of its own.

    """
    diagonal = np.diag(mass_matrix)
    weakest = int(np.argmin(diagonal))
    if diagonal[weakest] > _SMALLEST * diagonal.max():
        # scaled, since metres and radians share the matrix
        scale = 1.0 / np.sqrt(diagonal)
        values, vectors = np.linalg.eigh(mass_matrix * np.outer(scale, scale))
        if values[0] > _SMALLEST:
            return
        weakest = int(np.argmax(np.abs(vectors[:, 0])))
    raise SimulationError(
        'moves no inertia, so that an effort has no finite acceleration',
        where=f"joint '{joint_names[weakest]}'",
        expected='mass or rotor inertia behind it',
        remedy='add an inertial element or a motor, or lock the joint',
    )
