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

"""Whether a curve of polynomial pieces stays within bounds, between its knots too."""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SLACK = 1e-9  # relative to the larger of 1 and the bound: rounding of a curve that touches it
PIECES = 2048  # looked at together: their numbers fit the cache
HALVINGS = 30  # a hull that is still in doubt then is off by less than 4^-30 of its size


class Excess(NamedTuple):
    """
    Where a curve leaves its bounds.

    Attributes
    ----------
    piece, joint : int
        Which polynomial.
    value : float
        A value of the curve outside the bounds.

    """

    piece: int
    joint: int
    value: float


def find_excess(coefficients: Array, lower: Array, upper: Array) -> Excess | None:
    """
    Return a place where the curve leaves [lower, upper], or None when it nowhere does.

    A polynomial lies in the hull of its Bernstein coefficients; pieces whose hull is in doubt are
    halved by de Casteljau's algorithm until an end point is outside or the hull is inside
    (G. Farin, Curves and Surfaces for CAGD, section 5).

    Parameters
    ----------
    coefficients : numpy.ndarray, shape (pieces, degree + 1, n)
        In rising powers of s in [0, 1].
    lower, upper : numpy.ndarray, shape (n,)
        Bounds, may be infinite.

    """
    for first in range(0, len(coefficients), PIECES):
        excess = _find_excess(coefficients[first:][:PIECES], lower, upper)
        if excess is not None:
            return excess._replace(piece=excess.piece + first)
    return None


def _find_excess(coefficients: Array, lower: Array, upper: Array) -> Excess | None:
    pieces, _, n = coefficients.shape
    hull = _bernstein(np.moveaxis(coefficients, 1, 0).reshape(-1, pieces * n))
    low = np.tile(lower - SLACK * np.maximum(1.0, np.abs(lower)), pieces)
    high = np.tile(upper + SLACK * np.maximum(1.0, np.abs(upper)), pieces)
    index = np.arange(pieces * n)
    for _ in range(HALVINGS):
        doubt = (hull.min(axis=0) < low) | (hull.max(axis=0) > high)
        if not doubt.any():
            return None
        # most pieces are never looked at again
        hull, low, high, index = hull[:, doubt], low[doubt], high[doubt], index[doubt]
        ends = hull[[0, -1]]
        outside = ((ends < low) | (ends > high)).any(axis=0)
        if outside.any():
            first = int(np.flatnonzero(outside)[np.argmin(index[outside])])
            end = (
                hull[0, first]
                if not low[first] <= hull[0, first] <= high[first]
                else hull[-1, first]
            )
            return Excess(int(index[first]) // n, int(index[first]) % n, float(end))
        left, right = _halve(hull)
        hull = np.concatenate([left, right], axis=1)
        low, high, index = (np.tile(x, 2) for x in (low, high, index))
    return None


def _bernstein(power: Array) -> Array:
    """Return Bernstein coefficients (d + 1, m) from those of rising powers (d + 1, m)."""
    d = len(power) - 1
    hull = power / np.array([[comb(d, i)] for i in range(d + 1)])
    # the sums of Pascal's triangle, in place
    for first in range(1, d + 1):
        for i in range(d, first - 1, -1):
            hull[i] += hull[i - 1]
    return np.asarray(hull)


def _halve(hull: Array) -> tuple[Array, Array]:
    """Return the Bernstein coefficients (d + 1, m) of both halves of each piece."""
    left, right, row = [hull[0]], [hull[-1]], hull
    while len(row) > 1:
        row = 0.5 * (row[:-1] + row[1:])
        left.append(row[0])
        right.append(row[-1])
    return np.array(left), np.array(right[::-1])
