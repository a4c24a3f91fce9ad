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

import math

import numpy as np
import pytest

pytest.importorskip('rclpy', reason="needs rclpy: source ROS 2, or pip install '.[ros]'")

from robot_dynamics.errors import StateError  # noqa: E402
from robot_dynamics.nodes.effort_commands import (  # noqa: E402
    ArrayCommandReader,
    JointStateCommandReader,
    newest_usable,
)
from sensor_msgs.msg import JointState  # noqa: E402
from std_msgs.msg import Float64MultiArray  # noqa: E402

NAMES = ('joint1', 'joint2')


def test_array_is_read_in_the_order_of_the_joints():
    efforts = ArrayCommandReader(NAMES).read(Float64MultiArray(data=[1.0, -2.0]))
    np.testing.assert_array_equal(efforts, [1.0, -2.0])


@pytest.mark.parametrize(
    'data, reason',
    [
        ([1.0], '1 values; expected 2: joint1, joint2'),
        ([1.0, 2.0, 3.0], '3 values'),
        ([], '0 values'),
        ([1.0, math.nan], "effort of joint 'joint2' is nan"),
        ([math.inf, 0.0], "effort of joint 'joint1' is inf"),
    ],
)
def test_unusable_array_is_refused_with_a_reason(data, reason):
    with pytest.raises(StateError, match=reason):
        ArrayCommandReader(NAMES).read(Float64MultiArray(data=data))


def test_large_but_finite_efforts_are_read():
    efforts = ArrayCommandReader(NAMES).read(Float64MultiArray(data=[1e300, 1e300]))
    np.testing.assert_array_equal(efforts, [1e300, 1e300])


def test_joint_state_is_read_by_name_and_other_names_are_ignored():
    message = JointState(name=['gripper', 'joint2', 'joint1'], effort=[9.0, 2.0, 1.0])
    np.testing.assert_array_equal(JointStateCommandReader(NAMES).read(message), [1.0, 2.0])


@pytest.mark.parametrize(
    'names, efforts, reason',
    [
        (['joint1', 'joint3'], [1.0, 2.0], "joint 'joint2'.*'joint3'"),
        (['joint1', 'joint2', 'joint1'], [1.0, 2.0, 3.0], "joint 'joint1' more than once"),
        (['joint1', 'joint2'], [1.0], '1 efforts for 2 names'),
        (['joint1', 'joint2'], [1.0, math.nan], "effort of joint 'joint2' is nan"),
    ],
)
def test_unusable_joint_state_is_refused_with_a_reason(names, efforts, reason):
    with pytest.raises(StateError, match=reason):
        JointStateCommandReader(NAMES).read(JointState(name=names, effort=efforts))


def test_newest_usable_command_is_chosen_and_the_bad_ones_have_reasons():
    reader = ArrayCommandReader(NAMES)
    batch = [
        Float64MultiArray(data=data) for data in ([1.0, 1.0], [2.0, 2.0], [math.nan, 0.0], [3.0])
    ]
    selection = newest_usable(reader, batch)
    np.testing.assert_array_equal(selection.effort, [2.0, 2.0])
    assert len(selection.reasons) == 2
    assert '1 values' in selection.reasons[0], 'that of the newest comes first'


def test_batch_without_a_usable_command():
    selection = newest_usable(ArrayCommandReader(NAMES), [Float64MultiArray(data=[])])
    assert selection.effort is None
    assert len(selection.reasons) == 1
