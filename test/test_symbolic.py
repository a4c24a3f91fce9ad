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

"""Closed forms by Lagrange's way, against textbooks, golden data and Pinocchio."""

from dataclasses import replace
import re
import subprocess
import sys

import golden
from matplotlib.mathtext import MathTextParser
import numpy as np
import pytest
from robot_dynamics import load_robot, ModelError, ParameterError, RobotDynamicsError, RobotModel
from robot_dynamics.model.payload import Payload
from robot_dynamics.symbolic import assembly, derive, Parameter, trig_ring, verify
from robot_dynamics.symbolic.printing import latex_names
from robot_dynamics.symbolic.verify import BY_NUMBERS, CLOSED_FORM, LIMIT
import sympy

RELATIVE = 1e-12

ARMS = ('rp_arm', 'arm_2r_point', 'arm_2r_rod')
SHIPPED = {'arm_2r_rod': 'arm_2r'}  # where the file has another name than the reference

# a tool with followers of every kind, oblique axes and frames
GRIPPER = """
<robot name="gripper">
  <link name="base"/>
  <link name="a"><inertial><origin xyz="0.1 0.02 0.03" rpy="0.1 0.2 0.3"/><mass value="2"/>
    <inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0.001" ixz="0.002" iyz="-0.003"/></inertial>
  </link>
  <link name="b"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>
    <inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="c"><inertial><origin xyz="0.05 0.01 0"/><mass value="0.5"/>
    <inertia ixx="0.001" iyy="0.002" izz="0.002" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="d"><inertial><origin xyz="0.05 -0.01 0"/><mass value="0.4"/>
    <inertia ixx="0.001" iyy="0.002" izz="0.002" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="e"><inertial><origin xyz="0.02 0 0.1"/><mass value="0.3"/>
    <inertia ixx="0.001" iyy="0.002" izz="0.002" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="f"><inertial><origin xyz="0 0 0.1"/><mass value="0.3"/>
    <inertia ixx="0.001" iyy="0.002" izz="0.002" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="h"><inertial><origin xyz="0 0.03 0.1"/><mass value="0.3"/>
    <inertia ixx="0.001" iyy="0.002" izz="0.002" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="turn" type="revolute"><parent link="base"/><child link="a"/>
    <origin xyz="0.1 0.2 0.3" rpy="0.5 0 0.7853981633974483"/><axis xyz="1 1 1"/>
    <limit lower="-2" upper="2" velocity="3" effort="10"/></joint>
  <joint name="mount" type="fixed"><parent link="a"/><child link="b"/>
    <origin xyz="0.3 0 0.1" rpy="0 1.0471975511965976 0.5235987755982988"/></joint>
  <joint name="slide" type="prismatic"><parent link="b"/><child link="c"/>
    <origin xyz="0.3 0 0"/><axis xyz="0 0.6 0.8"/>
    <limit lower="-0.2" upper="0.3" velocity="3" effort="10"/></joint>
  <joint name="against" type="revolute"><parent link="c"/><child link="d"/>
    <origin xyz="0.1 0 0"/><axis xyz="0 0 1"/><mimic joint="turn" multiplier="-1" offset="0.4"/>
    <limit lower="-2" upper="2" velocity="3" effort="10"/></joint>
  <joint name="rack" type="revolute"><parent link="d"/><child link="e"/>
    <origin xyz="0.1 0 0"/><axis xyz="0 0 1"/>
    <mimic joint="slide" multiplier="5" offset="1.5707963267948966"/>
    <limit lower="-2" upper="2" velocity="3" effort="10"/></joint>
  <joint name="finger" type="prismatic"><parent link="d"/><child link="f"/>
    <origin xyz="0.1 0 0"/><axis xyz="0 1 0"/>
    <mimic joint="slide" multiplier="-0.5" offset="0.01"/>
    <limit lower="-2" upper="2" velocity="3" effort="10"/></joint>
  <joint name="half" type="revolute"><parent link="f"/><child link="h"/>
    <origin xyz="0.1 0 0"/><axis xyz="0 0 1"/><mimic joint="turn" multiplier="0.5"/>
    <limit lower="-2" upper="2" velocity="3" effort="10"/></joint>
</robot>
"""
MOTORS = {
    'robot_dynamics_overlay': 1,
    'gravity': [1.0, 2.0, -9.0],
    'joints': {
        name: {'motor': {'ratio': 50.0, 'rotor_inertia': 1e-5}}
        for name in ('turn', 'against', 'rack', 'finger')
    },
}


