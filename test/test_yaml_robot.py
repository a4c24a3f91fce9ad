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

"""The YAML robot format and the overlay: what is read and what is refused."""

import copy

import numpy as np
import pytest
from robot_dynamics import load_robot, ModelError, RobotModel
from robot_dynamics.model import find_robot, shipped_robots
import yaml

ROBOT = """
robot_dynamics: 1
name: one_link
links:
  - name: link1
    mass: 2.0
    com: [0.5, 0.0, 0.0]
    inertia: {ixx: 0.01, iyy: 0.1, izz: 0.1}
joints:
  - name: joint1
    type: revolute
    parent: base_link
    child: link1
    axis: [0, -1, 0]
    limits: {lower: -3.0, upper: 3.0, velocity: 5.0, effort: 50.0}
    motor: {ratio: -100, rotor_inertia: 1e-4}
    friction: {side: motor, coulomb: [0.01, 0.02], viscous: 1.0e-4}
"""


def test_numbers_of_motor_and_friction_are_carried_to_the_joint():
    model = load_robot(ROBOT)
    assert model.joint_names == ('joint1',)
    np.testing.assert_allclose(model.armature, [1.0], rtol=1e-15)
    friction = model.friction_model
    np.testing.assert_allclose(
        [friction.coulomb_positive[0], friction.coulomb_negative[0], friction.viscous[0]],
        [1.0, 2.0, 1.0],
        rtol=1e-14,
    )
    np.testing.assert_allclose(model.mass_matrix([0.0]), [[2.0 * 0.25 + 0.1 + 1.0]], rtol=1e-14)
    np.testing.assert_allclose(model.gravity([0.0]), [2.0 * 9.81 * 0.5], rtol=1e-14)
    np.testing.assert_allclose(model.friction([2.0]), [1.0 + 2.0], rtol=1e-12)
    np.testing.assert_allclose(model.friction([-2.0]), [-2.0 - 2.0], rtol=1e-12)


@pytest.mark.parametrize(
    'old, new, words',
    [
        ('mass: 2.0', 'mass: 2,0', 'decimal comma'),
        ('mass: 2.0', 'mass: 2 kg', 'unit'),
        ('mass: 2.0', 'mass: "2.0"', 'quotes'),
        ('mass: 2.0', 'mass: 010', 'octal'),
        ('mass: 2.0', 'mass: 1:30', 'not a number'),
        ('mass: 2.0', 'mass: .inf', 'finite'),
        ('mass: 2.0', 'mass: nan', 'finite'),
        ('mass: 2.0', 'mass: ~', 'empty'),
        ('mass: 2.0', 'mass:', 'empty'),
        ('mass: 2.0', 'mass: on', 'not a number'),
        ('mass: 2.0', 'mas: 2.0', "did you mean 'mass'"),
        ('mass: 2.0', 'mass: 2.0\n    mass: 3.0', 'twice'),
        ('mass: 2.0', 'mass: &m 2.0', 'anchor'),
        ('mass: 2.0', 'mass: [2.0]', 'a list'),
        ('{ixx: 0.01, iyy: 0.1, izz: 0.1}', '0.1', 'mapping'),
        ('axis: [0, -1, 0]', 'axis: [0, -2, 0]', 'unit vector'),
        ('axis: [0, -1, 0]', 'origin: {}', "no 'axis'"),
        ('type: revolute', 'type: spherical', 'one of: revolute'),
        ('ratio: -100', 'ratio: 0', 'is 0'),
        ('side: motor', 'side: load', 'joint or motor'),
        ('coulomb: [0.01, 0.02]', 'coulomb: -0.01', 'at least 0'),
        ('viscous: 1.0e-4', 'static: 0.005', 'below Coulomb'),
        ('coulomb: [0.01, 0.02]', 'lugre: {stiffness: 1, damping: 1}', 'without Coulomb'),
        ('robot_dynamics: 1', 'robot_dynamics: 2', 'version'),
        ('child: link1', 'child: link2', 'did you mean link1'),
        ('name: one_link', 'name: one_link\ngravity: 9.81', 'no vector'),
        (
            'name: one_link',
            'name: one_link\ngravity: [0, 0, -9.81]\nmount: {rpy: [0, 0, 0]}',
            'one of the two',
        ),
        ('name: one_link', 'name: one_link\nbase: floor', "'base_link' that does not exist"),
        ('name: one_link', 'name: one_link\naccept: [everything]', 'massless_inertia'),
    ],
)
def test_unclear_entries_are_refused_with_their_place(old, new, words):
    assert old in ROBOT
    with pytest.raises(ModelError, match=words):
        load_robot(ROBOT.replace(old, new))


def test_stribeck_and_lugre_are_carried_to_the_joint():
    model = load_robot(
        ROBOT.replace(
            'viscous: 1.0e-4',
            (
                'viscous: 1.0e-4, static: 0.03, stribeck_velocity: 0.2, stribeck_exponent: 1, '
                'lugre: {stiffness: 0.5, damping: 1.0e-3}'
            ),
        )
    )
    friction = model.friction_model
    found = [
        array[0]
        for array in (
            friction.static_positive,
            friction.static_negative,
            friction.stribeck_velocity,
            friction.stribeck_exponent,
            friction.stiffness,
            friction.damping,
        )
    ]
    np.testing.assert_allclose(found, [3.0, 3.0, 0.2, 1.0, 5000.0, 10.0], rtol=1e-14)


@pytest.mark.parametrize(
    'text, value',
    [('1e-3', 1e-3), ('1E-3', 1e-3), ('2.5e-3', 2.5e-3), ('1.0e5', 1e5), ('+1', 1.0), ('.5', 0.5)],
)
def test_scientific_notation_is_a_number(text, value):
    model = load_robot(ROBOT.replace('mass: 2.0', f'mass: {text}'))
    assert model.link_masses['link1'] == value


