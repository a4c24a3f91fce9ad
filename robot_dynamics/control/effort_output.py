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

"""The effort that is sent: the law's after ramp and limits, or that of a safe stop."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.control.controller_settings import ControllerSetup
from robot_dynamics.control.limits import is_finite
from robot_dynamics.control.safe_stop import SafeStop

Array = NDArray[np.float64]


class EffortOutput:
    """
    Remembers the effort sent last, since whatever comes next must begin there.

    Parameters
    ----------
    n : int
        Number of commanded joints.

    """

    def __init__(self, n: int) -> None:
        """Begin at zero effort, with nothing sent."""
        self.effort = np.zeros(n)
        self._ramp_from = self.effort
        self._sent_at = -math.inf
        self._stop: SafeStop | None = None

    @property
    def is_silent(self) -> bool:
        """Whether there is nothing to send, as long as the law is not in command."""
        return self._stop is None or self._stop.is_over

    def begin_ramp(self) -> None:
        """Let the law take over from the effort sent last, in place of a safe stop."""
        self._stop = None
        self._ramp_from = self.effort

    def limited(
        self, now: float, tau: Array, share: float, setup: ControllerSetup
    ) -> tuple[Array, NDArray[np.bool_]]:
        """
        Return the effort to send, and where a limit has changed it, both (n,).

        Parameters
        ----------
        now : float
            Steady time [s].
        tau : numpy.ndarray, shape (n,)
            Effort of the law [N m or N].
        share : float
            Of the law in the sum, from 0 to 1; the rest is where the ramp began.
        setup : ControllerSetup
            Limits.

        Raises
        ------
        StateError
            When an effort is not finite; it is not sent.

        """
        if share < 1.0:
            tau = (1.0 - share) * self._ramp_from + share * tau
        # after a silence the rate limit must not allow more than after the longest normal gap
        dt = min(now - self._sent_at, setup.settings.state_timeout)
        effort, saturated = setup.limiter.apply(tau, self.effort, dt)
        self.effort, self._sent_at = effort, now
        return effort, saturated

    def sent(self, now: float, effort: Array) -> None:
        """Take note that ``effort`` (n,), which no limit has changed, was sent at ``now`` [s]."""
        self.effort, self._sent_at = effort, now

    def begin_stop(self, now: float, setup: ControllerSetup, support: Array | None) -> None:
        """
        Begin the way to zero from the effort sent last; when nothing was sent, nothing will be.

        Parameters
        ----------
        now : float
            Steady time [s].
        setup : ControllerSetup
            Times and limits.
        support : numpy.ndarray, shape (n,), or None
            Effort to keep for ``hold_gravity_time`` [N m or N]; left out when it is not finite.

        """
        never_sent = self._sent_at == -math.inf
        if never_sent or (self._stop is not None and self._stop.is_over):
            return
        limit = setup.limiter.limit
        if support is not None:
            finite = is_finite(support)
            support = np.minimum(np.maximum(support, -limit), limit) if finite else None
        self._stop = SafeStop(
            now,
            self.effort,
            ramp=setup.settings.fault_ramp,
            rate=setup.limiter.rate,
            support=support,
            support_time=setup.settings.hold_gravity_time,
        )

    def stopping(self, now: float) -> Array | None:
        """Return the next effort (n,) of the safe stop, None when nothing must be sent."""
        effort = None if self._stop is None else self._stop.effort(now)
        if effort is not None:
            self.effort, self._sent_at = effort, now
        return effort