def arm(name):
    """Return the shipped model that stands behind a reference file."""
    return load_robot(SHIPPED.get(name, name))


def same(actual, expected):
    """Tell whether two expressions or matrices of them are equal."""
    actual, expected = sympy.Matrix([actual]), sympy.Matrix([expected])
    assert actual.shape == expected.shape
    return sympy.simplify(actual - expected) == sympy.zeros(*actual.shape)


def constants(name, params):
    """Return a reference's parameters by our names; no effort knows the last rod's length."""
    unseen = {'l2'} if name == 'arm_2r_rod' else set()
    return {re.sub('^I', 'J', key): params[key] for key in params.keys() - unseen}


class TestTextbook:
    """Term by term what a textbook has."""

    def test_rp_arm(self):
        theta, d, theta_dot, d_dot, theta_ddot, d_ddot = sympy.symbols(
            'theta d theta_dot d_dot theta_ddot d_ddot'
        )
        m1, m2, l1, J1, J2, g = sympy.symbols('m1 m2 l1 J1 J2 g')
        found = derive(arm('rp_arm'), names=['theta', 'd'])
        assert (found.q, found.qd) == ((theta, d), (theta_dot, d_dot))
        assert found.qdd == (theta_ddot, d_ddot)
        inertia = J1 + J2 + m1 * l1**2 + m2 * d**2
        velocity = sympy.Matrix([2 * m2 * d * theta_dot * d_dot, -m2 * d * theta_dot**2])
        gravity = sympy.Matrix(
            [(m1 * l1 + m2 * d) * g * sympy.cos(theta), m2 * g * sympy.sin(theta)]
        )
        assert same(found.M, sympy.diag(inertia, m2))
        assert same(
            found.C,
            sympy.Matrix([[m2 * d * d_dot, m2 * d * theta_dot], [-m2 * d * theta_dot, 0]]),
        )
        assert same(found.V, velocity)
        assert same(found.G, gravity)
        effort = sympy.Matrix([inertia * theta_ddot, m2 * d_ddot]) + velocity + gravity
        assert same(found.tau, effort)
        assert same(found.K, inertia * theta_dot**2 / 2 + m2 * d_dot**2 / 2)
        assert same(found.U, (m1 * l1 + m2 * d) * g * sympy.sin(theta))
        values = {str(entry.symbol): entry.value for entry in found.parameters}
        assert values == golden.load('rp_arm')['params']
        units = {str(entry.symbol): entry.unit for entry in found.parameters}
        assert units['J1'] == 'kg m^2' and units['l1'] == 'm' and units['g'] == 'm/s^2'

    def test_vertical_mass(self):
        m1, g, q1, qd1, qdd1 = sympy.symbols('m1 g q1 qd1 qdd1')
        found = derive(load_robot('vertical_mass'))
        assert (found.M[0], found.C[0], found.V[0], found.G[0]) == (m1, 0, 0, m1 * g)
        assert same(found.tau[0], m1 * qdd1 + m1 * g)
        assert same(found.K, m1 * qd1**2 / 2) and same(found.U, m1 * g * q1)

    @pytest.mark.parametrize('name', ARMS)
    def test_symbolic_reference(self, name):
        reference = golden.load(name)
        found = derive(arm(name))
        renamed = {sympy.Symbol('I1'): 'J1', sympy.Symbol('I2'): 'J2'}
        for key, text in reference['symbolic'].items():
            expected = sympy.sympify(text)
            if isinstance(expected, list):
                expected = sympy.Matrix(expected)
            assert same(getattr(found, key), expected.subs(renamed)), key
        values = {str(entry.symbol): entry.value for entry in found.parameters}
        assert values == pytest.approx(constants(name, reference['params']), rel=1e-15)

    def test_signs_and_sums_read_as_in_a_textbook(self):
        found = derive(arm('arm_2r_rod'))
        assert str(found.V[0]) == '-l1*lc2*m2*qd2*(2*qd1 + qd2)*sin(q2)'
        assert str(found.G[1]) == 'g*lc2*m2*cos(q1 + q2)'
        assert str(found.M[1, 1]) == 'J2 + lc2**2*m2'