@pytest.mark.parametrize('word', ['on', 'y', 'No', '010', '1:30', '0x1f', '1e3', '.inf', 'NULL'])
def test_names_that_parsers_read_differently_must_be_quoted(word):
    with pytest.raises(ModelError, match='quotes'):
        load_robot(ROBOT.replace('name: joint1', f'name: {word}'))
    assert load_robot(ROBOT.replace('name: joint1', f"name: '{word}'")).joint_names == (word,)


def test_error_names_path_and_line():
    with pytest.raises(ModelError, match=r'text:6: links\[0\].mass'):
        load_robot(ROBOT.replace('mass: 2.0', 'mass: 2,0'))


def test_mapping_and_text_give_the_same_robot():
    parsed = yaml.safe_load(ROBOT.replace('1e-4', '1.0e-4'))
    before = copy.deepcopy(parsed)
    a, b = RobotModel.from_yaml(parsed), load_robot(ROBOT)
    assert parsed == before
    state = ([0.3], [1.0], [2.0])
    np.testing.assert_array_equal(a.inverse_dynamics(*state), b.inverse_dynamics(*state))


@pytest.mark.parametrize(
    'text', [pytest.param('[' * 5000, id='deep'), '- a\n- b', 'a', '{a: b', '\x00', 'a: \t- b']
)
def test_text_that_is_no_robot(text):
    with pytest.raises(ModelError):
        load_robot(f'robot_dynamics: 1\n{text}\n')


def test_standard_and_modified_dh_describe_the_same_planar_arm():
    def robot(rows):
        inertia = {'ixx': 0.01, 'iyy': 0.02, 'izz': 0.02}
        return {
            'robot_dynamics': 1,
            'name': 'dh',
            'gravity': [0.0, -9.81, 0.0],
            'joints': [
                {
                    'name': f'j{i}',
                    'type': 'revolute',
                    'dh': dh,
                    'link': {'name': f'l{i}', 'mass': 1.0 + i, 'com': com, 'inertia': inertia},
                }
                for i, (dh, com) in enumerate(rows)
            ],
        }

    standard = RobotModel.from_yaml(
        robot(
            [
                ({'convention': 'standard', 'a': 0.5}, [-0.25, 0.0, 0.0]),
                ({'convention': 'standard', 'a': 0.4}, [-0.2, 0.0, 0.0]),
            ]
        )
    )
    modified = RobotModel.from_yaml(
        robot(
            [
                ({'convention': 'modified', 'a': 0.0}, [0.25, 0.0, 0.0]),
                ({'convention': 'modified', 'a': 0.5}, [0.2, 0.0, 0.0]),
            ]
        )
    )
    mixed = RobotModel.from_yaml(
        robot(
            [
                ({'convention': 'standard', 'a': 0.5}, [-0.25, 0.0, 0.0]),
                ({'convention': 'modified', 'a': 0.0}, [0.2, 0.0, 0.0]),
            ]
        )
    )
    state = ([0.3, -0.7], [1.0, 0.5], [-0.2, 0.4])
    want = standard.inverse_dynamics(*state)
    np.testing.assert_allclose(modified.inverse_dynamics(*state), want, atol=1e-12)
    np.testing.assert_allclose(mixed.inverse_dynamics(*state), want, atol=1e-12)


def test_overlay_on_a_urdf_file(tmp_path):
    urdf = tmp_path / 'arm.urdf'
    urdf.write_text(load_robot(ROBOT).urdf)
    overlay = tmp_path / 'arm.yaml'
    overlay.write_text("""
robot_dynamics_overlay: 1
urdf: arm.urdf
mount: {rpy: [3.141592653589793, 0.0, 0.0]}
joints:
  joint1:
    effort: 10.0
    motor: {ratio: 50.0, rotor_inertia: 2.0e-4}
    friction: {coulomb: 0.3}
""")
    model = load_robot(overlay)
    assert model.limits.effort[0] == 10.0
    np.testing.assert_allclose(model.armature, [0.5])
    np.testing.assert_allclose(model.gravity([0.0]), [-2.0 * 9.81 * 0.5], atol=1e-12)
    np.testing.assert_allclose(model.friction([1.0]), [0.3])


@pytest.mark.parametrize(
    'overlay, words',
    [
        (
            {'robot_dynamics_overlay': 1, 'joints': {'joint2': {'effort': 1.0}}},
            'did you mean joint1',
        ),
        ({'robot_dynamics_overlay': 1, 'joints': {'joint1': {'effort': 0.0}}}, 'more than 0'),
        ({'robot_dynamics_overlay': 1, 'joints': {'joint1': {'torque': 1.0}}}, 'unknown key'),
        ({'joints': {}}, "no 'robot_dynamics_overlay'"),
    ],
)
def test_overlay_that_does_not_fit(overlay, words):
    with pytest.raises(ModelError, match=words):
        RobotModel.from_urdf(load_robot(ROBOT).urdf, overlay=overlay)


def test_shipped_names_are_found(tmp_path, monkeypatch):
    assert {'vertical_mass', 'rp_arm', 'arm_2r', 'arm_2r_point', 'puma560'} == set(
        shipped_robots()
    )
    assert find_robot('rp_arm').name == 'rp_arm.yaml'
    assert find_robot('rp_arm.urdf').name == 'rp_arm.urdf'
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'rp_arm').write_text('mine')
    assert find_robot('rp_arm').resolve() == tmp_path / 'rp_arm'
