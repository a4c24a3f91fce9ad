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

"""The demo: once for real as a subprocess, and its parts by themselves."""

from __future__ import annotations

from io import StringIO
import os
import re
import signal
import subprocess
import sys

import numpy as np
import pytest
from rich.console import Console
from robot_dynamics.cli import demo_processes
from robot_dynamics.cli.demo_nodes import NodeSpec
from robot_dynamics.cli.demo_processes import DemoError, NodeProcess
from robot_dynamics.cli.demo_result import DemoResult, print_results
from robot_dynamics.cli.demo_scenes import (
    ACTS,
    COMPUTED_TORQUE,
    DemoOptions,
    effort_gains,
    FEEDFORWARD,
    NATURAL_FREQUENCY,
    PD,
    PERIOD,
    SCENES,
)
from robot_dynamics.cli.demo_view import JointNow, LiveView, make_view, Now, PlainView
from robot_dynamics.cli.main import main
from robot_dynamics.cli.recording import Phase, Recording
from robot_dynamics.model import load_robot

SECONDS = 5.0  # of each run: the shortest in which the comparison is fair
LONG_GAP = 0.05  # [s] without a command, from where on the errors tell of the machine


def demo_process(arguments, folder, **options):
    """Start the demo in a folder, with the package that is under test."""
    import robot_dynamics

    root = os.path.dirname(os.path.dirname(os.path.abspath(robot_dynamics.__file__)))
    paths = [root, *filter(None, [os.environ.get('PYTHONPATH')])]
    return subprocess.Popen(
        [sys.executable, '-m', 'robot_dynamics.cli.main', 'demo', *arguments],
        cwd=folder,
        env={**os.environ, 'PYTHONPATH': os.pathsep.join(paths)},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )


def child_processes(pid):
    """Return the ids of the nodes that a demo has started."""
    found = []
    for entry in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open(f'/proc/{entry}/stat', encoding='utf-8', errors='replace') as file:
                parent = int(file.read().rpartition(')')[2].split()[1])
        except OSError:
            continue
        if parent == pid:
            found.append(int(entry))
    return found


def is_running(pid):
    """Return whether a process exists and has not ended."""
    try:
        with open(f'/proc/{pid}/stat', encoding='utf-8', errors='replace') as file:
            return file.read().rpartition(')')[2].split()[0] != 'Z'
    except OSError:
        return False


def read_until(process, text):
    """Read the output of a process up to a line with a text; return the lines."""
    lines = []
    for line in process.stdout:
        lines.append(line)
        if text in line:
            return lines
    raise AssertionError(f'no {text!r} in: {"".join(lines)}{process.stderr.read()}')


def thousandths(cells):
    """Return the RMS errors in a row of the table of results [mrad or mm]."""
    return [float(value) for value in re.findall(r'([\d.e+-]+) m(?:rad|m)\b', cells)]


@pytest.fixture(scope='module')
def played(tmp_path_factory):
    """Play the demo once, from an empty folder; return its folder and its output."""
    pytest.importorskip('rclpy')
    folder = tmp_path_factory.mktemp('empty')
    process = demo_process(['--seconds', str(SECONDS)], folder)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, '')
    return folder, out


@pytest.mark.slow
def test_the_demo_prints_plain_lines_and_writes_a_picture(played):
    folder, out = played
    assert '\x1b' not in out
    for scene in SCENES:
        for act in ACTS:
            assert re.search(rf'{scene.title} .* {re.escape(act.label)} .*joint2', out)
    assert len([line for line in out.splitlines() if '×' in line]) == 4
    picture = folder / 'robot_dynamics_demo.png'
    assert f'wrote {picture}' in out
    assert picture.read_bytes().startswith(b'\x89PNG\r\n\x1a\n')
    assert list(folder.iterdir()) == [picture]