class TestIdentities:
    """What holds for every robot."""

    @pytest.mark.parametrize('name', ARMS)
    def test_mass_matrix_rate_minus_twice_coriolis_is_skew(self, name):
        found = derive(arm(name))
        rate = sum((found.M.diff(q) * qd for q, qd in zip(found.q, found.qd)), sympy.zeros(2, 2))
        skew = rate - 2 * found.C
        assert same(skew + skew.T, sympy.zeros(2, 2))

    @pytest.mark.parametrize('name', ARMS)
    def test_energies_and_equations_belong_together(self, name):
        found = derive(arm(name))
        qd, qdd = sympy.Matrix(found.qd), sympy.Matrix(found.qdd)
        assert same(found.K, (qd.T * found.M * qd)[0] / 2)
        assert same(found.V, found.C * qd)
        assert same(found.G, sympy.Matrix([found.U.diff(q) for q in found.q]))
        # the effort comes from the Lagrangian itself, not from M, C and G
        assert same(found.tau, found.M * qdd + found.V + found.G)

    def test_plain_and_simplified_forms_are_equal(self):
        model = load_robot('puma560', locked={'joint4': 0.0, 'joint5': 0.0, 'joint6': 0.0})
        short, plain = derive(model), derive(model, simplify=False)
        assert len(str(short.C)) < len(str(plain.C))
        for q, v in np.random.default_rng(7).uniform(-2.0, 2.0, (5, 2, 3)):
            for one, other in zip(short.evaluate(q, v), plain.evaluate(q, v)):
                golden.assert_close(one, other, RELATIVE)

    def test_six_joints_read_well(self):
        found = derive(load_robot('puma560'))
        assert found.G[0] == 0 and found.G[5] == 0 and found.M[5, 4] == 0
        assert str(found.G[3]) == 'g*lc6*m6*sin(q4)*sin(q5)*sin(q2 + q3)'

    def test_six_joints_by_euler_lagrange(self):
        """The effort from the Lagrangian equals M a + C v + G."""
        found = derive(load_robot('puma560'), named=False)
        q, v, a = np.linspace(-1.5, 2.0, 18).reshape(3, 6)
        state = zip((*found.q, *found.qd, *found.qdd), (*q, *v, *a))
        point = {symbol: sympy.Float(number) for symbol, number in state}
        mass, coriolis, gravity = found.evaluate(q, v)
        effort = np.array(found.tau.xreplace(point), dtype=float)[:, 0]
        golden.assert_close(effort, mass @ a + coriolis @ v + gravity, RELATIVE)


