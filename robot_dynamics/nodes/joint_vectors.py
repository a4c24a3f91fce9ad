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

"""Parameters that hold a joint vector, and the robot parameters that all nodes share."""

from __future__ import annotations

import array
import math
from typing import Any, Sequence

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.errors import ParameterError
from robot_dynamics.model.strict_numbers import parse_number
from robot_dynamics.nodes.parameter_kinds import Kind
from robot_dynamics.nodes.parameter_table import Specification, SPECIFICATIONS

Array = NDArray[np.float64]

ROBOT_SPECIFICATIONS: tuple[Specification, ...] = tuple(
    SPECIFICATIONS[name]
    for name in (
        'robot',
        'overlay',
        'joints',
        'locked_joints',
        'accept_findings',
        'gravity',
        'mount_rpy',
    )
)


def joint_vector(unit: str, words: Sequence[str] = ()) -> Kind:
    """
    One finite number for all joints or one for each, or one of a few words, or nothing.

    A list, a single number and a text such as ``'0.3, -0.5'`` are all accepted, since launch
    arguments are texts. Converted to a tuple of floats, a word, or None for an empty value.
    """
    text = f"a number [{unit}], one for each joint, a text such as '0.3, -0.5'"
    text += ''.join(f", '{word}'" for word in words) + ', or empty for not set'

    def convert(name: str, value: Any) -> tuple[float, ...] | str | None:
        if isinstance(value, str):
            if value.strip() in words:
                return value.strip()
            value = _split(name, value, text)
        if not isinstance(value, (list, tuple, array.array)):
            value = [value]
        if any(
            isinstance(x, bool) or not isinstance(x, (int, float)) or not math.isfinite(x)
            for x in value
        ):
            raise ParameterError(f'is {list(value)!r}', where=name, expected=text)
        return tuple(float(x) for x in value) or None

    return Kind(convert=convert, constraint=text)


def _split(name: str, text: str, expected: str) -> list[float]:
    """Return the numbers of a text, with or without brackets."""
    inner = text.strip()
    if inner.startswith('[') and inner.endswith(']'):
        inner = inner[1:-1]
    try:
        return [parse_number(part) for part in inner.split(',')] if inner.strip() else []
    except ValueError as error:
        raise ParameterError(f"is '{text}': {error}", where=name, expected=expected) from error


def spread(name: str, value: tuple[float, ...], joint_names: Sequence[str]) -> Array:
    """
    Return `value`, one number or one for each joint, as an array (n,).

    Raises
    ------
    ParameterError
        Another number of values.

    """
    if len(value) not in (1, len(joint_names)):
        raise ParameterError(
            f'has {len(value)} numbers',
            where=name,
            expected=f'one number, or {len(joint_names)} in the order {", ".join(joint_names)}',
        )
    return np.broadcast_to(np.array(value), (len(joint_names),)).copy()
