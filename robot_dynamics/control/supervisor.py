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

"""When it is safe to send an effort."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
import math

JITTER = 0.02  # [s] by which the receipt of a state may be late or early


class State(str, Enum):
    """
    What the controller is doing.

    WAITING for states that are good and regular, nothing is sent; HOLDING a position, or
    supporting the arm against gravity; TRACKING a reference; FAULT, the safe stop is sent and
    then nothing; STOPPED after a shutdown, the same, without return.
    """

    WAITING = 'waiting'
    HOLDING = 'holding'
    TRACKING = 'tracking'
    FAULT = 'fault'
    STOPPED = 'stopped'

    @property
    def is_running(self) -> bool:
        """Whether the law is in command."""
        return self in (State.HOLDING, State.TRACKING)


@dataclass(frozen=True, kw_only=True)
class Supervision:
    """
    Times of the supervisor.

    Parameters
    ----------
    state_timeout : float
        Longest time between good states [s].
    fresh_states : int
        Good states in a row, none later than the timeout, before the law takes command.
    start_ramp : float
        Time in which the law takes over from what was sent before [s].

    """

    state_timeout: float
    fresh_states: int
    start_ramp: float


class Supervisor:
    """
    Follows the arrival of good states and decides whether the law may be in command.

    It knows neither efforts nor references. Time is the argument ``now`` of a steady clock [s].

    Parameters
    ----------
    supervision : Supervision
        Its times; may be exchanged at any time.

    """

    def __init__(self, supervision: Supervision) -> None:
        """Begin in WAITING."""
        self.supervision = supervision
        self.state = State.WAITING
        self.reason = 'joint_states: no usable state yet; is the driver running?'
        self._fresh = 0
        self._last_state = -math.inf
        self._ramp_start = -math.inf

    def age(self, now: float) -> float:
        """Return the time since the last good state [s], infinite before the first."""
        return now - self._last_state

    def accept(self, now: float) -> bool:
        """
        Take note of a good state; return True when with it the law takes command.

        A state is good when it is finite and complete, and the effort computed from it is finite.
        """
        gap = self.age(now)
        self._last_state = now
        if self.state.is_running or self.state is State.STOPPED:
            return False
        timeout = self.supervision.state_timeout
        self._fresh = self._fresh + 1 if gap <= timeout else 1
        if self._fresh >= self.supervision.fresh_states:
            self.state, self.reason = State.HOLDING, ''
            return True
        if self.state is State.WAITING:
            self.reason = (
                f'joint_states: {self._fresh} of {self.supervision.fresh_states} good states in '
                f'a row, none more than state_timeout = {timeout:g} s after the one before'
            )
            if timeout < gap < math.inf:
                self.reason += f'; the last came after {gap:.3g} s'
        return False

    def watch(self, now: float, dropped: str = '') -> bool:
        """
        Go to FAULT when good states have been missing for too long while the law is in command.

        Parameters
        ----------
        now : float
            Steady time [s].
        dropped : str
            Why states that did come were not good, for the reason.

        Returns
        -------
        bool
            Whether this call went to FAULT.

        """
        age = self.age(now)
        # written so that NaN is a fault
        if not self.state.is_running or age <= self.supervision.state_timeout:
            return False
        cause = f'; dropped: {dropped}' if dropped else '; is the driver running?'
        return self.fail(
            f'joint_states: no usable state for {age:.3f} s, state_timeout is '
            f'{self.supervision.state_timeout:g} s{cause}'
        )

    def fail(self, reason: str) -> bool:
        """Go to FAULT for ``reason``, from any state but STOPPED; return whether it is new."""
        if self.state is State.STOPPED:
            return False
        new = self.state is not State.FAULT
        self.state, self.reason, self._fresh = State.FAULT, reason, 0
        return new

    def refuse(self, reason: str) -> None:
        """Begin to count good states again, for ``reason``, unless the law is in command."""
        if not self.state.is_running:
            self._fresh, self.reason = 0, reason

    def stop(self) -> None:
        """Go to STOPPED, from which only a new supervisor returns."""
        self.state, self.reason = State.STOPPED, 'stopped by a shutdown'

    def track(self, tracking: bool) -> None:
        """Tell TRACKING from HOLDING while the law is in command."""
        if self.state.is_running:
            self.state = State.TRACKING if tracking else State.HOLDING

    def start_ramp(self, now: float) -> None:
        """Begin a ramp from what was sent last to what the law says."""
        self._ramp_start = now

    def law_share(self, now: float) -> float:
        """Return the share of the law in the command, rising from 0 to 1 during the ramp."""
        elapsed = now - self._ramp_start
        if elapsed >= self.supervision.start_ramp:
            return 1.0
        return elapsed / self.supervision.start_ramp