class TestNumbers:
    """The generated code gives the numbers of the reference."""

    @staticmethod
    def compare(functions, entry, values):
        q, v, a = (np.array(entry[key]) for key in ('q', 'qd', 'qdd'))
        mass, coriolis, gravity = functions['equations_of_motion'](q, v, **values)
        scale = entry['tau']
        golden.assert_close(mass, entry['M'], RELATIVE, scale)
        golden.assert_close(coriolis, entry['C'], RELATIVE, scale)
        golden.assert_close(coriolis @ v, entry['V'], RELATIVE, scale)
        golden.assert_close(gravity, entry['G'], RELATIVE, scale)
        golden.assert_close(functions['inverse_dynamics'](q, v, a, **values), scale, RELATIVE)

    @pytest.mark.parametrize('name', ARMS)
    @pytest.mark.parametrize('named', [True, False])
    def test_python_code_in_a_fresh_namespace(self, name, named):
        reference = golden.load(name)
        code = derive(arm(name), named=named).python()
        imported = re.findall(r'^(?:from|import) (\w+)', code, re.MULTILINE)
        assert set(imported) == {'math', 'numpy'}
        namespace = {}
        exec(code, namespace)
        for entry in reference['special'] + reference['random']:
            self.compare(namespace, entry, {})
        if named:
            for entry in reference['random_params']:
                self.compare(namespace, entry, constants(name, entry['params']))

    @pytest.mark.parametrize('name', ARMS)
    def test_robots_with_other_numbers(self, name):
        for entry in golden.load(name)['random_params']:
            model = RobotModel.from_yaml(golden.ARMS[name](**entry['params']))
            self.compare(derive(model, named=False).functions(), entry, {})

    def test_vertical_mass(self):
        reference = golden.load('vertical_mass')
        inverse = derive(load_robot('vertical_mass')).functions()['inverse_dynamics']
        for entry in reference['special'] + reference['random']:
            effort = inverse(
                [entry['q']], [entry['qd']], [entry['qdd']], m1=entry['m'], g=entry['g']
            )
            golden.assert_close(effort, [entry['tau']], RELATIVE)

    @pytest.mark.parametrize('simplify', [True, False])
    def test_puma(self, simplify):
        found = derive(load_robot('puma560'), named=False, simplify=simplify)
        functions = found.functions()
        for entry in golden.load('puma560')['random']:
            q, v, a = (np.array(entry[key]) for key in ('q', 'qd', 'qdd'))
            mass, coriolis, gravity = functions['equations_of_motion'](q, v)
            golden.assert_close(mass, entry['inertia_full'], RELATIVE)
            golden.assert_close(coriolis, entry['coriolis'], RELATIVE)
            golden.assert_close(gravity, entry['gravload'], RELATIVE)
            effort = functions['inverse_dynamics'](q, v, a)
            golden.assert_close(effort, entry['tau_no_friction'], RELATIVE)

    def test_evaluate(self):
        model = arm('rp_arm')
        mass, coriolis, gravity = derive(model).evaluate([0.3, 0.5], [1.0, 0.2])
        golden.assert_close(mass, model.mass_matrix([0.3, 0.5]), RELATIVE)
        golden.assert_close(coriolis, model.coriolis_matrix([0.3, 0.5], [1.0, 0.2]), RELATIVE)
        golden.assert_close(gravity, model.gravity([0.3, 0.5]), RELATIVE)


