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

"""Reading the values of the command line: numbers, vectors by order or by joint name."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
import re

from robot_dynamics.errors import RobotDynamicsError
from robot_dynamics.model.strict_numbers import parse_number

_NEGATIVE = re.compile(r'-(?:[\d.]|inf|nan)')


class UsageError(RobotDynamicsError):
    """A command line that cannot be carried out; the exit code is 2."""


def protect_negative_values(arguments: Sequence[str]) -> list[str]:
    """
    Put a blank before arguments such as '-0.1,0.2'.

    argparse takes them for options otherwise; readers of numbers ignore the blank.
    """
    return [f' {text}' if _NEGATIVE.match(text) else text for text in arguments]


def number(text: str) -> float:
    """Read one finite number, as a type for argparse."""
    try:
        return parse_number(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text.strip()}' is {error}") from error


def positive_number(text: str) -> float:
    """Read one finite number above zero, as a type for argparse."""
    value = number(text)
    if not value > 0.0:
        raise argparse.ArgumentTypeError(f"'{text.strip()}' is not above zero")
    return value


def percentage(text: str) -> float:
    """Read '5%' or '0.05' as the fraction 0.05, above -1, as a type for argparse."""
    stripped = text.strip()
    value = number(stripped[:-1]) / 100.0 if stripped.endswith('%') else number(stripped)
    if not value > -1.0:
        raise argparse.ArgumentTypeError(f"'{stripped}' leaves no mass; it must be above -100%")
    return value


def vector(text: str, option: str) -> list[float]:
    """
    Read numbers separated by commas.

    Parameters
    ----------
    text : str
        Such as '0.1,-2,3e-1'.
    option : str
        The option that they belong to, for the message.

    Raises
    ------
    UsageError
        When an entry is no number; it is named.

    """
    values = []
    for index, entry in enumerate(text.split(',')):
        try:
            values.append(parse_number(entry))
        except ValueError as error:
            raise UsageError(
                f"entry {index + 1} of '{text.strip()}' is {error}",
                where=option,
                expected='numbers separated by commas, such as 0.1,-2,3e-1',
            ) from error
    return values


def vector3(text: str, option: str) -> list[float]:
    """Read three numbers separated by commas, or raise UsageError."""
    values = vector(text, option)
    if len(values) != 3:
        raise UsageError(f'has {_count(values)}', where=option, expected='three: x,y,z')
    return values


def joint_vector(
    texts: Sequence[str] | None,
    option: str,
    joint_names: Sequence[str],
    others: Mapping[str, float] | None = None,
) -> list[float]:
    """
    Read one number for each joint, in joint order or by name.

    Parameters
    ----------
    texts : sequence of str, optional
        One text such as '0.1,0.2', or texts such as 'joint1=0.1'; None or no
        entry for a joint leaves it to `others`.
    option : str
        The option that they belong to, for the message.
    joint_names : sequence of str
        The joints, in order.
    others : mapping of str to float, optional
        Values of the joints that are not named; 0 if there is none.

    Returns
    -------
    list of float
        By joint order.

    Raises
    ------
    UsageError
        When a joint is unknown, doubled or missing, or an entry is no number.

    """
    others = others or {}
    if texts is None:
        return [others.get(name, 0.0) for name in joint_names]
    named = [text for text in texts if '=' in text]
    if named and len(named) != len(texts):
        raise UsageError(
            'mixes values by name and by order', where=option, expected='one of the two'
        )
    if named:
        found = _by_name([part for text in named for part in text.split(',')], option, joint_names)
        return [found.get(name, others.get(name, 0.0)) for name in joint_names]
    values = vector(','.join(texts), option)
    if len(values) != len(joint_names):
        raise UsageError(
            f'has {_count(values)}',
            where=option,
            expected=f'{len(joint_names)}, for {", ".join(joint_names)}',
        )
    return values


def _count(values: Sequence[float]) -> str:
    return f'{len(values)} number{"" if len(values) == 1 else "s"}'


def _by_name(entries: Sequence[str], option: str, joint_names: Sequence[str]) -> dict[str, float]:
    found: dict[str, float] = {}
    for entry in entries:
        name, _, text = entry.strip().partition('=')
        if name not in joint_names:
            raise UsageError(
                f"there is no joint '{name}'",
                where=option,
                expected=f'some of {", ".join(joint_names)}',
            )
        if name in found:
            raise UsageError(f"joint '{name}' is given twice", where=option)
        try:
            found[name] = parse_number(text)
        except ValueError as error:
            raise UsageError(
                f"'{text}' is {error}", where=f"{option}, joint '{name}'", expected='one number'
            ) from error
    return found
