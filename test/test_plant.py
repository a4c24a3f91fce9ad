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

"""The simulated arm: energy, friction, stops, pushes, and what it refuses."""

from __future__ import annotations

import math
import sys

import golden
from golden import DATA, robot
import numpy as np
import pytest
from robot_dynamics.errors import ModelError, ParameterError, SimulationError, StateError
from robot_dynamics.model import FrictionModel, load_robot, RobotModel
from robot_dynamics.simulation import MujocoPlant, PinocchioPlant

CASES = DATA / 'cases'
ENERGY = CASES / '52_integrator_energy'
MASSLESS = CASES / '08_no_inertial_moving_link'


def energy_drift(plant, duration):
    """Return the largest |E - E0| [J] of an undriven run of ``duration`` [s]."""
    start = plant.energy()
    zero = np.zeros(plant.nv)
    worst = 0.0
    for _ in range(round(duration / plant.dt)):
        plant.step(zero)
        worst = max(worst, abs(plant.energy() - start))
    return worst


def released_arm(**settings):
    """Return the frictionless 2R arm released at (0.5, 0.3) rad."""
    plant = PinocchioPlant(load_robot(ENERGY / 'arm.urdf'), stops=False, **settings)
    plant.reset([0.5, 0.3])
    return plant


def slider(mass, smoothing, coulomb=1.0):
    """Return a horizontal slide with Coulomb friction."""
    mapping = robot('vertical_mass')
    mapping['links'][0]['mass'] = mass
    mapping['gravity'] = [0.0, 0.0, 0.0]
    friction = FrictionModel([coulomb], [coulomb], [0.0], [smoothing])
    return RobotModel.from_yaml(mapping).with_friction(friction)


@pytest.mark.parametrize('dt, allowed', [(0.01, 1e-4), (0.002, 1e-8)])
def test_rk4_keeps_energy(dt, allowed):
    plant = released_arm(dt=dt)
    assert plant.energy() == pytest.approx(-6.1106, abs=5e-5)
    assert energy_drift(plant, 10.0) <= allowed
    assert plant.time == pytest.approx(10.0)


def test_semi_implicit_without_friction_is_symplectic_euler():
    drift = energy_drift(released_arm(dt=0.01, integrator='semi_implicit'), 10.0)
    assert drift == pytest.approx(2.573, abs=1e-3)


@pytest.mark.parametrize('integrator', ['rk4', 'semi_implicit'])
def test_friction_only_takes_energy(integrator):
    arm = load_robot(ENERGY / 'arm.urdf')
    friction = FrictionModel([0.3, 0.1], [0.2, 0.1], [0.2, 0.1], [0.01, 0.01])
    plant = PinocchioPlant(
        arm.with_friction(friction), dt=1e-3, integrator=integrator, stops=False
    )
    plant.reset([0.5, 0.3])
    energy = plant.energy()
    for _ in range(2000):
        plant.step([0.0, 0.0])
        # symplectic Euler exchanges a little energy with its own oscillation
        assert plant.energy() <= energy + (1e-12 if integrator == 'rk4' else 2e-2)
        energy = plant.energy()


@pytest.mark.parametrize('integrator', ['rk4', 'semi_implicit'])
@pytest.mark.parametrize('mass', [1.0, 1e-2, 1e-3, 1e-6])
@pytest.mark.parametrize('smoothing', [0.01, 0.0])
def test_coulomb_friction_stops_without_chatter(integrator, mass, smoothing):
    plant = PinocchioPlant(slider(mass, smoothing), dt=1e-3, integrator=integrator, stops=False)
    plant.reset([0.0], [1.0])
    speed = 1.0
    for _ in range(1500):
        plant.step([0.0])
        assert 0.0 <= plant.v[0] <= speed
        speed = plant.v[0]
    assert speed < 1e-6


@pytest.mark.parametrize('integrator', ['rk4', 'semi_implicit'])
@pytest.mark.parametrize('mass', [1.0, 1e-2, 1e-4])
def test_load_below_coulomb_friction_creeps_as_documented(integrator, mass):
    plant = PinocchioPlant(slider(mass, 0.01), dt=1e-3, integrator=integrator, stops=False)
    speeds = []
    for _ in range(500):
        plant.step([0.5])
        speeds.append(plant.v[0])
    assert np.all(np.diff(speeds) >= -1e-15)
    assert speeds[-1] == pytest.approx(0.01 * math.atanh(0.5), rel=1e-9)
    assert plant.friction_effort[0] == pytest.approx(0.5, rel=1e-9)


