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

"""The verbs info, torque and simulate: what they print, write and refuse."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys

import golden
import numpy as np
import pytest
from robot_dynamics.cli.main import main, VERBS
from robot_dynamics.model import find_robot

SPECIAL = golden.load('arm_2r_rod')['special']


def run(capsys, *arguments):
    """Run a verb; return exit code, stdout and stderr."""
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def run_json(capsys, *arguments):
    """Run a verb that must succeed and print JSON; return the data."""
    code, out, err = run(capsys, *arguments)
    assert (code, err) == (0, '')
    return json.loads(out)


def refused(capsys, code, *arguments):
    """Run a verb that must fail with one line on stderr; return the line."""
    actual, out, err = run(capsys, *arguments)
    assert actual == code and out == ''
    assert err.endswith('\n') and err.count('\n') == 1 and 'Traceback' not in err
    return err


def values(vector):
    """Return a vector as the command line takes it, all digits kept."""
    return ','.join(repr(float(x)) for x in vector)


class TestHelp:
    """Help is there for all verbs, with examples, and does not load what is slow."""

    @pytest.mark.parametrize('verb', sorted(VERBS))
    def test_each_verb_shows_examples(self, capsys, verb):
        code, out, _ = run(capsys, verb, '--help')
        assert code == 0
        assert f'examples:\n  robot_dynamics {verb}' in out

    def test_the_command_shows_its_verbs(self, capsys):
        code, out, _ = run(capsys, '--help')
        assert code == 0
        assert all(verb in out for verb in VERBS)

    def test_no_verb_and_an_unknown_verb_are_usage_errors(self, capsys):
        assert run(capsys)[0] == 2
        code, _, err = run(capsys, 'dance')
        assert code == 2 and 'dance' in err

    def test_help_loads_neither_ros_nor_matplotlib_nor_mujoco(self):
        program = (
            'import sys; from robot_dynamics.cli.main import main; main(["demo", "--help"]);'
            'print([m for m in ("rclpy", "matplotlib", "mujoco", "scipy") if m in sys.modules],'
            ' file=sys.stderr)'
        )
        done = subprocess.run([sys.executable, '-c', program], capture_output=True, text=True)
        assert done.stderr == '[]\n'


class TestInfo:
    """The verb info."""

    def test_table_has_joints_limits_masses_and_tree(self, capsys):
        code, out, err = run(capsys, 'info', 'rp_arm')
        assert (code, err) == (0, '')
        lines = [line.split() for line in out.splitlines()]
        assert [
            'joint2',
            'prismatic',
            'commanded',
            '0.1',
            '…',
            '0.9',
            'm',
            '3',
            'm/s',
            '150',
            'N',
        ] in lines
        assert ['total', '4.5'] in lines
        assert 'gravity (0, 0, -9.81) m/s² in base_link' in out
        assert '└─ joint1 (revolute) → link1' in out

    def test_json_has_the_golden_masses(self, capsys):
        params = golden.load('rp_arm')['params']
        data = run_json(capsys, 'info', 'rp_arm', '--json')
        assert data['links'] == {
            'base_link': 0.0,
            'link1': params['m1'],
            'link2': params['m2'],
            'tip': 0.0,
        }
        assert data['total_mass'] == params['m1'] + params['m2']
        assert data['gravity'] == [0.0, 0.0, -params['g']]
        assert [joint['unit'] for joint in data['joints']] == ['rad', 'm']
        assert [joint['effort_unit'] for joint in data['joints']] == ['N·m', 'N']
        assert data['findings'] == []

    def test_motors_and_friction_are_shown(self, capsys):
        code, out, _ = run(capsys, 'info', 'puma560')
        assert code == 0 and 'Motors and friction' in out
        data = run_json(capsys, 'info', 'puma560', '--json')
        first = data['joints'][0]
        assert first['motor_inertia'] == pytest.approx(200e-6 * 62.6111**2, rel=1e-12)
        assert first['friction']['coulomb_negative'] == pytest.approx(0.435 * 62.6111, rel=1e-12)
        assert any(finding['severity'] == 'warning' for finding in data['findings'])

    def test_joints_that_are_not_commanded_are_measured(self, capsys):
        data = run_json(capsys, 'info', 'arm_2r', '--joints', 'joint2', '--json')
        assert [(joint['name'], joint['role']) for joint in data['joints']] == [
            ('joint2', 'commanded'),
            ('joint1', 'measured'),
        ]

    def test_limits_that_are_absent_are_null_in_json(self, capsys, tmp_path):
        text = golden.ROBOTS.joinpath('arm_2r.urdf').read_text()
        path = tmp_path / 'wheel.urdf'
        path.write_text(text.replace('type="revolute"', 'type="continuous"'))
        data = run_json(capsys, 'info', str(path), '--json')
        assert data['joints'][0]['type'] == 'continuous'
        assert data['joints'][0]['lower'] is None

    def test_followers_and_joints_without_an_effort_limit(self, capsys, tmp_path):
        text = golden.ROBOTS.joinpath('arm_2r.urdf').read_text()
        text = text.replace('effort="150', 'effort="0')
        head, tail = text.split('name="joint2"')
        path = tmp_path / 'gripper.urdf'
        path.write_text(
            head
            + 'name="joint2"'
            + tail.replace('</joint>', '<mimic joint="joint1" multiplier="-1"/></joint>', 1)
        )
        code, out, _ = run(capsys, 'info', str(path))
        assert code == 0 and '1 joint,' in out
        assert 'not stated (N·m)' in out
        assert ['joint2', 'revolute', 'follower', '=', '-1', '×', 'joint1'] in [
            line.split() for line in out.splitlines()
        ]

    def test_names_of_a_file_are_not_read_as_markup(self, capsys, tmp_path):
        text = golden.ROBOTS.joinpath('rp_arm.yaml').read_text()
        path = tmp_path / 'robot.yaml'
        text = text.replace('base_link', '"[bold]base"').replace('link1', '"[red]link"')
        path.write_text(text.replace('joint1', '"[green]joint"'))
        code, out, _ = run(capsys, 'info', str(path))
        assert code == 0
        for name in ('in [bold]base', '[red]link', '[green]joint'):
            assert name in out


class TestTorque:
    """The verb torque, against the golden data."""

    @pytest.mark.parametrize('state', SPECIAL, ids=[state['name'] for state in SPECIAL])
    def test_terms_of_the_2r_arm(self, capsys, state):
        data = run_json(
            capsys,
            'torque',
            'arm_2r',
            '--q',
            values(state['q']),
            '--v',
            values(state['qd']),
            '--a',
            values(state['qdd']),
            '--json',
        )
        inertia = np.array(state['M']) @ state['qdd']
        scale = max(np.abs(inertia).max(), np.abs(state['V']).max())
        for term, expected in (
            ('inertia', inertia),
            ('coriolis', state['V']),
            ('gravity', state['G']),
            ('friction', [0.0, 0.0]),
            ('total', state['tau']),
        ):
            golden.assert_close(data[term], expected, 1e-11, scale)

    def test_table_splits_the_effort_with_a_unit_for_each_joint(self, capsys):
        code, out, _ = run(capsys, 'torque', 'rp_arm', '--q', '0,0.5', '--a', '1,1')
        assert code == 0
        rows = [line.split() for line in out.splitlines() if line.strip().startswith('joint')]
        assert rows == [
            ['joint', 'inertia', 'coriolis', 'gravity', 'total', 'unit'],
            ['joint1', '0.6225', '0.0000', '14.7150', '15.3375', 'N·m'],
            ['joint2', '1.5000', '0.0000', '0.0000', '1.5000', 'N'],
        ]

    def test_values_by_name_and_by_order_agree(self, capsys):
        by_order = run_json(capsys, 'torque', 'rp_arm', '--q', '-0.3,0.4', '--v', '0,-2', '--json')
        by_name = run_json(
            capsys,
            'torque',
            'rp_arm',
            '--q',
            'joint2=0.4',
            'joint1=-0.3',
            '--v',
            'joint2=-2',
            '--json',
        )
        spaced = run_json(capsys, 'torque', 'rp_arm', '--q', '-0.3', '0.4', '--v=0,-2', '--json')
        assert by_name == by_order == spaced
        assert by_order['q'] == [-0.3, 0.4]

    def test_gravity_that_points_up_turns_the_sign(self, capsys):
        down = run_json(capsys, 'torque', 'arm_2r', '--q', '0,0', '--json')
        up = run_json(capsys, 'torque', 'arm_2r', '--q', '0,0', '--gravity', '0,0,9.81', '--json')
        assert down['total'] == pytest.approx([21.0915, 3.924], rel=1e-12)
        assert up['total'] == pytest.approx([-21.0915, -3.924], rel=1e-12)

    def test_friction_is_added_when_asked_for(self, capsys):
        arguments = ['torque', 'puma560', '--q', values(np.zeros(6)), '--v', 'joint1=1', '--json']
        without = run_json(capsys, *arguments)
        added = run_json(capsys, *arguments, '--friction')
        difference = np.array(added['total']) - without['total']
        assert without['friction'] == [0.0] * 6
        np.testing.assert_allclose(difference, added['friction'], atol=1e-12)
        # Coulomb 0.395 and viscous 1.48e-3 on the motor's side of a gear of 62.6111
        assert difference[0] == pytest.approx(0.395 * 62.6111 + 1.48e-3 * 62.6111**2, rel=1e-9)


class TestRefusals:
    """What cannot be used is refused in one line that says where and why."""

    def test_a_file_that_does_not_exist(self, capsys):
        line = refused(capsys, 1, 'info', 'no_such_arm.urdf')
        assert 'no_such_arm.urdf' in line and 'arm_2r' in line

    def test_a_file_that_is_no_robot(self, capsys, tmp_path):
        path = tmp_path / 'robot.urdf'
        path.write_text('<robot name="x"><link name="a">')
        assert 'robot.urdf' in refused(capsys, 1, 'torque', str(path), '--q', '0')

    def test_a_folder(self, capsys, tmp_path):
        refused(capsys, 1, 'info', str(tmp_path))

    def test_too_few_values_name_the_joints(self, capsys):
        line = refused(capsys, 2, 'torque', 'arm_2r', '--q', '0.1')
        assert '--q' in line and 'joint1, joint2' in line

    @pytest.mark.parametrize(
        'text', ['1,0,,2', '1,nan', 'inf,0', '0.1;0.2', '1 rad,0', '0,0x1f', '-inf,0', '', '010,0']
    )
    def test_values_that_are_no_plain_numbers(self, capsys, text):
        assert '--q' in refused(capsys, 2, 'torque', 'arm_2r', '--q', text)

    @pytest.mark.parametrize(
        ('entries', 'word'),
        [
            (['joint9=1'], 'joint9'),
            (['joint1=1', 'joint1=2'], 'twice'),
            (['joint1=1', '2'], 'mixes'),
            (['joint1=nan'], 'joint1'),
            (['joint1='], 'joint1'),
        ],
    )
    def test_values_by_name(self, capsys, entries, word):
        assert word in refused(capsys, 2, 'torque', 'arm_2r', '--q', *entries)

    def test_gravity_has_three_numbers(self, capsys):
        assert 'x,y,z' in refused(capsys, 2, 'torque', 'arm_2r', '--q', '0,0', '--gravity', '9.81')

    def test_an_unknown_commanded_joint(self, capsys):
        assert 'joint3' in refused(capsys, 1, 'info', 'arm_2r', '--joints', 'joint1,joint3')

    def test_exit_codes_of_the_process(self, tmp_path):
        for code, arguments in (
            (0, ['torque', 'arm_2r', '--q', '0,0']),
            (1, ['info', 'no_such_arm']),
            (2, ['torque', 'arm_2r', '--q', '1,0,,2']),
        ):
            done = subprocess.run(
                [sys.executable, '-m', 'robot_dynamics.cli.main', *arguments],
                capture_output=True,
                text=True,
                env=source_environment(),
                cwd=tmp_path,
            )
            assert done.returncode == code, done.stderr
            assert 'Traceback' not in done.stderr

    def test_a_reader_that_goes_away_is_no_traceback(self):
        process = subprocess.Popen(
            [sys.executable, '-m', 'robot_dynamics.cli.main', 'info', 'puma560'],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=source_environment(),
        )
        process.stdout.close()
        assert process.stderr.read() == b''
        process.wait()


def source_environment():
    """Return an environment in which a child finds the package that is under test."""
    import robot_dynamics

    root = os.path.dirname(os.path.dirname(os.path.abspath(robot_dynamics.__file__)))
    return {
        **os.environ,
        'PYTHONPATH': os.pathsep.join([root, *filter(None, [os.environ.get('PYTHONPATH')])]),
    }


def simulate(capsys, folder, *arguments):
    """Run simulate into a folder; return the text, the table by column and the files."""
    code, out, err = run(capsys, 'simulate', *arguments, '--output', str(folder))
    assert code == 0, err
    paths = [line.removeprefix('wrote ') for line in out.splitlines() if line.startswith('wrote ')]
    assert [os.path.splitext(path)[1] for path in paths] == ['.csv', '.png']
    with open(paths[0], newline='', encoding='utf-8') as file:
        header, *rows = csv.reader(file)
    table = dict(zip(header, np.array(rows, dtype=float).T))
    with open(paths[1], 'rb') as file:
        assert file.read(8) == b'\x89PNG\r\n\x1a\n'
    return out, table, paths


def rms(table, joint, unit='rad'):
    """Return the RMS error of a joint in a table of simulate."""
    return np.sqrt(np.mean(table[f'e {joint} [{unit}]'] ** 2))


class TestSimulate:
    """The verb simulate."""

    def test_computed_torque_follows_the_sine(self, capsys, tmp_path):
        out, table, paths = simulate(capsys, tmp_path / 'new', 'arm_2r', '--duration', '1')
        assert paths[0] == str(tmp_path / 'new' / 'arm_2r_computed_torque.csv')
        t = table['t [s]']
        np.testing.assert_allclose(t, np.arange(1001) * 1e-3, atol=1e-9)
        np.testing.assert_allclose(table['q_ref joint1 [rad]'], 0.3 * np.sin(2.0 * t), atol=1e-9)
        assert rms(table, 'joint1') < 1e-4
        # the terms are those of the effort
        total = sum(
            table[f'tau_{term} joint1 [N·m]']
            for term in ('inertia', 'coriolis', 'gravity', 'friction', 'feedback')
        )
        np.testing.assert_allclose(total, table['tau joint1 [N·m]'], atol=1e-8)
        # the table that is printed says the same as the file
        row = next(line.split() for line in out.splitlines() if line.startswith(' joint1'))
        assert row[2] == 'mrad'
        assert float(row[1]) == pytest.approx(1e3 * rms(table, 'joint1'), rel=1e-3)

    def test_the_model_pays(self, capsys, tmp_path):
        same = [
            'arm_2r',
            '--mass-error',
            '5%',
            '--duration',
            '2',
            '--kp',
            '400,150',
            '--kd',
            '40,4',
        ]
        _, alone, _ = simulate(capsys, tmp_path, *same, '--mode', 'pd')
        _, model, _ = simulate(capsys, tmp_path, *same, '--mode', 'feedforward')
        for joint in ('joint1', 'joint2'):
            assert rms(alone, joint) > 10.0 * rms(model, joint) > 0.0

    def test_gravity_compensation_holds_by_itself(self, capsys, tmp_path):
        _, table, _ = simulate(
            capsys,
            tmp_path,
            'rp_arm',
            '--mode',
            'gravity_compensation',
            '--center',
            '0.7,0.4',
            '--duration',
            '2',
        )
        np.testing.assert_allclose(table['q joint1 [rad]'], 0.7, atol=1e-9)
        np.testing.assert_allclose(table['q joint2 [m]'], 0.4, atol=1e-9)

    def test_joints_without_limits(self, capsys, tmp_path):
        text = golden.ROBOTS.joinpath('arm_2r.urdf').read_text()
        path = tmp_path / 'wheel.urdf'
        path.write_text(text.replace('type="revolute"', 'type="continuous"'))
        _, table, _ = simulate(capsys, tmp_path, str(path), '--duration', '0.2')
        assert rms(table, 'joint2') < 1e-3

    def test_rest_to_rest_ends_at_the_goal(self, capsys, tmp_path):
        _, table, _ = simulate(
            capsys,
            tmp_path,
            'rp_arm',
            '--reference',
            'rest_to_rest',
            '--goal',
            'joint2=0.7',
            '--duration',
            '2',
        )
        assert table['q joint2 [m]'][0] == 0.5
        assert table['q joint2 [m]'][-1] == pytest.approx(0.7, abs=1e-4)
        assert table['q_ref joint1 [rad]'][-1] == 0.0

    def test_a_reference_file(self, capsys, tmp_path):
        path = tmp_path / 'points.yaml'
        path.write_text(
            'joint_names: [joint2, joint1]\npoints:\n'
            '  - {time: 0.0, positions: [0.5, 0.0]}\n  - {time: 0.8, positions: [0.6, 0.4]}\n'
        )
        _, table, _ = simulate(
            capsys, tmp_path, 'rp_arm', '--reference', str(path), '--rate', '500'
        )
        assert table['t [s]'][-1] == pytest.approx(0.8)
        assert len(table['t [s]']) == 401
        assert table['q_ref joint1 [rad]'][-1] == pytest.approx(0.4, abs=1e-12)
        assert table['q joint2 [m]'][-1] == pytest.approx(0.6, abs=1e-3)

    def test_mujoco_moves_as_pinocchio_does(self, capsys, tmp_path):
        pytest.importorskip('mujoco')
        same = ['rp_arm', '--mode', 'pd', '--duration', '1']
        _, one, _ = simulate(capsys, tmp_path, *same)
        _, other, _ = simulate(capsys, tmp_path, *same, '--plant', 'mujoco')
        for column in ('q joint1 [rad]', 'q joint2 [m]'):
            np.testing.assert_allclose(one[column], other[column], atol=1e-3)

    def test_no_progress_bar_without_a_terminal(self, capsys, tmp_path):
        code, _, err = run(
            capsys, 'simulate', 'rp_arm', '--duration', '0.1', '--output', str(tmp_path)
        )
        assert (code, err) == (0, '')

    @pytest.mark.parametrize(
        ('code', 'arguments', 'word'),
        [
            (2, ['--reference', 'no_such.yaml'], 'no_such.yaml'),
            (2, ['--kp', '1,2,3'], 'joint1, joint2'),
            (1, ['--kp', '-1,2'], 'kp'),
            (2, ['--mode', 'dance'], 'dance'),
            (2, ['--duration', '0'], '0'),
            (2, ['--rate', 'nan'], 'nan'),
            (2, ['--mass-error', '-100%'], '-100%'),
            (2, ['--amplitude', '0.1'], '--amplitude'),
        ],
    )
    def test_refusals(self, capsys, tmp_path, code, arguments, word):
        actual, out, err = run(capsys, 'simulate', 'arm_2r', *arguments, '--output', str(tmp_path))
        assert actual == code and out == '' and word in err
        assert list(tmp_path.iterdir()) == []

    def test_a_broken_reference_file_is_named_with_its_line(self, capsys, tmp_path):
        path = tmp_path / 'points.yaml'
        path.write_text(
            'joint_names: [joint1, joint2]\npoints:\n  - {time: 0.0, positions: [0.5, 0,5]}\n'
        )
        line = refused(capsys, 1, 'simulate', 'arm_2r', '--reference', str(path))
        assert 'points.yaml:3' in line

    def test_a_folder_that_cannot_be_made(self, capsys, tmp_path):
        (tmp_path / 'file').write_text('')
        line = refused(capsys, 1, 'simulate', 'arm_2r', '--output', str(tmp_path / 'file' / 'x'))
        assert '--output' in line


def test_info_shows_locked_joints(tmp_path, capsys):
    overlay = tmp_path / 'overlay.yaml'
    overlay.write_text('robot_dynamics_overlay: 1\njoints:\n  joint2: {locked: 0.7}\n')
    arguments = ['info', str(find_robot('arm_2r.urdf')), '--overlay', str(overlay)]
    assert main(arguments) == 0
    assert 'locked' in capsys.readouterr().out
    assert main([*arguments, '--json']) == 0
    assert json.loads(capsys.readouterr().out)['locked'] == {'joint2': 0.7}