class TestPrinting:
    """Text, LaTeX and code for the reader."""

    def test_text(self):
        text = derive(arm('rp_arm'), names=['theta', 'd']).text()
        assert "theta, theta_dot, theta_ddot: position, velocity and acceleration of 'joint1'" in (
            text
        )
        assert 'M[1,1] = J1 + J2 + d**2*m2 + l1**2*m1\n' in text
        assert 'G[2] = g*m2*sin(theta)\n' in text
        assert re.search(r'l1 = 0\.25 +m +centre of mass of link1', text)
        assert 'M[1,2]' not in text and 'C[2,2]' not in text

    def test_numbers_are_short(self):
        text = derive(arm('rp_arm'), named=False).text()
        assert 'M[1,1] = 1.5*q2**2 + 0.2475\n' in text and 'M[2,2] = 1.5\n' in text
        assert 'Constants' not in text

    @pytest.mark.parametrize(
        'name, named, names',
        [('rp_arm', True, ['theta', 'd']), ('arm_2r_rod', True, None), ('rp_arm', False, None)],
    )
    def test_latex(self, name, named, names):
        found = derive(arm(name), named=named, names=names)
        text = found.latex()
        environments = re.findall(r'\\(begin|end)\{align\*\}', text)
        assert environments == ['begin', 'end'] * 6
        assert text.count('{') == text.count('}')
        assert text.count(r'\left(') == text.count(r'\right)')
        body = [line for line in text.splitlines() if line[0] != '%' and 'align*' not in line]
        parser = MathTextParser('path')
        for line in body:
            line = line.removesuffix(r'\\').replace('&', '')
            assert line.count('{') == line.count('}')
            parser.parse(f'${line.strip()}$')
        equations = [line for line in body if '&=' in line]
        entries = [entry for key in 'CVG' for entry in getattr(found, key) if entry != 0]
        upper = [found.M[i, j] for i in range(2) for j in range(i, 2) if found.M[i, j] != 0]
        assert len(equations) == 4 + len(entries) + len(upper)

    def test_latex_names(self):
        text = derive(arm('rp_arm'), names=['theta', 'd']).latex()
        assert r'V_{2} &= - d m_{2} \dot{\theta}^{2}' in text and r'\ddot{d}' in text
        assert r'M_{11} &= J_{1} + J_{2} + d^{2} m_{2} + l_{1}^{2} m_{1}' in text
        text = derive(arm('arm_2r_rod')).latex()
        assert r'l_{c2} m_{2}' in text and r'\dot{q}_{1}' in text and r'\ddot{q}_{2}' in text

    @pytest.mark.parametrize(
        'name, latex',
        [
            ('J1xy', 'J_{1,xy}'),
            ('lc3y', 'l_{c3,y}'),
            ('Jm1', 'J_{m1}'),
            ('l3_4', 'l_{3,4}'),
            ('l10_12z', 'l_{10,12,z}'),
            ('gx', 'g_{x}'),
            ('g', 'g'),
        ],
    )
    def test_latex_names_of_constants(self, name, latex):
        entry = Parameter(sympy.Symbol(name), 1.0, 'm', '')
        found = replace(derive(load_robot('vertical_mass')), parameters=(entry,))
        assert latex_names(found)[entry.symbol] == latex

    def test_names_of_a_file_cannot_leave_a_comment_or_a_string(self):
        mapping = golden.robot('rp_arm')
        mapping['name'] = 'arm\n"""\nraise SystemExit(3)\n"""\\'
        mapping['links'][0]['name'] = 'li\nnk'
        mapping['joints'][0]['child'] = mapping['joints'][1]['parent'] = 'li\nnk'
        found = derive(RobotModel.from_yaml(mapping))
        namespace = {}
        exec(found.python(), namespace)
        assert 'raise SystemExit' in namespace['__doc__']
        assert all(line[0] == '%' for line in found.latex().splitlines()[:7])

    def test_long_sums_are_broken(self):
        model = RobotModel.from_urdf(GRIPPER, overlay=MOTORS)
        found = derive(model, named=False)
        code = found.python()
        assert max(len(line) for line in code.splitlines()) <= 99
        q, v, a = np.random.default_rng(5).uniform(-1.0, 1.0, (3, 2))
        golden.assert_close(
            found.functions()['inverse_dynamics'](q, v, a),
            model.inverse_dynamics(q, v, a),
            RELATIVE,
        )


