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

"""The control loop without ROS: what it counts, what it sends last, what ends it."""

import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest
from robot_dynamics.control import Controller, ControllerSettings, LawSettings, Mode, State
from robot_dynamics.model import load_robot
from robot_dynamics.nodes.control_loop import ControlLoop, REPEATED
from robot_dynamics.nodes.messages import JointStateReader
from robot_dynamics.nodes.state_selector import StateSelector
from sensor_msgs.msg import JointState

DEADLINE = 10.0  # [s]


class Source:
    """Gives the batches it is fed, then waits like a silent topic."""

    def __init__(self):
        self._batches = []
        self._event = threading.Event()
        self._taken = threading.Event()
        self.closed = False
        self.received_ages = []

    def feed(self, *batches):
        self._taken.clear()
        self._batches.extend(batches)
        self._event.set()

    def wait_until_taken(self):
        assert self._taken.wait(DEADLINE)

    def wait(self, timeout):
        if not self._batches:
            self._taken.set()
        self._event.wait(timeout)
        self._event.clear()
        batch = self._batches.pop(0) if self._batches else []
        if self._batches:
            self._event.set()
        return batch

    def ages(self):
        return self.received_ages

    def wake(self):
        self._event.set()

    def close(self):
        self.closed = True


class Outputs:
    """Keeps what is sent; may fail on order."""

    def __init__(self):
        self.sent = []
        self.observed = 0
        self.error = None
        self.arrived = threading.Condition()

    def send(self, effort):
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        with self.arrived:
            self.sent.append(np.array(effort))
            self.arrived.notify_all()

    def observe(self, _state, _command):
        self.observed += 1

    def flush(self):
        pass

    def wait_for(self, condition):
        with self.arrived:
            assert self.arrived.wait_for(condition, DEADLINE)


class Logger:
    """Keeps errors."""

    def __init__(self):
        self.errors = []

    def error(self, text):
        self.errors.append(text)


@pytest.fixture
def model():
    return load_robot('rp_arm')


@pytest.fixture
def rig(model):
    """Return a running loop with the parts around it; ended afterwards."""
    settings = ControllerSettings(
        law=LawSettings(mode=Mode.GRAVITY_COMPENSATION),
        start_ramp=0.0,
        fault_ramp=0.02,
        fresh_states=2,
        state_timeout=0.1,
    )
    parts = SimpleNamespace(source=Source(), outputs=Outputs(), logger=Logger(), changes=[])
    parts.controller = Controller(model, settings)
    parts.loop = ControlLoop(
        parts.source,
        StateSelector(JointStateReader(model.joint_names)),
        parts.controller,
        parts.outputs,
        logger=parts.logger,
        on_change=lambda: parts.changes.append(parts.controller.state),
    )
    parts.loop.start()
    yield parts
    parts.loop.stop()


def state(position=(0.3, 0.5)):
    return JointState(name=['joint1', 'joint2'], position=list(position))


def test_one_command_for_each_state_once_enough_have_come(rig, model):
    rig.source.feed(*[[state()]] * 5)
    rig.outputs.wait_for(lambda: len(rig.outputs.sent) >= 4)
    np.testing.assert_allclose(rig.outputs.sent[0], model.gravity(np.array([0.3, 0.5])))
    report = rig.loop.report()
    assert report.state is State.HOLDING
    assert rig.outputs.observed == 4
    assert rig.changes[0] is State.HOLDING


def test_newest_of_a_batch_is_used_and_the_others_are_counted(rig, model):
    rig.source.feed(
        [state()], [state()], [state((0.31, 0.49)), state((0.32, 0.48)), state((0.33, 0.47))]
    )
    rig.outputs.wait_for(lambda: len(rig.outputs.sent) >= 2)
    np.testing.assert_allclose(rig.outputs.sent[1], model.gravity(np.array([0.33, 0.47])))
    report = rig.loop.report()
    assert (report.received, report.overtaken, report.unusable) == (5, 2, 0)


