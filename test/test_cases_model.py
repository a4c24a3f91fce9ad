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

"""Inputs that broke real systems: robot descriptions, inertia, limits, gravity, files."""

import json

import golden
import numpy as np
import pytest
from robot_dynamics import load_robot, ModelError, RobotModel, SimulationError, StateError
from robot_dynamics.control.motor_side import MotorSide
from robot_dynamics.model import FrictionModel, Payload, Severity
from robot_dynamics.model.inspection import inspect_model, inspect_robot
from robot_dynamics.simulation import PinocchioPlant
import yaml

CASES = golden.DATA / 'cases'


def case(number):
    """Return the folder and the expectation of a case."""
    (folder,) = CASES.glob(f'{number:02d}_*')
    return folder, json.loads((folder / 'expect.json').read_text())


def words(findings):
    """Return all findings as one text."""
    return ' '.join(str(finding) for finding in findings)


def test_01_continuous_joint_has_one_angle():
    folder, expect = case(1)
    model = load_robot(folder / 'arm.urdf')
    assert model.nv == 2
    np.testing.assert_allclose(model.gravity(expect['q']), expect['hold'], atol=expect['tol'])
    with pytest.raises(StateError, match='shoulder'):
        model.gravity([0.3, 0.0, 0.4])
    assert np.isinf([model.limits.lower[0], model.limits.upper[0]]).all()


def test_02_mimic_joint_is_folded_into_its_master():
    folder, expect = case(2)
    model = load_robot(folder / 'arm.urdf')
    assert model.joint_names == ('j1',)
    np.testing.assert_allclose(
        model.gravity([expect['q']['j1']]), [expect['hold']['j1']], atol=expect['tol']
    )
    np.testing.assert_allclose(
        model.mass_matrix([expect['q']['j1']]), expect['M'], atol=expect['tol']
    )
    with pytest.raises(ModelError, match="'j2'.*'jX'"):
        load_robot(folder / expect['refuse_files'][0])


def test_04_names_and_frames():
    folder, expect = case(4)
    model = load_robot(folder / 'same_name.urdf')
    np.testing.assert_allclose(model.gravity([0.3]), [expect['hold']['wrist']], atol=expect['tol'])
    assert model.jacobian([0.3], 'wrist').shape == (6, 1)
    with pytest.raises(ModelError, match='universe'):
        load_robot(folder / 'universe.urdf')
    payload = yaml.safe_load((folder / 'payload.yaml').read_text())
    frame = payload.get('payload', payload)['frame']
    with pytest.raises(ModelError, match=frame):
        load_robot(folder / 'no_tool.urdf').with_payload(Payload(frame=frame, mass=1.0))


@pytest.mark.parametrize('file', ['two_roots.urdf', 'two_parents.urdf', 'ring.urdf'])
def test_05_what_is_no_tree_is_refused_by_the_links_names(file):
    folder, expect = case(5)
    with pytest.raises(ModelError) as caught:
        load_robot(folder / file)
    assert all(name in str(caught.value) for name in expect['must_mention'][file])


@pytest.mark.parametrize('file, word', [('float.urdf', 'floating'), ('planar.urdf', 'planar')])
def test_07_floating_base_is_refused_in_that_word(file, word):
    with pytest.raises(ModelError, match=word):
        load_robot(case(7)[0] / file)


def test_08_links_without_inertial():
    folder, expect = case(8)
    for file, hold in expect['hold'].items():
        model = load_robot(folder / file)
        np.testing.assert_allclose(model.gravity([0.0, 0.0]), hold, atol=expect['tol'])
        if file in expect['refuse_simulation']:
            assert 'fore' in words(model.findings) and 'elbow' in words(model.findings)
            with pytest.raises(SimulationError, match='elbow'):
                PinocchioPlant(model)
        else:
            assert not model.findings
            PinocchioPlant(model).step(np.zeros(2))
            assert np.linalg.eigvalsh(model.mass_matrix([0.1, 0.2]))[0] > 0.0


def test_10_unreadable_inertial_is_refused_by_link_and_attribute():
    folder, expect = case(10)
    for file in expect['refuse_files']:
        with pytest.raises(ModelError) as caught:
            load_robot(folder / file)
        assert all(word in str(caught.value) for word in expect['must_mention_all'])
        assert file in str(caught.value)
    np.testing.assert_allclose(
        load_robot(folder / 'spaces.urdf').gravity([0.0, 0.0]), expect['hold_intended'], atol=1e-9
    )


