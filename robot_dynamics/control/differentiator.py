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

"""Velocity from positions, for drivers that send none or a noisy one."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from robot_dynamics.control.angles import without_turns
from robot_dynamics.control.parameters import check_number

Array = NDArray[np.float64]


class Differentiator:
    """
    Backward difference through a first-order low pass.

    With the time step dt and the cut-off frequency f,
    v += (1 - exp(-2 pi f dt)) ((q - q_before) / dt - v),
    the exact step response of the filter, so that steps may vary. It delays by
    about 1 / (2 pi f) + dt / 2, and noise of standard deviation s in q comes
    through as about s sqrt(2 pi f / dt).

    Parameters
    ----------
    is_continuous : array_like of bool, shape (nv,)
        Joints whose angle may jump by a whole turn.
    cutoff : float
        f [Hz].
    longest_gap : float
        A longer silence starts it anew [s].

    Raises
    ------
    ParameterError
        When the frequency is out of bounds.

    """

    def __init__(self, is_continuous: ArrayLike, cutoff: float, longest_gap: float = 0.1) -> None:
        """Prepare the filter; it has no velocity yet."""
        check_number('cutoff', cutoff, 0.1, 1e4, unit='Hz')
        self._turning = np.flatnonzero(is_continuous)
        self._rate = 2.0 * math.pi * cutoff
        self._gap = longest_gap
        self.reset()

    def reset(self) -> None:
        """Forget the past."""
        self._time = -math.inf
        self._q: Array | None = None
        self._v: Array | None = None

    def update(self, now: float, q: Array) -> Array | None:
        """
        Take a position and return the velocity.

        Parameters
        ----------
        now : float
            Steady time of the position [s].
        q : numpy.ndarray, shape (nv,)
            Finite positions [rad or m].

        Returns
        -------
        numpy.ndarray, shape (nv,), or None
            None until a second position has come. A time that does not rise
            changes nothing.

        """
        dt = now - self._time
        if self._q is None or dt > self._gap:
            self._time, self._q, self._v = now, q.copy(), None
            return None
        if not dt > 0.0:
            return self._v
        step = without_turns(q - self._q, self._turning)
        slope = step / dt
        gain = -math.expm1(-self._rate * dt)
        self._v = slope if self._v is None else self._v + gain * (slope - self._v)
        self._time, self._q = now, q.copy()
        return self._v
