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

"""Denavit-Hartenberg parameters, standard and modified, as joint frames."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def _rotation_z(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array(
        [[c, -s, 0.0, 0.0], [s, c, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
    )


def _rotation_x(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array(
        [[1.0, 0.0, 0.0, 0.0], [0.0, c, -s, 0.0], [0.0, s, c, 0.0], [0.0, 0.0, 0.0, 1.0]]
    )


def _translation(x: float, z: float) -> Array:
    matrix = np.eye(4)
    matrix[0, 3], matrix[2, 3] = x, z
    return matrix


@dataclass(frozen=True, kw_only=True)
class DhParameters:
    """
    One row of a DH table.

    Parameters
    ----------
    convention : str
        'standard', A_i = Rz(theta) Tz(d) Tx(a) Rx(alpha), or
        'modified', A_i = Rx(alpha) Tx(a) Rz(theta) Tz(d) (Craig).
    a, alpha, d, theta : float
        [m], [rad], [m], [rad]; the joint position is added to theta
        (revolute) or to d (prismatic).

    """

    convention: str
    a: float = 0.0
    alpha: float = 0.0
    d: float = 0.0
    theta: float = 0.0

    def before(self) -> Array:
        """Return the transform (4, 4) from the last DH frame to the joint frame."""
        turn = _rotation_z(self.theta)
        if self.convention == 'standard':
            return turn
        # a turn about z and a shift along z commute, so d may go before the joint
        return _rotation_x(self.alpha) @ _translation(self.a, self.d) @ turn

    def after(self) -> Array:
        """Return the transform (4, 4) from the moved joint frame to DH frame i."""
        if self.convention == 'standard':
            return _translation(self.a, self.d) @ _rotation_x(self.alpha)
        return np.eye(4)
