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
from types import SimpleNamespace

import numpy as np
import pytest
from robot_dynamics.control import Controller, ControllerSettings, LawSettings, Mode, State
from robot_dynamics.model import load_robot
from robot_dynamics.nodes.control_loop import ControlLoop
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
