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

"""Messages about loads: payload, wrench and the direction of gravity."""

from __future__ import annotations

from geometry_msgs.msg import InertiaStamped, WrenchStamped
import numpy as np
from numpy.typing import NDArray
from robot_dynamics.control import ExternalWrench
from robot_dynamics.errors import ParameterError
from robot_dynamics.model import Payload
from sensor_msgs.msg import Imu

Array = NDArray[np.float64]

STANDARD_GRAVITY = 9.81  # [m/s^2]


def read_payload(message: InertiaStamped) -> Payload | None:
    """
    Return the payload of a message, at the link that its header names.

    Parameters
    ----------
    message : geometry_msgs/InertiaStamped
        Tensor about the centre of mass; mass 0 removes the payload.

    Returns
    -------
    Payload or None

    Raises
    ------
    ParameterError
        When no body can have these values, or the frame is missing.

    """
    body = message.inertia
    if body.m == 0.0:
        return None
    _require_frame(message.header.frame_id, 'payload')
    tensor = [
        [body.ixx, body.ixy, body.ixz],
        [body.ixy, body.iyy, body.iyz],
        [body.ixz, body.iyz, body.izz],
    ]
    return Payload(
        frame=message.header.frame_id,
        mass=body.m,
        com=np.array([body.com.x, body.com.y, body.com.z]),
        inertia=np.array(tensor),
    )


def read_wrench(message: WrenchStamped, acts_at: str) -> ExternalWrench:
    """
    Return the wrench that the environment exerts on the robot.

    Parameters
    ----------
    message : geometry_msgs/WrenchStamped
        In the axes of the link that its header names.
    acts_at : str
        The link at whose origin it acts; that of the header if empty.

    Raises
    ------
    ParameterError
        When a number is not finite, or the frame is missing.

    """
    _require_frame(message.header.frame_id, 'external_wrench')
    force, torque = message.wrench.force, message.wrench.torque
    return ExternalWrench(
        acts_at or message.header.frame_id,
        np.array([force.x, force.y, force.z]),
        np.array([torque.x, torque.y, torque.z]),
        axes=message.header.frame_id,
    )


def read_gravity(message: Imu, rotation: Array) -> Array:
    """
    Return gravity in the root link's frame.

    An Imu whose orientation is unknown (first covariance -1, REP 145) gives the
    direction by its acceleration, which at rest points against gravity.

    Parameters
    ----------
    message : sensor_msgs/Imu
        Of a sensor on the base.
    rotation : numpy.ndarray, shape (3, 3)
        From the sensor's axes into those of the root link.

    Returns
    -------
    numpy.ndarray, shape (3,)
        Of the standard size [m/s^2].

    Raises
    ------
    ParameterError
        When the message gives no direction.

    """
    if message.orientation_covariance[0] == -1.0:
        acceleration = message.linear_acceleration
        down = -np.array([acceleration.x, acceleration.y, acceleration.z])
    else:
        x, y, z, w = (getattr(message.orientation, axis) for axis in 'xyzw')
        # the third row of the rotation from sensor to world is the world's z in sensor axes
        down = -np.array(
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), w * w - x * x - y * y + z * z]
        )
    size = float(np.linalg.norm(down))
    if not 1e-3 < size < 1e3:
        raise ParameterError(
            f'gives no direction of gravity (size {size:.3g})',
            where='imu',
            expected='an orientation, or an acceleration that contains gravity',
        )
    return np.asarray(STANDARD_GRAVITY / size * (rotation @ down))


def _require_frame(name: str, where: str) -> None:
    if not name:
        raise ParameterError('has no frame_id', where=where, expected='the name of a link')
