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

"""Messages about payload, wrench and gravity, read strictly."""

import math

from geometry_msgs.msg import InertiaStamped, WrenchStamped
import numpy as np
import pytest
from robot_dynamics.errors import ParameterError
from robot_dynamics.nodes.load_messages import read_gravity, read_payload, read_wrench
from scipy.spatial.transform import Rotation
from sensor_msgs.msg import Imu


def inertia(mass=2.0, frame='tip', **moments):
    """Return a payload message."""
    message = InertiaStamped()
    message.header.frame_id = frame
    message.inertia.m = mass
    message.inertia.com.x = 0.1
    for name, value in {'ixx': 0.01, 'iyy': 0.02, 'izz': 0.02, **moments}.items():
        setattr(message.inertia, name, value)
    return message


def test_payload():
    payload = read_payload(inertia(ixy=0.001))
    assert (payload.frame, payload.mass) == ('tip', 2.0)
    np.testing.assert_array_equal(payload.com, [0.1, 0.0, 0.0])
    np.testing.assert_array_equal(
        payload.inertia, [[0.01, 0.001, 0.0], [0.001, 0.02, 0.0], [0.0, 0.0, 0.02]]
    )


def test_mass_zero_removes_the_payload():
    assert read_payload(inertia(mass=0.0, frame='')) is None


@pytest.mark.parametrize(
    'message',
    [
        inertia(mass=-1.0),
        inertia(mass=math.nan),
        inertia(ixx=-0.1),
        inertia(izz=1.0),
        inertia(frame=''),
    ],
)
def test_impossible_payload_is_refused(message):
    with pytest.raises(ParameterError, match='payload'):
        read_payload(message)


def test_wrench_acts_at_the_frame_of_its_header_or_at_another():
    message = WrenchStamped()
    message.header.frame_id = 'base_link'
    message.wrench.force.z, message.wrench.torque.y = -10.0, 2.0
    wrench = read_wrench(message, '')
    assert (wrench.frame, wrench.axes) == ('base_link', 'base_link')
    np.testing.assert_array_equal(wrench.force, [0.0, 0.0, -10.0])
    np.testing.assert_array_equal(wrench.moment, [0.0, 2.0, 0.0])
    other = read_wrench(message, 'tip')
    assert (other.frame, other.axes) == ('tip', 'base_link')


def test_unusable_wrench_is_refused():
    message = WrenchStamped()
    with pytest.raises(ParameterError, match='frame_id'):
        read_wrench(message, 'tip')
    message.header.frame_id = 'tip'
    message.wrench.force.x = math.inf
    with pytest.raises(ParameterError, match='force'):
        read_wrench(message, '')


@pytest.mark.parametrize('rpy', [(0.0, 0.0, 0.0), (0.4, -0.3, 1.0), (math.pi, 0.0, 0.5)])
def test_orientation_and_acceleration_give_the_same_gravity(rpy):
    world_from_sensor = Rotation.from_euler('xyz', rpy)
    expected = world_from_sensor.inv().apply([0.0, 0.0, -9.81])
    oriented, accelerated = Imu(), Imu()
    for axis, value in zip('xyzw', world_from_sensor.as_quat(), strict=True):
        setattr(oriented.orientation, axis, float(value))
    accelerated.orientation_covariance[0] = -1.0
    for axis, value in zip('xyz', -expected, strict=True):
        setattr(accelerated.linear_acceleration, axis, float(value))
    for message in (oriented, accelerated):
        np.testing.assert_allclose(read_gravity(message, np.eye(3)), expected, atol=1e-12)
    turned = Rotation.from_euler('xyz', [0.1, 0.2, 0.3]).as_matrix()
    np.testing.assert_allclose(read_gravity(oriented, turned), turned @ expected, atol=1e-12)


@pytest.mark.parametrize('value', [0.0, math.nan, math.inf])
def test_imu_without_direction_is_refused(value):
    message = Imu()
    message.orientation_covariance[0] = -1.0
    message.linear_acceleration.z = value
    with pytest.raises(ParameterError, match='imu'):
        read_gravity(message, np.eye(3))
