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

"""The pose in which gravity asks most of each joint, within its limits."""

from __future__ import annotations

from dataclasses import dataclass
import math

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.model.findings import Finding, Severity
from robot_dynamics.model.robot_model import RobotModel

Array = NDArray[np.float64]

_STARTS = 8
_SWEEPS = 6
_ENDLESS = 1e3  # [rad or m] files write such limits where they mean none


@dataclass(frozen=True, eq=False)
class WorstPose:
    """
    Where gravity loads one joint most.

    Parameters
    ----------
    joint : str
        The loaded joint.
    effort : float
        Gravity effort there [N m or N], with its sign.
    q : numpy.ndarray, shape (nv,)
        The pose, in the model's joint order.

    """

    joint: str
    effort: float
    q: Array


def worst_gravity_poses(model: RobotModel, seed: int = 0) -> tuple[WorstPose, ...]:
    """
    Find for each commanded joint the reachable pose with the largest gravity effort.

    Gravity effort is a + b cos(q_j) + c sin(q_j) in each revolute and linear in
    each prismatic joint, so it is maximised exactly along one joint after the
    other, from several starts.

    Parameters
    ----------
    model : RobotModel
        The robot.
    seed : int
        Of the random starts.

    Returns
    -------
    tuple of WorstPose
        In the order of ``commanded_names``.

    """
    rng = np.random.default_rng(seed)
    lower, upper = _reach(model)
    starts = [
        np.clip(np.zeros(model.nv), lower, upper),
        *(rng.uniform(lower, upper) for _ in range(_STARTS)),
    ]
    matters = _sensitivity(model, starts[1], rng)
    worst = []
    for index, name in enumerate(model.commanded_names):
        best_effort, best_q = 0.0, starts[0]
        for start in starts:
            for sign in (1.0, -1.0):
                q = _climb(model, index, sign, start.copy(), (lower, upper), matters[index])
                effort = float(model.gravity(q)[index])
                if abs(effort) > abs(best_effort):
                    best_effort, best_q = effort, q
        worst.append(WorstPose(name, best_effort, best_q))
    return tuple(worst)


def _reach(model: RobotModel) -> tuple[Array, Array]:
    """Return finite position bounds; a joint without limits turns once around."""
    whole_turn = np.array(
        [math.pi if joint.type != 'prismatic' else 1.0 for joint in model.joints]
    )
    lower = np.where(model.limits.lower > -_ENDLESS, model.limits.lower, -whole_turn)
    upper = np.where(model.limits.upper < _ENDLESS, model.limits.upper, whole_turn)
    return lower, np.maximum(lower, upper)


def _sensitivity(model: RobotModel, q: Array, rng: np.random.Generator) -> list[NDArray[np.intp]]:
    """Return for each joint which joints its gravity effort depends on."""
    before = model.gravity(q)
    changed = np.zeros((model.nv, model.nv), dtype=bool)
    for j in range(model.nv):
        other = q.copy()
        other[j] += rng.uniform(0.5, 1.0)
        changed[:, j] = model.gravity(other) != before
    return [np.flatnonzero(row) for row in changed]


def _climb(
    model: RobotModel,
    index: int,
    sign: float,
    q: Array,
    reach: tuple[Array, Array],
    joints: NDArray[np.intp],
) -> Array:
    """Maximise sign * gravity[index] along one joint after the other."""
    lower, upper = reach

    def value(j: int, position: float) -> float:
        q[j] = position
        return sign * float(model.gravity(q)[index])

    best = sign * float(model.gravity(q)[index])
    for _ in range(_SWEEPS):
        before = best
        for j in joints:
            here = float(q[j])
            candidates = [float(lower[j]), float(upper[j])]
            if model.joints[j].type != 'prismatic':
                at_0, at_90, at_180 = (value(j, angle) for angle in (0.0, math.pi / 2, math.pi))
                offset = (at_0 + at_180) / 2.0
                peak = math.atan2(at_90 - offset, at_0 - offset)
                turns = math.ceil((lower[j] - peak) / (2.0 * math.pi))
                if peak + 2.0 * math.pi * turns <= upper[j]:
                    candidates.append(peak + 2.0 * math.pi * turns)
            found, position = max((value(j, candidate), candidate) for candidate in candidates)
            q[j], best = (position, found) if found > best else (here, best)
        if not best > before:
            break
    return q


def check_effort_limits(model: RobotModel) -> list[Finding]:
    """
    Compare the worst gravity effort of each commanded joint with its limit.

    Parameters
    ----------
    model : RobotModel
        The robot, with its payload and mounting.

    Returns
    -------
    list of Finding
        A warning for each joint that cannot hold its own arm everywhere.

    """
    findings = []
    for worst, limit in zip(worst_gravity_poses(model), model.limits.effort, strict=False):
        if not abs(worst.effort) <= limit:
            unit = model.joints[model.joint_names.index(worst.joint)].effort_unit
            pose = ', '.join(
                f'{name}={value:.4g}'
                for name, value in zip(model.joint_names, worst.q, strict=True)
            )
            findings.append(
                Finding(
                    severity=Severity.WARNING,
                    code='gravity_limit',
                    element=f"joint '{worst.joint}'",
                    what=f'needs {abs(worst.effort):.4g} {unit} against gravity at {pose}, its '
                    f'effort limit is {limit:.4g} {unit}',
                    value=f'{worst.effort:.6g}',
                    why='the arm sinks there',
                    remedy='check masses and limit, or keep away',
                )
            )
    return findings
