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

"""From the parameters of the simulator node to its model, plant and start state."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.errors import ParameterError
from robot_dynamics.model import load_robot, RobotModel
from robot_dynamics.nodes.joint_vectors import spread
from robot_dynamics.nodes.parameters import model_options, Values
from robot_dynamics.simulation import (
    FaultSettings,
    MeasurementFaults,
    MujocoPlant,
    PinocchioPlant,
    Plant,
)

Array = NDArray[np.float64]

_PLANTS: dict[str, type[Plant]] = {'pinocchio': PinocchioPlant, 'mujoco': MujocoPlant}

# Half of the range of a random position where the description has no limit.
_RANDOM_TURN = math.pi  # [rad]
_RANDOM_SLIDE = 0.5  # [m]


def make_model(values: Values) -> RobotModel:
    """
    Return the robot as its description has it.

    Raises
    ------
    ParameterError
        No robot is named.
    ModelError
        The robot cannot be loaded.

    """
    if not values['robot']:
        raise ParameterError(
            'is empty',
            where='robot',
            expected='a URDF, xacro or YAML file, or a shipped robot',
            remedy='start with --ros-args -p robot:=rp_arm',
        )
    return load_robot(values['robot'], **model_options(values))


def make_plant(model: RobotModel, values: Values) -> Plant:
    """
    Return the arm that moves; `model` is with the model error that is asked for.

    Raises
    ------
    SimulationError
        MuJoCo is asked for and not installed, or it refuses the model.

    """
    return _PLANTS[values['plant']](
        model, dt=values['physics_step'], friction=values['plant_friction']
    )


def make_faults(values: Values) -> MeasurementFaults | None:
    """Return what happens to states before they are published, None where nothing does."""
    settings = FaultSettings(
        position_noise=values['position_noise'],
        velocity_noise=values['velocity_noise'],
        delay=values['state_delay'],
        dropout=values['state_dropout'],
    )
    if settings == FaultSettings():
        return None
    return MeasurementFaults(settings, np.random.default_rng(values['seed']))


def start_state(model: RobotModel, values: Values) -> tuple[Array, Array]:
    """
    Return position [rad, m] and velocity [rad/s, m/s], each (nv,), to start from.

    Raises
    ------
    ParameterError
        A vector has the wrong length.

    """
    return _start_position(model, values), _start_velocity(model, values)


def _start_position(model: RobotModel, values: Values) -> Array:
    given = values['start_position']
    lower, upper = model.limits.lower, model.limits.upper
    if given is None:
        return _rest_position(lower, upper)
    if given != 'random':
        return spread('start_position', given, model.joint_names)
    reach = np.array(
        [_RANDOM_SLIDE if joint.type == 'prismatic' else _RANDOM_TURN for joint in model.joints]
    )
    low = np.where(np.isfinite(lower), lower, -reach)
    high = np.where(np.isfinite(upper), upper, reach)
    return np.asarray(np.random.default_rng(values['seed']).uniform(low, high))


def _rest_position(lower: Array, upper: Array) -> Array:
    """Return zero; the middle of limits that exclude it, or the only limit there is."""
    nearest = np.clip(0.0, lower, upper)
    excluded = np.isfinite(lower) & np.isfinite(upper) & (nearest != 0.0)
    middle = 0.5 * (np.where(excluded, lower, 0.0) + np.where(excluded, upper, 0.0))
    return np.where(excluded, middle, nearest)


def _start_velocity(model: RobotModel, values: Values) -> Array:
    given = values['start_velocity']
    if given is None:
        return np.zeros(model.nv)
    return spread('start_velocity', given, model.joint_names)