@pytest.mark.slow
def test_the_demo_shows_that_the_model_pays(played):
    _, out = played
    gaps = [float(gap) for gap in re.findall(r'longest gap (\d+) ms', out)]
    assert len(gaps) == 2
    if max(gaps) > 1e3 * LONG_GAP:
        pytest.skip(f'the machine stalled for {max(gaps):g} ms: errors cannot be compared')
    for row in (line for line in out.splitlines() if '×' in line):
        alone, same, computed = thousandths(row)
        assert alone > 3.0 * same and alone > 3.0 * computed, row


@pytest.mark.slow
@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_demo_leaves_nothing_behind(tmp_path, number):
    pytest.importorskip('rclpy')
    process = demo_process([], tmp_path)
    read_until(process, 'gravity compensation')
    nodes = child_processes(process.pid)
    assert len(nodes) == 3
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert err == 'robot_dynamics demo: interrupted\n'
    assert not any(is_running(node) for node in nodes)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_node_that_ends_ends_the_demo_with_its_name(tmp_path):
    pytest.importorskip('rclpy')
    process = demo_process([], tmp_path)
    read_until(process, 'gravity compensation')
    nodes = child_processes(process.pid)
    for node in nodes:
        with open(f'/proc/{node}/cmdline', encoding='utf-8') as file:
            if 'simulator_node' in file.read():
                os.kill(node, signal.SIGKILL)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 1
    assert err.startswith('robot_dynamics demo: simulator_node: has ended with exit code -9')
    assert err.count('\n') == 1
    assert not any(is_running(node) for node in nodes)


def test_a_sine_that_was_not_followed_is_no_result(tmp_path):
    pytest.importorskip('rclpy')
    from robot_dynamics.cli.demo_run import DemoRun

    options = DemoOptions(seconds=10.0, mass_error=0.0, plant='pinocchio')
    run = DemoRun(SCENES[0], options, tmp_path, PlainView(console(False)))
    swing = np.sin(np.linspace(0.0, 7.0, 100))[:, None] * SCENES[0].amplitude
    run._check_motion(swing, Phase('computed torque', 0.0, 1.0))
    for still in (0.1 * swing, swing * [1.0, 0.0], np.full_like(swing, np.nan)):
        with pytest.raises(DemoError, match="not followed in 'computed torque'"):
            run._check_motion(still, Phase('computed torque', 0.0, 1.0))


def test_without_rclpy_the_demo_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, 'rclpy', None)
    assert main(['demo']) == 1
    captured = capsys.readouterr()
    assert captured.out == '' and captured.err.count('\n') == 1
    assert 'robot_dynamics[ros]' in captured.err


def test_a_run_that_is_too_short_is_refused(capsys):
    assert main(['demo', '--seconds', '1']) == 2
    assert '--seconds' in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_refused_before_the_run(tmp_path, capsys):
    pytest.importorskip('rclpy')
    (tmp_path / 'file').write_text('')
    assert main(['demo', '--output', str(tmp_path / 'file' / 'folder')]) == 1
    assert '--output' in capsys.readouterr().err


class TestScenes:
    """The motions that are played."""

    @pytest.mark.parametrize('scene', SCENES, ids=[scene.robot for scene in SCENES])
    def test_the_sine_stays_within_all_limits(self, scene):
        model = load_robot(scene.robot)
        center, amplitude = np.array(scene.center), np.array(scene.amplitude)
        assert (center - amplitude > model.limits.lower).all()
        assert (center + amplitude < model.limits.upper).all()
        # in the shortest run that is allowed
        assert (amplitude * scene.angular_frequency(4.0) < model.limits.velocity).all()

    def test_a_window_of_errors_holds_whole_oscillations(self):
        for scene in SCENES:
            for frequency in scene.angular_frequency(10.0):
                cycles = frequency * PERIOD * 10.0 / (2.0 * np.pi)
                assert cycles == pytest.approx(round(cycles)) and cycles > 0.5

    def test_acts_fill_the_run(self):
        assert sum(act.share for act in ACTS) == pytest.approx(1.0)
        assert all(act.share > PERIOD for act in ACTS)

    def test_effort_gains_are_as_stiff_as_acceleration_gains(self):
        model = load_robot('arm_2r')
        kp, kd = effort_gains(model, (0.0, 0.0))
        inertia = np.array([1.2566666666666666, 0.10666666666666667])  # [kg m^2] M_ii, golden data
        np.testing.assert_allclose(kp, NATURAL_FREQUENCY**2 * inertia, rtol=1e-12)
        np.testing.assert_allclose(kd, 2.0 * NATURAL_FREQUENCY * inertia, rtol=1e-12)


