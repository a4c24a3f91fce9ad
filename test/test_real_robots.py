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
Six robots of example-robot-data against MuJoCo's inverse dynamics.

Everything is compared by joint name, under three gravity vectors. The tests
are skipped where the package example-robot-data (PyPI) is not installed.
"""

from functools import lru_cache
import re

import golden
import numpy as np
import pytest
from robot_dynamics.model import RobotModel, Severity

RELATIVE = 1e-10

DATA = golden.load('real_robots')
GRAVITIES = DATA['gravity']
FOLDER = golden.example_robots()
CASES = [
    pytest.param(robot, entry, id=f'{robot}-{entry["name"]}')
    for robot, block in DATA['robots'].items()
    for entry in block['special'] + block['random']
]
PANDA_ARM = tuple(f'panda_joint{number}' for number in range(1, 8))
FINGERS = ('panda_finger_joint1', 'panda_finger_joint2')

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(),
    reason='the robots are in the package example-robot-data: pip install example-robot-data',
)


def path_of(robot):
    """Return the path of a robot's URDF."""
    return FOLDER / DATA['robots'][robot]['urdf'].removeprefix('example-robot-data/robots/')


def without_mimic(robot):
    """Return a URDF text whose followers are free joints, as the reference has them."""
    return re.sub(r'<mimic[^>]*/>', '', path_of(robot).read_text(encoding='utf-8'))


@lru_cache
def model_of(robot, joints=None):
    """Return the model of a robot, with its joints in the order given or of its own."""
    return RobotModel.from_urdf(without_mimic(robot), joints=joints)


def by_name(robot, model, values):
    """Return a vector or matrix of the reference in the model's joint order."""
    names = DATA['robots'][robot]['joint_names']
    order = [names.index(name) for name in model.joint_names]
    values = np.array(values)
    return values[np.ix_(order, order)] if values.ndim == 2 else values[order]


def compare(robot, model, entry):
    """Compare all that the reference says about one state."""
    q, qd, qdd = (by_name(robot, model, entry[key]) for key in ('q', 'qd', 'qdd'))
    largest = [entry[f'tau_{name}'] for name in GRAVITIES]
    golden.assert_close(
        model.mass_matrix(q), by_name(robot, model, entry['M']), RELATIVE, *largest
    )
    velocity_term = by_name(robot, model, entry['V'])
    golden.assert_close(model.coriolis_matrix(q, qd) @ qd, velocity_term, RELATIVE, *largest)
    golden.assert_close(
        model.nonlinear_effects(q, qd) - model.gravity(q), velocity_term, RELATIVE, *largest
    )
    for name, gravity in GRAVITIES.items():
        turned = model.with_gravity(gravity)
        effort = by_name(robot, model, entry[f'tau_{name}'])
        golden.assert_close(turned.inverse_dynamics(q, qd, qdd), effort, RELATIVE)
        golden.assert_close(
            turned.gravity(q), by_name(robot, model, entry[f'gravity_{name}']), RELATIVE
        )
        acceleration = turned.forward_dynamics(q, qd, effort)
        # a wrist of 3e-6 kg m^2 turns one rounding of an effort into 1e-9 rad/s^2
        golden.assert_close(acceleration, qdd, 1e-9, effort)


@pytest.mark.parametrize('robot, entry', CASES)
def test_all_joints(robot, entry):
    model = model_of(robot)
    assert sorted(model.joint_names) == sorted(DATA['robots'][robot]['joint_names'])
    compare(robot, model, entry)


@pytest.mark.parametrize('robot, entry', CASES)
def test_commanded_joints_in_another_order(robot, entry):
    names = DATA['robots'][robot]['joint_names']
    wanted = tuple(reversed(names))[:-1]
    model = model_of(robot, wanted)
    assert model.joint_names == wanted + (names[0],)
    assert model.commanded_names == wanted and model.measured_names == (names[0],)
    compare(robot, model, entry)


@pytest.mark.parametrize('robot', DATA['robots'])
def test_masses_and_limits(robot):
    block, model = DATA['robots'][robot], model_of(robot)
    moving = model.description.moving_links()
    mass = sum(mass for name, mass in model.link_masses.items() if name in moving)
    assert mass == pytest.approx(block['total_moving_mass'], rel=1e-12)
    for name, kind, (lower, upper) in zip(
        block['joint_names'], block['joint_types'], block['limits']
    ):
        joint = model.joints[model.joint_names.index(name)]
        assert joint.type == kind
        if kind == 'continuous':
            assert (joint.lower, joint.upper) == (-np.inf, np.inf)
        else:
            assert (joint.lower, joint.upper) == pytest.approx((lower, upper), rel=1e-12)


@pytest.mark.parametrize('robot', DATA['robots'])
def test_real_files_load_without_being_told_anything(robot):
    model = RobotModel.from_urdf(path_of(robot))
    assert all(finding.severity is not Severity.ERROR for finding in model.findings)


def test_impossible_inertia_of_a_fixed_link_is_a_note():
    notes = {
        finding.element
        for finding in model_of('tiago_no_hand').findings
        if finding.code == 'inertia' and finding.severity is Severity.NOTE
    }
    assert notes == {"link 'base_antenna_left_link'", "link 'base_antenna_right_link'"}


@pytest.mark.parametrize('gravity', GRAVITIES)
@pytest.mark.parametrize('entry', golden.entries(DATA['robots']['panda'], 'special'))
def test_panda_with_locked_fingers_at_rest(entry, gravity):
    block = DATA['robots']['panda']
    state = dict(zip(block['joint_names'], entry['q']))
    # locking the first finger locks its follower with it
    model = RobotModel.from_urdf(
        path_of('panda'),
        joints=PANDA_ARM,
        locked={FINGERS[0]: state[FINGERS[0]]},
        gravity=GRAVITIES[gravity],
    )
    assert model.joint_names == PANDA_ARM
    assert state[FINGERS[0]] == state[FINGERS[1]]
    q = [state[name] for name in PANDA_ARM]
    golden.assert_close(model.gravity(q), entry[f'tau_{gravity}'][:7], RELATIVE)
    golden.assert_close(model.mass_matrix(q), np.array(entry['M'])[:7, :7], RELATIVE)


@pytest.mark.parametrize('entry', golden.entries(DATA['robots']['panda'], 'special', 'random'))
def test_panda_with_the_follower_folded_into_its_master(entry):
    folded, free = RobotModel.from_urdf(path_of('panda')), model_of('panda')
    assert folded.joint_names == PANDA_ARM + FINGERS[:1]
    q, v, a = (np.array(entry[key])[:8] for key in ('q', 'qd', 'qdd'))
    both = np.vstack([np.eye(8), np.eye(8)[7]])  # the second finger moves as the first
    golden.assert_close(
        folded.inverse_dynamics(q, v, a),
        both.T @ free.inverse_dynamics(both @ q, both @ v, both @ a),
        RELATIVE,
    )
    golden.assert_close(
        folded.mass_matrix(q), both.T @ free.mass_matrix(both @ q) @ both, RELATIVE
    )
    effort = folded.inverse_dynamics(q, v, a)
    golden.assert_close(folded.forward_dynamics(q, v, effort), a, 1e-9, effort)
    if entry['name'] == 'mid_limits_rest':
        golden.assert_close(folded.gravity(q), both.T @ np.array(entry['gravity_down']), RELATIVE)
