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

"""Rotor inertia as a part of the kinetic energy of each coordinate."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.model import RobotModel

Array = NDArray[np.float64]


def motor_inertias(model: RobotModel) -> Array:
    """
    Return the rotor inertia that each coordinate carries, its followers' included.

    Parameters
    ----------
    model : RobotModel
        The robot.

    Returns
    -------
    numpy.ndarray, shape (nv,)
        [kg m^2 or kg], from the columns of the regressor that belong to the motors.

    """
    zero = np.zeros(model.nv)
    n_full = model.dynamic_parameters.size // 11
    motors = model.dynamic_parameters[-n_full:]
    return np.array(
        [
            model.joint_torque_regressor(zero, zero, unit)[index, -n_full:] @ motors
            for index, unit in enumerate(np.eye(model.nv))
        ]
    )
