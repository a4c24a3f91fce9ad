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

"""What is aimed at, and whether a measured number keeps to it."""

from __future__ import annotations

from dataclasses import dataclass
import math

ALLOWED_SLIP = 2.0  # `--check` fails beyond so many times the goal


@dataclass(frozen=True, kw_only=True)
class Goal:
    """
    A bound for a number.

    Parameters
    ----------
    bound : float
        The largest number that meets the goal, or the smallest.
    at_least : bool
        Whether larger is better.
    slip : float, optional
        Bound of ``--check``, where twice the goal says nothing: for a goal of zero, and for
        shares that cannot be more than one.

    """

    bound: float
    at_least: bool = False
    slip: float | None = None

    def is_met(self, value: float) -> bool:
        """Whether `value` keeps to the goal; NaN does not."""
        return value >= self.bound if self.at_least else value <= self.bound

    def is_kept_roughly(self, value: float) -> bool:
        """Whether `value` keeps to the bound of ``--check``; NaN does not."""
        if self.slip is not None:
            return value >= self.slip if self.at_least else value <= self.slip
        if self.at_least:
            return value >= self.bound / ALLOWED_SLIP
        return value <= self.bound * ALLOWED_SLIP

    def verdict(self, value: float) -> str:
        """Return 'met' or 'missed'."""
        return 'met' if self.is_met(value) else 'missed'

    def __str__(self) -> str:
        """Return it as it stands in the table."""
        if not math.isfinite(self.bound):
            return ''
        return f'{"≥" if self.at_least else "≤"} {self.bound:g}'


GOALS = {
    'N1': Goal(bound=0.60),
    'N1 pinned': Goal(bound=0.35),
    'N2': Goal(bound=1.35),
    'N3': Goal(bound=0.35),
    'N4': Goal(bound=1.0),
    'N5 1 kHz': Goal(bound=0.0, slip=5.0),
    'N5 2 kHz': Goal(bound=0.0, slip=10.0),
    'N6': Goal(bound=0.1),
    'N7': Goal(bound=1.0),
    'K1': Goal(bound=5.0),
    'K1 holding': Goal(bound=5.0),
    'K1 accelerated': Goal(bound=1.0),
    'K1 accelerated holding': Goal(bound=1.0),
    'K2 Drake': Goal(bound=1.0),
    'K2 Robotics Toolbox': Goal(bound=1.0),
    'K3': Goal(bound=0.60, slip=0.90),
    'B1': Goal(bound=1.7, at_least=True),
    'B1 accelerated': Goal(bound=9.0, at_least=True),
    'B2': Goal(bound=1.5),
    'S1': Goal(bound=1.3),
    'S1 accelerated': Goal(bound=1.3),
    'S2': Goal(bound=1.15),
    # a compiler in the process cannot come near it
    'S2 accelerated': Goal(bound=1.15, slip=3.5),
}
