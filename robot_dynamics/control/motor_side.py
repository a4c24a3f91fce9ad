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

"""Joint efforts carried through the gears to the motors, and back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.model import RobotModel

Array = NDArray[np.float64]

REST_VELOCITY = 0.01  # [rad/s or m/s] over which the direction of power changes


class MotorSide:
    """
    The commanded joints' gears as effort converters.

    A gear of ratio r (motor angle over joint position, signed) and efficiency
    eta gives the joint tau = r eta tau_motor while the motor drives, and
    tau = r tau_motor / eta while the joint drives the motor. Between the two,
    at rest, the exponent of eta passes smoothly through zero as
    sign(tau) tanh(v / REST_VELOCITY), so that the motor effort has no step.

    Parameters
    ----------
    model : RobotModel
        Its joints say ratio and efficiency; ratio 1 where there is no motor.

    """

    def __init__(self, model: RobotModel) -> None:
        """Collect the gears of the commanded joints."""
        joints = model.joints[: model.n_commanded]
        self._ratio = np.array([joint.motor_ratio for joint in joints])
        self._efficiency = np.array([joint.motor_efficiency for joint in joints])

    def _losses(self, tau: Array, v: Array | None) -> Array:
        """Return what the motor's effort is multiplied with on its way, beside the ratio."""
        if v is None:
            return np.ones_like(tau)
        direction = np.sign(tau) * np.tanh(v / REST_VELOCITY)
        return np.asarray(self._efficiency**direction)

    def to_motor(self, tau: Array, v: Array | None) -> Array:
        """
        Return the motor efforts that give the joints theirs.

        Parameters
        ----------
        tau : numpy.ndarray, shape (n,)
            Joint efforts [N m or N].
        v : numpy.ndarray, shape (n,), or None
            Joint velocities; None counts as rest.

        Returns
        -------
        numpy.ndarray, shape (n,)
            On the motors' side [N m].

        """
        return np.asarray(tau / (self._ratio * self._losses(tau, v)))

    def to_joint(self, tau_motor: Array, v: Array | None) -> Array:
        """Return the joint efforts (n,) of motor efforts (n,); the inverse of ``to_motor``."""
        tau = tau_motor * self._ratio
        return np.asarray(tau * self._losses(tau, v))
