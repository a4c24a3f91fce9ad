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

"""Which combinations of parameters a motion determines, and what to call them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.identification.pseudo_inertia import PARAMETERS, UNITS
from robot_dynamics.identification.recording import MeasuredMotion
from robot_dynamics.identification.stacking import joined, stack
from robot_dynamics.model import RobotModel
from scipy.linalg import qr

Array = NDArray[np.float64]

# less than this only comes from rounded angles in a description, such as rpy="1.5708 0 0"
_STRUCTURAL_TOLERANCE = 1e-5
_INDEPENDENT = 1e-3  # share of a column that must be new, so that combinations stay simple
_NEGLIGIBLE = 1e-5  # coefficients below are rounding
# moments first and masses last: a mass is grouped with others wherever it can be
_PREFERENCE = (1, 2, 3, 4, 6, 9, 5, 7, 8)


@dataclass(frozen=True, eq=False)
class Combinations:
    """
    r combinations of p parameters that can be told apart from the efforts.

    Parameters
    ----------
    names : tuple of str
        Such as "upper m*cx + 0.5 fore m".
    units : tuple of str
        [kg], [kg m] or [kg m^2].
    coefficients : numpy.ndarray, shape (r, p)
        Their values are coefficients @ parameters; the leading one is 1.

    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    coefficients: Array


@dataclass(frozen=True, eq=False)
class Observability:
    """
    How much of the parameters a set of equations shows.

    Parameters
    ----------
    singular_values : numpy.ndarray, shape (rank,)
        Of the stacked regressor, falling, only those of the determined part.
    directions : numpy.ndarray, shape (p, rank)
        Orthonormal basis of the determined directions.

    """

    singular_values: Array
    directions: Array

    @property
    def rank(self) -> int:
        """Return the number of determined combinations."""
        return self.singular_values.size

    @property
    def condition(self) -> float:
        """Return the largest over the smallest singular value of the determined part."""
        return float(self.singular_values[0] / self.singular_values[-1]) if self.rank else 1.0

    def determines(self, combination: Array) -> bool:
        """Return whether a combination (p,) lies in the determined directions."""
        outside = combination - self.directions @ (self.directions.T @ combination)
        return bool(np.linalg.norm(outside) < 1e-6 * np.linalg.norm(combination))


def structural_observability(model: RobotModel) -> Observability:
    """
    Return what any motion of a robot can show, by motions at random.

    Parameters
    ----------
    model : RobotModel
        The robot and its gravity.

    Returns
    -------
    Observability

    """
    random = np.random.default_rng(1)  # fixed, so that the answer is repeatable
    p = model.dynamic_parameters.size // 11 * 10
    k = 10 + 3 * p // model.n_commanded
    lower = np.where(np.isfinite(model.limits.lower), model.limits.lower, -np.pi)
    upper = np.where(np.isfinite(model.limits.upper), model.limits.upper, np.pi)
    v, a = random.normal(size=(2, k, model.nv))
    motion = MeasuredMotion(
        joint_names=model.joint_names,
        q=random.uniform(lower, upper, size=(k, model.nv)),
        v=v,
        a=a,
        tau=np.zeros((k, model.n_commanded)),
    )
    matrix = joined(stack(model, motion)).matrix
    _, values, directions = np.linalg.svd(matrix, full_matrices=False)
    rank = int(np.sum(values > _STRUCTURAL_TOLERANCE * values[0]))
    return Observability(values[:rank], directions[:rank].T)


def observability(matrix: Array, rows: int, structure: Observability) -> Observability:
    """
    Return what the equations of a recording show.

    Parameters
    ----------
    matrix : numpy.ndarray, shape (r, p)
        Stacked regressor, or R of it.
    rows : int
        Number of equations.
    structure : Observability
        What can be shown at all.

    Returns
    -------
    Observability
        Its rank is at most that of the structure.

    """
    _, values, rotation = np.linalg.svd(matrix @ structure.directions, full_matrices=False)
    tolerance = values[0] * max(rows, matrix.shape[1]) * np.finfo(np.float64).eps
    rank = int(np.sum(values > tolerance))
    return Observability(values[:rank], structure.directions @ rotation[:rank].T)


def combinations(seen: Observability, links: Sequence[str]) -> Combinations:
    """
    Return the determined combinations in their simplest form (base parameters).

    A set of parameters is chosen that can be told apart; the others only add to
    them (Gautier, 'Numerical calculation of the base inertial parameters of
    robots', 1991). The far links are asked first, and masses last.

    Parameters
    ----------
    seen : Observability
        Determined directions.
    links : sequence of str
        The link of each body, in the order of the parameters.

    Returns
    -------
    Combinations

    """
    rows = seen.directions.T
    chosen = _independent(rows, len(links))
    coefficients = np.asarray(np.linalg.solve(rows[:, chosen], rows), dtype=np.float64)
    coefficients[np.abs(coefficients) < _NEGLIGIBLE] = 0.0
    names = [f'{link} {parameter}' for link in links for parameter in PARAMETERS]
    return Combinations(
        tuple(_name(row, lead, names) for row, lead in zip(coefficients, chosen)),
        tuple(UNITS[lead % 10] for lead in chosen),
        coefficients,
    )


def _independent(rows: Array, bodies: int) -> list[int]:
    """Choose as many columns of ``rows`` (r, p) as there are rows, the simple ones first."""
    order = [10 * body + index for body in reversed(range(bodies)) for index in _PREFERENCE]
    order += [10 * body for body in reversed(range(bodies))]
    rest, chosen = rows.copy(), []
    for column in order:
        length = float(np.linalg.norm(rest[:, column]))
        if length > max(_INDEPENDENT * float(np.linalg.norm(rows[:, column])), 1e-6):
            unit = rest[:, column] / length
            rest -= np.outer(unit, unit @ rest)
            chosen.append(column)
    if len(chosen) < rows.shape[0]:
        _, _, pivots = qr(rest, mode='economic', pivoting=True)
        chosen += [int(column) for column in pivots[: rows.shape[0] - len(chosen)]]
    return sorted(chosen, key=lambda column: (column // 10, order.index(column)))


def _name(row: Array, lead: int, names: Sequence[str]) -> str:
    text = names[lead]
    for column in map(int, np.flatnonzero(row)):
        if column != lead:
            sign = '-' if row[column] < 0.0 else '+'
            size = f'{abs(row[column]):.4g}'
            text += f' {sign} {"" if size == "1" else size + " "}{names[column]}'
    return text
