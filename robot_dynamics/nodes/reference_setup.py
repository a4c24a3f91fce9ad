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

"""From the parameters of the reference node to the points it sends."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.control import Trajectory
from robot_dynamics.errors import ParameterError
from robot_dynamics.model import RobotModel
from robot_dynamics.nodes import reference_shapes
from robot_dynamics.nodes.joint_vectors import spread
from robot_dynamics.nodes.parameters import Values
from robot_dynamics.nodes.reference_shapes import Points

Array = NDArray[np.float64]

_TURN = 0.3  # [rad] amplitude of turning joints unless given
_SLIDE = 0.1  # [m] amplitude of sliding joints unless given
_SHARE = 0.9  # of the room up to a limit that such an amplitude may take


def make_points(model: RobotModel, values: Values, position: Array) -> Points:
    """
    Return the points that the parameters ask for, checked against the limits of the robot.

    Parameters
    ----------
    model
        The robot; the points are for its commanded joints.
    values
        Converted parameters of the reference node.
    position
        Where the commanded joints are now (n,) [rad, m].

    Raises
    ------
    ParameterError
        A vector has the wrong length, or the file is not named.
    TrajectoryError
        The file cannot be used, or the motion leaves the limits of position or velocity.

    """
    names = model.commanded_names
    n = model.n_commanded
    if values['kind'] == 'file':
        if not values['trajectory_file']:
            raise ParameterError(
                'is empty', where='trajectory_file', expected='the path of a YAML file'
            )
        points = reference_shapes.read_points(values['trajectory_file'])
    elif values['kind'] == 'rest_to_rest':
        goal = (
            position + _amplitude(model, values, position)
            if values['goal'] is None
            else spread('goal', values['goal'], names)
        )
        points = reference_shapes.rest_to_rest(names, goal, values['duration'])
    else:
        center = (
            position if values['center'] is None else spread('center', values['center'], names)
        )
        points = reference_shapes.sine(
            names,
            center,
            _amplitude(model, values, center),
            _angular_frequency(model, values),
            duration=values['duration'],
            lead=values['lead'],
            fade=values['fade'],
            rate=values['point_rate'],
        )
    limits = model.limits
    trajectory = Trajectory(
        points.times,
        points.positions,
        points.velocities,
        points.accelerations,
        joint_names=points.joint_names,
    )
    trajectory.reordered(names).check_limits(
        lower=limits.lower[:n], upper=limits.upper[:n], velocity=limits.velocity[:n]
    )
    return points


def _angular_frequency(model: RobotModel, values: Values) -> Array:
    given = values['angular_frequency']
    if given is None:
        raise ParameterError('is empty', where='angular_frequency', expected='rad/s')
    return spread('angular_frequency', given, model.commanded_names)


def _amplitude(model: RobotModel, values: Values, center: Array) -> Array:
    """Return the amplitude given, or one that stays clear of all limits."""
    if values['amplitude'] is not None:
        return spread('amplitude', values['amplitude'], model.commanded_names)
    n = model.n_commanded
    limits = model.limits
    usual = np.array(
        [_SLIDE if joint.type == 'prismatic' else _TURN for joint in model.joints[:n]]
    )
    room = _SHARE * np.minimum(limits.upper[:n] - center, center - limits.lower[:n])
    rate = np.maximum(np.abs(_angular_frequency(model, values)), 1e-9)
    speed = _SHARE * limits.velocity[:n] / rate
    return np.asarray(np.clip(np.minimum(usual, speed), 0.0, np.maximum(room, 0.0)))
