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

"""When the next physics steps are due, on an absolute schedule that never drifts."""

from __future__ import annotations


class StepSchedule:
    """
    Counts steps of equal length against a steady clock that is handed in.

    After a late call the missing steps are due at once, but never more than `catch_up_limit`
    seconds of them: what lies further back is given up and counted in :attr:`lost_steps`, so that
    a long stop of the process is not followed by a burst of physics without fresh commands.

    Parameters
    ----------
    step
        Length of a step [s].
    catch_up_limit
        Longest time made up for at once [s]; at least one step.

    """

    def __init__(self, step: float, catch_up_limit: float) -> None:
        self._step = step
        self._most = max(1, round(catch_up_limit / step))
        self._begin = 0.0  # steady time of step 0 [s], moved by what is given up
        self._started = 0.0
        self._count = 0  # steps taken
        self.lost_steps = 0

    def start(self, now: float) -> None:
        """Let the first step be due one step length after `now` (steady [s])."""
        self._begin = self._started = now
        self._count = self.lost_steps = 0

    def take(self, now: float) -> int:
        """Return how many steps are due at `now` (steady [s]) and take them as done."""
        # The tiny share keeps a wake-up at the very deadline from being rounded one step down.
        due = int((now - self._begin) / self._step + 1e-6) - self._count
        if due <= 0:
            return 0
        if due > self._most:
            lost = due - self._most
            self.lost_steps += lost
            self._begin += lost * self._step
            due = self._most
        self._count += due
        return due

    @property
    def next_deadline(self) -> float:
        """Steady time at which the next step is due [s]."""
        return self._begin + (self._count + 1) * self._step

    def real_time_factor(self, now: float) -> float:
        """Return simulated time over steady time since the start; 1 is real time."""
        elapsed = now - self._started
        return self._count * self._step / elapsed if elapsed > 0.0 else 1.0
