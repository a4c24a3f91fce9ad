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

"""The efforts of a whole trajectory, for controllers that take them as feedforward."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.control.trajectory import Trajectory
from robot_dynamics.model import RobotModel

Array = NDArray[np.float64]


def trajectory_efforts(
    model: RobotModel,
    trajectory: Trajectory,
    measured: Array | None = None,
    *,
    friction: bool = False,
) -> Array:
    """
    Return the effort at each point of a trajectory by inverse dynamics.

    Velocity and acceleration are those of the curve through the points, as
    the controller follows it.

    Parameters
    ----------
    model : RobotModel
        The robot, weightless for drives that compensate gravity themselves.
    trajectory : Trajectory
        Of the commanded joints, in the model's order.
    measured : numpy.ndarray, shape (nv - n,), optional
        Where the joints that are only measured stay; zero if not given.
    friction : bool
        Whether the friction at the curve's velocity is added.

    Returns
    -------
    numpy.ndarray, shape (k, n)
        [N m or N] for each of the k points.

    """
    n = model.n_commanded
    q, v, a = trajectory.sample_points()
    if model.nv > n:
        still = np.zeros((len(q), model.nv - n))
        q = np.hstack([q, still if measured is None else still + measured])
        v, a = np.hstack([v, still]), np.hstack([a, still])
    efforts = model.inverse_dynamics_batch(q, v, a)
    if friction:
        efforts += model.friction_model.effort(v)
    return efforts[:, :n]