def test_11_impossible_inertia_is_refused_with_its_moments():
    folder, expect = case(11)
    messages = {}
    for file in expect['refuse_files']:
        with pytest.raises(ModelError) as caught:
            load_robot(folder / file)
        messages[file] = str(caught.value)
    assert '-0.2, 0.002, 0.015' in messages['a_negative.urdf']
    assert '-0.0147594' in messages['b_row_major.urdf']
    assert 'row-major' in messages['b_row_major.urdf']
    model = load_robot(folder / 'e_point_mass.urdf')
    np.testing.assert_allclose(model.gravity([0.0, 0.0]), expect['hold_e'], atol=1e-9)


def test_13_inertia_in_turned_axes():
    folder, expect = case(13)
    plain, turned = load_robot(folder / 'plain.urdf'), load_robot(folder / 'rotated.urdf')
    for model in (plain, turned):
        np.testing.assert_allclose(model.mass_matrix([0, 0]), expect['M00'], atol=expect['tol'])
        np.testing.assert_allclose(model.gravity([0, 0]), expect['hold'], atol=expect['tol'])
    state = ([0.1, 0.2], [0.0, 0.0], [1.0, 1.0])
    np.testing.assert_allclose(
        plain.inverse_dynamics(*state), turned.inverse_dynamics(*state), atol=expect['tol']
    )


def test_14_zero_effort_limit_is_neither_zero_nor_unlimited_in_silence():
    folder, expect = case(14)
    model = load_robot(folder / 'all_zero.urdf')
    np.testing.assert_allclose(model.gravity([0.0]), [expect['hold0_all_zero']], atol=1e-9)
    assert not model.limits.effort_stated.any() and 'j1' in words(model.findings)
    mixed = words(load_robot(folder / 'mixed.urdf').findings)
    assert all(name in mixed for name in expect['must_mention']['mixed.urdf'])
    assert 'elbow' not in mixed
    with pytest.raises(ModelError, match='j1.*negative effort'):
        load_robot(folder / 'negative.urdf')


def test_16_damping_and_friction_of_the_urdf():
    folder, expect = case(16)
    model = load_robot(folder / 'arm.urdf')
    q, v, a = (np.array(expect[key], dtype=float) for key in 'qva')
    without = model.inverse_dynamics(q, v, a)
    np.testing.assert_allclose(without, [expect['tau_without']], atol=expect['tol'])
    np.testing.assert_allclose(
        without + model.friction(v), [expect['tau_with']], atol=expect['tol']
    )
    assert model.friction(np.zeros(1))[0] == 0.0
    np.testing.assert_allclose(
        model.forward_dynamics(q, v, -model.friction(v)),
        [expect['aba_tau0_with_friction']],
        atol=expect['tol'],
    )
    plant = PinocchioPlant(model)
    plant.reset(np.array([0.5]), np.zeros(1))
    start = energy = plant.energy()
    for _ in range(1000):
        plant.step(np.zeros(1))
        assert plant.energy() <= energy + 1e-9
        energy = plant.energy()
    assert energy < start - 1e-3


def test_17_mechanical_reduction_is_reported_and_efforts_are_of_the_joint():
    folder, expect = case(17)
    model = load_robot(folder / 'arm.urdf')
    np.testing.assert_allclose(model.gravity([0.0]), [expect['hold_joint']], atol=expect['tol'])
    assert any(word in words(model.findings) for word in expect['must_mention_any'])
    for sign in (1.0, -1.0):
        geared = load_robot(
            folder / 'arm.urdf',
            overlay={
                'robot_dynamics_overlay': 1,
                'joints': {'j1': {'motor': {'ratio': sign * 100.0}}},
            },
        )
        motor = MotorSide(geared).to_motor(geared.gravity([0.0]), np.zeros(1))
        np.testing.assert_allclose(
            motor, [sign * expect['hold_motor_if_opted']], atol=expect['tol']
        )


def test_19_wall_and_ceiling():
    folder, expect = case(19)
    gravity = yaml.safe_load((folder / 'c_params.yaml').read_text())['gravity']
    models = {file: load_robot(folder / file) for file in expect['hold'] if file[0] != 'c'}
    models['c_params.yaml'] = load_robot(folder / 'a_upright.urdf', gravity=gravity)
    poses = {'0,0': [0.0, 0.0], 'pi/2,0': [np.pi / 2, 0.0]}
    for file, hold in expect['hold'].items():
        for pose, tau in hold.items():
            found = models[file].gravity(poses[pose])
            # the files give their right angles with eight digits
            np.testing.assert_allclose(found, tau, atol=1e-6 if file[0] in 'bd' else 1e-9)


