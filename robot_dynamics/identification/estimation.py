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

"""Parameters from equations: determined combinations, and possible bodies near a prior."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.identification.observability import Combinations, Observability
from robot_dynamics.identification.pseudo_inertia import (
    change_coordinates,
    change_matrix,
    PriorBody,
    SYMMETRIC_BASIS,
)
from robot_dynamics.identification.stacking import Equations, joined, triangle
from scipy.linalg import block_diag
from scipy.optimize import least_squares

Array = NDArray[np.float64]

PRIOR_CHANGE = 1.0  # standard deviation of the relative change that the prior allows
SMALLEST_SHARE = 0.01  # of the prior pseudo-inertia that every body keeps in any direction
_NOISE_FLOOR = 1e-9  # of the effort; equations without any noise need some weight too


@dataclass(frozen=True, eq=False)
class DeterminedPart:
    """
    What the equations alone say.

    Parameters
    ----------
    parameters : numpy.ndarray, shape (p,)
        The prior, changed in the determined directions only. Only its determined
        combinations mean something; the bodies in it may be impossible.
    values, deviations : numpy.ndarray, shape (rank,)
        Combinations and their standard deviations for white noise.
    noise : numpy.ndarray, shape (n,)
        Standard deviation of the effort of each joint [N m or N].

    """

    parameters: Array
    values: Array
    deviations: Array
    noise: Array


def fit_determined(
    parts: Sequence[Equations], seen: Observability, named: Combinations, prior: Array
) -> DeterminedPart:
    """
    Fit the determined directions by weighted least squares.

    Singular values are used, never the inverse of Y^T Y. A first fit gives the
    noise of each joint, the second weighs each joint by it.

    Parameters
    ----------
    parts : sequence of Equations
        One for each joint.
    seen : Observability
        Directions that the equations determine.
    named : Combinations
        What to report.
    prior : numpy.ndarray, shape (p,)
        Kept in all other directions.

    Returns
    -------
    DeterminedPart

    """
    rows = sum(part.rows for part in parts)
    first = prior + seen.directions @ _solve(joined(parts), seen, prior)[0]
    spread = np.sqrt(rows / (rows - seen.rank))
    noise = np.array(
        [
            max(
                part.rms(first) * spread,
                _NOISE_FLOOR * float(np.linalg.norm(part.effort)) / np.sqrt(part.rows),
                np.finfo(np.float64).tiny,
            )
            for part in parts
        ]
    )
    change, covariance_root = _solve(joined(parts, list(1.0 / noise)), seen, prior)
    parameters = prior + seen.directions @ change
    deviations = np.linalg.norm(named.coefficients @ seen.directions @ covariance_root, axis=1)
    return DeterminedPart(parameters, named.coefficients @ parameters, deviations, noise)


def _solve(equations: Equations, seen: Observability, prior: Array) -> tuple[Array, Array]:
    """Return the change along the determined directions and a root of its covariance."""
    left, values, right = np.linalg.svd(equations.matrix @ seen.directions, full_matrices=False)
    root = right.T / values
    return root @ (left.T @ equations.residual(prior)), root


@dataclass(frozen=True, eq=False)
class PossibleBodies:
    """
    Bodies that could exist, near the prior.

    Parameters
    ----------
    parameters : numpy.ndarray, shape (p,)
        All bodies.
    bounded : tuple of int
        Bodies that least squares alone would have made impossible.

    """

    parameters: Array
    bounded: tuple[int, ...]


def fit_possible(
    parts: Sequence[Equations], noise: Array, bodies: Sequence[PriorBody]
) -> PossibleBodies:
    """
    Fit all bodies with positive mass and positive definite pseudo-inertia.

    Minimised is |Y x - tau|^2 / noise^2 + |S|^2 / PRIOR_CHANGE^2 with the
    relative change S of each body (see ``PriorBody``). So a direction that the
    recording shows well follows the recording, and one that it does not show
    keeps the prior. Where this gives an impossible body, the minimum is sought
    again with 1 + S = SMALLEST_SHARE 1 + U U^T, which no U can make impossible.
    The problem in S is convex, and a square factor U adds no false minimum
    (Burer, Monteiro, 'Local minima and convergence in low-rank semidefinite
    programming', 2005).

    Parameters
    ----------
    parts : sequence of Equations
        One for each joint.
    noise : numpy.ndarray, shape (n,)
        Standard deviation of the effort of each joint [N m or N].
    bodies : sequence of PriorBody
        The prior.

    Returns
    -------
    PossibleBodies

    """
    equations = joined(parts, list(1.0 / noise))
    prior = np.concatenate([body.parameters for body in bodies])
    transform = block_diag(*(body.transform for body in bodies))
    size = prior.size
    matrix = np.vstack([equations.matrix @ transform, np.eye(size) / PRIOR_CHANGE])
    target = np.concatenate([equations.residual(prior), np.zeros(size)])
    change = np.linalg.lstsq(matrix, target, rcond=None)[0]
    bounded = tuple(
        index
        for index, part in enumerate(change.reshape(-1, 10))
        if not float(np.linalg.eigvalsh(change_matrix(part))[0]) > SMALLEST_SHARE - 1.0
    )
    if bounded:
        change = _fit_factors(matrix, target)
    return PossibleBodies(prior + transform @ change, bounded)


def _fit_factors(matrix: Array, target: Array) -> Array:
    """Return the change (10 bodies,) that minimises |matrix s - target|, all bodies possible."""
    # the triangle leaves the sum of squares as it is, but for a constant
    reduced = triangle(np.column_stack([matrix, target]))
    matrix, target = reduced[:-1, :-1], reduced[:-1, -1]
    rows, columns = np.tril_indices(4)
    count = matrix.shape[1] // 10

    def factors(unknowns: Array) -> Array:
        factor = np.zeros((count, 4, 4))
        factor[:, rows, columns] = unknowns.reshape(count, 10)
        return factor

    def change(unknowns: Array) -> Array:
        return np.concatenate(
            [
                change_coordinates(U @ U.T - (1.0 - SMALLEST_SHARE) * np.eye(4))
                for U in factors(unknowns)
            ]
        )

    def residual(unknowns: Array) -> Array:
        return np.asarray(matrix @ change(unknowns) - target)

    def jacobian(unknowns: Array) -> Array:
        # an entry (i, j) of U changes row i and column i of U U^T by column j of U
        slopes = [
            2.0 * np.einsum('sik,ki->si', SYMMETRIC_BASIS[:, rows], U[:, columns])
            for U in factors(unknowns)
        ]
        return np.asarray(matrix @ block_diag(*slopes))

    start = np.tile(np.sqrt(1.0 - SMALLEST_SHARE) * np.eye(4)[rows, columns], count)
    found = least_squares(residual, start, jac=jacobian, method='lm')
    return change(found.x)
