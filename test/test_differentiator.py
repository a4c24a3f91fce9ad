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

"""The velocity filter: exact on ramps, documented delay and noise, restarts."""

import math

import numpy as np
import pytest
from robot_dynamics.control.differentiator import Differentiator
from robot_dynamics.errors import ParameterError

DT = 1e-3  # [s]


def run(filter_, positions, start=0.0, dt=DT):
    """Feed positions at a fixed step and return the velocities."""
    return [filter_.update(start + k * dt, np.atleast_1d(q)) for k, q in enumerate(positions)]


def test_constant_velocity_is_exact_from_the_second_sample():
    found = run(Differentiator([False], 30.0), 0.3 + 2.0 * DT * np.arange(50))
    assert found[0] is None
    np.testing.assert_allclose(np.ravel(found[1:]), 2.0, rtol=1e-9)


@pytest.mark.parametrize('dt', [1e-4, 1e-3, 5e-3])
def test_step_response_is_the_exact_exponential_at_any_rate(dt):
    cutoff = 20.0
    filter_ = Differentiator([False], cutoff)
    run(filter_, np.zeros(3), dt=dt)
    ramp = np.cumsum(np.full(40, dt))
    found = [filter_.update((3 + k) * dt, np.array([q])) for k, q in enumerate(ramp)]
    k = np.arange(1, 41)
    np.testing.assert_allclose(
        np.ravel(found), 1.0 - np.exp(-2 * math.pi * cutoff * dt * k), rtol=1e-9
    )


def test_delay_on_a_sine_is_what_the_documentation_says():
    cutoff, omega = 30.0, 2.0
    t = np.arange(0.0, 6.0, DT)
    found = run(Differentiator([False], cutoff), np.sin(omega * t))
    late = 1.0 / (2 * math.pi * cutoff) + DT / 2
    expected = omega * np.cos(omega * (t - late))
    assert np.abs(np.ravel(found[1000:]) - expected[1000:]).max() < 2e-3


def test_noise_is_within_the_documented_size():
    rng, cutoff, size = np.random.default_rng(7), 30.0, 1e-5
    found = run(Differentiator([False], cutoff), rng.normal(scale=size, size=20000))
    bound = size * math.sqrt(2 * math.pi * cutoff / DT)
    assert 0.2 * bound < np.std(np.ravel(found[1000:])) < 1.5 * bound


def test_whole_turns_of_a_continuous_joint_are_no_velocity():
    angles = (3.0 + 1.0 * DT * np.arange(400) + math.pi) % (2 * math.pi) - math.pi
    found = run(Differentiator([True], 50.0), angles)
    np.testing.assert_allclose(np.ravel(found[1:]), 1.0, rtol=1e-6)


def test_time_that_stands_or_falls_changes_nothing():
    filter_ = Differentiator([False], 30.0)
    run(filter_, [0.0, 0.001])
    before = filter_.update(DT, np.array([5.0]))
    assert filter_.update(0.0, np.array([9.0])) is before
    np.testing.assert_allclose(before, 1.0)


def test_a_gap_starts_anew():
    filter_ = Differentiator([False], 30.0)
    run(filter_, [0.0, 0.001])
    assert filter_.update(1.0, np.array([5.0])) is None
    np.testing.assert_allclose(filter_.update(1.0 + DT, np.array([5.002])), 2.0, rtol=1e-6)


@pytest.mark.parametrize('cutoff', [0.0, -1.0, math.nan, math.inf])
def test_impossible_frequency_is_refused(cutoff):
    with pytest.raises(ParameterError, match='cutoff'):
        Differentiator([False], cutoff)
