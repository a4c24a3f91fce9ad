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

"""What the benchmarks make of their numbers: statistics, goals, pairs, tables; no timing."""

import importlib
import math
from pathlib import Path
import sys

import numpy as np
import pytest

FOLDER = Path(__file__).resolve().parent.parent / 'benchmarks'
if not FOLDER.is_dir():
    pytest.skip('needs the benchmarks of the source tree', allow_module_level=True)
sys.path.insert(0, str(FOLDER))
try:
    answers, goals, machine, report, result_table, rows, summary = map(
        importlib.import_module,
        ('answers', 'goals', 'machine', 'report', 'result_table', 'rows', 'summary'),
    )
finally:
    sys.path.remove(str(FOLDER))


def test_summary_has_the_quartiles():
    assert summary.Summary.of([5.0, 1.0, 2.0, 4.0, 3.0]) == summary.Summary(3.0, 2.0, 4.0, 5)


def test_ratios_are_those_of_neighbours():
    assert summary.pair_ratios([1.0, 3.0, 0.0, 2.0], [2.0, 2.0, 0.0, 0.0]) == [
        0.5,
        1.5,
        0.0,
        math.inf,
    ]
    with pytest.raises(ValueError, match='2 values against 1'):
        summary.pair_ratios([1.0, 2.0], [1.0])


def test_straight_line():
    assert summary.straight_line([2, 7, 32], [3.0, 5.5, 18.0]) == pytest.approx((2.0, 0.5))


@pytest.mark.parametrize(
    ('goal', 'value', 'met', 'roughly'),
    [
        (goals.Goal(bound=0.6), 0.6, True, True),
        (goals.Goal(bound=0.6), 1.2, False, True),
        (goals.Goal(bound=0.6), 1.21, False, False),
        (goals.Goal(bound=9.0, at_least=True), 9.0, True, True),
        (goals.Goal(bound=9.0, at_least=True), 4.5, False, True),
        (goals.Goal(bound=9.0, at_least=True), 4.4, False, False),
        (goals.Goal(bound=0.0, slip=5.0), 5.0, False, True),
        (goals.Goal(bound=0.0, slip=5.0), 6.0, False, False),
        (goals.Goal(bound=0.6), math.nan, False, False),
        (goals.Goal(bound=0.6), math.inf, False, False),
    ],
)
def test_goals(goal, value, met, roughly):
    assert goal.is_met(value) is met
    assert goal.is_kept_roughly(value) is roughly


def test_row_of_a_ratio():
    row = rows.Row.ratio('N1', 'round trip', [60.0, 66.0, 80.0], [100.0] * 3, unit='µs')
    assert (row.ours.median, row.base.median) == (66.0, 100.0)
    assert row.value.median == pytest.approx(0.66)
    assert (row.verdict, row.is_broken) == ('missed', False)
    assert result_table.cells(row) == (
        'N1',
        'round trip',
        '66 µs',
        '100 µs',
        '0.66 (0.63 – 0.73)',
        '≤ 0.6',
        'missed',
    )


def test_row_of_so_many_times_faster():
    row = rows.Row.ratio('B1', 'batch', [50.0], [100.0], unit='ms', inverse=True)
    assert (row.value.median, row.verdict) == (2.0, 'met')


def test_row_without_goal_or_number():
    assert rows.Row.number('N4 maximum', 'longest', [1.0]).verdict == 'reported'
    missing = rows.Row(key='K2 Drake', measure='against Drake', missing='no wheel')
    assert (missing.verdict, missing.is_broken) == ('missing', False)


@pytest.fixture
def numbered():
    """Return a scale, and states sent every millisecond with their times [ns]."""
    sent = np.arange(600, dtype=np.int64) * 1_000_000
    return answers.Scale(3.0, -2e-4), sent


def _efforts(scale, states):
    return scale.offset + scale.slope * (np.asarray(states) % answers.LEVELS)


def test_scale_is_learnt_although_some_answers_are_late(numbered):
    scale, sent = numbered
    states = np.arange(600)
    heard = sent + 100_000
    heard[[50, 51, 300]] += 1_500_000
    order = np.argsort(heard, kind='stable')
    learnt = answers.learn_scale(sent, heard[order], _efforts(scale, states)[order])
    assert learnt.slope == pytest.approx(scale.slope, rel=1e-9)
    assert learnt.offset == pytest.approx(scale.offset, rel=1e-9)


def test_nothing_can_be_learnt_from_silence():
    with pytest.raises(ValueError, match='does not answer'):
        answers.learn_scale(np.arange(3), np.array([], dtype=np.int64), np.array([]))


def test_each_command_is_paired_with_its_state(numbered):
    scale, sent = numbered
    states = np.delete(np.arange(600), [10, 20])
    late = sent[states] + 150_000
    late[5] += 3_000_000  # answers state 5 after 6, 7 and 8 have been sent
    result = answers.match(sent, late, _efforts(scale, states), scale)
    assert (result.sent, result.commands, result.unanswered) == (600, 598, 2)
    assert (result.out_of_order, result.unknown) == (0, 0)
    assert result.latencies[5] == pytest.approx(3.15e-3)
    assert np.delete(result.latencies, 5) == pytest.approx(1.5e-4)


def test_disorder_repeats_and_strange_commands_are_counted(numbered):
    scale, sent = numbered
    states = np.array([0, 1, 3, 2, 3, 3, 4])
    heard = sent[5] + 1000 * np.arange(len(states) + 1)
    efforts = np.append(_efforts(scale, states), scale.offset + 0.4 * scale.slope)
    result = answers.match(sent, heard, efforts, scale)
    assert (result.out_of_order, result.unknown, result.commands) == (2, 1, 8)
    assert result.unanswered == 600 - 5


def test_an_answer_to_a_state_before_the_run_is_no_answer(numbered):
    scale, sent = numbered
    heard = np.array([sent[0] + 10])
    result = answers.match(sent, heard, _efforts(scale, [answers.LEVELS - 1]), scale)
    assert (len(result.latencies), result.unknown, result.unanswered) == (0, 0, 600)


@pytest.fixture
def result():
    """Return what a run on a busy machine writes."""
    made = [
        rows.Row.ratio('N1', 'round trip', [40.0, 60.0], [100.0, 100.0], unit='µs'),
        rows.Row(key='K2 Drake', measure='against Drake', missing='no wheel'),
    ]
    return {
        'form': 'quick',
        'date': '2026-01-01',
        'minutes': 3.0,
        'machine': machine.describe(),
        'load': {'busy': True, 'others': 0.4, 'load_before': 2.0},
        'rows': [row.as_json() for row in made],
    }


def test_the_page_gets_its_tables(result):
    page = (FOLDER.parent / 'docs' / 'performance.md').read_text(encoding='utf-8')
    text = report.filled(page, result)
    assert '| N1 | round trip | 50 µs | 100 µs | 0.50 (0.45 – 0.55) | ≤ 0.6 | met |' in text
    assert '| K2 Drake | against Drake |  |  |  | ≤ 1 | **missing** |' in text
    assert '- K2 Drake: no wheel' in text
    assert 'This run was on a busy machine: others used 40%' in text
    assert report.filled(text, result) == text


def test_a_page_without_markers_is_refused(result):
    with pytest.raises(ValueError, match='<!-- machine -->'):
        report.filled('nothing', result)
