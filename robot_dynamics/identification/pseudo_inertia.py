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

"""Pseudo-inertia: which ten numbers are a possible body, and how far two bodies differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

PARAMETERS = ('m', 'm*cx', 'm*cy', 'm*cz', 'Ixx', 'Ixy', 'Iyy', 'Ixz', 'Iyz', 'Izz')
UNITS = ('kg', 'kg·m', 'kg·m', 'kg·m') + 6 * ('kg·m²',)
SMALLEST_SIZE = 0.01  # [m] a point mass is taken as a body of this radius of gyration


def pseudo_inertia(parameters: Array) -> Array:
    """
    Return the pseudo-inertia of a body.

    It is the integral of [p; 1] [p; 1]^T dm, so a body of positive density has
    a positive definite one, and the other way round (Wensing, Kim, Slotine,
    'Linear matrix inequalities for physically consistent inertial parameter
    identification', 2018).

    Parameters
    ----------
    parameters : numpy.ndarray, shape (10,)
        m, m c, and Ixx, Ixy, Iyy, Ixz, Iyz, Izz about the origin of the body
        frame [kg, kg m, kg m^2].

    Returns
    -------
    numpy.ndarray, shape (4, 4)
        [[Sigma, m c], [(m c)^T, m]] with Sigma = tr(I)/2 1 - I.

    """
    m, x, y, z, xx, xy, yy, xz, yz, zz = parameters
    half = 0.5 * (xx + yy + zz)
    return np.array(
        [
            [half - xx, -xy, -xz, x],
            [-xy, half - yy, -yz, y],
            [-xz, -yz, half - zz, z],
            [x, y, z, m],
        ]
    )


def body_parameters(matrix: Array) -> Array:
    """Return the ten parameters of a symmetric pseudo-inertia (4, 4), shape (10,)."""
    p = matrix
    return np.array(
        [
            p[3, 3],
            p[0, 3],
            p[1, 3],
            p[2, 3],
            p[1, 1] + p[2, 2],
            -p[0, 1],
            p[0, 0] + p[2, 2],
            -p[0, 2],
            -p[1, 2],
            p[0, 0] + p[1, 1],
        ]
    )


def is_possible(parameters: Array) -> bool:
    """Return whether every body of ``parameters`` (10 n,) has mass and positive density."""
    return all(
        body[0] > 0.0 and float(np.linalg.eigvalsh(pseudo_inertia(body))[0]) > 0.0
        for body in parameters.reshape(-1, 10)
    )


def _symmetric_basis() -> Array:
    basis = []
    for row in range(4):
        for column in range(row + 1):
            matrix = np.zeros((4, 4))
            matrix[row, column] = matrix[column, row] = 1.0 if row == column else np.sqrt(0.5)
            basis.append(matrix)
    return np.array(basis)


SYMMETRIC_BASIS = _symmetric_basis()  # of the (4, 4) matrices, orthonormal, shape (10, 4, 4)


@dataclass(frozen=True, eq=False)
class PriorBody:
    """
    A body known beforehand, as the origin and the unit of relative change.

    A change is the symmetric matrix S of P = L (1 + S) L^T, where P0 = L L^T is
    the prior pseudo-inertia. The body stays possible while 1 + S is positive
    definite. |S| does not depend on units or axes: it is the second-order form
    of the distance between mass distributions (Lee, Wensing, Park, 'Geometric
    robot dynamic identification: a convex programming approach', 2020).

    Parameters
    ----------
    parameters : numpy.ndarray, shape (10,)
        The prior.
    transform : numpy.ndarray, shape (10, 10)
        Parameters = prior + transform @ s, with s the coordinates of S in
        ``SYMMETRIC_BASIS``.
    thickened : bool
        Whether it had no extent in some direction and was given one.
    massless : bool
        Whether it has no mass, so that nothing says how large a change would be;
        its transform is zero and it stays as it is.

    """

    parameters: Array
    transform: Array
    thickened: bool = False
    massless: bool = False

    @classmethod
    def of(cls, parameters: Array) -> PriorBody:
        """Take a body (10,) of a model as the prior."""
        mass, moment = parameters[0], parameters[1:4]
        if not mass > 0.0:
            return cls(parameters, np.zeros((10, 10)), massless=True)
        matrix = pseudo_inertia(parameters)
        central = matrix[:3, :3] - np.outer(moment, moment) / mass
        values, axes = np.linalg.eigh(central)
        thick = np.maximum(values, mass * SMALLEST_SIZE**2)
        thickened = bool(values[0] < 1e-6 * mass * SMALLEST_SIZE**2)
        if thickened:
            matrix[:3, :3] += axes @ np.diag(thick - values) @ axes.T
        factor = np.linalg.cholesky(matrix)
        transform = np.column_stack(
            [body_parameters(factor @ element @ factor.T) for element in SYMMETRIC_BASIS]
        )
        return cls(body_parameters(matrix) if thickened else parameters, transform, thickened)


def change_matrix(change: Array) -> Array:
    """Return S (4, 4) of the coordinates ``change`` (10,)."""
    return np.asarray(np.tensordot(change, SYMMETRIC_BASIS, axes=1))


def change_coordinates(matrix: Array) -> Array:
    """Return the coordinates (10,) of a symmetric matrix S (4, 4)."""
    return np.asarray(np.tensordot(SYMMETRIC_BASIS, matrix, axes=2))
