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

"""The finite gate, and the limits on effort and on its rate."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from robot_dynamics.control.parameters import joint_array
from robot_dynamics.errors import StateError

Array = NDArray[np.float64]

LARGEST = 1e100  # beyond any physical quantity, and its square does not overflow


def is_finite(x: Array) -> bool:
    """
    Return whether all entries of ``x`` (n,) are numbers of a magnitude up to ``LARGEST``.

    NaN fails every comparison, so it fails here as well.
    """
    for value in x.tolist():
        if not -LARGEST <= value <= LARGEST:
            return False
    return True


class EffortLimiter:
    """
    Keeps efforts within their limits, in magnitude and in change over time.

    The result is within the effort limit always, and within the rate limit whenever the previous
    effort was within the effort limit. When the effort limit has been lowered below the previous
    effort, the effort limit wins.

    Parameters
    ----------
    limit : array_like, scalar or shape (n,)
        Largest magnitude [N m or N], infinite for none.
    rate : array_like, scalar or shape (n,)
        Largest change [N m/s or N/s], infinite for none.
    n : int
        Number of joints.

    Raises
    ------
    ParameterError
        When a limit is NaN, zero or negative, or the size is wrong.

    """

    def __init__(self, limit: ArrayLike, rate: ArrayLike, n: int) -> None:
        """Keep both limits as arrays (n,)."""
        self.limit = joint_array('effort_limit', limit, n, positive=True, finite=False)
        self.rate = joint_array('effort_rate_limit', rate, n, positive=True, finite=False)
        self._lower = -self.limit
        rated = np.isfinite(self.rate)
        self._has_rate = bool(rated.any())
        # the step is rate * dt; kept in two parts since infinity times dt = 0 would be NaN
        self.finite_rate = np.where(rated, self.rate, 0.0)
        self.free_step = np.where(rated, 0.0, math.inf)

    def apply(self, tau: Array, previous: Array, dt: float) -> tuple[Array, NDArray[np.bool_]]:
        """
        Return the effort that may be sent.

        Parameters
        ----------
        tau : numpy.ndarray, shape (n,)
            The effort wanted [N m or N].
        previous : numpy.ndarray, shape (n,)
            The effort sent last.
        dt : float
            Time since then, zero or more [s].

        Returns
        -------
        tuple of numpy.ndarray
            The effort (n,), and a bool (n,) that says where it differs from ``tau``.

        Raises
        ------
        StateError
            When an input or the result is not finite; a bad effort is never clamped to a good one.

        """
        if not is_finite(tau):
            raise self._not_finite('effort', tau)
        if not (is_finite(previous) and 0.0 <= dt < math.inf):
            raise self._not_finite(f'previous effort, with dt = {dt} s,', previous)
        limited = tau
        if self._has_rate:
            step = self.finite_rate * dt + self.free_step
            limited = np.minimum(np.maximum(limited, previous - step), previous + step)
        limited = np.minimum(np.maximum(limited, self._lower), self.limit)
        if not is_finite(limited):
            raise self._not_finite('limited effort', limited)
        return limited, limited != tau

    def _not_finite(self, what: str, values: Array) -> StateError:
        return StateError(
            f'the {what} is {values.tolist()}',
            where='effort limiter',
            expected='finite numbers',
            remedy='look at the gains, the reference and the inertias of the model',
        )
