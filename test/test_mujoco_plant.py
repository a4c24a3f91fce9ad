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

"""The MuJoCo plant moves as the Pinocchio plant does, and says what it cannot take."""

from __future__ import annotations

from golden import DATA, example_robots, robot
import numpy as np
import pytest
from robot_dynamics.errors import SimulationError
from robot_dynamics.model import FrictionModel, load_robot, RobotModel
from robot_dynamics.simulation import MujocoPlant, PinocchioPlant
from robot_dynamics.simulation.mujoco_model import mujoco_urdf

mujoco = pytest.importorskip('mujoco', reason='MuJoCo is not installed: pip install mujoco')

PANDA = example_robots() / 'panda_description' / 'urdf' / 'panda.urdf'
UR5 = example_robots() / 'ur_description' / 'urdf' / 'ur5_robot.urdf'
needs_example_robots = pytest.mark.skipif(
    not example_robots().is_dir(), reason='pip install example-robot-data'
)


def pair(model, **settings):
    """Return both plants of a model."""
    return PinocchioPlant(model, **settings), MujocoPlant(model, **settings)


def largest_disagreement(model, states=20):
    """Return the largest difference of acceleration at random states, relative to the largest."""
    rng = np.random.default_rng(7)
    ours, theirs = pair(model)
    worst = 0.0
    for _ in range(states):
        q = rng.uniform(-2.0, 2.0, model.nv).clip(model.limits.lower, model.limits.upper)
        v, tau = rng.uniform(-1.0, 1.0, model.nv), rng.uniform(-20.0, 20.0, model.nv)
        for plant in (ours, theirs):
            plant.reset(q, v)
        expected = ours.acceleration(tau)
        difference = np.abs(theirs.acceleration(tau) - expected).max()
        worst = max(worst, difference / max(1.0, np.abs(expected).max()))
    return worst


def moved(plant, q, v, amplitude, duration):
    """Return the states of a run under a changing effort."""
    plant.reset(q, v)
    states = []
    for k in range(round(duration / plant.dt)):
        plant.step(amplitude * np.sin(3.0 * k * plant.dt + np.arange(plant.n_commanded)))
        states.append(np.concatenate(plant.state))
    return np.array(states)


@pytest.mark.parametrize('name', ['vertical_mass', 'rp_arm', 'arm_2r'])
def test_shipped_arms_have_the_same_acceleration(name):
    assert largest_disagreement(load_robot(name)) <= 1e-9


@needs_example_robots
@pytest.mark.parametrize(
    'path, options',
    [
        (PANDA, {}),
        (PANDA, {'joints': [f'panda_joint{i}' for i in (7, 1, 2, 3, 4, 5, 6)]}),
        (PANDA, {'locked': {'panda_joint3': 0.4, 'panda_finger_joint1': 0.02}}),
        (UR5, {}),
        (UR5, {'gravity': (1.0, -4.0, 8.0), 'locked': {'elbow_joint': -1.2}}),
    ],
    ids=['panda', 'panda order', 'panda locked', 'ur5', 'ur5 locked and tilted'],
)
def test_real_robots_have_the_same_acceleration(path, options):
    assert largest_disagreement(load_robot(path, **options)) <= 1e-8


@needs_example_robots
def test_followers_move_with_their_master():
    model = load_robot(PANDA)
    assert model.follower_names == ('panda_finger_joint2',)
    assert 'panda_finger_joint1' in model.joint_names
    compiled = mujoco.MjModel.from_xml_string(mujoco_urdf(model.description))
    assert compiled.nv == model.nv + 1
    ours, theirs = pair(model)
    finger = model.joint_names.index('panda_finger_joint1')
    tau = np.zeros(model.nv)
    tau[finger] = 1.0
    for plant in (ours, theirs):
        plant.reset(None)
    assert theirs.acceleration(tau)[finger] == pytest.approx(
        ours.acceleration(tau)[finger], rel=1e-9
    )


@pytest.mark.parametrize(
    'name, q, amplitude',
    [('rp_arm', [0.3, 0.5], [20.0, 15.0]), ('arm_2r', [0.3, -0.6], [20.0, 5.0])],
)
def test_both_plants_move_alike_with_friction_stops_and_push(name, q, amplitude):
    model = load_robot(name).with_friction(
        FrictionModel([0.5, 0.3], [0.4, 0.3], [0.2, 0.1], [0.01, 0.0])
    )
    runs = []
    for plant in pair(model, dt=1e-3):
        plant.reset(q)
        plant.set_push([0.5, -0.5])
        plant.set_wrench('tip', [1.0, 0.0, 2.0, 0.0, 0.1, 0.0])
        runs.append(moved(plant, q, [0.5, -0.5], np.array(amplitude), 1.0))
    assert np.ptp(runs[0][:, 0]) > 0.3
    np.testing.assert_allclose(runs[1], runs[0], rtol=0.0, atol=1e-6)


@needs_example_robots
@pytest.mark.parametrize('path', [PANDA, UR5], ids=['panda', 'ur5'])
def test_real_robots_move_alike(path):
    model = load_robot(path)
    q = np.full(model.nv, 0.02).clip(model.limits.lower, model.limits.upper)
    runs = [moved(plant, q, np.zeros(model.nv), 10.0, 0.3) for plant in pair(model, dt=1e-3)]
    assert np.ptp(runs[0], axis=0).max() > 0.1
    np.testing.assert_allclose(runs[1], runs[0], rtol=0.0, atol=1e-6)


def test_rotor_inertia_and_urdf_friction_act_once():
    mapping = robot('arm_2r')
    mapping['joints'][0]['motor'] = {'ratio': 50.0, 'rotor_inertia': 2e-4}
    mapping['joints'][1]['friction'] = {'coulomb': 0.5, 'viscous': 0.3}
    model = RobotModel.from_yaml(mapping)
    assert model.armature[0] == pytest.approx(0.5)
    assert largest_disagreement(model) <= 1e-9
    joint = next(
        joint for joint in mujoco_urdf(model.description).split('<joint ') if 'joint2' in joint
    )
    assert 'dynamics' not in joint and 'limit' not in joint


def test_energy_is_kept_by_the_mujoco_plant_too():
    plant = MujocoPlant(
        load_robot(DATA / 'cases' / '52_integrator_energy' / 'arm.urdf'), dt=0.01, stops=False
    )
    plant.reset([0.5, 0.3])
    start = plant.energy()
    assert start == pytest.approx(-6.1106, abs=5e-5)
    for _ in range(1000):
        plant.step([0.0, 0.0])
        assert abs(plant.energy() - start) <= 1e-4


@pytest.mark.parametrize(
    'name, reason',
    [('puma560', "positive eigenvalues.*'link1'"), ('arm_2r_point', "mass and inertia.*'link1'")],
)
def test_impossible_inertia_is_refused_with_the_reason(name, reason):
    with pytest.raises(SimulationError, match=f'MuJoCo refuses the model.*{reason}'):
        MujocoPlant(load_robot(name))
