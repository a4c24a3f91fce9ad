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

"""From one reference into another without a step."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.control.angles import nearest_turn
from robot_dynamics.control.interpolation import PiecewisePolynomial, quintic_coefficients
from robot_dynamics.control.piece import Piece, piece_of
from robot_dynamics.control.reference_point import Reference, ReferencePoint

Array = NDArray[np.float64]

PEAK_VELOCITY = 1.875  # of a quintic rest-to-rest motion, in units of distance / duration


class BlendedReference:
    """
    A reference plus an offset that a quintic takes to zero.

    Parameters
    ----------
    base : Reference
        Where it leads.
    offset : ReferencePoint
        To be added at time ``begin`` and gone, with its derivatives, ``duration`` later.
    begin : float
        Time of ``base`` at which the blend begins [s].
    duration : float
        Of the blend [s], positive.

    """

    def __init__(
        self, base: Reference, offset: ReferencePoint, begin: float, duration: float
    ) -> None:
        """Compute the quintic."""
        times = np.array([0.0, duration])
        zero = np.zeros_like(offset.q)
        q, v, a = (np.array([x, zero]) for x in offset)
        self._curve = PiecewisePolynomial(times, quintic_coefficients(times, q, v, a))
        self._base, self._begin, self._blend = base, begin, duration

    @property
    def duration(self) -> float:
        """Time after which the last position is held [s]."""
        return max(self._base.duration, self._begin + self._blend)

    def sample(self, t: float) -> ReferencePoint:
        """Return the point at time ``t`` of the base [s]."""
        point = self._base.sample(t)
        elapsed = t - self._begin
        if elapsed >= self._blend:
            return point
        offset = self._curve.sample(max(elapsed, 0.0))
        return ReferencePoint(point.q + offset.q, point.v + offset.v, point.a + offset.a)

    def piece(self, t: float) -> Piece | None:
        """Return the polynomials that hold at time ``t`` [s]; None during the blend."""
        over = self._begin + self._blend
        piece = piece_of(self._base, t) if t - self._begin >= self._blend else None
        return None if piece is None else piece.cut(over, math.inf)


def blended(
    base: Reference,
    point: ReferencePoint,
    *,
    at: float,
    duration: float,
    continuous: NDArray[np.bool_] | None = None,
    speed: Array | None = None,
) -> Reference:
    """
    Return ``base`` blended in from ``point`` at its time ``at``, or itself when they agree.

    Parameters
    ----------
    base : Reference
        The reference to follow.
    point : ReferencePoint
        What is commanded now.
    at : float
        Time of ``base`` now [s].
    duration : float
        Of the blend [s], positive.
    continuous : numpy.ndarray of bool, shape (n,), optional
        Joints that take the short way round.
    speed : numpy.ndarray, shape (n,), optional
        Peak velocity that the offset alone may have [rad/s or m/s]; lengthens the blend.

    """
    target = base.sample(at)
    q = nearest_turn(point.q, target.q, continuous) - target.q
    v = point.v - target.v
    # a motion that starts from rest starts with the acceleration that it asks for
    a = np.zeros_like(q) if point.is_at_rest else point.a - target.a
    if not (q.any() or v.any() or a.any()):
        return base
    if speed is not None:
        duration = max(duration, float(np.max(PEAK_VELOCITY * np.abs(q) / speed)))
    return BlendedReference(base, ReferencePoint(q, v, a), at, duration)
