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

"""Noise, delay and loss of measurements are as asked for, and repeatable."""

from __future__ import annotations

import math

import numpy as np
import pytest
from robot_dynamics.errors import ParameterError
from robot_dynamics.simulation import FaultSettings, MeasurementFaults


def line(seed=1, **settings):
    """Return a line with a seed."""
    return MeasurementFaults(FaultSettings(**settings), np.random.default_rng(seed))


def passed(faults, count, period=1e-3):
    """Return what arrives of states that count the calls."""
    return [
        faults.pass_on(k * period, np.array([float(k), -float(k)]), np.array([1.0, 2.0]))
        for k in range(count)
    ]


def test_perfect_line_passes_copies_at_once():
    q, v = np.array([0.1, 0.2]), np.array([0.3, 0.4])
    measured = line().pass_on(2.0, q, v)
    assert measured.t == 2.0
    np.testing.assert_array_equal((measured.q, measured.v), (q, v))
    q += 1.0
    assert measured.q[0] == 0.1


@pytest.mark.parametrize('delay, late', [(1e-3, 1), (5e-3, 5), (2.5e-3, 3)])
def test_states_arrive_late_with_the_time_they_were_measured(delay, late):
    arrived = passed(line(delay=delay), 50)
    assert arrived[:late] == [None] * late
    for k, measured in enumerate(arrived[late:]):
        assert measured.t == pytest.approx(k * 1e-3)
        np.testing.assert_array_equal(measured.q, [k, -k])


def test_noise_has_the_deviation_asked_for():
    arrived = passed(line(position_noise=0.01, velocity_noise=0.1), 4000)
    q = np.array([measured.q[0] for measured in arrived]) - np.arange(4000)
    v = np.array([measured.v[1] for measured in arrived]) - 2.0
    # 5 standard errors of the estimates
    assert q.std() == pytest.approx(0.01, rel=0.06)
    assert v.std() == pytest.approx(0.1, rel=0.06)
    assert abs(q.mean()) < 5.0 * 0.01 / math.sqrt(4000)


def test_share_asked_for_is_lost():
    lost = sum(measured is None for measured in passed(line(dropout=0.2), 5000))
    assert lost == pytest.approx(1000, abs=5.0 * math.sqrt(5000 * 0.2 * 0.8))
    assert passed(line(dropout=1.0), 100) == [None] * 100


def test_lost_state_does_not_come_later():
    arrived = passed(line(dropout=0.5, delay=3e-3), 200)
    times = [round(1e3 * measured.t) for measured in arrived if measured is not None]
    assert times == [k - 3 for k, measured in enumerate(arrived) if measured is not None]


def test_same_seed_gives_the_same_faults():
    settings = {'position_noise': 0.1, 'dropout': 0.3}
    first, again, other = (passed(line(seed, **settings), 100) for seed in (5, 5, 6))
    seen = [None if measured is None else measured.q.tolist() for measured in first]
    assert seen == [None if measured is None else measured.q.tolist() for measured in again]
    assert seen != [None if measured is None else measured.q.tolist() for measured in other]


@pytest.mark.parametrize(
    'settings',
    [
        {'position_noise': -1.0},
        {'velocity_noise': math.nan},
        {'delay': math.inf},
        {'dropout': 1.5},
        {'dropout': math.nan},
    ],
)
def test_impossible_settings_are_refused(settings):
    with pytest.raises(ParameterError, match=next(iter(settings))):
        FaultSettings(**settings)
