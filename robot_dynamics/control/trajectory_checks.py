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

"""The rules that a trajectory must keep, each named with point, joint and field."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from robot_dynamics.errors import TrajectoryError

Array = NDArray[np.float64]

REST_TOLERANCE = 1e-6  # [rad/s or m/s] a last velocity below that is rest


def check_times(times: ArrayLike) -> Array:
    """
    Return times (k,) as a read-only array [s].

    Raises
    ------
    TrajectoryError
        When there are none, or one is negative, not finite, or not after the one before.

    """
    array = _numbers('times', times)
    if array.ndim != 1:
        raise TrajectoryError(
            f'times have shape {array.shape}',
            where='trajectory',
            expected='one time for each point',
        )
    if array.size == 0:
        raise TrajectoryError('has no points', where='trajectory', expected='at least one point')
    possible = (array >= 0.0) & (array < np.inf)
    right = possible.copy()
    right[1:] &= array[1:] > array[:-1]
    if not right.all():
        point = int(np.argmin(right))
        expected = 'a finite time of 0 s or more'
        if possible[point]:
            expected = f'later than {float(array[point - 1])} s of point {point - 1}'
        raise TrajectoryError(
            f'is {float(array[point])} s', where=f'point {point}, time', expected=expected
        )
    array.setflags(write=False)
    return array


def check_field(field: str, values: ArrayLike, points: int, joint_names: Sequence[str]) -> Array:
    """
    Return one field of all points as a read-only array (points, n).

    Raises
    ------
    TrajectoryError
        When the size is wrong or a value is not finite.

    """
    array = _numbers(field, values)
    if array.shape != (points, len(joint_names)):
        raise TrajectoryError(
            f'{field} have shape {array.shape}',
            where='trajectory',
            expected=f'{points} points of {len(joint_names)} joints',
        )
    bad = np.argwhere(~np.isfinite(array))
    if bad.size:
        point, joint = bad[0].tolist()
        raise TrajectoryError(
            f'is {array[point, joint]}',
            where=place(point, joint_names[joint], field),
            expected='a finite number',
        )
    array.setflags(write=False)
    return array


def check_rest(velocities: Array, joint_names: Sequence[str]) -> None:
    """Raise TrajectoryError when the last of the velocities (k, n) is not rest."""
    moving = np.flatnonzero(np.abs(velocities[-1]) > REST_TOLERANCE)
    if moving.size:
        joint = int(moving[0])
        raise TrajectoryError(
            f'ends while moving, at {velocities[-1, joint]:g}',
            where=place(len(velocities) - 1, joint_names[joint], 'velocities'),
            expected='0 at the last point',
            remedy='add a point where the robot is at rest',
        )


def check_joint_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return joint names as a tuple; raise TrajectoryError when empty or one is doubled."""
    names = tuple(names)
    if not names:
        raise TrajectoryError('has no joints', where='trajectory', expected='at least one joint')
    for name in names:
        if names.count(name) > 1:
            raise TrajectoryError(
                'is there more than once', where=f"joint '{name}'", expected='each joint once'
            )
    return names


def column_order(given: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """
    Return for each of the ``wanted`` joints its column among the ``given`` ones.

    Raises
    ------
    TrajectoryError
        When a joint is unknown, missing, or there more than once.

    """
    wanted = check_joint_names(wanted)
    known = ', '.join(wanted)
    for name in given:
        if name not in wanted:
            raise TrajectoryError(
                'is unknown', where=f"joint '{name}'", expected=f'one of {known}'
            )
    for name in wanted:
        if name not in given:
            raise TrajectoryError(
                'is missing', where=f"joint '{name}'", expected=f'each of {known}'
            )
    return [list(given).index(name) for name in wanted]


def place(point: int, joint: str, field: str) -> str:
    """Return the text that names one value of a trajectory."""
    return f"point {point}, joint '{joint}', {field}"


def _numbers(field: str, values: ArrayLike) -> Array:
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TrajectoryError(
            f'{field} are no table of numbers',
            where='trajectory',
            expected='as many numbers in each point as joints',
        ) from error
