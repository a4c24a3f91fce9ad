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

"""The verb identify: tables, JSON, exit codes, and no undetermined mass among the results."""

import json
import re

import golden
import pytest
from robot_dynamics.cli.main import main

RANK_CASE = golden.DATA / 'cases' / '49_rank_deficient'
SIGN_CASE = golden.DATA / 'cases' / '50_physically_inconsistent'


def run(case, name, *more):
    """Run the verb on a recording of a case; return the exit code."""
    return main(['identify', str(case / 'arm.urdf'), str(case / name), *more])


def test_json_has_rank_condition_and_combinations(capsys):
    assert run(RANK_CASE, 'a_rich.csv', '--json') == 0
    data = json.loads(capsys.readouterr().out)
    assert (data['rank'], data['columns'], data['structural_rank']) == (6, 20, 6)
    assert data['condition'] == pytest.approx(14.3, rel=0.01)
    values = {entry['name']: entry['value'] for entry in data['base_parameters']}
    assert values['fore m*cx'] == pytest.approx(0.2, abs=1e-8)
    assert values['upper m*cx + 0.5 fore m'] == pytest.approx(1.0, abs=1e-8)
    assert data['physically_consistent'] is True and data['warnings'] == []
    assert max(data['rms_error']['bodies']['hold_out']) < 1e-6


def test_json_without_hold_out(capsys):
    assert run(RANK_CASE, 'd_five.csv', '--json') == 0
    data = json.loads(capsys.readouterr().out)
    assert data['rms_error']['prior']['hold_out'] is None
    assert any('condition number is 8.38e+03' in text for text in data['warnings'])


@pytest.mark.parametrize('options', [(), ('--json',)])
def test_no_undetermined_mass_is_printed(capsys, options):
    assert run(RANK_CASE, 'a_rich.csv', *options) == 0
    out = capsys.readouterr().out
    # a mass stands behind other parameters only, never alone
    assert '+ 0.5 fore m' in out
    assert not re.search(r'^\W*(name\W+)?(upper|fore) m\b(?!\*)', out, re.MULTILINE)
    assert '0.46' not in out  # what plain least squares makes of a mass


def test_table(capsys):
    assert run(SIGN_CASE, 'a_noise.csv') == 0
    out = capsys.readouterr().out
    assert 'rank 6 of 20 columns' in out and 'condition number 14.3' in out
    assert 'upper Iyy + 0.25 fore m' in out
    assert 'positive mass and positive definite pseudo-inertia' in out
    assert '1 = shoulder, 2 = elbow' in out


@pytest.mark.parametrize(
    ('case', 'name', 'words'),
    [
        (RANK_CASE, 'c_still.csv', 'no joint moves'),
        (SIGN_CASE, 'b_sign.csv', "'elbow' runs against"),
        (SIGN_CASE, 'c_mNm.csv', 'mN·m'),
        (SIGN_CASE, 'absent.csv', 'cannot be read'),
    ],
)
def test_refusals_are_one_line_and_exit_code_1(capsys, case, name, words):
    assert run(case, name) == 1
    captured = capsys.readouterr()
    assert captured.out == '' and words in captured.err
    assert captured.err.startswith('robot_dynamics identify: ') and captured.err.count('\n') == 1


def test_a_missing_recording_argument_is_a_usage_error(capsys):
    assert main(['identify', 'arm_2r']) == 2
    assert 'RECORDING' in capsys.readouterr().err
