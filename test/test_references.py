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

"""References by formula."""

import numpy as np
import pytest
from robot_dynamics.control import HoldReference, ReferencePoint, rest_to_rest, SineReference
from robot_dynamics.control.references import StreamedPoint
from robot_dynamics.errors import TrajectoryError


def test_sine_and_cosine_have_their_derivatives():
    reference = SineReference([0.0, 0.5], [0.5, 0.2], [2.0, 1.5], [0.0, np.pi / 2.0])
    for t in (0.0, 0.3, 4.7):
        q, v, a = reference.sample(t)
        np.testing.assert_allclose(
            q, [0.5 * np.sin(2.0 * t), 0.5 + 0.2 * np.cos(1.5 * t)], atol=1e-15
        )
        np.testing.assert_allclose(v, [np.cos(2.0 * t), -0.3 * np.sin(1.5 * t)], atol=1e-15)
        np.testing.assert_allclose(
            a, [-2.0 * np.sin(2.0 * t), -0.45 * np.cos(1.5 * t)], atol=1e-14
        )
    assert reference.duration == np.inf


def test_a_sine_with_an_end_holds_its_last_position():
    reference = SineReference([0.1], [0.5], 2.0, duration=1.0)
    assert reference.duration == 1.0
    for t, q in ((1.0, 0.1 + 0.5 * np.sin(2.0)), (9.0, 0.1 + 0.5 * np.sin(2.0)), (-1.0, 0.1)):
        point = reference.sample(t)
        np.testing.assert_allclose(point.q, [q], atol=1e-15)
        assert point.is_at_rest
    assert not reference.sample(0.999).is_at_rest


@pytest.mark.parametrize(
    'arguments',
    [
        ([0.0, 0.0], [1.0, 1.0, 1.0], 1.0),
        ([0.0], [np.nan], 1.0),
        (0.0, 1.0, 1.0),
        (['a'], [1.0], 1.0),
    ],
)
def test_a_sine_of_wrong_values_is_refused(arguments):
    with pytest.raises(TrajectoryError, match='sine reference'):
        SineReference(*arguments)


@pytest.mark.parametrize('duration', [-1.0, np.nan])
def test_a_sine_of_wrong_duration_is_refused(duration):
    with pytest.raises(TrajectoryError, match='duration'):
        SineReference([0.0], [1.0], 1.0, duration=duration)


def test_hold_is_one_read_only_point():
    q = np.array([0.1, 0.2])
    hold = HoldReference(q)
    q[0] = 9.0
    np.testing.assert_array_equal(hold.sample(3.0).q, [0.1, 0.2])
    assert hold.sample(0.0) is hold.sample(1.0)
    assert hold.sample(0.0).is_at_rest
    assert hold.duration == 0.0


def test_a_streamed_point_moves_on():
    point = ReferencePoint(np.array([1.0]), np.array([2.0]), np.array([4.0]))
    q, v, a = StreamedPoint(point, 0.1).sample(0.05)
    np.testing.assert_allclose([q, v, a], [[1.105], [2.2], [4.0]], atol=1e-15)


@pytest.mark.parametrize('duration', [0.0, -1.0, np.nan])
def test_rest_to_rest_needs_time(duration):
    with pytest.raises(TrajectoryError, match='time'):
        rest_to_rest([0.0], [1.0], duration)


def test_rest_to_rest_ends_and_begins_at_rest():
    trajectory = rest_to_rest([0.2, 0.1], [1.0, -1.0], 3.0, joint_names=('a', 'b'))
    for t in (0.0, 3.0):
        assert trajectory.sample(t).is_at_rest
    np.testing.assert_allclose(trajectory.sample(1.5).q, [0.6, -0.45], atol=1e-15)
