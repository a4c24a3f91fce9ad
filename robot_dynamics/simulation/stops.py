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

"""Mechanical stops at the position limits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class PositionStops:
    """
    Hard stops that take all of the velocity and give nothing back.

    At a limit the position is held at the limit and the velocity into the stop
    vanishes by an impulse that acts on the other joints through the mass
    matrix, so that kinetic energy never grows. Elastic rebound is not modelled.

    Parameters
    ----------
    lower, upper : numpy.ndarray, shape (nv,)
        Limits [rad or m]; infinite where there is none.

    """

    def __init__(self, lower: Array, upper: Array) -> None:
        """Copy the limits."""
        self._lower, self._upper = lower.copy(), upper.copy()

    def widened(self, q: Array) -> PositionStops:
        """Return stops that let ``q`` (nv,) be: where it is beyond a limit, it is the limit."""
        return PositionStops(np.minimum(self._lower, q), np.maximum(self._upper, q))

    def beyond(self, q: Array) -> NDArray[np.bool_]:
        """Return which joints of ``q`` (nv,) are outside their limits."""
        return np.asarray((q < self._lower) | (q > self._upper))

    def hit(self, q: Array, v: Array) -> NDArray[np.bool_]:
        """Return which joints (nv,) press or run into a stop."""
        return np.asarray(((q <= self._lower) & (v < 0.0)) | ((q >= self._upper) & (v > 0.0)))

    def apply(self, q: Array, v: Array, mass_matrix: Array) -> tuple[Array, Array]:
        """
        Return the state after the impact.

        Parameters
        ----------
        q, v : numpy.ndarray, shape (nv,)
            State at the end of a step.
        mass_matrix : numpy.ndarray, shape (nv, nv)
            M(q).

        Returns
        -------
        tuple of numpy.ndarray
            q within the limits, and v with no part into a stop.

        """
        hit = self.hit(q, v)
        inverse = np.linalg.inv(mass_matrix)
        impulse = np.linalg.solve(inverse[np.ix_(hit, hit)], v[hit])
        v = v - inverse[:, hit] @ impulse
        v[hit] = 0.0
        return np.clip(q, self._lower, self._upper), v
