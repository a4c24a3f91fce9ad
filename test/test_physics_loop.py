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

"""The loop of the simulator without ROS: fake messages, a fake plant, a clock by hand."""

import numpy as np
import pytest

pytest.importorskip('rclpy', reason="needs rclpy: source ROS 2, or pip install '.[ros]'")

from robot_dynamics.errors import SimulationError, StateError  # noqa: E402
from robot_dynamics.nodes.physics_loop import PhysicsLoop  # noqa: E402
from robot_dynamics.nodes.step_schedule import StepSchedule  # noqa: E402

STEP = 1e-3  # [s]


class FakeDrives:
    """Counts what it is told; fails at one step if asked to."""

    def __init__(self, fail_at=None):
        self.commands, self.steps, self.fail_at, self.timed_out = [], 0, fail_at, False

    def command(self, effort):
        self.commands.append(effort)

    def step(self):
        if self.steps == self.fail_at:
            raise SimulationError('the state is no longer finite')
        self.steps += 1


class FakeSource:
    """Hands out prepared batches."""

    def __init__(self, batches=()):
        self.batches, self.closed = list(batches), False

    def take(self):
        return self.batches.pop(0) if self.batches else []

    def close(self):
        self.closed = True


class FakeReader:
    """Takes numbers, refuses texts."""

    def read(self, message):
        if isinstance(message, str):
            raise StateError(message)
        return np.array([message])


class FakeLogger:
    """Keeps what is logged."""

    def __init__(self):
        self.lines = []

    def __getattr__(self, level):
        return lambda text: self.lines.append((level, text))


def make_loop(drives, source=None, rate=1000.0):
    loop = PhysicsLoop(
        drives,
        source or FakeSource(),
        FakeReader(),
        StepSchedule(STEP, 0.05),
        step=STEP,
        publish_rate=rate,
        publish=lambda drives: published.append(drives.steps),
        logger=FakeLogger(),
    )
    published = []
    loop._schedule.start(0.0)
    return loop, published


def tick(loop, begin, end):
    """Wake the loop up at each step from `begin` to `end`."""
    for k in range(begin, end):
        loop._tick((k + 1) * STEP)


@pytest.mark.parametrize('rate, expected', [(1000.0, 300), (500.0, 150), (300.0, 90), (1.0, 0)])
def test_states_come_at_the_rate_that_was_asked_for(rate, expected):
    loop, published = make_loop(FakeDrives(), rate=rate)
    tick(loop, 0, 300)
    assert loop.steps == 300
    assert len(published) == expected


def test_only_the_last_state_is_published_after_a_late_wake_up():
    loop, published = make_loop(FakeDrives())
    loop._tick(30.5 * STEP)
    assert published == [30]
    loop._tick(31.5 * STEP)
    assert published == [30, 31]


def test_newest_usable_command_counts_and_each_reason_is_said_once():
    drives = FakeDrives()
    loop, _ = make_loop(drives, FakeSource([[1.0, 2.0, 'bad'], ['bad', 'worse'], [3.0]]))
    tick(loop, 0, 4)
    assert [float(effort[0]) for effort in drives.commands] == [2.0, 3.0]
    assert (loop.commands, loop.dropped_commands, loop.last_reason) == (6, 3, 'worse')
    assert [text for _, text in loop._logger.lines] == [
        'command dropped, said once: bad',
        'command dropped, said once: worse',
    ]


def test_simulation_error_stops_the_arm_until_it_is_reset():
    drives = FakeDrives(fail_at=5)
    loop, published = make_loop(drives)
    tick(loop, 0, 20)
    assert published == [1, 2, 3, 4, 5]
    assert 'no longer finite' in loop.halted
    assert [level for level, _ in loop._logger.lines] == ['error'], 'said once'

    def reset(drives):
        drives.fail_at = None
        loop.resume()

    loop.order(reset)
    tick(loop, 20, 23)
    assert loop.halted == ''
    assert published == [1, 2, 3, 4, 5, 6, 7, 8], 'the time that it stood still is not made up for'


def test_watchdog_is_said_once_each_way():
    drives = FakeDrives()
    loop, _ = make_loop(drives)
    for timed_out in (False, True, True, False, False):
        drives.timed_out = timed_out
        tick(loop, loop.steps, loop.steps + 1)
    assert [level for level, _ in loop._logger.lines] == ['warning', 'info']


def test_unexpected_error_ends_the_thread_and_is_seen():
    drives = FakeDrives()
    drives.step = None
    source = FakeSource()
    loop, published = make_loop(drives, source)
    loop.start()
    loop._thread.join(10.0)
    assert loop.failed
    assert published == []
    ((level, text),) = loop._logger.lines
    assert level == 'fatal'
    assert 'TypeError' in text
    loop.close()
    assert source.closed
