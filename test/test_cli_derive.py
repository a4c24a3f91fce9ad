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

"""The verb derive, run in this process and once as a program."""

from pathlib import Path
import subprocess
import sys

import golden
import numpy as np
import pytest
from robot_dynamics.cli.main import main


def run(capsys, *arguments):
    """Run the verb and return what it printed."""
    code = main(['derive', *arguments])
    out, err = capsys.readouterr()
    assert code == 0, err
    assert err == ''
    return out


def refused(capsys, code, *arguments):
    """Run the verb, which must fail with one line, and return that line."""
    assert main(['derive', *arguments]) == code
    out, err = capsys.readouterr()
    assert out == '' and err.count('\n') == 1 and err.startswith('robot_dynamics derive: ')
    return err


@pytest.mark.parametrize('names', [['theta,d'], ['theta', 'd']])
def test_textbook_of_the_rp_arm(capsys, names):
    text = run(capsys, 'rp_arm', '--names', *names)
    for line in (
        'M[1,1] = J1 + J2 + d**2*m2 + l1**2*m1',
        'M[2,2] = m2',
        'V[1] = 2*d*d_dot*m2*theta_dot',
        'V[2] = -d*m2*theta_dot**2',
        'G[1] = g*(d*m2 + l1*m1)*cos(theta)',
        'G[2] = g*m2*sin(theta)',
    ):
        assert line in text.splitlines()


def test_numbers(capsys):
    text = run(capsys, 'arm_2r', '--numbers')
    assert 'G[1] = 17.1675*cos(q1) + 3.924*cos(q1 + q2)' in text.splitlines()


def test_latex(capsys):
    text = run(capsys, 'arm_2r', '--format', 'latex')
    assert text.count(r'\begin{align*}') == text.count(r'\end{align*}') == 6
    assert r'V_{2} &= l_{1} l_{c2} m_{2} \dot{q}_{1}^{2} \sin{\left(q_{2} \right)}' in text


@pytest.mark.parametrize('more', [[], ['--numbers'], ['--numbers', '--no-simplify']])
def test_python_file_gives_the_golden_numbers(capsys, tmp_path, more):
    path = tmp_path / 'equations.py'
    out = run(capsys, 'arm_2r', '--format', 'python', '--output', str(path), *more)
    assert out == f'wrote {path}\n'
    namespace = {}
    exec(path.read_text(encoding='utf-8'), namespace)
    for entry in golden.load('arm_2r_rod')['random']:
        state = (np.array(entry[key]) for key in ('q', 'qd', 'qdd'))
        golden.assert_close(namespace['inverse_dynamics'](*state), entry['tau'], 1e-12)


def test_choices_of_the_robot_are_taken(capsys):
    text = run(capsys, 'arm_2r', '--joints', 'joint2,joint1', '--gravity', '0,0,9.81')
    assert "q1, qd1, qdd1: position, velocity and acceleration of 'joint2'" in text
    assert ' g = -9.81 ' in text


def test_refusals(capsys, tmp_path):
    assert 'has 1 names; expected 2' in refused(capsys, 1, 'rp_arm', '--names', 'theta')
    assert 'no such file' in refused(capsys, 1, str(tmp_path / 'no.urdf'))
    file = tmp_path / 'file'
    file.write_text('')
    for target in (file / 'equations.py', tmp_path):
        assert 'cannot be written' in refused(capsys, 1, 'rp_arm', '--output', str(target))


def test_sympy_is_asked_for_in_one_line(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, 'sympy', None)
    line = refused(capsys, 1, 'rp_arm')
    assert "pip install 'robot_dynamics[symbolic]'" in line


def test_as_a_program_without_a_terminal():
    """No progress bar reaches a log."""
    done = subprocess.run(
        [sys.executable, '-m', 'robot_dynamics.cli.main', 'derive', 'vertical_mass'],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        cwd=Path(__file__).parents[1],
    )
    assert done.stderr == ''
    assert 'tau[1] = g*m1 + m1*qdd1' in done.stdout.splitlines()
