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

import pytest
from robot_dynamics.nodes.step_schedule import StepSchedule

STEP = 1e-3  # [s]


def test_steps_come_at_absolute_times():
    schedule = StepSchedule(STEP, 0.05)
    schedule.start(10.0)
    assert schedule.next_deadline == pytest.approx(10.001)
    assert schedule.take(10.0005) == 0
    # Wake-ups that are late by a varying amount do not add up.
    taken = [
        schedule.take(10.0 + STEP * k + late)
        for k, late in zip(range(1, 1001), [1e-4, 9e-4, 3e-4, 0.0] * 250)
    ]
    assert sum(taken) == 1000
    assert schedule.next_deadline == pytest.approx(11.001)
    assert schedule.lost_steps == 0


def test_wake_up_at_the_very_deadline_counts():
    schedule = StepSchedule(STEP, 0.05)
    schedule.start(0.1)
    for _ in range(1000):
        assert schedule.take(schedule.next_deadline) == 1


def test_short_stop_is_made_up_for():
    schedule = StepSchedule(STEP, 0.05)
    schedule.start(0.0)
    assert schedule.take(0.0305) == 30
    assert schedule.lost_steps == 0
    assert schedule.real_time_factor(0.03) == pytest.approx(1.0)


def test_long_stop_is_made_up_for_in_part_and_counted():
    schedule = StepSchedule(STEP, 0.05)
    schedule.start(0.0)
    assert schedule.take(1.0005) == 50
    assert schedule.lost_steps == 950
    assert schedule.take(1.0015) == 1, 'nothing of the old delay is left'
    assert schedule.real_time_factor(1.0) == pytest.approx(0.051)


def test_at_least_one_step_is_made():
    schedule = StepSchedule(STEP, 0.0)
    schedule.start(0.0)
    assert schedule.take(0.01) == 1
    assert schedule.lost_steps == 9
