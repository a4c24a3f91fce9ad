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

"""What is read from URDF and xacro, and what is refused with which words."""

import numpy as np
import pytest
from robot_dynamics import load_robot, ModelError, RobotModel, StateError
from robot_dynamics.model import Severity

ARM = """
<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial><origin xyz="0.25 0 0"/><mass value="2.0"/>
      <inertia ixx="0.002" ixy="0" ixz="0" iyy="0.04" iyz="0" izz="0.04"/></inertial>
  </link>
  <link name="fore">
    <inertial><origin xyz="0.2 0 0"/><mass value="1.0"/>
      <inertia ixx="0.002" ixy="0" ixz="0" iyy="0.015" iyz="0" izz="0.015"/></inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" velocity="5" effort="80"/>
  </joint>
  <joint name="elbow" type="revolute">
    <origin xyz="0.5 0 0"/><parent link="upper"/><child link="fore"/><axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" velocity="5" effort="40"/>
  </joint>
</robot>
"""
HOLD = [-11.772, -1.962]  # [N m] at (0, 0): +q lowers the arm
MIMIC = '<mimic joint="shoulder" multiplier="-1" offset="0.1"/></joint>'


def change(old, new, count=1):
    """Return the arm with a part of its text replaced; the last place first."""
    assert old in ARM
    return new.join(ARM.rsplit(old, count))


def test_gravity_by_hand():
    model = RobotModel.from_urdf(ARM)
    assert model.joint_names == ('shoulder', 'elbow')
    np.testing.assert_allclose(model.gravity([0.0, 0.0]), HOLD, atol=1e-12)


@pytest.mark.parametrize(
    'value, words',
    [
        ('1,0', 'decimal comma'),
        ('1.0kg', 'unit'),
        ('nan', 'not a finite number'),
        ('inf', 'not a finite number'),
        ('${m}', 'unexpanded xacro'),
        ('', 'no number'),
        ('1e999', 'too large'),
        ('010', 'octal'),
        ('0x10', 'unit'),
        ('--1', 'not a number'),
    ],
)
def test_unreadable_mass_is_refused_by_link_and_text(value, words):
    with pytest.raises(ModelError, match=words) as caught:
        RobotModel.from_urdf(change('mass value="1.0"', f'mass value="{value}"'))
    assert 'fore' in str(caught.value) and 'mass' in str(caught.value)


@pytest.mark.parametrize(
    'old, new, words',
    [
        ('<origin xyz="0.2 0 0"/>', '<origin xyz="0.2 0"/>', 'xyz has 2 numbers'),
        ('izz="0.015"', '', 'lacks izz'),
        ('<mass value="1.0"/>', '', 'no mass'),
        ('type="revolute"', 'type="hinge"', 'unknown type'),
        ('type="revolute"', 'type="floating"', 'floating'),
        ('type="revolute"', 'type="planar"', 'planar'),
        ('<axis xyz="0 1 0"/>', '<axis xyz="0 0 0"/>', 'zero axis'),
        ('lower="-3"', 'lower="4"', 'lower 4 above upper 3'),
        ('effort="40"', 'effort="-40"', 'negative effort'),
        ('link name="fore"', 'link name="upper"', 'there 2 times'),
        ('joint name="elbow"', 'joint name="shoulder"', 'there 2 times'),
        ('joint name="elbow"', 'joint name="universe"', 'rename it'),
        ('child link="fore"', 'child link="for"', 'did you mean fore'),
        ('iyy="0.015"', 'iyy="-0.015"', 'impossible inertia'),
        ('mass value="1.0"', 'mass value="-1.0"', 'negative mass'),
        ('mass value="1.0"', 'mass value="0"', 'no mass'),
        ('</joint>', MIMIC.replace('shoulder', 'wrist'), "'wrist', which does not exist"),
    ],
)
def test_impossible_description_is_refused(old, new, words):
    with pytest.raises(ModelError, match=words):
        RobotModel.from_urdf(change(old, new))


