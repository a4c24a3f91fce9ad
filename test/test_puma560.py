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

"""
The shipped Puma 560 against the Robotics Toolbox.

Standard DH, motors and motor-side friction. The values are the toolbox's own
output, checked there against three other programs.
"""

from dataclasses import replace
from functools import lru_cache

import golden
import numpy as np
import pytest
from robot_dynamics.errors import ModelError
from robot_dynamics.model import RobotModel, Severity

RELATIVE = 1e-11
PUBLISHED = 5e-5  # values printed with four decimals

DATA = golden.load('puma560')
ENTRIES = golden.entries(DATA, 'special', 'random')
FORCED = golden.entries(DATA, 'random')


@lru_cache
def full():
    """Return the model with motors and friction, whose Coulomb part is a sharp step."""
    model = RobotModel.from_yaml(golden.ROBOTS / 'puma560.yaml')
    return model.with_friction(replace(model.friction_model, smoothing=np.zeros(6)))


@lru_cache
def rigid():
    """Return the model without motors."""
    return full().without_motors()


def viscous_only(model):
    """Return the friction model without its Coulomb part."""
    zero = np.zeros(6)
    return replace(
        model.friction_model,
        coulomb_positive=zero,
        coulomb_negative=zero,
        static_positive=zero,
        static_negative=zero,
    )


@pytest.mark.parametrize('entry', ENTRIES)
def test_efforts(entry):
    state = entry['q'], entry['qd'], entry['qdd']
    bodies = rigid().inverse_dynamics(*state)
    with_motors = full().inverse_dynamics(*state)
    v = np.array(entry['qd'])
    golden.assert_close(bodies, entry['tau_rigid'], RELATIVE)
    golden.assert_close(with_motors, entry['tau_no_friction'], RELATIVE)
    golden.assert_close(
        with_motors + viscous_only(full()).effort(v), entry['tau_no_coulomb'], RELATIVE
    )
    golden.assert_close(with_motors + full().friction(v), entry['tau_full'], RELATIVE)


@pytest.mark.parametrize('entry', ENTRIES)
def test_friction_and_motor_inertia(entry):
    v = np.array(entry['qd'])
    golden.assert_close(full().friction(v), entry['friction'], RELATIVE)
    golden.assert_close(viscous_only(full()).effort(v), entry['friction_viscous_only'], RELATIVE)
    golden.assert_close(full().armature * entry['qdd'], entry['motor_inertia_torque'], RELATIVE)


@pytest.mark.parametrize('entry', ENTRIES)
def test_matrices_and_gravity(entry):
    q, qd = entry['q'], entry['qd']
    golden.assert_close(full().gravity(q), entry['gravload'], RELATIVE)
    golden.assert_close(full().mass_matrix(q), entry['inertia_full'], RELATIVE)
    golden.assert_close(rigid().mass_matrix(q), entry['inertia_rigid'], RELATIVE)
    golden.assert_close(full().coriolis_matrix(q, qd), entry['coriolis'], RELATIVE)
    golden.assert_close(
        full().nonlinear_effects(q, qd) - full().gravity(q),
        entry['coriolis_torque'],
        RELATIVE,
        entry['gravload'],
    )


@pytest.mark.parametrize('entry', FORCED)
def test_wrench_exerted_at_the_flange(entry):
    q, qd = entry['q'], np.array(entry['qd'])
    rotation, _ = full().frame_pose(q, 'link6')
    force, moment = np.array(entry['fext']).reshape(2, 3)
    effort = full().jacobian(q, 'link6').T @ np.concatenate([rotation @ force, rotation @ moment])
    bodies = rigid().inverse_dynamics(q, qd, entry['qdd'])
    golden.assert_close(bodies + effort, entry['tau_rigid_fext'], RELATIVE, entry['fext'])
    everything = full().inverse_dynamics(q, qd, entry['qdd']) + full().friction(qd)
    golden.assert_close(everything + effort, entry['tau_full_fext'], RELATIVE, entry['fext'])


def test_the_example_of_the_toolbox_manual():
    q, a = [0.1, 0.2, 0.3, 0.0, 0.0, 0.0], [1.0, 0.5, 0.0, 0.0, 0.0, 0.0]
    effort = full().inverse_dynamics(q, np.zeros(6), a) + full().friction(np.zeros(6))
    expected = [
        3.4526464558576464,
        34.13143548638135,
        -3.981824625651931,
        0.0014392354015,
        -0.0131652359960,
        0.0000351033,
    ]
    np.testing.assert_allclose(effort, expected, rtol=0.0, atol=1e-10)