@pytest.mark.parametrize('mass, allowed', [(1e-2, 2e-3), (1e-4, 0.05)])
def test_effort_above_coulomb_friction_accelerates(mass, allowed):
    plant = PinocchioPlant(slider(mass, 0.01), dt=1e-3, stops=False)
    for _ in range(100):
        plant.step([2.0])
    assert plant.v[0] == pytest.approx(0.1 * (2.0 - 1.0) / mass, rel=allowed)


def test_big_friction_holds_an_arm_against_gravity():
    arm = load_robot('arm_2r')
    friction = FrictionModel([100.0, 50.0], [100.0, 50.0], [0.0, 0.0], [1e-3, 1e-3])
    plant = PinocchioPlant(arm.with_friction(friction), dt=1e-3)
    plant.reset([0.3, 0.4])
    for _ in range(1000):
        plant.step([0.0, 0.0])
    load = np.abs(arm.gravity([0.3, 0.4]))
    creep = 1e-3 * np.arctanh(load / [100.0, 50.0])
    np.testing.assert_allclose(np.abs(plant.v), creep, rtol=1e-2)
    assert np.abs(plant.q - [0.3, 0.4]).max() < 1.1 * creep.max()


def test_friction_can_be_left_out():
    plant = PinocchioPlant(slider(1.0, 0.01), friction=False)
    plant.reset([0.0], [0.1])
    plant.step([0.0])
    assert plant.v[0] == 0.1
    assert plant.friction_effort[0] == 0.0


def test_slide_stops_at_its_limit():
    plant = PinocchioPlant(load_robot(ENERGY / 'rp.urdf'), dt=1e-3)
    plant.reset([0.5, 0.3])
    energy, reached = plant.energy(), False
    for _ in range(3000):
        plant.step([0.0, 0.0])
        assert 0.0 <= plant.q[1] <= 0.4
        reached = reached or (plant.q[1] == 0.4 and plant.v[1] == 0.0)
        assert plant.energy() <= energy + 1e-9
        energy = plant.energy()
    assert reached


def test_stop_gives_the_impulse_to_the_other_joints():
    arm = load_robot('arm_2r').with_gravity([0.0, 0.0, 0.0])
    plant = PinocchioPlant(arm, dt=1e-6)
    start, upper = np.array([0.2, arm.limits.upper[1]]), arm.limits.upper[1]
    plant.reset(start, [1.0, 2.0])
    plant.step([0.0, 0.0])
    assert plant.q[1] == upper
    assert plant.v[1] == 0.0
    # the momentum conjugate to the free joint does not change
    momentum = (arm.mass_matrix(start) @ [1.0, 2.0])[0]
    assert (arm.mass_matrix(plant.q) @ plant.v)[0] == pytest.approx(momentum, rel=1e-4)
    assert plant.energy() < arm.kinetic_energy(start, [1.0, 2.0])


def test_joint_leaves_its_stop_freely():
    plant = PinocchioPlant(load_robot('rp_arm').with_gravity([0.0, 0.0, 0.0]))
    plant.reset([0.0, 0.9])
    plant.step([0.0, 10.0])
    assert (plant.q[1], plant.v[1]) == (0.9, 0.0)
    plant.step([0.0, -10.0])
    assert plant.v[1] == pytest.approx(-1e-3 * 10.0 / 1.5)
    assert plant.q[1] < 0.9


def test_start_beyond_a_limit_is_told_and_may_come_back():
    plant = PinocchioPlant(load_robot('rp_arm').with_gravity([0.0, 0.0, 0.0]))
    plant.reset([0.0, 1.2])
    assert plant.beyond_limits == ('joint2',)
    plant.step([0.0, 10.0])
    assert plant.q[1] == 1.2
    plant.step([0.0, -10.0])
    assert plant.q[1] < 1.2
    plant.reset([0.0, 0.5])
    assert plant.beyond_limits == ()


def test_default_start_is_within_the_limits():
    plant = PinocchioPlant(load_robot('rp_arm'))
    np.testing.assert_array_equal(plant.q, [0.0, 0.1])
    assert not plant.v.any()


