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

"""Kinds of parameter values: what is accepted, how it is converted, how a refusal reads."""

from __future__ import annotations

import array
from dataclasses import dataclass
import math
from typing import Any, Callable, Sequence

from robot_dynamics.errors import ParameterError

Convert = Callable[[str, Any], Any]


@dataclass(frozen=True, kw_only=True)
class Kind:
    """
    A kind of value.

    Attributes
    ----------
    convert
        Called with the parameter's name and its value; returns the value to work with, or
        raises ParameterError naming parameter, value and expectation.
    constraint
        The expectation in words, shown by ``ros2 param describe``.

    """

    convert: Convert
    constraint: str


def _refuse(name: str, value: Any, expected: str) -> ParameterError:
    shown = repr(list(value) if isinstance(value, (tuple, array.array)) else value)
    if len(shown) > 80:
        shown = shown[:77] + '...'
    return ParameterError(f'is {shown}', where=name, expected=expected)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple, array.array))


@dataclass(frozen=True, kw_only=True)
class _Range:
    """Bounds of a number; a bound may be excluded, and infinity may be allowed as 'none'."""

    low: float
    high: float = math.inf
    low_excluded: bool = False
    infinity: bool = False
    unit: str = ''

    def __contains__(self, value: float) -> bool:
        if not (self.low <= value <= self.high) or (self.low_excluded and value == self.low):
            return False
        return math.isfinite(value) or self.infinity

    def __str__(self) -> str:
        text = f'a number {">" if self.low_excluded else ">="} {self.low:g}'
        if math.isfinite(self.high):
            text += f' and <= {self.high:g}'
        text += f' [{self.unit}]' if self.unit else ''
        return text + (' or .inf' if self.infinity else '')


def number(
    low: float,
    high: float = math.inf,
    *,
    low_excluded: bool = False,
    infinity: bool = False,
    unit: str = '',
) -> Kind:
    """Accept one number within bounds, integer or not. Converted to float."""
    bounds = _Range(low=low, high=high, low_excluded=low_excluded, infinity=infinity, unit=unit)

    def convert(name: str, value: Any) -> float:
        if not _is_number(value) or value not in bounds:
            raise _refuse(name, value, str(bounds))
        return float(value)

    return Kind(convert=convert, constraint=str(bounds))


def per_joint(
    low: float,
    *,
    low_excluded: bool = False,
    infinity: bool = False,
    optional: bool = False,
    unit: str = '',
) -> Kind:
    """
    Accept one number for all commanded joints, or a list with one for each.

    Converted to float or a tuple of floats; where `optional`, an empty list means 'not set'
    and becomes None.
    """
    bounds = _Range(low=low, low_excluded=low_excluded, infinity=infinity, unit=unit)
    text = f'{bounds}, or one for each commanded joint'
    text += ', or [] for not set' if optional else ''

    def convert(name: str, value: Any) -> float | tuple[float, ...] | None:
        if optional and _is_list(value) and not value:
            return None
        values = value if _is_list(value) else [value]
        if not values or not all(_is_number(x) and x in bounds for x in values):
            raise _refuse(name, value, text)
        return tuple(float(x) for x in values) if _is_list(value) else float(value)

    return Kind(convert=convert, constraint=text)


def vector(count: int, unit: str) -> Kind:
    """Accept some finite numbers, or an empty list for 'not set', which becomes None."""
    text = f'{count} finite numbers [{unit}], or [] for not set'

    def convert(name: str, value: Any) -> tuple[float, ...] | None:
        if _is_list(value) and not value:
            return None
        if not (
            _is_list(value)
            and len(value) == count
            and all(_is_number(x) and math.isfinite(x) for x in value)
        ):
            raise _refuse(name, value, text)
        return tuple(float(x) for x in value)

    return Kind(convert=convert, constraint=text)


def integer(low: int, high: int) -> Kind:
    """Accept one whole number within bounds; 5.0 is taken as 5. Converted to int."""
    text = f'a whole number from {low} to {high}'

    def convert(name: str, value: Any) -> int:
        if not _is_number(value) or not (low <= value <= high) or value != int(value):
            raise _refuse(name, value, text)
        return int(value)

    return Kind(convert=convert, constraint=text)


def integers(low: int, high: int) -> Kind:
    """Accept a list of whole numbers within bounds, which may be empty. Converted to a tuple."""
    one = integer(low, high)
    text = f'a list of whole numbers from {low} to {high}, or []'

    def convert(name: str, value: Any) -> tuple[int, ...]:
        if not _is_list(value):
            raise _refuse(name, value, text)
        try:
            return tuple(one.convert(name, x) for x in value)
        except ParameterError:
            raise _refuse(name, value, text) from None

    return Kind(convert=convert, constraint=text)


def flag() -> Kind:
    """Accept true or false only."""
    text = 'true or false'

    def convert(name: str, value: Any) -> bool:
        if not isinstance(value, bool):
            raise _refuse(name, value, text)
        return value

    return Kind(convert=convert, constraint=text)


def choice(options: Sequence[str]) -> Kind:
    """Accept one of a few words."""
    text = 'one of: ' + ', '.join(options)

    def convert(name: str, value: Any) -> str:
        if not isinstance(value, str) or value not in options:
            raise _refuse(name, value, text)
        return value

    return Kind(convert=convert, constraint=text)


def string(expected: str) -> Kind:
    """Accept a string, which may be empty; `expected` says what it should hold."""

    def convert(name: str, value: Any) -> str:
        if not isinstance(value, str):
            raise _refuse(name, value, expected)
        return value

    return Kind(convert=convert, constraint=expected)


def strings(expected: str) -> Kind:
    """Accept a list of strings; empty ones are left out. Converted to a tuple."""

    def convert(name: str, value: Any) -> tuple[str, ...]:
        if not _is_list(value) or not all(isinstance(x, str) for x in value):
            raise _refuse(name, value, expected)
        return tuple(x.strip() for x in value if x.strip())

    return Kind(convert=convert, constraint=expected)


def assignments() -> Kind:
    """Accept a list of strings ``name=number``. Converted to a dict, in order."""
    names = strings("a list of strings 'joint=position', such as ['finger=0.02'] [rad or m]")

    def convert(name: str, value: Any) -> dict[str, float]:
        result: dict[str, float] = {}
        for item in names.convert(name, value):
            key, equals, number_text = item.partition('=')
            key = key.strip()
            try:
                position = float(number_text)
            except ValueError:
                position = math.nan
            if not equals or not key or key in result or not math.isfinite(position):
                raise _refuse(name, item, names.constraint + ', each joint once')
            result[key] = position
        return result

    return Kind(convert=convert, constraint=names.constraint)
