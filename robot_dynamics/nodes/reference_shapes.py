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

"""The trajectories that the reference node can send, as points."""

from __future__ import annotations

import os
from typing import NamedTuple, Sequence

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.errors import ModelError, TrajectoryError
from robot_dynamics.model.source import read_source
from robot_dynamics.model.strict_yaml import read_yaml, YamlValue

Array = NDArray[np.float64]


class Points(NamedTuple):
    """
    Points of a trajectory, as they go into a message.

    Attributes
    ----------
    joint_names
        The joints, in the order of the columns.
    times
        (k,) seconds since the start.
    positions, velocities, accelerations
        (k, n) [rad, m] and their derivatives; the last two may be None.

    """

    joint_names: tuple[str, ...]
    times: Array
    positions: Array
    velocities: Array | None
    accelerations: Array | None


def sine(
    joint_names: Sequence[str],
    center: Array,
    amplitude: Array,
    angular_frequency: Array,
    *,
    duration: float,
    lead: float,
    fade: float,
    rate: float = 100.0,
) -> Points:
    """
    Return ``center + amplitude e(t) sin(angular_frequency t)`` that starts and ends at rest.

    e rises from 0 to 1 in the first `fade` seconds and falls to 0 in the last ones, both by the
    quintic 10 u^3 - 15 u^4 + 6 u^5, so that position, velocity and acceleration are continuous
    everywhere.

    Parameters
    ----------
    joint_names
        n names.
    center, amplitude
        (n,) [rad, m].
    angular_frequency
        (n,) [rad/s].
    duration
        Length of the sine [s], at least ``2 * fade``.
    lead
        Time of the first point, which is `center` at rest [s]: the controller goes there first,
        from wherever it is.
    fade
        Time of rise and of fall [s].
    rate
        Points per second.

    Raises
    ------
    TrajectoryError
        The times do not fit.

    """
    if not (0.0 < 2.0 * fade <= duration and lead > 0.0 and rate > 0.0):
        raise TrajectoryError(
            f'fade {fade} s, duration {duration} s, lead {lead} s do not fit',
            where='sine',
            expected='0 < 2 fade <= duration and lead > 0',
        )
    t = np.linspace(0.0, duration, round(duration * rate) + 1)
    rise, rise_v, rise_a = _smooth_step(t / fade)
    fall, fall_v, fall_a = _smooth_step((duration - t) / fade)
    e = (rise * fall)[:, None]
    e_v = ((rise_v * fall - rise * fall_v) / fade)[:, None]
    e_a = ((rise_a * fall - 2.0 * rise_v * fall_v + rise * fall_a) / fade**2)[:, None]
    w = angular_frequency
    s, c = np.sin(np.outer(t, w)), np.cos(np.outer(t, w))
    return Points(
        tuple(joint_names),
        t + lead,
        center + amplitude * e * s,
        amplitude * (e_v * s + e * w * c),
        amplitude * (e_a * s + 2.0 * e_v * w * c - e * w**2 * s),
    )


def _smooth_step(u: Array) -> tuple[Array, Array, Array]:
    """Return 10 u^3 - 15 u^4 + 6 u^5 on [0, 1], constant outside, and two derivatives by u."""
    u = np.clip(u, 0.0, 1.0)
    return (
        u**3 * (10.0 + u * (6.0 * u - 15.0)),
        30.0 * u**2 * (1.0 - u) ** 2,
        60.0 * u * (1.0 - u) * (1.0 - 2.0 * u),
    )


def rest_to_rest(joint_names: Sequence[str], goal: Array, duration: float) -> Points:
    """
    Return the one point `goal` (n,) [rad, m], at rest `duration` seconds from now.

    The controller joins it to what it commands by a quintic.

    Raises
    ------
    TrajectoryError
        The duration is not positive.

    """
    if not duration > 0.0:
        raise TrajectoryError(
            f'the duration is {duration} s', where='rest_to_rest', expected='more than 0 s'
        )
    rest = np.zeros((1, len(goal)))
    return Points(
        tuple(joint_names), np.array([duration]), goal[None, :].copy(), rest, rest.copy()
    )


def read_points(path: str | os.PathLike[str]) -> Points:
    """
    Read points from a YAML file with `joint_names` and `points`.

    Each point has ``time`` [s] and ``positions``, and all or none have ``velocities`` and
    ``accelerations``, lists of n numbers [rad, m]. Numbers are read strictly.

    Raises
    ------
    TrajectoryError
        The file cannot be read or has another form; file, line and entry are named.

    """
    try:
        entries = read_yaml(read_source(path)).mapping(required=('joint_names', 'points'))
        names = tuple(name.text() for name in entries['joint_names'].sequence())
        rows = [
            point.mapping(required=('time', 'positions'), optional=('velocities', 'accelerations'))
            for point in entries['points'].sequence()
        ]
        if not rows:
            raise entries['points'].error('is empty', 'at least one point')
        return Points(
            names,
            np.array([row['time'].number() for row in rows]),
            np.array([row['positions'].numbers(len(names)) for row in rows]),
            _column(rows, 'velocities', len(names)),
            _column(rows, 'accelerations', len(names)),
        )
    except ModelError as error:
        raise TrajectoryError(
            error.what, where=error.where, expected=error.expected, remedy=error.remedy
        ) from error


def _column(rows: list[dict[str, YamlValue]], key: str, count: int) -> Array | None:
    """Return one field of all points, None when no point has it."""
    having = [row[key] for row in rows if key in row]
    if not having:
        return None
    if len(having) != len(rows):
        raise having[0].error(
            f"{len(rows) - len(having)} other points have no '{key}'",
            'the field in all points or in none',
        )
    return np.array([value.numbers(count) for value in having])
