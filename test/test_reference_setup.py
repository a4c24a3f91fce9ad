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

import numpy as np
import pytest

pytest.importorskip('rclpy', reason="needs rclpy: source ROS 2, or pip install '.[ros]'")

from robot_dynamics.errors import ParameterError, TrajectoryError  # noqa: E402
from robot_dynamics.model import load_robot  # noqa: E402
from robot_dynamics.nodes.reference_parameters import REFERENCE_SPECIFICATIONS  # noqa: E402
from robot_dynamics.nodes.reference_setup import make_points  # noqa: E402

START = np.array([0.3, 0.5])  # [rad], [m]


@pytest.fixture
def robot():
    return load_robot('rp_arm')


def make(robot, **changes):
    """Return the points for some parameters, the others being as declared."""
    values = {
        name: item.kind.convert(name, changes.get(name, item.default))
        for name, item in REFERENCE_SPECIFICATIONS.items()
    }
    return make_points(robot, values, START)


def test_sine_is_around_where_the_arm_is(robot):
    points = make(robot)
    np.testing.assert_allclose(points.positions[0], START)
    reach = np.abs(points.positions - START).max(axis=0)
    np.testing.assert_allclose(reach, [0.3, 0.1], rtol=1e-3)


def test_amplitude_shrinks_near_a_limit(robot):
    points = make(robot, center=[0.0, 0.15])
    assert points.positions[:, 1].min() >= 0.1, 'the lower limit of the slide'
    assert points.positions[:, 1].max() > 0.18


def test_amplitude_shrinks_for_the_velocity_limit(robot):
    points = make(robot, angular_frequency=[2.0, 60.0], point_rate=1000)
    assert np.abs(points.velocities[:, 1]).max() <= 3.0


def test_what_is_asked_for_is_refused_outside_the_limits(robot):
    with pytest.raises(TrajectoryError, match='joint2.*positions.*0.9'):
        make(robot, amplitude=[0.3, 0.6])
    with pytest.raises(TrajectoryError, match='velocities'):
        make(robot, angular_frequency=[40.0, 2.0], amplitude=[0.3, 0.1])


def test_rest_to_rest_goes_to_the_goal(robot):
    points = make(robot, kind='rest_to_rest', goal='0.5, 0.6', duration=2)
    np.testing.assert_array_equal(points.positions, [[0.5, 0.6]])
    np.testing.assert_array_equal(points.times, [2.0])
    moved = make(robot, kind='rest_to_rest')
    np.testing.assert_allclose(moved.positions, [START + [0.3, 0.1]])


def test_wrong_length_names_the_joints(robot):
    with pytest.raises(ParameterError, match='goal: has 3 numbers.*joint1, joint2'):
        make(robot, kind='rest_to_rest', goal=[1.0, 2.0, 3.0])


def test_file_is_checked_against_the_robot(robot, tmp_path):
    path = tmp_path / 'move.yaml'
    path.write_text(
        'joint_names: [joint2, joint1]\n'
        'points:\n- {time: 1, positions: [0.5, 0.3]}\n'
        '- {time: 2, positions: [0.6, 0.2]}\n'
    )
    points = make(robot, kind='file', trajectory_file=str(path))
    assert points.joint_names == ('joint2', 'joint1')
    path.write_text('joint_names: [joint1, elbow]\npoints:\n- {time: 1, positions: [0, 0]}\n')
    with pytest.raises(TrajectoryError, match='elbow'):
        make(robot, kind='file', trajectory_file=str(path))
    with pytest.raises(ParameterError, match='trajectory_file: is empty'):
        make(robot, kind='file')
