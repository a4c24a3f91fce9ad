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

"""From points to polynomials: coefficients, and their evaluation with two derivatives."""

from __future__ import annotations

from bisect import bisect_right

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.control.piece import Piece
from robot_dynamics.control.reference_point import ReferencePoint
from robot_dynamics.control.tridiagonal import solve_tridiagonal

Array = NDArray[np.float64]


class PiecewisePolynomial:
    """
    Polynomials between knots, each over its own normalised time s in [0, 1].

    Parameters
    ----------
    times : numpy.ndarray, shape (k,)
        Knots, strictly rising, k >= 2 [s].
    coefficients : numpy.ndarray, shape (k - 1, degree + 1, n)
        Of q in rising powers of s = (t - times[i]) / (times[i + 1] - times[i]).

    Attributes
    ----------
    is_finite : bool
        Whether all coefficients are, those of velocity and acceleration too.
    beginnings : ReferencePoint
        q, v and a where each piece begins, (k - 1, n) each.

    """

    def __init__(self, times: Array, coefficients: Array) -> None:
        """Check the sizes; the table of a piece is made when it is entered."""
        _, powers, self._n = coefficients.shape
        self._degree = powers - 1
        self._power = np.arange(1.0, powers)[:, None]
        self._h = np.diff(times)[:, None]
        self.coefficients = coefficients
        with np.errstate(over='ignore', invalid='ignore'):
            largest = np.abs(coefficients).max(axis=(1, 2))
            growth = np.maximum(1.0, (self._degree / self._h[:, 0]) ** 2)
            self.is_finite = bool(np.isfinite(largest * growth).all())
            self.beginnings = ReferencePoint(
                coefficients[:, 0],
                coefficients[:, 1] / self._h,
                coefficients[:, 2] * 2.0 / self._h / self._h,
            )
        self._times: list[float] = times.tolist()
        self._scale: list[float] = (1.0 / self._h[:, 0]).tolist()
        self._entered: tuple[int, Array] = 0, self._table(0)

    @property
    def velocity_coefficients(self) -> Array:
        """Coefficients of the velocity, shape (k - 1, degree, n)."""
        return np.asarray(self.coefficients[:, 1:] * self._power / self._h[:, None])

    def _table(self, i: int) -> Array:
        """Return the table (degree + 1, 3 n) of piece ``i`` that gives q, v and a in a product."""
        table = np.zeros((self._degree + 1, 3, self._n))
        with np.errstate(over='ignore', invalid='ignore'):
            table[:, 0] = self.coefficients[i]
            table[:-1, 1] = table[1:, 0] * self._power / self._h[i]
            table[:-1, 2] = table[1:, 1] * self._power / self._h[i]
        return table.reshape(self._degree + 1, 3 * self._n)

    def _enter(self, t: float) -> tuple[int, Array]:
        """Return number and table of the piece at time ``t`` [s]."""
        i = min(bisect_right(self._times, t), len(self._scale)) - 1
        entered = self._entered
        if entered[0] != i:
            entered = self._entered = i, self._table(i)
        return entered

    def sample(self, t: float) -> ReferencePoint:
        """Return the point at time ``t`` [s], which lies between the first and last knot."""
        i, table = self._enter(t)
        s = (t - self._times[i]) * self._scale[i]
        powers = [1.0, s]
        for _ in range(self._degree - 1):
            powers.append(powers[-1] * s)
        values = np.array(powers).dot(table)
        q, v, a = values.reshape(3, self._n)
        return ReferencePoint(q, v, a)

    def piece(self, t: float) -> Piece:
        """Return the polynomials that hold at time ``t`` [s], between first and last knot."""
        i, table = self._enter(t)
        begin, end = self._times[i], self._times[i + 1]
        return Piece(begin, end, table, self._scale[i], knot=begin)


def spline_velocities(times: Array, positions: Array, first: Array, last: Array) -> Array:
    """
    Return the velocities (k, n) that make a cubic Hermite curve a C2 spline.

    Parameters
    ----------
    times : numpy.ndarray, shape (k,)
        Knots, k >= 2 [s].
    positions : numpy.ndarray, shape (k, n)
        At the knots.
    first, last : numpy.ndarray, shape (n,)
        Velocities at the two ends, which are clamped.

    """
    velocities = np.empty_like(positions)
    velocities[0], velocities[-1] = first, last
    if len(times) > 2:
        h = np.diff(times)
        slopes = np.diff(positions, axis=0) / h[:, None]
        right = 3.0 * (h[1:, None] * slopes[:-1] + h[:-1, None] * slopes[1:])
        lower, upper = h[1:].copy(), h[:-1].copy()
        right[0] -= lower[0] * first
        right[-1] -= upper[-1] * last
        lower[0] = upper[-1] = 0.0
        velocities[1:-1] = solve_tridiagonal(lower, 2.0 * (h[:-1] + h[1:]), upper, right)
    return velocities


def cubic_coefficients(times: Array, q: Array, v: Array) -> Array:
    """Return the cubic Hermite coefficients (k - 1, 4, n) for q and v (k, n) at the knots."""
    h = np.diff(times)[:, None]
    step, v0, v1 = np.diff(q, axis=0), v[:-1] * h, v[1:] * h
    return np.stack([q[:-1], v0, 3.0 * step - 2.0 * v0 - v1, v0 + v1 - 2.0 * step], axis=1)


def quintic_coefficients(times: Array, q: Array, v: Array, a: Array) -> Array:
    """Return the quintic Hermite coefficients (k - 1, 6, n) for q, v and a (k, n) at the knots."""
    h = np.diff(times)[:, None]
    step, v0, v1 = np.diff(q, axis=0), v[:-1] * h, v[1:] * h
    a0, a1 = 0.5 * a[:-1] * h**2, 0.5 * a[1:] * h**2
    return np.stack(
        [
            q[:-1],
            v0,
            a0,
            10.0 * step - 6.0 * v0 - 4.0 * v1 - 3.0 * a0 + a1,
            -15.0 * step + 8.0 * v0 + 7.0 * v1 + 3.0 * a0 - 2.0 * a1,
            6.0 * step - 3.0 * v0 - 3.0 * v1 - a0 + a1,
        ],
        axis=1,
    )
