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

"""What diagnostics say: the worst thing first, in one line with cause and cure."""

import math

import pytest
from rclpy.clock import Clock
from rclpy.logging import get_logger
from robot_dynamics.control import State
from robot_dynamics.nodes.control_loop import LoopReport
from robot_dynamics.nodes.diagnostics import details, ERROR, judge, OK, Rates, Snapshot, WARN
from robot_dynamics.nodes.diagnostics_reporter import DiagnosticsReporter, RateMeter

DRIVER = ('/driver',)


def report(state=State.HOLDING, **changes):
    values = {
        'state': state,
        'reason': '',
        'age': 0.001,
        'stamp': 0.0,
        'received': 1000,
        'overtaken': 0,
        'old': 0,
        'unusable': 0,
        'unusable_reason': '',
        'unusable_age': math.inf,
        'clock_resets': 0,
        'commands': 990,
        'saturated': (0, 0),
        'failure': '',
    }
    return LoopReport(**{**values, **changes})


def snapshot(loop, **changes):
    values = {
        'lifecycle': 'active',
        'robot': 'arm',
        'mode': 'computed_torque',
        'joints': ('shoulder', 'elbow'),
        'state_publishers': DRIVER,
    }
    return Snapshot(loop=loop, **{**values, **changes})


NO_PUBLISHER = (
    "joint_states: no publisher on '/joint_states'; is the driver running, in this namespace and "
    'ROS_DOMAIN_ID?'
)
SILENCE = 'joint_states: no usable state for 0.051 s'


@pytest.mark.parametrize(
    ('seen', 'level', 'text'),
    [
        (snapshot(report()), OK, 'holding, computed_torque'),
        (snapshot(report(State.TRACKING)), OK, 'tracking, computed_torque'),
        (
            snapshot(report(), dry_run=True),
            OK,
            'dry run, no command is sent: holding, computed_torque',
        ),
        (Snapshot(lifecycle='inactive'), OK, 'inactive'),
        (
            Snapshot(lifecycle='unconfigured', failure='configure failed: no such file'),
            ERROR,
            'configure failed: no such file',
        ),
        (
            Snapshot(lifecycle='unconfigured', awaited='waiting for a description'),
            WARN,
            'waiting for a description',
        ),
        (
            snapshot(report(State.FAULT, age=0.12, reason=SILENCE)),
            ERROR,
            'joint_states: no message for 0.12 s; is the driver running?',
        ),
        (
            snapshot(report(State.FAULT, age=7.0, reason=SILENCE), state_publishers=()),
            ERROR,
            NO_PUBLISHER,
        ),
        (
            snapshot(
                report(
                    State.FAULT,
                    age=0.3,
                    reason=SILENCE,
                    unusable_age=0.001,
                    unusable_reason="joint_states: position of joint 'elbow' is nan",
                )
            ),
            ERROR,
            "joint_states: position of joint 'elbow' is nan; last usable state 0.30 s ago",
        ),
        (
            snapshot(report(State.FAULT, reason='effort: computed_torque gives [inf]')),
            ERROR,
            'effort: computed_torque gives [inf]',
        ),
        (
            snapshot(report(State.WAITING, age=math.inf, received=0), state_publishers=()),
            WARN,
            NO_PUBLISHER,
        ),
        (
            snapshot(report(State.WAITING, age=math.inf, received=0)),
            WARN,
            "joint_states: no message yet on '/joint_states'; is the driver running?",
        ),
        (
            snapshot(
                report(
                    State.WAITING,
                    age=math.inf,
                    unusable_age=0.1,
                    unusable_reason="joint_states: joint 'elbow' missing",
                )
            ),
            WARN,
            "joint_states: joint 'elbow' missing",
        ),
        (
            snapshot(report(), state_publishers=('/driver', '/gui')),
            WARN,
            'joint_states: two publishers (/driver, /gui); stop all but the driver, or the effort '
            'jumps between their states; one that has crashed is listed for up to 20 s',
        ),
        (
            snapshot(report(), state_publishers=('/driver', '/driver')),
            WARN,
            'joint_states: two publishers (/driver, /driver); after a crash and a new start of '
            'the driver this ends within 20 s; if it stays, stop all but one, or the effort '
            'jumps between their states',
        ),
        (
            snapshot(report(), rates=Rates(saturated=('elbow',))),
            WARN,
            'held back by a limit: elbow; lower gains or speed, or check effort_limit and '
            'effort_rate_limit',
        ),
        (snapshot(report(), qos_problems=('/drive hears nothing',)), WARN, '/drive hears nothing'),
        (
            snapshot(report(), clock_missing=True),
            WARN,
            'use_sim_time is set and no time has come on /clock; is the simulator running?',
        ),
        (
            snapshot(report(age=0.5, stamp=1000.0), ros_time=1030.5),
            WARN,
            'joint_states: stamps are 30.0 s behind the clock here; synchronise the clocks, or '
            'set use_sim_time alike everywhere',
        ),
        (snapshot(report(age=0.5, stamp=1000.0), ros_time=1000.6), OK, 'holding, computed_torque'),
        (snapshot(report(age=0.5, stamp=0.0), ros_time=1000.6), OK, 'holding, computed_torque'),
        (
            snapshot(report(State.STOPPED, failure='ValueError: x')),
            ERROR,
            'control loop ended by a ramp to zero effort: ValueError: x; see the log, then '
            'deactivate and activate the node',
        ),
    ],
)
def test_judgement(seen, level, text):
    assert judge(seen) == (level, text)


def test_details_name_the_numbers():
    values = details(
        snapshot(
            report(overtaken=3, old=2, unusable=1),
            rates=Rates(states=499.9, saturated=('elbow',)),
        )
    )
    assert values['state'] == 'holding'
    assert values['mode'] == 'computed_torque'
    assert values['state rate'] == '499.9 Hz'
    assert values['state age'] == '0.0010 s'
    assert (
        values['states overtaken'],
        values['states dropped as old'],
        values['states unusable'],
    ) == ('3', '2', '1')
    assert values['saturated joints'] == 'elbow'
    assert values['joint_states publishers'] == '1 /driver'
    assert all(isinstance(value, str) for value in values.values())


class StubNode:
    """What a reporter asks of a node."""

    def __init__(self, name):
        self._name, self.published = name, []

    def get_fully_qualified_name(self):
        return self._name

    def create_publisher(self, *_):
        return self

    def publish(self, message):
        self.published.append(message)

    def create_timer(self, *_, **__):
        pass

    def create_guard_condition(self, _callback):
        pass

    def get_logger(self):
        return get_logger('stub')

    def get_clock(self):
        return Clock()


@pytest.mark.parametrize(
    ('node', 'name'),
    [('/dynamics', 'dynamics: control'), ('/left/arm/dynamics', 'left/arm/dynamics: control')],
)
def test_status_of_one_of_two_arms_names_its_namespace(node, name):
    stub = StubNode(node)
    DiagnosticsReporter(stub, lambda: Snapshot(lifecycle='inactive')).report()
    (message,) = stub.published
    assert [status.name for status in message.status] == [name]


def test_rates_are_differences_over_time():
    meter = RateMeter()
    meter.update(report(received=100, commands=90, saturated=()), 10.0)
    assert meter.state_rate == 0.0
    meter.update(report(received=1100, commands=1080, saturated=(0, 4), unusable=2), 12.0)
    assert (meter.state_rate, meter.command_rate) == (500.0, 495.0)
    assert meter.saturated == [0, 4] and meter.unusable == 2
    meter.update(report(received=5, commands=1), 13.0)
    assert meter.state_rate == 0.0, 'another loop'