def test_joint_side_motor_and_friction_values():
    friction = full().friction_model
    golden.assert_close(full().armature, DATA['armature_G2Jm'], 1e-15)
    golden.assert_close(friction.viscous, DATA['viscous_joint_G2B'], 1e-15)
    golden.assert_close(friction.coulomb_positive, DATA['coulomb_joint_pos'], 1e-15)
    golden.assert_close(-friction.coulomb_negative, DATA['coulomb_joint_neg'], 1e-15)


def test_shipped_friction_is_smooth_and_tends_to_the_sharp_one():
    shipped = RobotModel.from_yaml(golden.ROBOTS / 'puma560.yaml')
    np.testing.assert_array_equal(shipped.friction_model.smoothing, np.full(6, 0.01))
    np.testing.assert_array_equal(shipped.friction(np.zeros(6)), np.zeros(6))
    fast = np.array([0.5, -0.5, 0.5, -0.5, 0.5, -0.5])  # [rad/s] fifty times the smoothing
    golden.assert_close(shipped.friction(fast), full().friction(fast), 1e-15)


def test_acceleration():
    state = DATA['accel']
    q, qd = state['q'], np.array(state['qd'])
    net = np.array(state['torque']) - full().friction(qd)
    golden.assert_close(full().forward_dynamics(q, qd, net), state['qdd_full'], RELATIVE)
    # the bare wrist weighs 4e-5 kg m^2, against 4 of the shoulder: five digits are lost
    golden.assert_close(
        rigid().forward_dynamics(q, qd, state['torque']), state['qdd_rigid'], RELATIVE
    )


@pytest.mark.parametrize('name', DATA['other_gravity'])
def test_other_gravity(name):
    case = DATA['other_gravity'][name]
    model = rigid().with_gravity(case['gravity'])
    example, random = DATA['special'][0], DATA['random'][0]
    golden.assert_close(model.gravity(example['q']), case['gravload_matlab_example_q'], RELATIVE)
    effort = model.inverse_dynamics(random['q'], random['qd'], random['qdd'])
    golden.assert_close(effort, case['tau_rigid_random_00'], RELATIVE)


@pytest.mark.parametrize(
    'anchor', [pytest.param(anchor, id=anchor['what']) for anchor in DATA['published_anchors']]
)
def test_published_values(anchor):
    q = anchor['q']
    rest = np.zeros(6)
    v, a = (np.array(anchor.get(key, rest)) for key in ('qd', 'qdd'))
    if 'inertia' in anchor:
        actual, expected = full().mass_matrix(q), anchor['inertia']
    elif 'coriolis' in anchor:
        actual, expected = rigid().coriolis_matrix(q, v), anchor['coriolis']
    elif 'inertia_torque' in anchor:
        actual, expected = full().mass_matrix(q) @ a, anchor['inertia_torque']
    elif 'torque' in anchor:
        net = np.array(anchor['torque']) - full().friction(v)
        actual, expected = full().forward_dynamics(q, v, net), anchor['qdd']
    else:
        actual = full().inverse_dynamics(q, v, a) + full().friction(v)
        if 'fext' in anchor:
            rotation, _ = full().frame_pose(q, 'link6')
            wrench = (np.array(anchor['fext']).reshape(2, 3) @ rotation.T).ravel()
            actual = actual + full().jacobian(q, 'link6').T @ wrench
        expected = anchor['tau']
    np.testing.assert_allclose(actual, expected, rtol=0.0, atol=PUBLISHED)


def test_what_is_odd_about_it_is_reported():
    findings = {(finding.code, finding.element): finding for finding in full().findings}
    assert findings['massless_inertia', "link 'link1'"].severity is Severity.WARNING
    assert findings['triangle', "link 'link3'"].severity is Severity.WARNING
    assert not [finding for finding in full().findings if finding.severity is Severity.ERROR]


def test_it_is_refused_where_nobody_says_that_link1_is_meant():
    mapping = golden.robot('puma560')
    del mapping['accept']
    with pytest.raises(ModelError, match='link1') as caught:
        RobotModel.from_yaml(mapping)
    assert 'massless_inertia' in [finding.code for finding in caught.value.findings]
    model = RobotModel.from_yaml(mapping, accept=['massless_inertia'])
    q = DATA['special'][0]['q']
    np.testing.assert_array_equal(model.gravity(q), full().gravity(q))