def test_unusable_states_are_counted_with_their_reason_and_nothing_is_sent(rig):
    rig.source.feed([state((0.1, np.nan))], [JointState()])
    rig.source.wait_until_taken()
    report = rig.loop.report()
    assert 'missing' in report.unusable_reason
    assert report.age == np.inf and report.unusable_age < DEADLINE
    assert rig.outputs.sent == []


def test_silence_leads_to_zero_effort(rig):
    rig.source.feed([state()], [state()])
    rig.outputs.wait_for(lambda: len(rig.outputs.sent) > 2 and not rig.outputs.sent[-1].any())
    report = rig.loop.report()
    assert report.state is State.FAULT
    assert 'joint_states' in report.reason
    magnitudes = [abs(effort[0]) for effort in rig.outputs.sent]
    assert magnitudes == sorted(magnitudes, reverse=True), 'a ramp'


def test_a_state_repeated_with_its_stamp_is_believed_for_state_timeout_only(rig):
    same = state()
    same.header.stamp.sec = 5
    begin = time.monotonic()
    while rig.controller.state is not State.FAULT:
        rig.source.feed([same])
        rig.source.wait_until_taken()
        assert time.monotonic() < begin + DEADLINE
        time.sleep(2e-3)
    assert time.monotonic() - begin > 0.19, 'state_timeout twice: of the stamp, then of silence'
    for k in range(6, 9):
        other = state()
        other.header.stamp.sec = k
        rig.source.feed([other])
        rig.source.wait_until_taken()
    assert rig.controller.state.is_running
    report = rig.loop.report()
    assert report.unusable > 0 and report.unusable_reason == REPEATED


def test_the_last_command_at_a_stop_is_exactly_zero(rig):
    rig.source.feed([state()], [state()], [state()])
    rig.outputs.wait_for(lambda: len(rig.outputs.sent) >= 2)
    rig.loop.stop()
    assert rig.outputs.sent[1].any()
    assert not rig.outputs.sent[-1].any()
    assert len(rig.outputs.sent) > 4, 'a ramp'
    assert rig.source.closed
    count = len(rig.outputs.sent)
    rig.source.feed([state()])
    assert len(rig.outputs.sent) == count


def test_nothing_is_sent_at_a_stop_when_nothing_was_before(rig):
    rig.source.feed([state()])
    rig.loop.stop()
    assert rig.outputs.sent == []


def test_an_exception_ends_by_a_ramp_and_is_logged_once(rig):
    rig.source.feed([state()], [state()])
    rig.outputs.wait_for(lambda: len(rig.outputs.sent) >= 1)
    rig.outputs.error = ValueError('injected')
    rig.source.feed([state()], [state()])
    rig.outputs.wait_for(lambda: not rig.outputs.sent[-1].any())
    report = rig.loop.report()
    assert report.failure == 'ValueError: injected'
    assert len(rig.logger.errors) == 1
    assert 'Traceback' in rig.logger.errors[0] and 'injected' in rig.logger.errors[0]


def test_zero_is_sent_even_when_the_controller_fails_too(rig, monkeypatch):
    rig.source.feed([state()], [state()])
    rig.outputs.wait_for(lambda: len(rig.outputs.sent) >= 1)

    def broken(*_arguments, **_keywords):
        raise RuntimeError('injected')

    monkeypatch.setattr(rig.controller, 'tick', broken)
    monkeypatch.setattr(rig.controller, 'update', broken)
    rig.source.feed([state()])
    rig.outputs.wait_for(lambda: not rig.outputs.sent[-1].any())
    rig.loop.stop()
    assert rig.loop.report().failure == 'RuntimeError: injected'
    assert len(rig.logger.errors) == 2


def test_a_mode_that_needs_velocity_drops_states_without(rig):
    rig.controller.configure(
        ControllerSettings(law=LawSettings(mode=Mode.FEEDFORWARD), fresh_states=2)
    )
    rig.source.feed([state()])
    rig.source.wait_until_taken()
    assert 'velocity is missing' in rig.loop.report().unusable_reason
    assert rig.loop.report().age == np.inf


