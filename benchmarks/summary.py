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

"""Medians, spread and ratios of repeated measurements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
import math
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Summary:
    """
    Median and quartiles of some values.

    Attributes
    ----------
    median, low, high
        The second, first and third quartile.
    count
        How many values there were.

    """

    median: float
    low: float
    high: float
    count: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Summary:
        """Return the summary of at least one value."""
        low, median, high = np.percentile(np.asarray(values, dtype=float), [25.0, 50.0, 75.0])
        return cls(float(median), float(low), float(high), len(values))

    def as_json(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return {
            'median': _plain(self.median),
            'low': _plain(self.low),
            'high': _plain(self.high),
            'count': self.count,
        }


def pair_ratios(ours: Sequence[float], base: Sequence[float]) -> list[float]:
    """
    Return the ratio of each of our values to the one measured just before or after it.

    A ratio of two zeros is zero: none lost where the other lost none.
    """
    if len(ours) != len(base):
        raise ValueError(f'{len(ours)} values against {len(base)}')
    return [_ratio(mine, other) for mine, other in zip(ours, base)]


def _ratio(mine: float, other: float) -> float:
    if other != 0.0:
        return mine / other
    return 0.0 if mine == 0.0 else math.inf


def straight_line(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """Return a and b of the least squares fit y = a + b x."""
    b, a = np.polyfit(np.asarray(x, dtype=float), np.asarray(y, dtype=float), 1)
    return float(a), float(b)


def _plain(value: float) -> float | None:
    return value if math.isfinite(value) else None