def test_all_faults_are_reported_at_once():
    text = ARM.replace('mass value="1.0"', 'mass value="1,0"').replace(
        'upper="3"', 'upper="3 rad"'
    )
    with pytest.raises(ModelError) as caught:
        RobotModel.from_urdf(text)
    assert all(finding.remedy for finding in caught.value.findings)
    elements = ' '.join(finding.element for finding in caught.value.findings)
    assert all(name in elements for name in ('fore', 'shoulder', 'elbow'))


@pytest.mark.parametrize(
    'text, words',
    [
        ('<robot name="x">', 'well-formed'),
        ('<!DOCTYPE robot [<!ENTITY a "b">]>' + ARM.strip(), 'DOCTYPE'),
        ('<sdf></sdf>', 'not a robot'),
        ('<robot name="x"/>', 'no links'),
        ('<robot name="x"><link name="a"/></robot>', 'no moving joint'),
        ('<' + ' ' * (1 << 20) + '/>', 'bytes'),
        ('\n', 'cannot be read|empty'),
    ],
)
def test_text_that_is_no_robot(text, words):
    with pytest.raises(ModelError, match=words):
        RobotModel.from_urdf(text)


def test_too_many_joints_are_refused_before_anything_is_built():
    parts = ['<robot name="chain"><link name="l0"/>']
    for i in range(65):
        parts.append(
            f'<link name="l{i + 1}"/><joint name="j{i}" type="continuous">'
            f'<parent link="l{i}"/><child link="l{i + 1}"/></joint>'
        )
    with pytest.raises(ModelError, match='65 moving joints'):
        RobotModel.from_urdf(''.join(parts) + '</robot>')


def test_missing_file_says_what_was_expected(tmp_path):
    with pytest.raises(ModelError, match='check the path'):
        load_robot(tmp_path / 'nothing.urdf')


def test_continuous_joint_keeps_one_angle():
    text = ARM.replace('name="shoulder" type="revolute"', 'name="shoulder" type="continuous"')
    model = RobotModel.from_urdf(text)
    q = [0.3, 0.4]
    assert model.nv == 2 and list(model.is_continuous) == [True, False]
    np.testing.assert_allclose(model.gravity(q), RobotModel.from_urdf(ARM).gravity(q), atol=1e-12)
    np.testing.assert_allclose(model.gravity([0.3 + 2 * np.pi, 0.4]), model.gravity(q), atol=1e-12)
    assert model.limits.lower[0] == -np.inf


def test_mimic_joint_is_folded_into_its_master():
    model = RobotModel.from_urdf(change('</joint>', MIMIC))
    free = RobotModel.from_urdf(ARM)
    assert model.joint_names == ('shoulder',) and model.follower_names == ('elbow',)
    q, v, a = 0.4, 0.7, -0.3
    full = (np.array([q, 0.1 - q]), np.array([v, -v]), np.array([a, -a]))
    tau = free.inverse_dynamics(*full)
    np.testing.assert_allclose(
        model.inverse_dynamics([q], [v], [a]), [tau[0] - tau[1]], atol=1e-12
    )
    np.testing.assert_allclose(
        model.forward_dynamics([q], [v], [tau[0] - tau[1]]), [a], atol=1e-12
    )
    assert model.kinetic_energy([q], [v]) == pytest.approx(free.kinetic_energy(*full[:2]))


def test_locked_joint_equals_the_moving_one_held_there():
    free = RobotModel.from_urdf(ARM)
    locked = RobotModel.from_urdf(ARM, locked={'elbow': 0.7})
    assert locked.joint_names == ('shoulder',)
    np.testing.assert_allclose(locked.gravity([0.2]), free.gravity([0.2, 0.7])[:1], atol=1e-12)
    np.testing.assert_allclose(
        locked.mass_matrix([0.2]), free.mass_matrix([0.2, 0.7])[:1, :1], atol=1e-12
    )


