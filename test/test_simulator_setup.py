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

from robot_dynamics.errors import ModelError, ParameterError  # noqa: E402
from robot_dynamics.nodes.simulator_parameters import SIMULATOR_SPECIFICATIONS  # noqa: E402
from robot_dynamics.nodes.simulator_setup import make_model, make_plant, start_state  # noqa: E402
from robot_dynamics.simulation import PinocchioPlant  # noqa: E402


def values(**changes):
    """Return converted parameters, as declared unless changed."""
    return {
        name: item.kind.convert(name, changes.get(name, item.default))
        for name, item in SIMULATOR_SPECIFICATIONS.items()
    }


def test_empty_start_is_zero_or_the_middle_of_limits_that_exclude_it():
    chosen = values(robot='rp_arm')
    q, v = start_state(make_model(chosen), chosen)
    np.testing.assert_allclose(q, [0.0, 0.5])
    np.testing.assert_array_equal(v, [0.0, 0.0])


def test_start_is_by_joint_order_and_one_number_is_for_all():
    chosen = values(robot='rp_arm', start_position='0.3, 0.4', start_velocity=1)
    q, v = start_state(make_model(chosen), chosen)
    np.testing.assert_array_equal(q, [0.3, 0.4])
    np.testing.assert_array_equal(v, [1.0, 1.0])


def test_random_start_is_within_limits_and_the_same_for_the_same_seed():
    first = values(robot='rp_arm', start_position='random', seed=1)
    model = make_model(first)
    starts = [start_state(model, {**first, 'seed': seed})[0] for seed in range(50)]
    assert (np.array(starts) >= model.limits.lower).all()
    assert (np.array(starts) <= model.limits.upper).all()
    assert np.ptp(starts, axis=0).min() > 0.5
    np.testing.assert_array_equal(starts[1], start_state(model, first)[0])


def test_random_start_without_limits_stays_within_a_turn():
    chosen = values(
        robot='<robot name="wheel"><link name="base"/><link name="wheel"><inertial>'
        '<mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
        '</inertial></link><joint name="axle" type="continuous"><parent link="base"/>'
        '<child link="wheel"/><axis xyz="0 0 1"/></joint></robot>',
        start_position='random',
    )
    model = make_model(chosen)
    starts = [start_state(model, {**chosen, 'seed': seed})[0][0] for seed in range(50)]
    assert np.isfinite(starts).all()
    assert 1.0 < np.abs(starts).max() <= np.pi


def test_plant_has_the_step_and_the_friction_that_are_asked_for():
    chosen = values(robot='puma560', physics_step=5e-4, plant_friction=False)
    plant = make_plant(make_model(chosen), chosen)
    assert isinstance(plant, PinocchioPlant)
    assert plant.dt == 5e-4
    plant.reset(v=np.ones(6))
    np.testing.assert_array_equal(plant.friction_effort, np.zeros(6))
    rough = make_plant(make_model(chosen), {**chosen, 'plant_friction': True})
    rough.reset(v=np.ones(6))
    assert (rough.friction_effort > 0.0).all()


def test_what_is_missing_or_wrong_is_named():
    with pytest.raises(ParameterError, match='robot: is empty.*robot:=rp_arm'):
        make_model(values())
    with pytest.raises(ModelError, match='nowhere.urdf'):
        make_model(values(robot='nowhere.urdf'))
    with pytest.raises(ParameterError, match='start_velocity: has 3 numbers'):
        chosen = values(robot='rp_arm', start_velocity=[1.0, 2.0, 3.0])
        start_state(make_model(chosen), chosen)


@pytest.mark.parametrize(
    'name, value',
    [
        ('physics_step', 2e-3),
        ('physics_step', 0.0),
        ('mass_scale', 0.0),
        ('plant', 'bullet'),
        ('seed', -1),
        ('command_timeout', 0.0),
        ('start_position', 'rndom'),
    ],
)
def test_values_out_of_bounds_are_refused(name, value):
    with pytest.raises(ParameterError, match=f'^{name}: is'):
        values(**{name: value})
