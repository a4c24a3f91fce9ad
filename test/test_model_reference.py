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
The shipped planar arms and the vertical mass against golden values.

The values are closed forms of Lagrange's equations evaluated with 60 digits
and rounded once; the arms are the shipped ones, and the same files with other
numbers in them.
"""

from functools import lru_cache

import golden
import numpy as np
import pytest
from robot_dynamics.model import RobotModel

RELATIVE = 1e-11  # a few hundred roundings of the largest entry
DIFFERENCE = 1e-5  # [rad or m], times the velocity
# central difference: h^2 M'''/6 and eps |M| / h are both below 1e-9 for these arms
RELATIVE_DIFFERENCE = 1e-8

PLANAR = ('rp_arm', 'arm_2r_point', 'arm_2r_rod')
SHIPPED = {
    'vertical_mass': 'vertical_mass',
    'rp_arm': 'rp_arm',
    'arm_2r_point': 'arm_2r_point',
    'arm_2r_rod': 'arm_2r',
}
CASES = [
    pytest.param(arm, entry, id=f'{arm}-{entry["name"]}')
    for arm in PLANAR
    for group in ('special', 'random', 'random_params')
    for entry in golden.load(arm)[group]
]
MASS_CASES = golden.entries(golden.load('vertical_mass'), 'special', 'random')


@lru_cache
def shipped(arm):
    """Return the model of the shipped file."""
    return RobotModel.from_yaml(golden.ROBOTS / f'{SHIPPED[arm]}.yaml')


def model_of(arm, entry):
    """Return the shipped arm, or with the numbers of the entry where it has its own."""
    if 'params' in entry:
        return RobotModel.from_yaml(golden.ARMS[arm](**entry['params']))
    return shipped(arm)


@pytest.mark.parametrize('arm', PLANAR)
def test_shipped_numbers_are_those_of_the_reference(arm):
    params = golden.load(arm)['params']
    rebuilt = RobotModel.from_yaml(golden.ARMS[arm](**params))
    model = shipped(arm)
    assert model.joint_names == ('joint1', 'joint2')
    assert model.total_mass == params['m1'] + params['m2']
    np.testing.assert_array_equal(model.gravity_vector, [0.0, 0.0, -params['g']])
    q, v, a = [0.3, 0.4], [-0.7, 1.1], [2.0, -3.0]
    np.testing.assert_array_equal(
        model.inverse_dynamics(q, v, a), rebuilt.inverse_dynamics(q, v, a)
    )


@pytest.mark.parametrize('arm, entry', CASES)
def test_mass_matrix(arm, entry):
    golden.assert_close(model_of(arm, entry).mass_matrix(entry['q']), entry['M'], RELATIVE)


@pytest.mark.parametrize('arm, entry', CASES)
def test_coriolis_matrix_has_christoffel_symbols(arm, entry):
    matrix = model_of(arm, entry).coriolis_matrix(entry['q'], entry['qd'])
    golden.assert_close(matrix, entry['C'], RELATIVE)
    golden.assert_close(matrix @ entry['qd'], entry['V'], RELATIVE)


@pytest.mark.parametrize('arm, entry', CASES)
def test_velocity_term(arm, entry):
    model, q, qd = model_of(arm, entry), entry['q'], entry['qd']
    velocity_term = model.nonlinear_effects(q, qd) - model.gravity(q)
    golden.assert_close(velocity_term, entry['V'], RELATIVE, entry['G'])
    weightless = model.with_gravity([0.0, 0.0, 0.0])
    golden.assert_close(weightless.inverse_dynamics(q, qd, np.zeros(2)), entry['V'], RELATIVE)


@pytest.mark.parametrize('arm, entry', CASES)
def test_gravity(arm, entry):
    golden.assert_close(model_of(arm, entry).gravity(entry['q']), entry['G'], RELATIVE)


@pytest.mark.parametrize('arm, entry', CASES)
def test_effort(arm, entry):
    model, q, qd, qdd = model_of(arm, entry), entry['q'], entry['qd'], entry['qdd']
    effort = model.inverse_dynamics(q, qd, qdd)
    golden.assert_close(effort, entry['tau'], RELATIVE)
    golden.assert_close(np.dot(qd, effort), entry['power_qd_dot_tau'], RELATIVE, entry['tau'])
    regressor = model.joint_torque_regressor(q, qd, qdd)
    golden.assert_close(regressor @ model.dynamic_parameters, entry['tau'], RELATIVE)


@pytest.mark.parametrize('arm, entry', CASES)
def test_energies(arm, entry):
    model, q, qd = model_of(arm, entry), entry['q'], entry['qd']
    kinetic, potential = model.kinetic_energy(q, qd), model.potential_energy(q)
    golden.assert_close(kinetic, entry['K'], RELATIVE)
    golden.assert_close(potential, entry['U'], RELATIVE)
    golden.assert_close(kinetic + potential, entry['E'], RELATIVE, entry['K'], entry['U'])


@pytest.mark.parametrize('arm, entry', CASES)
def test_mass_matrix_rate_minus_twice_coriolis_is_skew(arm, entry):
    model, q, qd = model_of(arm, entry), np.array(entry['q']), np.array(entry['qd'])
    coriolis = model.coriolis_matrix(q, qd)
    golden.assert_close(
        entry['Mdot'] - 2.0 * coriolis, entry['Mdot_minus_2C'], RELATIVE, entry['Mdot']
    )
    h = DIFFERENCE
    rate = (model.mass_matrix(q + h * qd) - model.mass_matrix(q - h * qd)) / (2.0 * h)
    golden.assert_close(rate, entry['Mdot'], RELATIVE_DIFFERENCE)
    skew = rate - 2.0 * coriolis
    golden.assert_close(skew, entry['Mdot_minus_2C'], RELATIVE_DIFFERENCE, entry['Mdot'])
    golden.assert_close(skew + skew.T, np.zeros((2, 2)), RELATIVE_DIFFERENCE, entry['Mdot'])


@pytest.mark.parametrize('arm, entry', CASES)
def test_forward_dynamics(arm, entry):
    model, q, qd = model_of(arm, entry), entry['q'], entry['qd']
    golden.assert_close(model.forward_dynamics(q, qd, entry['tau_in']), entry['qdd_fd'], RELATIVE)
    golden.assert_close(
        model.forward_dynamics(q, qd, entry['tau']), entry['qdd'], RELATIVE, entry['tau']
    )


def test_hand_values():
    rest = [0.0, 0.0]
    np.testing.assert_allclose(shipped('rp_arm').gravity([0.0, 0.5]), [14.715, 0.0], atol=1e-13)
    np.testing.assert_allclose(shipped('arm_2r_rod').gravity(rest), [21.0915, 3.924], atol=1e-13)
    np.testing.assert_allclose(shipped('arm_2r_point').gravity(rest), [18.639, 3.924], atol=1e-13)
    np.testing.assert_allclose(shipped('vertical_mass').gravity([0.0]), [19.62], atol=1e-13)


@pytest.mark.parametrize('entry', MASS_CASES)
def test_vertical_mass(entry):
    model = RobotModel.from_yaml(golden.vertical_mass(entry['m'], entry['g']))
    q, qd, qdd = [entry['q']], [entry['qd']], [entry['qdd']]
    golden.assert_close(model.mass_matrix(q), [[entry['M']]], RELATIVE)
    golden.assert_close(model.coriolis_matrix(q, qd), [[0.0]], RELATIVE)
    golden.assert_close(model.gravity(q), [entry['G']], RELATIVE)
    golden.assert_close(model.nonlinear_effects(q, qd), [entry['V'] + entry['G']], RELATIVE)
    effort = model.inverse_dynamics(q, qd, qdd)
    golden.assert_close(effort, [entry['tau']], RELATIVE)
    golden.assert_close(qd[0] * effort[0], entry['power_qd_tau'], RELATIVE, entry['tau'])
    golden.assert_close(model.kinetic_energy(q, qd), entry['K'], RELATIVE)
    golden.assert_close(model.potential_energy(q), entry['U'], RELATIVE)
    golden.assert_close(model.forward_dynamics(q, qd, [entry['tau']]), qdd, RELATIVE, entry['tau'])


@pytest.mark.parametrize('entry', golden.entries(golden.load('statics_2r'), 'special', 'random'))
def test_force_at_the_tip(entry):
    # the data live in an x-y plane with gravity along -y: y there is z here, z there is -y here
    nominal = golden.load('arm_2r_rod')['params']
    params = {**nominal, **entry.get('gravity_params', {}), 'l1': entry['l1'], 'l2': entry['l2']}
    model = RobotModel.from_yaml(golden.arm_2r_rod(**params))
    q = entry['q']
    jacobian = model.jacobian(q, 'tip')
    golden.assert_close(jacobian[[0, 2]], entry['J_base'], RELATIVE)
    golden.assert_close(np.linalg.det(jacobian[[0, 2]]), entry['det_J'], RELATIVE)
    rotation, _ = model.frame_pose(q, 'tip')
    golden.assert_close((rotation.T @ jacobian[:3])[[0, 2]], entry['J_tip'], RELATIVE)
    fx, fy = entry['F_base']
    wrench = np.array([fx, 0.0, fy, 0.0, -entry['mz'], 0.0])
    effort = jacobian.T @ wrench
    golden.assert_close(effort, entry['tau'], RELATIVE, wrench)
    if 'gravity_params' in entry:
        golden.assert_close(model.gravity(q), entry['G'], RELATIVE)
        golden.assert_close(model.gravity(q) + effort, entry['tau_static_total'], RELATIVE, wrench)
