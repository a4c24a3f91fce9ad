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


"""A piece of a reference: polynomials that hold from one moment to another."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.control.reference_point import Reference, ReferencePoint

Array = NDArray[np.float64]


class Piece(NamedTuple):
    """
    What a reference is at the times ``begin <= t < end``.

    With s = (t - start - knot) * scale, the values are the sum of ``table[k] * s ** k``.

    Attributes
    ----------
    begin, end : float
        When it holds [s].
    table : numpy.ndarray, shape (degree + 1, 3 n)
        For position, velocity and acceleration, one after the other.
    scale : float
        [1/s].
    knot : float
        Time of s = 0, since ``start`` [s].
    start : float
        Time zero of the reference [s].

    """

    begin: float
    end: float
    table: Array
    scale: float = 0.0
    knot: float = 0.0
    start: float = 0.0

    @classmethod
    def rest(cls, point: ReferencePoint, begin: float, end: float) -> Piece:
        """Return a piece that is one point all the time."""
        return cls(begin, end, np.concatenate(point)[None, :])

    def cut(self, begin: float, end: float) -> Piece:
        """Return the part of it that lies between two times."""
        return self._replace(begin=max(begin, self.begin), end=min(end, self.end))

    def later(self, start: float) -> Piece:
        """Return the same for a reference whose time zero is ``start`` [s]."""
        return self._replace(begin=self.begin + start, end=self.end + start, start=start)


def piece_of(reference: Reference, t: float) -> Piece | None:
    """Return the polynomials of any reference at time ``t`` [s], None when it has none then."""
    find = getattr(reference, 'piece', None)
    return None if find is None else find(t)
