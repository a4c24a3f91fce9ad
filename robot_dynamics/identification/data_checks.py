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

"""What is wrong with a recording before anything is fitted: rest, signs and units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
import math

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.errors import StateError
from robot_dynamics.identification.recording import MeasuredMotion
from robot_dynamics.model import JointInfo, RobotModel

Array = NDArray[np.float64]

HOW_TO_MOVE = (
    'move all joints at once through most of their range, with changing velocity (such as sums '
    'of sines of different frequency), and record several hundred samples'
)
MOVES = {'rad': 0.02, 'm': 0.005}  # [rad, m] travel of a joint that counts as motion
LARGEST_SCALE = 20.0  # a prior is never wrong by this factor, a unit or a gear is
_REMARKABLE_SCALE = 2.0
_ALIKE = 0.8  # match from which a scale means something
_UNLIKE = 0.5  # match below which the prior says nothing about the efforts


@dataclass(frozen=True)
class Likeness:
    """
    How alike two signals are.

    Parameters
    ----------
    match : float
        Cosine of the angle between them over all samples, -1 to 1.
    correlation : float
        The same without their means; 0 when one of them does not vary.
    scale : float
        Factor that brings the expected one closest to the measured one.

    """

    match: float
    correlation: float
    scale: float

    @property
    def is_reversed(self) -> bool:
        """Say whether one runs against the other."""
        return self.match <= -_ALIKE or self.correlation <= -_ALIKE

    @property
    def is_scaled(self) -> bool:
        """Say whether one is the other in another unit."""
        size = abs(self.scale)
        return abs(self.match) >= _ALIKE and not 1.0 / LARGEST_SCALE < size < LARGEST_SCALE


def likeness(expected: Array, measured: Array) -> Likeness | None:
    """Compare two signals (k,); None when one of them is zero throughout."""
    square = float(expected @ expected)
    lengths = math.sqrt(square) * float(np.linalg.norm(measured))
    if not lengths > 1e-12 * len(expected):
        return None
    product = float(expected @ measured)
    x, y = expected - expected.mean(), measured - measured.mean()
    varying = (
        min(
            float(np.linalg.norm(x) / np.linalg.norm(expected)),
            float(np.linalg.norm(y) / np.linalg.norm(measured)),
        )
        > 1e-2
    )
    correlation = float(x @ y / (np.linalg.norm(x) * np.linalg.norm(y))) if varying else 0.0
    return Likeness(product / lengths, correlation, product / square)


def resting_joints(model: RobotModel, motion: MeasuredMotion) -> tuple[str, ...]:
    """Return the joints that do not move in a recording."""
    travel = np.ptp(motion.q, axis=0)
    return tuple(
        joint.name for joint, size in zip(model.joints, travel) if size < MOVES[joint.unit]
    )


def refuse_rest(
    model: RobotModel, motion: MeasuredMotion, rank: int, undetermined: Sequence[str]
) -> None:
    """
    Refuse a recording in which no joint moves.

    Parameters
    ----------
    model : RobotModel
        Names of the joints.
    motion : MeasuredMotion
        Samples.
    rank : int
        Number of combinations that it determines.
    undetermined : sequence of str
        What it does not determine.

    Raises
    ------
    StateError
        Saying what is not determined and how to move.

    """
    if len(resting_joints(model, motion)) == model.nv:
        raise StateError(
            f'no joint moves, so only {rank} combination(s) of parameters show; not determined: '
            f'{"; ".join(undetermined)}',
            where=motion.where,
            expected=f'motion of {", ".join(model.joint_names)}',
            remedy=HOW_TO_MOVE,
        )


def check_efforts(model: RobotModel, motion: MeasuredMotion) -> list[str]:
    """
    Compare the measured efforts with those of the prior model, joint by joint.

    Parameters
    ----------
    model : RobotModel
        The prior.
    motion : MeasuredMotion
        Samples.

    Returns
    -------
    list of str
        What is remarkable, but may be.

    Raises
    ------
    StateError
        When the effort of a joint has the opposite sign, another unit, or was
        not recorded; all such joints are named.

    """
    expected = np.array(
        [
            model.inverse_dynamics(q, v, a) + model.friction(v)
            for q, v, a in zip(motion.q, motion.v, motion.a)
        ]
    )
    faults, remedies, remarks = [], [], []
    for index, joint in enumerate(model.joints[: model.n_commanded]):
        alike = likeness(expected[:, index], motion.tau[:, index])
        if alike is None:
            if expected[:, index].any() and not motion.tau[:, index].any():
                faults.append(f"the effort of joint '{joint.name}' is 0 throughout")
                remedies.append('record the effort')
            continue
        fault, remedy = _fault(joint, alike)
        if fault:
            faults.append(f"the effort of joint '{joint.name}' {fault}")
            remedies.append(remedy)
        else:
            remarks += _remarks(joint, alike)
    if faults:
        raise StateError(
            '; '.join(faults),
            where=motion.where,
            expected='efforts at the joint in N·m or N, positive along its axis',
            remedy='; '.join(dict.fromkeys(remedies)),
        )
    return remarks


def _fault(joint: JointInfo, alike: Likeness) -> tuple[str, str]:
    """Say what is wrong with the effort of a joint and what to do, or nothing."""
    faults, remedies = [], []
    if alike.is_reversed:
        strength = min(alike.match, alike.correlation)
        faults.append(
            'runs against the effort that the model expects (correlation '
            f'{strength:.3f}): its sign is reversed'
        )
        remedies.append('turn the sign of that column')
    if alike.is_scaled:
        faults.append(
            f'is {abs(alike.scale):.4g} times what the model expects: '
            f'{_unit_guess(abs(alike.scale), joint.effort_unit)}'
        )
        remedies.append('convert the unit')
    return ' and '.join(faults), '; '.join(remedies)


def _unit_guess(scale: float, unit: str) -> str:
    for factor, text in (
        (1e3, f'it seems to be in m{unit} in place of {unit}'),
        (1e-3, f'it seems to be in k{unit} in place of {unit}'),
    ):
        if 0.5 < scale / factor < 2.0:
            return text
    return 'another unit, a motor current, or the effort on the motor side of a gear'


def _remarks(joint: JointInfo, alike: Likeness) -> list[str]:
    if alike.match < _UNLIKE:
        return [
            f"The effort of joint '{joint.name}' hardly follows the prior model (match "
            f'{alike.match:.2f}): friction that the model does not have, noise, '
            'wrong gravity, or columns of another joint?'
        ]
    size = abs(alike.scale)
    if alike.match >= _ALIKE and not 1.0 / _REMARKABLE_SCALE < size < _REMARKABLE_SCALE:
        return [
            f"The effort of joint '{joint.name}' is {alike.scale:.3g} times what the prior "
            'model expects; look at the unit (kgf·m, N·cm) and at the prior.'
        ]
    return []


def check_rates(model: RobotModel, motion: MeasuredMotion) -> list[str]:
    """
    See whether velocities and accelerations are the rates of what they should be.

    Parameters
    ----------
    model : RobotModel
        Names and units.
    motion : MeasuredMotion
        Samples; without time nothing can be said.

    Returns
    -------
    list of str
        What is remarkable, but may be.

    Raises
    ------
    StateError
        When sign or unit of a column is wrong, such as degrees.

    """
    if motion.time is None or len(motion) < 3:
        return []
    step = np.diff(motion.time)
    resting = resting_joints(model, motion)
    remarks = []
    for index, joint in enumerate(model.joints):
        if joint.name in resting:
            continue  # what is left is the noise of the sensors
        turns = bool(model.is_continuous[index])
        for names, values, rate in (
            (('position', 'velocity'), motion.q, motion.v),
            (('velocity', 'acceleration'), motion.v, motion.a),
        ):
            change = np.diff(values[:, index])
            if turns and names[0] == 'position':
                change = (change + np.pi) % (2.0 * np.pi) - np.pi
            # the trapezoidal rule is of second order, good enough to see a unit
            integral = 0.5 * step * (rate[1:, index] + rate[:-1, index])
            alike = likeness(integral, change)
            if alike is None:
                continue
            remarks += _rate_remarks(joint, names, alike, motion.where)
    return remarks


def _rate_remarks(
    joint: JointInfo, names: tuple[str, str], alike: Likeness, where: str
) -> list[str]:
    slow, fast = names
    if alike.match <= -_ALIKE or alike.is_scaled:
        factors = (np.pi / 180.0, 180.0 / np.pi)
        hint = ' (degrees?)' if any(0.5 < alike.scale * f < 2.0 for f in factors) else ''
        raise StateError(
            f"the {slow} of joint '{joint.name}' changes {alike.scale:.4g} times as fast as its "
            f'{fast} says{hint}',
            where=where,
            expected='SI units, the same sign, time in s',
            remedy='convert the columns',
        )
    if alike.match < _UNLIKE:
        return [
            f"The {fast} of joint '{joint.name}' is hardly the rate of its {slow} (match "
            f'{alike.match:.2f}): delayed by a filter, noise, or samples left out?'
        ]
    return []