class TestProcesses:
    """Starting and ending nodes."""

    def node(self, folder, module='reference_node'):
        """Start a node with no parameters."""
        return NodeProcess(NodeSpec(module, {}, {}), '/test_demo', folder)

    def test_a_node_that_does_not_exist_is_named_with_what_was_said(self, tmp_path):
        with demo_processes.running([]) as processes:
            processes.append(self.node(tmp_path, 'no_such_node'))
            with pytest.raises(DemoError, match='no_such_node') as caught:
                demo_processes.wait_until(lambda: False, processes, 30.0, 'nothing', lambda: None)
        assert 'No module named' in str(caught.value)

    def test_patience_has_an_end(self, tmp_path):
        with pytest.raises(DemoError, match='the moon did not come within 0.01 s'):
            demo_processes.wait_until(lambda: False, [], 0.01, 'the moon', lambda: None)

    def test_processes_are_ended_when_the_block_fails(self, tmp_path):
        pytest.importorskip('rclpy')
        with pytest.raises(RuntimeError, match='on purpose'):
            with demo_processes.running([]) as processes:
                processes.append(self.node(tmp_path))
                raise RuntimeError('on purpose')
        assert not is_running(processes[0].pid)

    def test_the_domain_of_the_shell_comes_back(self, monkeypatch):
        monkeypatch.setenv('ROS_DOMAIN_ID', '77')
        monkeypatch.setenv('ROS_STATIC_PEERS', '192.168.1.2')
        monkeypatch.delenv('ROS_AUTOMATIC_DISCOVERY_RANGE', raising=False)
        with demo_processes.private_domain():
            assert os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] == 'LOCALHOST'
            assert 'ROS_STATIC_PEERS' not in os.environ
            assert 1 <= int(os.environ['ROS_DOMAIN_ID']) <= 101
        assert os.environ['ROS_DOMAIN_ID'] == '77'
        assert os.environ['ROS_STATIC_PEERS'] == '192.168.1.2'
        assert 'ROS_AUTOMATIC_DISCOVERY_RANGE' not in os.environ

    @pytest.mark.parametrize(
        ('value', 'text'),
        [
            (True, 'true'),
            (1.0, '1.0'),
            (3, '3'),
            ([0.5, -1.0], '[0.5, -1.0]'),
            ('pd', 'pd'),
            (1e-9, '1e-09'),
        ],
    )
    def test_parameters_as_ros_arguments(self, value, text):
        assert NodeSpec('a_node', {'p': value}, {'from': 'to'}).arguments('/here') == [
            '-r',
            '__ns:=/here',
            '-r',
            'from:=to',
            '-p',
            f'p:={text}',
        ]


def test_series_hold_the_newest_value_for_a_while():
    pytest.importorskip('rclpy')
    from robot_dynamics.cli.demo_listener import Series
    from sensor_msgs.msg import JointState

    series = Series(('b', 'a'), 'effort')
    for seconds in (1, 2):
        message = JointState(name=['a', 'x', 'b'], effort=[1.0 * seconds, 9.0, 10.0 * seconds])
        message.header.stamp.sec = seconds
        series.take(message)
    series.take(JointState(name=['a'], effort=[5.0]))
    series.take(JointState(name=['a', 'b']))
    assert series.stamps == [1.0, 2.0]
    np.testing.assert_array_equal(
        series.at(np.array([0.5, 1.0, 1.1, 1.5, 2.0]), 0.2),
        [[np.nan, np.nan], [10.0, 1.0], [10.0, 1.0], [np.nan, np.nan], [20.0, 2.0]],
    )
    assert series.newest(1.5) == [20.0, 2.0]
    assert np.isnan(series.newest(2.5)).all()


