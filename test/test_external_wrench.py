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

"""Statics: what a wrench at any frame does to the joints, and its sign."""

import golden
import numpy as np
import pytest
from robot_dynamics import load_robot, ModelError, ParameterError, RobotModel
from robot_dynamics.control.external_wrench import ExternalWrench

DATA = golden.load('statics_2r')


def arm(case):
    """Return the 2R arm of a case; the reference's X-Y plane is our x-z plane."""
    mapping = golden.robot('arm_2r')
    params = {'m1': 3.0, 'm2': 2.0, 'lc1': 0.25, 'lc2': 0.2, **(case.get('gravity_params') or {})}
    for link, number in zip(mapping['links'], '12', strict=False):
        link.update(mass=params[f'm{number}'], com=[params[f'lc{number}'], 0.0, 0.0])
    for joint in mapping['joints']:
        if joint['child'] == 'link2':
            joint['origin'] = {'xyz': [case['l1'], 0.0, 0.0]}
        if joint['child'] == 'tip':
            joint['origin'] = {'xyz': [case['l2'], 0.0, 0.0]}
    return RobotModel.from_yaml(mapping).with_gravity((0.0, 0.0, -params.get('g', 9.81)))


@pytest.mark.parametrize('case', golden.entries(DATA, 'special', 'random'))
def test_statics_with_singular_poses(case):
    model, q = arm(case), np.array(case['q'])
    # a moment about the reference's +z is one about our -y
    x, y = case['F_tip']
    on_robot = ExternalWrench('tip', [-x, 0.0, -y], [0.0, case['mz'], 0.0])
    needed = -on_robot.joint_load(model, q)
    golden.assert_close(needed, case['tau'], 1e-12)
    if 'tau_static_total' in case:
        golden.assert_close(model.gravity(q) + needed, case['tau_static_total'], 1e-12)
    fx, fy = case['F_base']
    in_base_axes = ExternalWrench('tip', [-fx, 0.0, -fy], [0.0, case['mz'], 0.0], axes='base_link')
    golden.assert_close(-in_base_axes.joint_load(model, q), case['tau'], 1e-12)
    by_hand = model.jacobian(q, 'tip')[[0, 2]].T @ [fx, fy]
    golden.assert_close(by_hand, case['tau_force_only'], 1e-12)


def test_sign_by_hand_the_robot_is_pushed_down_at_its_tip():
    model, q = load_robot('arm_2r'), np.zeros(2)
    load = ExternalWrench('tip', [0.0, 0.0, -10.0], np.zeros(3)).joint_load(model, q)
    np.testing.assert_allclose(load, [-9.0, -4.0], atol=1e-12)
    a = model.forward_dynamics(q, np.zeros(2), model.gravity(q) + load)
    tip = model.jacobian(q, 'tip')[2] @ a
    assert tip < 0.0
    held = model.forward_dynamics(q, np.zeros(2), model.gravity(q) - load + load)
    np.testing.assert_allclose(held, 0.0, atol=1e-12)


def test_a_wrench_on_the_base_does_nothing():
    load = ExternalWrench('base_link', [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]).joint_load(
        load_robot('arm_2r'), np.zeros(2)
    )
    np.testing.assert_array_equal(load, 0.0)


def test_unusable_wrenches_are_refused():
    with pytest.raises(ParameterError, match='force'):
        ExternalWrench('tip', [np.nan, 0.0, 0.0], np.zeros(3))
    with pytest.raises(ParameterError, match='moment'):
        ExternalWrench('tip', np.zeros(3), [0.0, 0.0])
    with pytest.raises(ModelError, match='did you mean tip'):
        ExternalWrench('tipp', np.zeros(3), np.zeros(3)).joint_load(
            load_robot('arm_2r'), np.zeros(2)
        )
