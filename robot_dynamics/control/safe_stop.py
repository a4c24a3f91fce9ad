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

"""What is sent when the law is not in command any more: a way down to zero effort."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ZEROS_SENT = 2  # a zero may be lost on a best-effort topic


class SafeStop:
    """
    Efforts as a function of time from the last command down to exactly zero.

    Without ``support`` the effort falls linearly from ``start`` to zero. With it the effort goes
    linearly to ``support``, stays there, and then falls to zero. After the end exactly zero is
    given ``ZEROS_SENT`` times, then nothing.

    Parameters
    ----------
    now : float
        Steady time of the beginning [s].
    start : numpy.ndarray, shape (n,)
        The effort sent last [N m or N].
    ramp : float
        Duration of a fall [s]; longer where ``rate`` asks for it.
    rate : numpy.ndarray, shape (n,)
        Largest change [N m/s or N/s], infinite for none.
    support : numpy.ndarray, shape (n,), optional
        The effort to keep meanwhile.
    support_time : float
        Time from ``now`` until the fall from ``support`` begins [s].

    """

    def __init__(
        self,
        now: float,
        start: Array,
        *,
        ramp: float,
        rate: Array,
        support: Array | None = None,
        support_time: float = 0.0,
    ) -> None:
        """Lay the corners of the way."""
        corners = [(now, np.array(start))]
        if support is not None:
            arrival = now + _duration(support - start, ramp, rate)
            corners.append((arrival, np.array(support)))
            corners.append((max(arrival, now + support_time), np.array(support)))
        when, effort = corners[-1]
        corners.append((when + _duration(effort, ramp, rate), np.zeros_like(effort)))
        self._corners = corners
        self._zeros_left = ZEROS_SENT

    @property
    def end(self) -> float:
        """Time at which the effort reaches zero [s]."""
        return self._corners[-1][0]

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to be sent."""
        return self._zeros_left == 0

    def effort(self, now: float) -> Array | None:
        """Return the effort to send at ``now`` [s], of shape (n,); None for nothing."""
        for (t0, start), (t1, target) in zip(self._corners, self._corners[1:]):
            if now < t1:
                share = min(max((now - t0) / (t1 - t0), 0.0), 1.0)
                return (1.0 - share) * start + share * target
        if self._zeros_left == 0:
            return None
        self._zeros_left -= 1
        return np.zeros_like(self._corners[-1][1])


def _duration(change: Array, ramp: float, rate: Array) -> float:
    """Return the time for ``change`` that both the ramp and the rate limit allow."""
    return max(ramp, float(np.max(np.abs(change) / rate, initial=0.0))) if change.any() else ramp
