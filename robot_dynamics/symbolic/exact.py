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

"""
Exact constants: decimals and right angles, in the field Q(sqrt 2, sqrt 3).

Rounded cosines such as 6.1e-17 in place of 0 would fill the equations of motion
with terms that are not there. So a rotation matrix is built here from rational
numbers and square roots, and is orthogonal to the last digit.
"""

from __future__ import annotations

from collections.abc import Sequence
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sympy import QQ, Rational
from sympy.polys.rings import ring

Array = NDArray[np.float64]
Exact = Any  # an element of FIELD, sympy's PolyElement
Vector = tuple[Exact, Exact, Exact]
Matrix = tuple[Vector, Vector, Vector]

# files write right angles with 11 digits or more; 1e-11 rad is far below any torque sensor
ANGLE_TOLERANCE = 1e-11  # [rad]
ZERO = 1e-12  # numbers below this, relative to their neighbours, are rounding errors of 0

FIELD, ROOT2, ROOT3 = ring('sqrt2,sqrt3', QQ)
_QUARTER = QQ(1, 4)


def reduced(value: Exact) -> Exact:
    """Replace the squares of the two roots by 2 and 3."""
    terms: dict[tuple[int, int], Any] = {}
    for (two, three), coefficient in value.terms():
        factor = 2 ** (two // 2) * 3 ** (three // 2)
        key = (two % 2, three % 2)
        terms[key] = terms.get(key, 0) + coefficient * factor
    return FIELD.from_dict({key: value for key, value in terms.items() if value})


def number(value: float) -> Exact:
    """
    Return a number as the decimal that somebody may have written.

    Parameters
    ----------
    value : float
        A finite number, such as 0.1 or 0.30000000000000004.

    Returns
    -------
    Exact
        1/10 or 3/10; a number of more than 12 digits is taken as it is.

    """
    short = f'{value:.12g}'
    decimal = Rational(short if abs(float(short) - value) <= 1e-15 * abs(value) else repr(value))
    return FIELD.ground_new(QQ(decimal.p, decimal.q))


def clean(values: Array) -> Array:
    """Return an array whose entries that are tiny beside the largest are zero."""
    scale = float(np.abs(values).max(initial=0.0))
    return np.where(np.abs(values) > ZERO * scale, values, 0.0)


def to_float(value: Exact) -> float:
    """Return the double of an exact constant."""
    return float(
        sum(
            float(coefficient) * math.sqrt(2.0) ** two * math.sqrt(3.0) ** three
            for (two, three), coefficient in value.terms()
        )
    )


def cos_sin(angle: float) -> tuple[Exact, Exact]:
    """
    Return cosine and sine of a constant angle, whose squares sum to 1 exactly.

    Parameters
    ----------
    angle : float
        [rad]. Within 1e-11 of a multiple of pi/12 it is that multiple;
        otherwise tan(angle / 2) is rounded to 17 digits.

    Returns
    -------
    tuple of Exact
        Cosine and sine.

    """
    steps = round(angle / (math.pi / 12.0))
    if abs(angle - steps * math.pi / 12.0) <= ANGLE_TOLERANCE:
        return _twelfth(steps + 6), _twelfth(steps)
    half = Rational(f'{math.tan(angle / 2.0):.17g}')
    denominator = 1 + half * half
    cosine, sine = (1 - half * half) / denominator, 2 * half / denominator
    return (FIELD.ground_new(QQ(cosine.p, cosine.q)), FIELD.ground_new(QQ(sine.p, sine.q)))


def _twelfth(steps: int) -> Exact:
    """Return the sine of ``steps`` pi / 12."""
    steps %= 24
    if steps >= 12:
        return -_twelfth(steps - 12)
    half = FIELD.ground_new(QQ(1, 2))
    first = (
        FIELD.zero,
        ROOT2 * (ROOT3 - 1) * _QUARTER,
        half,
        ROOT2 * half,
        ROOT3 * half,
        ROOT2 * (ROOT3 + 1) * _QUARTER,
        FIELD.one,
    )
    return first[min(steps, 12 - steps)]


def product(a: Matrix, b: Matrix) -> Matrix:
    """Return the product of two exact matrices (3, 3)."""
    rows = [
        [reduced(sum((a[i][k] * b[k][j] for k in range(3)), FIELD.zero)) for j in range(3)]
        for i in range(3)
    ]
    return _matrix(rows)


def applied(matrix: Matrix, vector: Vector) -> Vector:
    """Return the product of an exact matrix (3, 3) and a vector (3,)."""
    x, y, z = (reduced(sum((row[k] * vector[k] for k in range(3)), FIELD.zero)) for row in matrix)
    return x, y, z


def added(a: Vector, b: Vector) -> Vector:
    """Return the sum of two exact vectors."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def _matrix(rows: Sequence[Sequence[Exact]]) -> Matrix:
    first, second, third = ((row[0], row[1], row[2]) for row in rows)
    return first, second, third


def about(axis: int, angle: float) -> Matrix:
    """Return the rotation about the x (0), y (1) or z (2) axis by an angle [rad]."""
    cosine, sine = cos_sin(angle)
    rows = [[FIELD.one if i == j else FIELD.zero for j in range(3)] for i in range(3)]
    i, j = (axis + 1) % 3, (axis + 2) % 3
    rows[i][i] = rows[j][j] = cosine
    rows[i][j], rows[j][i] = -sine, sine
    return _matrix(rows)


IDENTITY = _matrix([[FIELD.one if i == j else FIELD.zero for j in range(3)] for i in range(3)])
NOWHERE: Vector = (FIELD.zero, FIELD.zero, FIELD.zero)


def rotation(rpy: Sequence[float]) -> Matrix:
    """Return Rz(yaw) Ry(pitch) Rx(roll) of fixed-axis angles [rad]."""
    roll, pitch, yaw = rpy
    return product(about(2, yaw), product(about(1, pitch), about(0, roll)))


def unit_vector(axis: Sequence[float]) -> Vector:
    """
    Return an axis whose length is 1 exactly.

    Parameters
    ----------
    axis : sequence of float
        A unit vector, rounded.

    Returns
    -------
    Vector
        From azimuth and inclination, so that diagonals are exact too.

    """
    x, y, z = axis
    azimuth, inclination = cos_sin(math.atan2(y, x)), cos_sin(math.atan2(math.hypot(x, y), z))
    return (
        reduced(azimuth[0] * inclination[1]),
        reduced(azimuth[1] * inclination[1]),
        inclination[0],
    )


def vector(values: Sequence[float]) -> Vector:
    """Return three decimals [m]; what is below 1e-12 m is zero."""
    x, y, z = (number(value) if abs(value) > ZERO else FIELD.zero for value in values)
    return x, y, z


def to_array(matrix: Matrix) -> Array:
    """Return an exact matrix as doubles, shape (3, 3)."""
    return np.array([[to_float(value) for value in row] for row in matrix])
