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
from robot_dynamics.control import Trajectory
from robot_dynamics.errors import TrajectoryError
from robot_dynamics.nodes.reference_shapes import read_points, rest_to_rest, sine

NAMES = ('joint1', 'joint2')
CENTER = np.array([0.1, -0.2])  # [rad]
AMPLITUDE = np.array([0.5, 0.8])  # [rad]
FREQUENCY = np.array([2.0, 1.5])  # [rad/s]


def make_sine(rate=100.0):
    return sine(NAMES, CENTER, AMPLITUDE, FREQUENCY, duration=6.0, lead=1.0, fade=1.5, rate=rate)


def test_sine_starts_and_ends_at_rest_in_its_middle():
    points = make_sine()
    for index in (0, -1):
        np.testing.assert_allclose(points.positions[index], CENTER, atol=1e-12)
        np.testing.assert_allclose(points.velocities[index], 0.0, atol=1e-12)
        np.testing.assert_allclose(points.accelerations[index], 0.0, atol=1e-12)
    assert points.times[0] == 1.0
    assert points.times[-1] == pytest.approx(7.0)
    assert len(points.times) == 601


def test_sine_has_its_full_amplitude_between_the_fades():
    points = make_sine()
    t = points.times - 1.0
    full = (t >= 1.5) & (t <= 4.5)
    expected = CENTER + AMPLITUDE * np.sin(np.outer(t, FREQUENCY))
    np.testing.assert_allclose(points.positions[full], expected[full], atol=1e-12)


def test_velocity_and_acceleration_are_the_derivatives():
    points = make_sine(rate=10_000.0)
    step = 1e-4  # [s]
    # The third derivative of the fade jumps where the fade ends.
    for values, rates, tolerance in (
        (points.positions, points.velocities, 1e-6),
        (points.velocities, points.accelerations, 5e-4),
    ):
        differences = (values[2:] - values[:-2]) / (2.0 * step)
        np.testing.assert_allclose(differences, rates[1:-1], atol=tolerance)


def test_splines_through_the_points_are_the_sine():
    coarse, fine = make_sine(100.0), make_sine(1600.0)
    trajectory = Trajectory(*coarse[1:], joint_names=coarse.joint_names)
    sampled = np.array([trajectory.sample(t).q for t in fine.times])
    np.testing.assert_allclose(sampled, fine.positions, atol=1e-9)


def test_times_that_do_not_fit_are_refused():
    with pytest.raises(TrajectoryError, match='do not fit'):
        sine(NAMES, CENTER, AMPLITUDE, FREQUENCY, duration=1.0, lead=1.0, fade=0.6)


def test_rest_to_rest_is_one_point_at_rest():
    points = rest_to_rest(NAMES, np.array([1.0, 2.0]), 3.0)
    np.testing.assert_array_equal(points.times, [3.0])
    np.testing.assert_array_equal(points.positions, [[1.0, 2.0]])
    np.testing.assert_array_equal(points.velocities, [[0.0, 0.0]])
    np.testing.assert_array_equal(points.accelerations, [[0.0, 0.0]])


def test_points_are_read_from_a_file(tmp_path):
    path = tmp_path / 'move.yaml'
    path.write_text(
        'joint_names: [joint1, joint2]\n'
        'points:\n'
        '- {time: 1e-1, positions: [0, 0.5], velocities: [0.1, 0]}\n'
        '- {time: 2, positions: [1.0, 1.5], velocities: [0, 0]}\n'
    )
    points = read_points(path)
    assert points.joint_names == NAMES
    np.testing.assert_array_equal(points.times, [0.1, 2.0])
    np.testing.assert_array_equal(points.positions, [[0.0, 0.5], [1.0, 1.5]])
    np.testing.assert_array_equal(points.velocities, [[0.1, 0.0], [0.0, 0.0]])
    assert points.accelerations is None


@pytest.mark.parametrize(
    'text, reason',
    [
        (
            'joint_names: [a]\npoints:\n- {time: 1, positions: ["1"]}\n',
            r':3: .*positions\[0\].*quoted',
        ),
        ('joint_names: [a]\npoints:\n- {time: 010, positions: [1]}\n', ':3: .*time.*octal'),
        ('joint_names: [a]\npoints:\n- {time: 1, positions: [.nan]}\n', r':3: .*positions\[0\]'),
        ('joint_names: [a]\npoints:\n- {time: 1, positions: [1, 2]}\n', 'has 2 entries'),
        ('joint_names: [a]\npoints:\n- {tme: 1, positions: [1]}\n', "did you mean 'time'"),
        ('joint_names: [a]\npoints: []\n', 'at least one point'),
        (
            'joint_names: [a]\npoints:\n- {time: 1, positions: [1], velocities: [0]}\n'
            '- {time: 2, positions: [1]}\n',
            "other points have no 'velocities'",
        ),
    ],
)
def test_unusable_file_is_refused_with_line_and_entry(tmp_path, text, reason):
    path = tmp_path / 'move.yaml'
    path.write_text(text)
    with pytest.raises(TrajectoryError, match=reason):
        read_points(path)


def test_missing_file_is_named(tmp_path):
    with pytest.raises(TrajectoryError, match='nowhere.yaml'):
        read_points(tmp_path / 'nowhere.yaml')
