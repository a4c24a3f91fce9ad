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

"""A force and moment that act on the robot from outside."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.errors import ParameterError
from robot_dynamics.model import RobotModel

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ExternalWrench:
    """
    A wrench that the environment exerts on the robot.

    In M a + C v + G + friction = tau + J^T F, F is this wrench, so that the
    actuators supply -J^T F to stand against it. A force that the tip exerts on
    the environment is its negative.

    Parameters
    ----------
    frame : str
        The link at whose origin it acts.
    force : array_like, shape (3,)
        [N].
    moment : array_like, shape (3,)
        About that origin [N m].
    axes : str
        The link in whose axes both are given; ``frame`` if empty.

    Raises
    ------
    ParameterError
        When a number is not finite.

    """

    frame: str
    force: Array
    moment: Array
    axes: str = ''

    def __post_init__(self) -> None:
        """Copy in, check and make read-only."""
        for name in ('force', 'moment'):
            array = np.array(getattr(self, name), dtype=np.float64)
            if array.shape != (3,) or not np.isfinite(array).all():
                raise ParameterError(
                    f'is {array.tolist()}', where=f'wrench {name}', expected='three finite numbers'
                )
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    def joint_load(self, model: RobotModel, q: Array) -> Array:
        """
        Return J^T F, what the wrench does to the joints.

        Parameters
        ----------
        model : RobotModel
            The robot.
        q : numpy.ndarray, shape (nv,)
            Position.

        Returns
        -------
        numpy.ndarray, shape (nv,)
            [N m or N]; defined at singular poses too.

        Raises
        ------
        ModelError
            When the frame does not exist.

        """
        rotation, _ = model.frame_pose(q, self.axes or self.frame)
        wrench = np.concatenate([rotation @ self.force, rotation @ self.moment])
        return np.asarray(model.jacobian(q, self.frame).T @ wrench)
