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

import array

import numpy as np
import pytest

pytest.importorskip('rclpy', reason="needs rclpy: source ROS 2, or pip install '.[ros]'")

from robot_dynamics.errors import ParameterError  # noqa: E402
from robot_dynamics.nodes.joint_vectors import joint_vector, spread  # noqa: E402

KIND = joint_vector('rad', ('random',))


@pytest.mark.parametrize(
    'value, expected',
    [
        ([0.1, 0.2], (0.1, 0.2)),
        (array.array('q', [0, 1]), (0.0, 1.0)),
        (2, (2.0,)),
        (0.5, (0.5,)),
        ('0.3, -0.5', (0.3, -0.5)),
        ('[1e-3, 2]', (0.001, 2.0)),
        ('random', 'random'),
        ('', None),
        ('[]', None),
        ([], None),
    ],
)
def test_numbers_lists_texts_and_words_are_read(value, expected):
    assert KIND.convert('start', value) == expected


@pytest.mark.parametrize(
    'value',
    [
        'rndom',
        '0.3; 0.5',
        '0.3, ',
        '010',
        'nan',
        '0.5 rad',
        [0.1, float('nan')],
        float('inf'),
        True,
        ['a'],
        [True],
    ],
)
def test_what_could_be_read_in_two_ways_is_refused(value):
    with pytest.raises(ParameterError, match='^start: '):
        KIND.convert('start', value)


def test_one_number_is_for_all_joints():
    np.testing.assert_array_equal(spread('start', (0.5,), ('a', 'b')), [0.5, 0.5])
    np.testing.assert_array_equal(spread('start', (1.0, 2.0), ('a', 'b')), [1.0, 2.0])


def test_wrong_number_of_values_names_the_joints():
    with pytest.raises(ParameterError, match='has 3 numbers.*a, b'):
        spread('start', (1.0, 2.0, 3.0), ('a', 'b'))