def test_state_that_is_no_longer_finite_stops_the_simulation():
    plant = released_arm(dt=0.2, integrator='semi_implicit')
    with pytest.raises(SimulationError, match=r'at [\d.]+ s.*last good state is q = \[') as told:
        for _ in range(50):
            plant.step([0.0, 0.0])
    assert 'nan' not in str(told.value)
    assert np.isfinite(plant.q).all() and np.isfinite(plant.v).all()
    assert 0.0 < plant.time < 10.0


def test_massless_last_link_is_refused():
    arm = load_robot(MASSLESS / 'a_tip_massless.urdf')
    np.testing.assert_allclose(arm.gravity([0.0, 0.0]), [-4.905, 0.0], atol=1e-9)
    with pytest.raises(SimulationError, match="joint 'elbow'.*no inertia.*lock the joint"):
        PinocchioPlant(arm)


@pytest.mark.parametrize('name', ['b_middle_massless', 'c_tool_frame'])
def test_massless_middle_link_and_frame_are_fine(name):
    arm = load_robot(MASSLESS / f'{name}.urdf')
    plant = PinocchioPlant(arm)
    np.testing.assert_allclose(plant.acceleration(arm.gravity([0.0, 0.0])), 0.0, atol=1e-12)


def test_position_where_the_mass_matrix_is_singular_is_refused():
    mapping = robot('arm_2r_point')
    mapping['links'][0]['mass'] = 1e-30
    plant = PinocchioPlant(RobotModel.from_yaml(mapping))
    plant.reset([0.0, 1.0])
    with pytest.raises(SimulationError, match="joint 'joint[12]'"):
        plant.reset([0.0, 0.0])
    np.testing.assert_array_equal(plant.q, [0.0, 1.0])


def test_push_acts_like_an_effort_until_it_ends():
    plant = PinocchioPlant(load_robot('arm_2r'))
    plant.reset([0.3, -0.4], [0.1, 0.2])
    wanted = plant.acceleration([3.0, -1.0])
    plant.set_push([2.0, 1.0])
    np.testing.assert_allclose(plant.acceleration([1.0, -2.0]), wanted, rtol=1e-12)
    plant.set_push(None)
    np.testing.assert_allclose(plant.acceleration([3.0, -1.0]), wanted, rtol=1e-12)


def test_wrench_acts_through_the_jacobian():
    arm = load_robot('arm_2r')
    plant = PinocchioPlant(arm)
    q = np.array([0.3, -0.4])
    plant.reset(q)
    force = np.array([5.0, 0.0, -7.0, 0.0, 2.0, 0.0])
    plant.set_wrench('tip', force)
    # an upright finger's rule: pushing the tip down needs more effort up
    hold = arm.gravity(q) - arm.jacobian(q, 'tip').T @ force
    np.testing.assert_allclose(plant.acceleration(hold), 0.0, atol=1e-12)
    for _ in range(100):
        plant.step(hold)
    np.testing.assert_allclose(plant.q, q, atol=1e-9)
    plant.set_wrench('tip', None)
    assert np.abs(plant.acceleration(hold)).max() > 1.0


def test_constant_force_is_conservative():
    arm = load_robot('arm_2r')
    plant = PinocchioPlant(arm, dt=2e-3, stops=False)
    plant.reset([0.5, 0.3])
    plant.set_wrench('tip', [20.0, 0.0, 5.0, 0.0, 0.0, 0.0])

    def total():
        return plant.energy() - np.array([20.0, 0.0, 5.0]) @ arm.frame_pose(plant.q, 'tip')[1]

    start = total()
    for _ in range(1000):
        plant.step([0.0, 0.0])
    assert total() == pytest.approx(start, abs=1e-6)


@pytest.mark.parametrize(
    'call, error, text',
    [
        (lambda plant: plant.set_wrench('hand', np.ones(6)), ModelError, "no link frame 'hand'"),
        (lambda plant: plant.set_wrench('tip', [1.0]), StateError, 'six finite numbers'),
        (lambda plant: plant.set_push([1.0, math.nan]), StateError, "push of joint 'joint2'"),
        (lambda plant: plant.step([1.0]), StateError, 'effort'),
        (lambda plant: plant.step([math.inf, 0.0]), StateError, "effort of joint 'joint1'"),
        (lambda plant: plant.step([0.0, 0.0], dt=math.nan), ParameterError, 'dt'),
        (lambda plant: plant.reset([math.nan, 0.0]), StateError, "position of joint 'joint1'"),
    ],
)
def test_impossible_inputs_change_nothing(call, error, text):
    plant = PinocchioPlant(load_robot('arm_2r'))
    plant.reset([0.1, 0.2], [0.3, 0.4])
    before = plant.acceleration([0.0, 0.0])
    with pytest.raises(error, match=text):
        call(plant)
    np.testing.assert_array_equal(plant.state, ([0.1, 0.2], [0.3, 0.4]))
    np.testing.assert_array_equal(plant.acceleration([0.0, 0.0]), before)
    assert plant.time == 0.0