NAN = float('nan')
JOINTS = (
    JointNow('joint1', 'rad', 'N·m', 0.5, 0.501, 0.00123, 9.81, 10.5),
    JointNow('joint2', 'm', 'N', 0.25, NAN, NAN, NAN, NAN),
)


def console(terminal):
    """Return a console that writes into memory."""
    return Console(file=StringIO(), force_terminal=terminal, width=100, highlight=False)


class TestView:
    """What the terminal shows."""

    def test_the_kind_of_view_follows_the_console(self):
        assert isinstance(make_view(console(True)), LiveView)
        assert isinstance(make_view(console(False)), PlainView)

    @pytest.mark.parametrize('width', [80, 100])
    def test_the_live_table_shows_all_columns(self, width):
        shown = console(True)
        shown.width = width
        with make_view(shown) as view:
            view.show(Now('an arm', COMPUTED_TORQUE, 3.2, 10.0, 499.6, JOINTS))
        text = re.sub(r'\x1b\[[\d;?]*[a-zA-Z]', '', shown.file.getvalue())
        for part in (
            'an arm  3.2 / 10.0 s',
            'computed torque',
            '0.500 rad',
            '0.501 rad',
            '1.23 mrad',
            '9.81 N·m',
            '10.50 N·m',
            '0.250 m',
            '500 commands/s',
        ):
            assert part in text
        assert '…' not in text

    def test_plain_lines_come_once_a_second_and_with_each_act(self):
        shown = console(False)
        with make_view(shown) as view:
            for act in (None, None, *ACTS, ACTS[-1]):
                view.show(Now('an arm', act, 3.2, 10.0, NAN if act is None else 500.0, JOINTS))
        lines = shown.file.getvalue().splitlines()
        assert lines[0] == 'an arm  starting the nodes'
        assert len(lines) == 1 + len(ACTS)
        assert 'joint1: 0.500 rad (error 1.23 mrad), 10.50 N·m' in lines[1]

    def results(self, gap):
        recording = Recording(
            title='an arm',
            joint_names=('joint1', 'joint2'),
            units=('rad', 'm'),
            effort_units=('N·m', 'N'),
            time=np.zeros(0),
            position=np.zeros((0, 2)),
            reference=np.zeros((0, 2)),
            error=np.zeros((0, 2)),
            terms={},
            command=np.zeros((0, 2)),
        )
        errors = {
            PD.label: np.array([0.05, 0.02]),
            FEEDFORWARD.label: np.array([0.001, 0.002]),
            COMPUTED_TORQUE.label: np.array([0.0005, 0.0001]),
        }
        return [DemoResult(recording, errors, 500.0, gap)]

    def test_results_name_the_baseline_and_the_masses(self):
        shown = console(False)
        print_results(shown, self.results(0.004), 0.05)
        text = shown.file.getvalue()
        rows = [line.split() for line in text.splitlines() if '×' in line]
        assert rows[0] == ['an', 'arm', 'joint1', '50', 'mrad', '1', 'mrad', '50×', '0.5', 'mrad']
        assert rows[1] == ['joint2', '20', 'mm', '2', 'mm', '10×', '0.1', 'mm']
        assert 'the same effort gains' in text and '+5 % off the model' in text
        assert 'busy' not in text

    def test_a_machine_that_stalled_is_named(self):
        shown = console(False)
        print_results(shown, self.results(0.2), 0.0)
        assert 'for 200 ms no command was sent' in shown.file.getvalue()