class TestExactConstants:
    """Rounded right angles and decimals leave no dust."""

    @pytest.mark.parametrize('half', ['1.5707963267948966', '1.57079632679', '1.570796326795'])
    def test_right_angles(self, half):
        body = (
            '<inertial><mass value="1"/><origin xyz="0.3 0 0"/><inertia ixx="0.01" iyy="0.02" '
            'izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>'
        )
        model = RobotModel.from_urdf(f"""
            <robot name="turned"><link name="base"/><link name="a">{body}</link>
            <link name="b">{body}</link>
            <joint name="one" type="revolute"><parent link="base"/><child link="a"/>
              <origin rpy="{half} 0 -{half}"/><axis xyz="0 0 1"/>
              <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
            <joint name="two" type="revolute"><parent link="a"/><child link="b"/>
              <origin xyz="0.5 0 0" rpy="{half} 0 0"/><axis xyz="0 1 0"/>
              <limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>""")
        found = derive(model)
        assert str(found.G[1]) == 'g*lc2*m2*cos(q1 + q2)'
        assert str(found.M[1, 1]) == 'J2 + lc2**2*m2'
        assert len(found.parameters) == 8

    def test_square_roots(self):
        mapping = golden.robot('rp_arm')
        mapping['joints'][0]['origin'] = {'rpy': [0.0, -np.pi / 4.0, 0.0]}
        found = derive(RobotModel.from_yaml(mapping))
        q1 = found.q[0]
        m2, g = sympy.symbols('m2 g')
        assert same(found.G[1], g * m2 * sympy.sin(q1 + sympy.pi / 4))
        assert found.G[1].has(sympy.sqrt(2))

    def test_decimals(self):
        mapping = golden.robot('arm_2r')
        mapping['joints'][1]['origin']['xyz'] = [0.1 + 0.2, 0.0, 0.0]
        found = derive(RobotModel.from_yaml(mapping), named=False)
        assert str(found.C[1, 0]) == '0.12*qd1*sin(q2)'

    def test_upside_down_and_tilted_gravity(self):
        model = arm('rp_arm')
        over = derive(model.with_gravity([0.0, 0.0, 9.81]))
        assert {str(p.symbol): p.value for p in over.parameters}['g'] == -9.81
        assert str(over.G[1]) == 'g*m2*sin(q1)'
        tilted = derive(model.with_gravity([1.0, 0.0, -9.0]))
        assert str(tilted.G[1]) == '-m2*(gx*cos(q1) + gz*sin(q1))'
        assert derive(model.with_gravity([0.0, 0.0, 0.0])).U == 0

    def test_other_orders_and_locked_joints(self):
        model = load_robot(
            'puma560',
            joints=['joint3', 'joint2'],
            locked={'joint1': 0.3, 'joint4': 0.1, 'joint5': -0.2, 'joint6': 0.5},
        )
        found = derive(model, named=False)
        assert found.joint_names == ('joint3', 'joint2')
        q, v = np.array([0.3, -0.4]), np.array([1.0, 2.0])
        mass, coriolis, gravity = found.evaluate(q, v)
        golden.assert_close(mass, model.mass_matrix(q), RELATIVE)
        golden.assert_close(coriolis, model.coriolis_matrix(q, v), RELATIVE)
        golden.assert_close(gravity, model.gravity(q), RELATIVE)


class TestRefusals:
    """What cannot be derived, and why."""

    @pytest.mark.parametrize(
        'names, words',
        [
            (['theta'], 'has 1 names; expected 2, for the joints joint1, joint2'),
            (['theta', 'theta'], 'twice'),
            (['theta', 'theta_dot'], 'twice'),
            (['1st', 'd'], 'no name for a variable'),
            (['lambda', 'd'], 'no name for a variable'),
            (['q', 'd'], 'a meaning of its own'),
            (['theta', 'm2'], 'the name of a constant'),
        ],
    )
    def test_names(self, names, words):
        with pytest.raises(ParameterError, match=words):
            derive(arm('rp_arm'), names=names)

    def test_constant_names_are_free_when_numbers_are_taken(self):
        found = derive(arm('rp_arm'), names=['m1', 'm2'], named=False)
        assert str(found.V[1]) == '-1.5*m1_dot**2*m2'

    def test_too_large(self, monkeypatch):
        model = load_robot('puma560')
        monkeypatch.setattr(assembly, 'MAX_TERMS', 100)
        with pytest.raises(ModelError, match='too large.*at most 100; lock joints'):
            derive(model)
        monkeypatch.setattr(trig_ring, 'MAX_PRODUCT', 100)
        with pytest.raises(ModelError, match='too large.*numerical verification has no limit'):
            derive(model)

    @pytest.mark.parametrize('action', [derive, verify])
    def test_a_payload_is_not_left_out_in_silence(self, action):
        model = arm('arm_2r_rod').with_payload(Payload(frame='tip', mass=1.0))
        with pytest.raises(ModelError, match='carries a payload'):
            action(model)
        action(model.with_payload(None))

    def test_without_sympy(self, monkeypatch):
        monkeypatch.setitem(sys.modules, 'sympy', None)
        with pytest.raises(RobotDynamicsError, match=r"pip install 'robot_dynamics\[symbolic\]'"):
            derive(arm('rp_arm'))
        found = verify(arm('rp_arm'))
        assert found.method == BY_NUMBERS and found.passed

    def test_sympy_is_loaded_only_when_needed(self):
        code = (
            'import sys, robot_dynamics.symbolic as s; from robot_dynamics import load_robot; '
            "assert s.verify(load_robot('puma560')).passed; assert 'sympy' not in sys.modules"
        )
        subprocess.run([sys.executable, '-c', code], check=True, timeout=60)

    def test_description_is_enough(self):
        model = arm('rp_arm')
        assert derive(model.description).M == derive(model).M

    def test_progress(self):
        seen = []
        derive(arm('rp_arm'), progress=lambda what, done, total: seen.append((done, total)))
        assert len(seen) > 20 and all(0 <= done < total for done, total in seen)