# ------------------------------------------- a thread that was held up by another one


TIMEOUT, PERIOD = 0.05, 0.001  # [s] the default, and that of the driver


class HeldUp:
    """A loop whose thread runs when the test says so, by a clock of the test."""

    def __init__(self, model, state_timeout=TIMEOUT):
        settings = ControllerSettings(
            law=LawSettings(mode=Mode.GRAVITY_COMPENSATION),
            start_ramp=0.0,
            fresh_states=2,
            state_timeout=state_timeout,
        )
        self.now = 100.0
        self.source, self.outputs, self.logger = Source(), Outputs(), Logger()
        self.controller = Controller(model, settings)
        self.loop = ControlLoop(
            self,
            StateSelector(JointStateReader(model.joint_names)),
            self.controller,
            self.outputs,
            logger=self.logger,
            on_change=lambda: None,
            clock=lambda: self.now,
        )
        self.script = []
        self.waits = []

    def play(self, *script):
        """Let the loop wake up by a script of (time, ages of the states that have come)."""
        self.script = list(script)
        self.loop._run()
        return self.loop.report()

    def wait(self, timeout):
        self.waits.append(timeout)
        self.now, self.received = self.script.pop(0)
        if not self.script:
            self.loop.request_stop()
        return [state((0.3 + 1e-3 * k, 0.5)) for k in range(len(self.received))]

    def ages(self):
        return self.received

    def wake(self):
        """Nobody waits."""


@pytest.fixture
def held_up(model, monkeypatch):
    rig = HeldUp(model)
    monkeypatch.setattr(
        'robot_dynamics.nodes.control_loop.time.sleep', lambda s: setattr(rig, 'now', rig.now + s)
    )
    return rig


START = ((100.0, [0.0]), (100.001, [0.0]))


@pytest.mark.parametrize('late', [0.051, 0.07, 0.15, 3.0])
def test_states_that_came_while_the_thread_was_held_up_are_no_silence(held_up, late, model):
    ages = [PERIOD * k for k in reversed(range(int(late / PERIOD)))][-100:]
    if late > 0.14:
        ages = [k * 0.04 for k in reversed(range(int(late / 0.04) + 1))]  # a slow driver
    report = held_up.play(*START, (100.001 + late, ages), (100.002 + late, [0.0]))
    assert held_up.controller.fault_count == 0
    assert report.received == len(ages) + 3
    sent = [effort for effort in held_up.outputs.sent if effort.any()]
    newest = model.gravity(np.array([0.3 + 1e-3 * (len(ages) - 1), 0.5]))
    np.testing.assert_allclose(sent[1], newest)
    assert held_up.outputs.observed == 3, 'only the newest is answered'


def test_silence_while_the_thread_was_held_up_is_a_fault(held_up):
    ages = [0.005 - PERIOD * k for k in range(5)]  # the driver has just come back
    held_up.play(*START, (100.2, ages), (100.201, [0.0]))
    assert held_up.controller.fault_count == 1
    assert 'no usable state for 0.19' in held_up.controller.last_fault


def test_states_that_are_too_old_themselves_are_not_sent(held_up):
    # all came at once after the last good one, then nothing: the silence is seen at once
    held_up.play(*START, (100.2, [0.198, 0.197]), (100.2002, []), (100.21, []))
    assert held_up.controller.fault_count == 1
    assert held_up.waits[3] <= 2e-4
    assert len([effort for effort in held_up.outputs.sent if effort.any()]) >= 1


def test_unknown_times_of_receipt_are_a_silence(held_up):
    held_up.play(*START, (100.2, [np.inf, np.inf]), (100.2002, []), (100.21, []))
    assert held_up.controller.fault_count == 1


@pytest.mark.parametrize('age', [-5.0, 0.06])
def test_times_of_receipt_stay_between_the_last_look_and_now(held_up, age):
    held_up.play(*START, (100.055, [age]), (100.056, [0.0]))
    assert held_up.loop.report().failure == ''
