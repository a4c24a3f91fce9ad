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

"""The verb check: findings as text and JSON, exit codes, verification."""

import json

import golden
import pytest
from robot_dynamics import load_robot
from robot_dynamics.cli.main import main


@pytest.fixture
def arm(tmp_path):
    """Return a URDF of the 2R arm that may be changed."""
    path = tmp_path / 'arm.urdf'
    path.write_text(load_robot('arm_2r').urdf)
    return path


def change(path, old, new):
    """Replace a part of a file, which must be there."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_good_robot_passes_with_nothing_to_say(capsys):
    assert main(['check', 'rp_arm', '--strict', '--verify']) == 0
    out = capsys.readouterr().out
    assert 'passed: 0 errors, 0 warnings, 0 notes' in out
    assert 'Lagrange' in out and 'e-' in out


def test_error_names_element_value_reason_and_cure(arm, capsys):
    change(arm, 'mass value="3.0"', 'mass value="3,0"')
    assert main(['check', str(arm)]) == 1
    out = capsys.readouterr().out
    for part in (
        'error',
        "link 'link1'",
        'decimal comma',
        '3,0',
        'why:',
        'do:',
        'failed: 1 error',
    ):
        assert part in out


def test_warnings_fail_only_when_strict(arm, capsys):
    change(arm, 'effort="150.0"', 'effort="0.0"')
    assert main(['check', str(arm)]) == 0
    assert main(['check', str(arm), '--strict']) == 1
    assert 'failed: 0 errors, 1 warning, 0 notes' in capsys.readouterr().out


def test_json_carries_every_part(arm, capsys):
    change(arm, 'effort="150.0"', 'effort="10.0"')
    assert main(['check', str(arm), '--json', '--verify']) == 0
    result = json.loads(capsys.readouterr().out)
    (finding,) = result['findings']
    assert finding['severity'] == 'warning' and finding['code'] == 'gravity_limit'
    assert all(finding[part] for part in ('element', 'value', 'what', 'why', 'remedy'))
    assert result['passed'] and result['verified']['agrees']
    assert result['verified']['difference'] <= 1e-8


def test_overlay_answers_findings(arm, tmp_path, capsys):
    change(arm, 'effort="150.0"', 'effort="0.0"')
    overlay = tmp_path / 'overlay.yaml'
    overlay.write_text('robot_dynamics_overlay: 1\njoints:\n  joint1: {effort: 150.0}\n')
    assert main(['check', str(arm), '--overlay', str(overlay), '--strict']) == 0
    capsys.readouterr()


def test_missing_file_is_one_line(capsys):
    assert main(['check', 'nothing.urdf']) == 1
    captured = capsys.readouterr()
    assert captured.out == '' and captured.err.count('\n') == 1


@pytest.mark.parametrize(
    'folder',
    sorted(path.name for path in (golden.DATA / 'cases').iterdir() if list(path.glob('*.urdf'))),
)
def test_every_case_file_gets_a_verdict(folder, capsys):
    for path in sorted((golden.DATA / 'cases' / folder).glob('*.urdf')):
        code = main(['check', str(path), '--json'])
        result = json.loads(capsys.readouterr().out)
        errors = [each for each in result['findings'] if each['severity'] == 'error']
        assert code == (1 if errors else 0)
        assert all(each['remedy'] for each in result['findings']), path
