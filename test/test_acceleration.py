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


"""The law is compiled aside, and used only when it is ready and still wanted."""

import threading

import numpy as np
import pytest
from robot_dynamics.control import AccelerationGains, Controller, ControllerSettings, LawSettings
from robot_dynamics.model import load_robot
from robot_dynamics.model.compiled import available_backend, compile_inverse_dynamics
from robot_dynamics.nodes.acceleration import Acceleration
from robot_dynamics.nodes.idle_collector import IdleCollector

needs_numba = pytest.mark.skipif(
    bool(available_backend().reason), reason=available_backend().reason
)


class Node:
    """What `Acceleration` asks of an rclpy node: a log, and a call in the executor's thread."""

    def __init__(self):
        self.lines = []
        self.triggered = threading.Event()

    def get_logger(self):
        return self

    def info(self, line):
        self.lines.append(line)

    def create_guard_condition(self, callback):
        self.callback = callback
        return self

    def trigger(self):
        self.triggered.set()

    def spin(self):
        """Wait for the trigger, then do what an executor does."""
        assert self.triggered.wait(60.0)
        self.triggered.clear()
        self.callback()


def controller(mode='computed_torque', **changes):
    law = LawSettings(mode=mode, acceleration_gains=AccelerationGains(kp=100.0, kd=20.0))
    settings = ControllerSettings(law=law, allow_unlimited_effort=True, **changes)
    return Controller(load_robot('arm_2r'), settings)


def begin(one, present=None):
    node = Node()
    Acceleration(node, lambda: present or one, IdleCollector()).begin(one)
    return node


@needs_numba
def test_compiled_code_takes_over_while_the_arm_is_held():
    one, now = controller(), 0.0
    node = begin(one)
    efforts = []
    for k in range(600):
        now += 1e-3
        if k == 300:
            node.spin()
        efforts.append(one.update(now, np.array([0.3, -0.4]), np.zeros(2)))
    assert one.backend == 'numba' and node.lines == ['control law: numba']
    before, after = efforts[299].effort, efforts[300].effort
    np.testing.assert_allclose(after, before, rtol=0, atol=1e-12)


def test_without_numba_the_reason_is_said_once(monkeypatch):
    compile_inverse_dynamics.cache_clear()
    monkeypatch.setattr('importlib.util.find_spec', lambda name: None)
    one = controller()
    node = begin(one)
    node.spin()
    (line,) = node.lines
    assert one.backend == 'numpy' and 'control law: numpy (' in line
    assert "pip install 'robot_dynamics[fast]'" in line


def test_a_compiler_that_fails_changes_nothing(monkeypatch):
    one = controller()

    def fail():
        raise ValueError('no such register')

    monkeypatch.setattr(one, 'prepare_backend', fail)
    node = begin(one)
    node.spin()
    assert one.backend == 'numpy'
    assert node.lines == ['control law: numpy (the compiler failed: ValueError: no such register)']


@needs_numba
def test_a_controller_that_is_gone_is_left_alone():
    one = controller()
    node = begin(one, present=controller())
    node.spin()
    assert one.backend == 'numpy' and not node.lines


@pytest.mark.parametrize(
    ('one', 'backend'),
    [
        (controller('gravity_compensation'), 'plain'),
        (controller(backend='numpy'), 'numpy'),
        (controller(backend='plain'), 'plain'),
        (controller(velocity_source='differentiated'), 'plain'),
    ],
)
def test_what_gains_nothing_is_not_compiled(one, backend):
    before = threading.active_count()
    node = begin(one)
    assert threading.active_count() == before and not node.triggered.is_set()
    assert one.backend == backend


def test_the_collector_waits_for_the_compiler(monkeypatch):
    calls = []
    monkeypatch.setattr('gc.collect', lambda *x: calls.append('collect'))
    monkeypatch.setattr('gc.freeze', lambda: calls.append('freeze'))
    collector = IdleCollector()
    collector.begin()
    calls.clear()
    try:
        collector.pause()
        collector.collect()
        assert not calls
        collector.keep()
        collector.collect()
        assert calls == ['freeze', 'collect']
    finally:
        collector.end()
