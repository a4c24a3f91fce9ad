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
Sums and products of generic scalars and 3-vectors that skip what is exactly 0 or 1.

A constant is a Python float; anything else (an array, a traced scalar) is left to its own
operators, of which only +, -, * and unary minus are used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Scalar = Any  # a float, an array of shape (k,) or a traced scalar
Triple = Sequence[Scalar]

ZERO: Triple = (0.0, 0.0, 0.0)


def plus(x: Scalar, y: Scalar) -> Scalar:
    """Return x + y."""
    if _is(x, 0.0):
        return y
    return x if _is(y, 0.0) else x + y


def minus(x: Scalar, y: Scalar) -> Scalar:
    """Return x - y."""
    if _is(x, 0.0):
        return negative(y)
    return x if _is(y, 0.0) else x - y


def negative(x: Scalar) -> Scalar:
    """Return -x."""
    return 0.0 if _is(x, 0.0) else -x


def times(x: Scalar, y: Scalar) -> Scalar:
    """Return x * y."""
    if _is(x, 0.0) or _is(y, 0.0):
        return 0.0
    for one, other in ((x, y), (y, x)):
        if _is(one, 1.0):
            return other
        if _is(one, -1.0):
            return -other
    return x * y


def add(x: Triple, y: Triple) -> Triple:
    """Return x + y."""
    return plus(x[0], y[0]), plus(x[1], y[1]), plus(x[2], y[2])


def scale(factor: Scalar, x: Triple) -> Triple:
    """Return factor * x."""
    return times(factor, x[0]), times(factor, x[1]), times(factor, x[2])


def dot(x: Triple, y: Triple) -> Scalar:
    """Return x . y."""
    return plus(plus(times(x[0], y[0]), times(x[1], y[1])), times(x[2], y[2]))


def cross(x: Triple, y: Triple) -> Triple:
    """Return x x y."""
    return (
        minus(times(x[1], y[2]), times(x[2], y[1])),
        minus(times(x[2], y[0]), times(x[0], y[2])),
        minus(times(x[0], y[1]), times(x[1], y[0])),
    )


def apply(matrix: Sequence[Triple], x: Triple) -> Triple:
    """Return matrix x."""
    return dot(matrix[0], x), dot(matrix[1], x), dot(matrix[2], x)


def transposed(matrix: Sequence[Triple]) -> tuple[Triple, Triple, Triple]:
    """Return the transpose of a matrix (3, 3)."""
    first, second, third = zip(*matrix)
    return first, second, third


def _is(x: Scalar, constant: float) -> bool:
    return type(x) is float and x == constant