def test_20_gravity_is_a_vector_in_one_form():
    folder, expect = case(20)
    for variant in yaml.safe_load((folder / 'params.yaml').read_text())['variants']:
        gravity, verdict = variant['gravity'], variant['verdict']
        if verdict == 'refuse':
            with pytest.raises(ModelError, match='gravity'):
                load_robot(folder / 'arm.urdf', gravity=gravity)
            continue
        model = load_robot(folder / 'arm.urdf', gravity=gravity)
        said = words(inspect_model(model))
        assert ('gravity' in said) is (verdict != 'accept')
        if verdict == 'warn':
            assert 'points up' in said
        if str(gravity).replace(' ', '') in expect['hold']:
            np.testing.assert_allclose(
                model.gravity([0.0, 0.0]),
                expect['hold'][str(gravity).replace(' ', '')],
                atol=expect['tol'],
            )


def test_22_hand_behind_a_fixed_joint_and_payload():
    folder, expect = case(22)
    model = load_robot(folder / 'arm.urdf')
    assert model.total_mass == pytest.approx(expect['total_mass'])
    np.testing.assert_allclose(model.gravity([0, 0]), expect['hold'], atol=expect['tol'])
    payload = Payload(**yaml.safe_load((folder / 'payload.yaml').read_text())['payload'])
    for _ in range(3):
        model.set_payload_parameters(model.payload_parameters(payload))
        np.testing.assert_allclose(
            model.gravity([0, 0]), expect['hold_payload'], atol=expect['tol']
        )
    model.set_payload_parameters({})
    np.testing.assert_allclose(model.gravity([0, 0]), expect['hold'], atol=expect['tol'])


def test_23_coriolis_of_the_sliding_joint():
    folder, expect = case(23)
    model = load_robot(folder / 'rp.urdf')
    q, v, a = (expect[key] for key in 'qva')
    np.testing.assert_allclose(model.inverse_dynamics(q, v, a), expect['tau'], atol=expect['tol'])
    np.testing.assert_allclose(model.gravity(q), expect['hold'], atol=expect['tol'])


def test_44_xacro_is_expanded_by_content():
    folder, expect = case(44)
    for file in expect['accept_files']:
        for mass in ('2', '4'):
            model = load_robot(folder / file, xacro_arguments={'m': mass})
            np.testing.assert_allclose(
                model.gravity([0.0]), [expect['hold'][f'm={mass}']], atol=expect['tol']
            )
        with pytest.raises(ModelError, match='mass'):
            load_robot(folder / file, xacro_arguments={'mass': '4'})
    with pytest.raises(ModelError, match='macros'):
        load_robot(folder / 'macro_only.xacro')
    text = (folder / 'include_missing.xacro').read_text()
    package = text.split('$(find ')[1].split(')')[0]
    with pytest.raises(ModelError, match=package):
        load_robot(folder / 'include_missing.xacro')


def test_46_encodings():
    folder, expect = case(46)
    for file in (*expect['accept_files'], *expect['accept_or_refuse_files']):
        model = load_robot(folder / file)
        assert model.joint_names == ('gelenk_ü',)
        np.testing.assert_allclose(model.gravity([0.0]), [expect['hold']], atol=1e-9)
    for file in expect['refuse_files']:
        with pytest.raises(ModelError, match='line'):
            load_robot(folder / file)


def test_47_numbers_in_yaml():
    folder, expect = case(47)
    lines = dict(
        line.split(': ', 1) for line in (folder / 'numbers.yaml').read_text().split('\n') if line
    )
    robot = (golden.ROBOTS / 'arm_2r.yaml').read_text()
    mass = next(line.strip() for line in robot.splitlines() if line.strip().startswith('mass:'))

    def load(text):
        return RobotModel.from_yaml(robot.replace(mass, f'mass: {text}', 1))

    accepted = lines['accept'].strip('[]').split(', ')
    assert [load(text).link_masses['link1'] for text in accepted] == expect['values']
    for text in (
        *lines['refuse'].strip('[]').split(', '),
        *lines['document'].strip('[]').split(', '),
    ):
        with pytest.raises(ModelError, match='mass'):
            load(text)


def test_52_simulation_of_a_free_arm():
    folder, expect = case(52)
    model = load_robot(folder / 'arm.urdf').with_friction(FrictionModel.none(2))
    plant = PinocchioPlant(model, dt=0.01)
    plant.reset(np.array([0.5, 0.3]), np.zeros(2))
    start = plant.energy()
    assert start == pytest.approx(expect['E0'], abs=1e-4)
    drift = 0.0
    for _ in range(1000):
        plant.step(np.zeros(2))
        drift = max(drift, abs(plant.energy() - start))
    assert drift <= expect['rk4_10ms_max_dE']


def test_no_shipped_case_file_is_silently_passed_over():
    """Every description of the cases is loaded or refused with an explanation."""
    for path in sorted(CASES.glob('*/*.urdf')):
        report = inspect_robot(path)
        assert (report.model is None) == any(
            finding.severity is Severity.ERROR for finding in report.findings
        ), path