def test_measured_joint_comes_after_the_commanded_ones():
    free = RobotModel.from_urdf(ARM)
    model = RobotModel.from_urdf(ARM, joints=['elbow'])
    assert model.joint_names == ('elbow', 'shoulder')
    assert model.commanded_names == ('elbow',) and model.measured_names == ('shoulder',)
    q, v, a = np.array([0.1, -0.4]), np.array([1.0, 0.5]), np.array([0.2, -2.0])
    np.testing.assert_allclose(
        model.inverse_dynamics(q[::-1], v[::-1], a[::-1])[::-1],
        free.inverse_dynamics(q, v, a),
        atol=1e-12,
    )


@pytest.mark.parametrize(
    'options, words',
    [
        ({'joints': ['elbo']}, 'did you mean elbow'),
        ({'joints': []}, 'no joint to command'),
        ({'joints': ['elbow', 'elbow']}, 'twice'),
        ({'locked': {'wrist': 0.0}}, 'no joint'),
        ({'locked': {'elbow': np.nan}}, 'finite'),
        ({'gravity': 9.81}, 'vector'),
        ({'accept': ['inertia']}, 'massless_inertia'),
        ({'gravity': '0 0 -9.81'}, 'vector'),
        ({'gravity': (0, 0, np.nan)}, 'finite'),
        ({'gravity': (0, 0, -9.81, 0)}, 'three'),
        ({'colour': 'red'}, 'unknown option'),
        ({'gravity': (0, 0, -9.81), 'mount_rpy': (0, 0, 0)}, 'one of the two'),
    ],
)
def test_choices_that_do_not_fit_are_refused(options, words):
    with pytest.raises(ModelError, match=words):
        RobotModel.from_urdf(ARM, **options)


def test_open_effort_limits_are_said_and_never_zero():
    model = RobotModel.from_urdf(change('effort="40"', 'effort="0"'))
    assert list(model.limits.effort_stated) == [True, False]
    assert list(model.limits.effort) == [80.0, np.inf]
    warnings = [f for f in model.findings if f.severity is Severity.WARNING]
    assert len(warnings) == 1 and 'elbow' in warnings[0].element
    answered = RobotModel.from_urdf(
        change('effort="40"', 'effort="0"'),
        overlay={'robot_dynamics_overlay': 1, 'joints': {'elbow': {'effort': 40.0}}},
    )
    assert not answered.findings and answered.limits.effort_stated.all()


@pytest.mark.parametrize(
    'mount, gravity',
    [
        ((0.0, np.pi / 2, 0.0), (9.81, 0.0, 0.0)),
        ((np.pi, 0.0, 0.0), (0.0, 0.0, 9.81)),
        ((0.3, -0.2, 1.0), None),
    ],
)
def test_mount_turns_gravity_into_the_root_frame(mount, gravity):
    model = RobotModel.from_urdf(ARM, mount_rpy=mount)
    fixed = ARM.replace(
        '<link name="base"/>',
        f"""<link name="world"/><link name="base"/>
        <joint name="mount" type="fixed"><parent link="world"/><child link="base"/>
        <origin rpy="{mount[0]!r} {mount[1]!r} {mount[2]!r}"/></joint>""",
    )
    q = [0.3, -0.8]
    np.testing.assert_allclose(
        model.gravity(q), RobotModel.from_urdf(fixed).gravity(q), atol=1e-12
    )
    if gravity is not None:
        np.testing.assert_allclose(model.gravity_vector, gravity, atol=1e-12)


def test_written_urdf_is_the_same_robot():
    model = RobotModel.from_urdf(ARM, locked={'elbow': 0.7})
    again = RobotModel.from_urdf(model.urdf)
    q, v, a = [0.3], [1.0], [-2.0]
    np.testing.assert_allclose(
        again.inverse_dynamics(q, v, a), model.inverse_dynamics(q, v, a), atol=1e-13
    )


