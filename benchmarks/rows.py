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

"""One row of the result: what was measured, against what, and how that compares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from goals import Goal, GOALS
from summary import pair_ratios, Summary


@dataclass(frozen=True, kw_only=True)
class Row:
    """
    A measured number beside its baseline.

    Attributes
    ----------
    key
        Such as 'N1 pinned'; the goals are found by it.
    measure
        What it is, in words.
    unit
        Of `ours` and `base`.
    ours, base
        The medians; `base` is None where there is none.
    value
        What the goal is about: the ratio of pairs, or `ours` itself.
    note
        What a reader must know beside it.
    missing
        Why there is no number, or ''.

    """

    key: str
    measure: str
    unit: str = ''
    ours: Summary | None = None
    base: Summary | None = None
    value: Summary | None = None
    note: str = ''
    missing: str = ''

    @classmethod
    def ratio(
        cls,
        key: str,
        measure: str,
        ours: Sequence[float],
        base: Sequence[float],
        *,
        unit: str,
        inverse: bool = False,
        note: str = '',
    ) -> Row:
        """Return the row of two interleaved series; `inverse` for 'so many times faster'."""
        ratios = pair_ratios(base, ours) if inverse else pair_ratios(ours, base)
        return cls(
            key=key,
            measure=measure,
            unit=unit,
            ours=Summary.of(ours),
            base=Summary.of(base),
            value=Summary.of(ratios),
            note=note,
        )

    @classmethod
    def number(
        cls, key: str, measure: str, values: Sequence[float], *, unit: str = '', note: str = ''
    ) -> Row:
        """Return the row of a number that stands for itself."""
        summary = Summary.of(values)
        return cls(key=key, measure=measure, unit=unit, ours=summary, value=summary, note=note)

    @property
    def goal(self) -> Goal | None:
        """Return the goal; None for what is only reported."""
        return GOALS.get(self.key)

    @property
    def verdict(self) -> str:
        """Return 'met', 'missed', 'missing' or, without a goal, 'reported'."""
        if self.value is None:
            return 'missing'
        return 'reported' if self.goal is None else self.goal.verdict(self.value.median)

    @property
    def is_broken(self) -> bool:
        """Whether the number is beyond what ``--check`` lets pass."""
        if self.goal is None or self.value is None:
            return False
        return not self.goal.is_kept_roughly(self.value.median)

    def as_json(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return {
            'key': self.key,
            'measure': self.measure,
            'unit': self.unit,
            'ours': self.ours and self.ours.as_json(),
            'base': self.base and self.base.as_json(),
            'value': self.value and self.value.as_json(),
            'goal': str(self.goal or ''),
            'verdict': self.verdict,
            'note': self.note,
            'missing': self.missing,
        }
