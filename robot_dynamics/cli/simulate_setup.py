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

"""From the arguments of the verb simulate to a reference and a control law."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.cli.simulate import SHAPES, USUAL_DURATION
from robot_dynamics.cli.values import joint_vector, UsageError
from robot_dynamics.control import (
    AccelerationGains,
    EffortGains,
    HoldReference,
    LawSettings,
    Mode,
    Reference,
    rest_to_rest,
    SineReference,
    Trajectory,
)
from robot_dynamics.model import RobotModel
from robot_dynamics.nodes.reference_shapes import read_points

Array = NDArray[np.float64]

LONGEST_STEP = 1e-3  # [s] of the physics
MOVING_SHARE = 0.75  # of the duration of rest_to_rest; the arm holds in what is left

_TURN = 0.3  # [rad] amplitude unless given
_SLIDE = 0.1  # [m] amplitude unless given


def make_reference(model: RobotModel, arguments: argparse.Namespace) -> tuple[Reference, float]:
    """
    Return the reference of the commanded joints and the duration of the run [s].

    Raises
    ------
    UsageError
        When there is no such reference, or a vector does not fit the joints.
    TrajectoryError
        When the file cannot be used.

    """
    shape = arguments.reference or (
        'hold' if arguments.mode == Mode.GRAVITY_COMPENSATION.value else 'sine'
    )
    if shape not in SHAPES:
        return _from_file(model, shape, arguments.duration)
    duration = arguments.duration or USUAL_DURATION
    center, amplitude = _center_and_amplitude(model, arguments)
    if shape == 'hold':
        return HoldReference(center), duration
    if shape == 'sine':
        return SineReference(center, amplitude, arguments.angular_frequency), duration
    names = model.commanded_names
    goal = (
        center + amplitude
        if arguments.goal is None
        else joint_vector(arguments.goal, '--goal', names, dict(zip(names, center)))
    )
    return rest_to_rest(center, goal, MOVING_SHARE * duration, joint_names=names), duration


def _from_file(model: RobotModel, path: str, duration: float | None) -> tuple[Reference, float]:
    if not Path(path).exists():
        raise UsageError(
            f"is '{path}', which is no file",
            where='--reference',
            expected=f'{", ".join(SHAPES)} or a YAML file',
        )
    points = read_points(path)
    trajectory = Trajectory(
        points.times,
        points.positions,
        points.velocities,
        points.accelerations,
        joint_names=points.joint_names,
    ).reordered(model.commanded_names)
    return trajectory, duration or trajectory.duration


def _center_and_amplitude(model: RobotModel, arguments: argparse.Namespace) -> tuple[Array, Array]:
    """Return the vectors (n,) as given, or such that they fit the limits."""
    n, names, limits = model.n_commanded, model.commanded_names, model.limits
    lower, upper = limits.lower[:n], limits.upper[:n]
    bounded = np.isfinite(lower) & np.isfinite(upper)
    middle = (np.where(bounded, lower, 0.0) + np.where(bounded, upper, 0.0)) / 2.0
    usual_center = np.where((lower <= 0.0) & (upper >= 0.0), 0.0, middle)
    usual = dict(zip(names, usual_center.tolist()))
    center = np.array(joint_vector(arguments.center, '--center', names, usual))
    room = np.maximum(np.minimum(upper - center, center - lower), 0.0)
    size = np.array([_SLIDE if joint.type == 'prismatic' else _TURN for joint in model.joints[:n]])
    usual = dict(zip(names, np.minimum(size, 0.9 * room).tolist()))
    return center, np.array(joint_vector(arguments.amplitude, '--amplitude', names, usual))


def law_settings(
    model: RobotModel, arguments: argparse.Namespace, reference: Reference
) -> LawSettings:
    """
    Return the law with its gains.

    Raises
    ------
    UsageError
        When the gains given do not fit the joints.
    ParameterError
        When a gain is negative.

    """
    names, n = model.commanded_names, model.n_commanded
    acceleration = AccelerationGains.from_natural_frequency(
        arguments.natural_frequency, arguments.damping_ratio
    )
    q = np.zeros(model.nv).clip(model.limits.lower, model.limits.upper)
    q[:n] = reference.sample(0.0).q
    inertia = np.diag(model.mass_matrix(q))[:n]
    usual = EffortGains(
        kp=np.asarray(acceleration.kp) * inertia, kd=np.asarray(acceleration.kd) * inertia
    )
    kp, kd = (
        joint_vector(
            getattr(arguments, key),
            f'--{key}',
            names,
            dict(zip(names, np.asarray(getattr(usual, key)).tolist())),
        )
        for key in ('kp', 'kd')
    )
    return LawSettings(
        mode=Mode(arguments.mode),
        acceleration_gains=acceleration,
        effort_gains=EffortGains(kp=kp, kd=kd),
        friction=arguments.friction,
    )


def physics_step(period: float) -> float:
    """Return the longest step of the physics that divides a control period [s]."""
    return period / math.ceil(period / LONGEST_STEP - 1e-9)