@pytest.mark.parametrize('settings', [{'dt': 0.0}, {'dt': -1.0}, {'integrator': 'euler'}])
def test_impossible_settings_are_refused(settings):
    with pytest.raises(ParameterError, match=next(iter(settings))):
        PinocchioPlant(load_robot('arm_2r'), **settings)


def test_state_is_handed_out_as_copies():
    plant = PinocchioPlant(load_robot('arm_2r'))
    q, v = plant.state
    q += 1.0
    v += 1.0
    assert not plant.q.any() and not plant.v.any()


def test_joints_that_are_not_commanded_move_freely():
    arm = load_robot('arm_2r', joints=['joint1'])
    plant = PinocchioPlant(arm)
    plant.reset([0.0, 0.0])
    assert plant.n_commanded == 1
    plant.step([50.0])
    np.testing.assert_array_equal(plant.effort, [50.0, 0.0])
    expected = arm.forward_dynamics([0.0, 0.0], [0.0, 0.0], [50.0, 0.0])
    np.testing.assert_allclose(plant.v, 1e-3 * expected, rtol=1e-3)


def test_another_step_length_can_be_asked_for():
    plant = PinocchioPlant(load_robot('arm_2r'))
    plant.step([0.0, 0.0], dt=5e-3)
    plant.step([0.0, 0.0])
    assert plant.time == pytest.approx(6e-3)


def test_missing_mujoco_is_said_with_the_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, 'mujoco', None)
    with pytest.raises(SimulationError, match="not installed.*'pip install mujoco'"):
        MujocoPlant(load_robot('arm_2r'))


def test_lugre_breaks_away_like_the_reference():
    case = golden.load('friction')['lugre_breakaway']
    params = case['params']
    mapping = golden.robot('vertical_mass')
    mapping.update(gravity=[0.0, 0.0, 0.0])
    mapping['links'][0]['mass'] = case['inertia']
    mapping['joints'][0]['limits'] = {'effort': 100.0}
    static = [params['Fs']]
    model = RobotModel.from_yaml(mapping).with_friction(
        FrictionModel(
            [params['Fc']],
            [params['Fc']],
            [params['sigma2']],
            [0.0],
            static_positive=static,
            static_negative=static,
            stribeck_velocity=[params['vs']],
            stiffness=[params['sigma0']],
            damping=[params['sigma1']],
        )
    )
    plant = PinocchioPlant(model, dt=2e-4, stops=False)
    for sample, following in zip(case['samples'], case['samples'][1:], strict=False):
        scale = max(1.0, abs(sample['q']))
        assert abs(plant.q[0] - sample['q']) < 4e-3 * scale
        assert abs(plant.v[0] - sample['v']) < 1.2e-2 * max(1.0, abs(sample['v']))
        while plant.time < following['t'] - 0.5 * plant.dt:
            plant.step([case['torque_rate'] * (plant.time + 0.5 * plant.dt)])


def test_lugre_sticks_under_a_load_below_static_friction():
    model = (
        load_robot('arm_2r')
        .with_gravity((0.0, 0.0, 0.0))
        .with_friction(
            FrictionModel(
                [1.0, 1.0],
                [1.0, 1.0],
                [0.4, 0.4],
                [0.0, 0.0],
                static_positive=[1.5, 1.5],
                static_negative=[1.5, 1.5],
                stribeck_velocity=[0.05, 0.05],
                stiffness=[1e4, 1e4],
                damping=[50.0, 50.0],
            )
        )
    )
    plant = PinocchioPlant(model)
    plant.reset(np.array([0.3, 0.4]), np.zeros(2))
    for _ in range(3000):
        plant.step([0.8, -0.8])
    # LuGre yields a little while it settles, then the bristles carry the whole load
    assert np.abs(plant.q - [0.3, 0.4]).max() < 3e-4 and np.abs(plant.v).max() < 1e-6
    np.testing.assert_allclose(plant.friction_effort, [0.8, -0.8], atol=1e-3)
