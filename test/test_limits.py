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

"""The finite gate and the effort limits."""

import itertools

import numpy as np
import pytest
from robot_dynamics.control import EffortLimiter, is_finite
from robot_dynamics.errors import ParameterError, StateError

BAD = [np.nan, np.inf, -np.inf, 1e308, -1e308, 1e101]


@pytest.mark.parametrize('bad', BAD)
@pytest.mark.parametrize('joint', range(3))
def test_the_finite_gate_sees_every_entry(bad, joint):
    x = np.array([1.0, -2.0, 3.0])
    assert is_finite(x)
    x[joint] = bad
    assert not is_finite(x)


@pytest.mark.filterwarnings('error')
@pytest.mark.parametrize('bad', BAD)
@pytest.mark.parametrize('rate', [np.inf, 100.0, [np.inf, 10.0]])
@pytest.mark.parametrize('field', ['tau', 'previous'])
def test_bad_efforts_are_refused_and_never_clamped(bad, rate, field):
    limiter = EffortLimiter(5.0, rate, 2)
    for joint in range(2):
        efforts = {'tau': np.array([1.0, 2.0]), 'previous': np.array([1.0, 2.0])}
        efforts[field][joint] = bad
        with pytest.raises(StateError, match='finite'):
            limiter.apply(efforts['tau'], efforts['previous'], 1e-3)


@pytest.mark.parametrize('dt', [np.nan, np.inf, -1e-3])
def test_bad_times_are_refused(dt):
    with pytest.raises(StateError, match='dt'):
        EffortLimiter(5.0, 1.0, 1).apply(np.ones(1), np.zeros(1), dt)


@pytest.mark.filterwarnings('error')
def test_known_values():
    limiter = EffortLimiter([10.0, 5.0, 7.0], [1000.0, np.inf, 100.0], 3)
    effort, saturated = limiter.apply(
        np.array([3.0, -20.0, 0.05]), np.array([1.0, 0.0, 0.0]), 1e-3
    )
    np.testing.assert_array_equal(effort, [2.0, -5.0, 0.05])
    np.testing.assert_array_equal(saturated, [True, True, False])


@pytest.mark.filterwarnings('error')
def test_no_time_means_no_change_where_there_is_a_rate_limit():
    limiter = EffortLimiter(10.0, [50.0, np.inf], 2)
    effort, _ = limiter.apply(np.array([4.0, 4.0]), np.array([1.0, 1.0]), 0.0)
    np.testing.assert_array_equal(effort, [1.0, 4.0])


def test_a_lowered_effort_limit_wins_over_the_rate_limit():
    effort, _ = EffortLimiter(5.0, 1.0, 1).apply(np.array([9.0]), np.array([9.0]), 1e-3)
    np.testing.assert_array_equal(effort, [5.0])


def test_infinite_limits_let_everything_finite_through():
    tau = np.array([1e6, -1e6])
    effort, saturated = EffortLimiter(np.inf, np.inf, 2).apply(tau, np.zeros(2), 1e-3)
    np.testing.assert_array_equal(effort, tau)
    assert not saturated.any()


def test_inputs_are_left_alone():
    limiter = EffortLimiter(1.0, 10.0, 2)
    tau, previous = np.array([3.0, -3.0]), np.zeros(2)
    limiter.apply(tau, previous, 1e-2)
    np.testing.assert_array_equal(tau, [3.0, -3.0])
    np.testing.assert_array_equal(previous, [0.0, 0.0])


@pytest.mark.parametrize(
    'arguments, name',
    [
        ((0.0, 1.0, 2), 'effort_limit'),
        ((-1.0, 1.0, 2), 'effort_limit'),
        ((np.nan, 1.0, 2), 'effort_limit'),
        (([1.0, 2.0, 3.0], 1.0, 2), 'effort_limit'),
        (('x', 1.0, 2), 'effort_limit'),
        ((1.0, 0.0, 2), 'effort_rate_limit'),
        ((1.0, [1.0, np.nan], 2), 'effort_rate_limit'),
        ((1.0, [[1.0, 1.0]], 2), 'effort_rate_limit'),
    ],
)
def test_impossible_limits_are_refused(arguments, name):
    with pytest.raises(ParameterError, match=name):
        EffortLimiter(*arguments)


@pytest.mark.filterwarnings('error')
def test_100_000_random_updates_stay_within_both_limits():
    rng = np.random.default_rng(1)
    n = 4
    limit = np.array([87.0, 12.0, 150.0, np.inf])
    rate = np.array([1000.0, 500.0, np.inf, 200.0])
    limiter = EffortLimiter(limit, rate, n)
    previous = np.zeros(n)
    refused = saturated_count = 0
    bad = itertools.cycle(BAD)
    for _ in range(100_000):
        tau = rng.normal(scale=10.0 ** rng.integers(-3, 6), size=n)
        if rng.random() < 0.05:
            tau[rng.integers(n)] = next(bad)
        dt = 10.0 ** rng.uniform(-5, -1)
        try:
            effort, saturated = limiter.apply(tau, previous, dt)
        except StateError:
            refused += 1
            continue
        assert (np.abs(effort) <= limit).all()
        assert (np.abs(effort - previous) <= rate * dt * (1.0 + 1e-12) + 1e-12).all()
        assert (saturated == (effort != tau)).all()
        saturated_count += saturated.any()
        previous = effort
    assert refused > 4000
    assert saturated_count > 10_000