def test_vectors_of_wrong_length_name_the_joints():
    model = RobotModel.from_urdf(ARM)
    with pytest.raises(StateError, match='shoulder, elbow'):
        model.gravity([0.0])
    with pytest.raises(StateError, match="joint 'elbow'"):
        model.check_vector('q', [0.0, np.nan])
    with pytest.raises(StateError, match='no list of numbers'):
        model.gravity(['a', 'b'])


def test_massless_last_link_has_gravity_but_no_forward_dynamics():
    start = ARM.index('<inertial>', ARM.index('"fore"'))
    end = ARM.index('</inertial>', start) + len('</inertial>')
    text = ARM[:start] + ARM[end:]
    model = RobotModel.from_urdf(text)
    assert any('elbow' in str(finding) for finding in model.findings)
    np.testing.assert_allclose(model.gravity([0.0, 0.0]), [-4.905, 0.0], atol=1e-12)
    with pytest.raises(ModelError, match='elbow'):
        model.forward_dynamics([0.0, 0.0], [0.0, 0.0], [1.0, 1.0])


def test_unknown_frame_offers_close_names():
    with pytest.raises(ModelError, match='did you mean fore'):
        RobotModel.from_urdf(ARM).jacobian([0.0, 0.0], 'for')


def test_accents_are_composed_however_they_are_typed():
    text = ARM.replace('shoulder', 'schulter_a\u0308')
    assert RobotModel.from_urdf(text).joint_names[0] == 'schulter_ä'


XACRO = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="x">
<xacro:arg name="m" default="2"/>
<link name="b"/><link name="l"><inertial><origin xyz="0.25 0 0"/><mass value="$(arg m)"/>
<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="${0.05 * 2}"/></inertial></link>
<joint name="j1" type="continuous"><parent link="b"/><child link="l"/><axis xyz="0 1 0"/></joint>
</robot>"""


def test_a_declaration_that_xacro_has_left_behind_is_no_xacro(monkeypatch):
    monkeypatch.setattr('robot_dynamics.model.source._run_xacro', None)
    left = ARM.replace('<robot', '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"', 1)
    assert load_robot(left).joint_names == load_robot(ARM).joint_names


@pytest.mark.parametrize('suffix', ['.urdf.xacro', '.urdf'])
def test_xacro_is_told_by_content(tmp_path, suffix):
    path = tmp_path / f'arm{suffix}'
    path.write_text(XACRO)
    arguments = {'m': '4'}
    assert load_robot(path).gravity([0.0])[0] == pytest.approx(-4.905, abs=1e-12)
    changed = load_robot(path, xacro_arguments=arguments)
    assert changed.gravity([0.0])[0] == pytest.approx(-9.81, abs=1e-12)
    assert arguments == {'m': '4'}


@pytest.mark.parametrize(
    'text, arguments, words',
    [
        (XACRO, {'mass': '4'}, "'mass'.*one of: m"),
        (
            '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="x">'
            '<xacro:macro name="arm"><link name="a"/></xacro:macro></robot>',
            {},
            'macros: arm',
        ),
        (XACRO.replace('0.05 * 2', '0.05 * z'), {}, 'xacro cannot expand'),
        (ARM, {'m': '1'}, 'no xacro'),
    ],
)
def test_xacro_that_cannot_be_used(text, arguments, words):
    with pytest.raises(ModelError, match=words):
        load_robot(text, xacro_arguments=arguments)


@pytest.mark.parametrize(
    'encoding, declared, fits',
    [
        ('utf-8', 'utf-8', True),
        ('iso-8859-1', 'iso-8859-1', True),
        ('utf-8-sig', 'utf-8', True),
        ('iso-8859-1', 'utf-8', False),
    ],
)
def test_declared_encoding_is_honoured(encoding, declared, fits):
    text = f'<?xml version="1.0" encoding="{declared}"?>' + ARM.replace('shoulder', 'schulter_ä')
    if fits:
        assert RobotModel.from_urdf(text.encode(encoding)).joint_names[0] == 'schulter_ä'
    else:
        with pytest.raises(ModelError, match='encoding'):
            RobotModel.from_urdf(text.encode(encoding))