class TestVerify:
    """Lagrange against Pinocchio."""

    @pytest.mark.parametrize('name', ['vertical_mass', 'rp_arm', 'arm_2r', 'arm_2r_point'])
    def test_small_robots_by_both_methods(self, name):
        model = load_robot(name)
        closed, numbers = verify(model), verify(model, method='numbers')
        assert (closed.method, numbers.method) == (CLOSED_FORM, BY_NUMBERS)
        assert closed.states == numbers.states == 50
        assert closed.largest <= RELATIVE and numbers.largest <= RELATIVE
        assert closed.passed and set(closed.differences) == {'M', 'C v', 'G', 'tau'}

    def test_puma_by_both_methods(self):
        model = load_robot('puma560')
        found = verify(model)
        assert found.method == BY_NUMBERS and found.largest <= RELATIVE
        found = verify(model, method='closed_form', states=10)
        assert found.method == CLOSED_FORM and found.largest <= RELATIVE

    @pytest.mark.parametrize('method', ['closed_form', 'numbers'])
    @pytest.mark.parametrize('joints', [None, ['slide']])
    def test_followers_motors_and_tilted_gravity(self, method, joints):
        model = RobotModel.from_urdf(GRIPPER, overlay=MOTORS, joints=joints)
        assert len(model.follower_names) == 4 and model.nv == 2
        assert verify(model, method=method).largest <= RELATIVE

    @pytest.mark.skipif(
        not golden.example_robots().is_dir(), reason='needs the package example-robot-data'
    )
    @pytest.mark.parametrize(
        'path',
        [
            'panda_description/urdf/panda.urdf',
            'ur_description/urdf/ur5_robot.urdf',
            'z1_description/urdf/z1.urdf',
            'tiago_description/robots/tiago_no_hand.urdf',
        ],
    )
    def test_real_robots(self, path):
        found = verify(load_robot(golden.example_robots() / path))
        assert found.largest <= 1e-10 < LIMIT and found.method == BY_NUMBERS

    @pytest.mark.parametrize('method', ['closed_form', 'numbers'])
    @pytest.mark.parametrize(
        'name, wrong, blamed',
        [
            ('gravity', lambda model, value: value * (1.0 + 1e-7), 'G'),
            ('mass_matrix', lambda model, value: value * (1.0 + 1e-7), 'M'),
            ('coriolis_matrix', lambda model, value: value * (1.0 + 1e-7), 'C v'),
            ('inverse_dynamics', lambda model, value: value + 1e-5, 'tau'),
            ('gravity', lambda model, value: value * np.nan, 'G'),
        ],
    )
    def test_a_wrong_term_is_seen(self, monkeypatch, method, name, wrong, blamed):
        right = getattr(RobotModel, name)
        monkeypatch.setattr(
            RobotModel, name, lambda self, *state: wrong(self, right(self, *state))
        )
        found = verify(load_robot('arm_2r'), method=method)
        assert not found.passed and 'DOES NOT AGREE' in str(found)
        assert not found.differences[blamed] <= LIMIT
        others = [value for key, value in found.differences.items() if key != blamed]
        assert max(others) <= RELATIVE

    def test_same_seed_same_states(self):
        model = load_robot('puma560')
        assert verify(model, seed=3) == verify(model, seed=3)
        assert verify(model, seed=3) != verify(model, seed=4)

    def test_settings(self):
        model = load_robot('rp_arm')
        with pytest.raises(ParameterError, match='one of: auto, closed_form, numbers'):
            verify(model, method='guess')
        with pytest.raises(ParameterError, match='1 or more'):
            verify(model, states=0)

    def test_report_is_one_line(self):
        text = str(verify(load_robot('rp_arm'), states=3))
        assert text.startswith("rp_arm: Pinocchio agrees with Lagrange's equations, closed form")
        assert '3 random states' in text and '\n' not in text
