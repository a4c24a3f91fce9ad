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

"""Checks of parameter values, shared by all settings of this room."""

from __future__ import annotations

import math
from typing import Union

import numpy as np
from numpy.typing import ArrayLike, NDArray
from robot_dynamics.errors import ParameterError

Array = NDArray[np.float64]
Plain = Union[float, tuple[float, ...]]


def joint_array(
    name: str, value: ArrayLike, n: int, *, positive: bool = False, finite: bool = True
) -> Array:
    """
    Return a parameter as a read-only array (n,) with one entry for each joint.

    Parameters
    ----------
    name : str
        The parameter, for the message.
    value : array_like, scalar or shape (n,)
        A scalar stands for all joints.
    n : int
        Number of joints.
    positive, finite : bool
        Whether zero, or infinity, is refused.

    Raises
    ------
    ParameterError
        When the size is wrong, or a value is NaN, negative or refused.

    """
    array = _numbers(name, value)
    if array.shape not in ((), (n,)):
        raise ParameterError(
            f'has shape {array.shape}',
            where=name,
            expected=f'one number, or {n} numbers, one for each joint',
        )
    check_magnitudes(name, array, positive=positive, finite=finite)
    array = np.array(np.broadcast_to(array, (n,)))
    array.setflags(write=False)
    return array


def plain(name: str, value: ArrayLike, *, positive: bool = False, finite: bool = True) -> Plain:
    """
    Return a scalar or (n,) parameter as numbers that cannot change and compare by value.

    Raises
    ------
    ParameterError
        When a value is NaN, negative or refused by the two switches.

    """
    array = _numbers(name, value)
    if array.ndim > 1:
        raise ParameterError(
            f'has shape {array.shape}', where=name, expected='one number, or one for each joint'
        )
    check_magnitudes(name, array, positive=positive, finite=finite)
    return float(array) if array.ndim == 0 else tuple(array.tolist())


def check_magnitudes(
    name: str, array: Array, *, positive: bool = False, finite: bool = True
) -> None:
    """Raise ParameterError when an entry is NaN, negative, or refused by the two switches."""
    good = array > 0.0 if positive else array >= 0.0
    if finite:
        good = good & np.isfinite(array)
    if not good.all():
        raise ParameterError(
            f'is {array.tolist()}',
            where=name,
            expected=('finite numbers' if finite else 'numbers')
            + (', more than 0' if positive else ', 0 or more'),
        )


def check_number(
    name: str, value: float, lowest: float, highest: float = math.inf, *, unit: str = ''
) -> None:
    """
    Require one number within bounds.

    Raises
    ------
    ParameterError
        When ``value`` is no number, NaN or outside [lowest, highest].

    """
    number = float(value) if isinstance(value, (int, float, np.number)) else math.nan
    if not lowest <= number <= highest:
        unit = f' {unit}' if unit else ''
        upper = f' and at most {highest:g}{unit}' if highest < math.inf else ''
        raise ParameterError(
            f'is {value!r}', where=name, expected=f'at least {lowest:g}{unit}{upper}'
        )


def _numbers(name: str, value: ArrayLike) -> Array:
    try:
        return np.array(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(
            f'is {value!r}', where=name, expected='a number or a list of numbers'
        ) from error
