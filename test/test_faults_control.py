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

"""Faults injected into the controller, in simulated time: silence, bad states, bad settings."""

import math

from fault_rig import NAMES, Q, Rig, T, TIMEOUT
import numpy as np
import pytest
from robot_dynamics import ParameterError
from robot_dynamics.control import ControllerSettings, State

BAD = (math.nan, math.inf, -math.inf)


def test_silence_of_the_driver(faults):
    rig, rng = Rig(fresh_states=3), np.random.default_rng(1)
    count = faults.count(100, 1000)
    worst = 0.0
    for _ in range(count):
        rig.run(int(rng.integers(10, 300)))
        last = rig.now
        while rig.controller.state is not State.FAULT:
            rig.tick()
        worst = max(worst, rig.now - last)
        assert rig.now - last <= TIMEOUT + 2 * T
        while rig.tick() is not None:
            pass
        assert not rig.sent[-1].effort.any() and rig.now - last <= TIMEOUT + 0.2 + 6 * T
        before = len(rig.sent)
        rig.run(2)
        assert len(rig.sent) == before, 'sent before enough fresh states'
        rig.run(1)
        assert rig.controller.state.is_running
    faults.record(
        'silence of the driver (simulated time)',
        count,
        f'safe stop after {worst * 1e3:.0f} ms at most (limit {(TIMEOUT + 2 * T) * 1e3:.0f} ms), '
        'zero effort last, back after 3 fresh states by a ramp',
    )


def test_silence_while_gravity_is_to_be_held(faults):
    hold = 0.3  # [s]
    rig = Rig(fresh_states=3, on_fault='hold_gravity', hold_gravity_time=hold)
    rng, count = np.random.default_rng(1), faults.count(20, 200)
    for _ in range(count):
        rig.run(int(rng.integers(300, 600)))
        gravity = rig.model.gravity(rig.reference.sample(rig.now - T).q)  # the last state
        last = rig.now
        held = []
        while (command := rig.tick()) is not None or rig.controller.state is not State.FAULT:
            if command is not None and np.allclose(command.effort, gravity, atol=1e-6):
                held.append(rig.now)
        assert held[-1] - last - TIMEOUT == pytest.approx(hold, abs=0.005)
        assert held[0] - last - TIMEOUT <= 0.2 + 0.005, 'reached within fault_ramp'
        assert not rig.sent[-1].effort.any()
        assert rig.now - last <= TIMEOUT + 0.2 + hold + 0.2 + 10 * T
    faults.record(
        'silence of the driver with on_fault: hold_gravity (simulated time)',
        count,
        f'gravity at the last good position until {hold:g} s after the timeout, then a ramp, zero '
        'effort last',
    )


def test_values_that_are_not_finite(faults):
    rig, count = Rig(), 0
    rig.run(300)
    for _ in range(faults.count(20, 200)):
        for field in ('q', 'v'):
            for joint in range(2):
                for value in BAD:
                    point = rig.reference.sample(rig.now)
                    state = {'q': point.q.copy(), 'v': point.v.copy()}
                    state[field][joint] = value
                    dropped = rig.controller.dropped_states
                    assert rig.feed(**state) is None
                    assert rig.controller.dropped_states == dropped + 1
                    assert NAMES[joint] in rig.controller.drop_reason
                    rig.run(3)
                    assert rig.controller.state is State.TRACKING
                    count += 1
    last = rig.now
    while rig.controller.state is not State.FAULT:
        rig.feed([math.nan, 0.0], [0.0, 0.0])
        count += 1
    assert rig.now - last <= TIMEOUT + 2 * T
    faults.record(
        'NaN or Inf in a state, every field and joint',
        count,
        'dropped with the joint named; its age goes on; nothing that is not finite is sent',
    )


@pytest.mark.parametrize(
    'change',
    [
        {'state_timeout': math.nan},
        {'state_timeout': -1.0},
        {'fresh_states': 0},
        {'effort_limit': [1.0]},
        {'effort_limit': math.nan},
        {'effort_rate_limit': -5.0},
        {'on_fault': 'fall'},
        {'fault_ramp': 1.0},
        {'start_ramp': math.inf},
        {'velocity_cutoff': 0.0},
        {'effort_side': 'left'},
        {'start_ramp': 'long'},
    ],
)
def test_settings_that_are_not_valid(faults, change):
    twin, rig, count = Rig(), Rig(), faults.count(5, 50)
    for each in (twin, rig):
        each.run(300)
    before = rig.controller.settings
    for _ in range(count):
        with pytest.raises((ParameterError, TypeError)):
            fields = {'law': before.law, 'state_timeout': TIMEOUT, **change}
            rig.controller.configure(ControllerSettings(**fields))
        assert rig.controller.settings is before
        np.testing.assert_array_equal(rig.run(1).output, twin.run(1).output)
    faults.record(
        'settings that are not valid', count, 'refused whole; the command unchanged, bit for bit'
    )


def test_stream_of_setpoints_stops(faults):
    rig, count = Rig(setpoint_timeout=0.05), faults.count(20, 200)
    rig.run(300)
    largest, previous = 0.0, None
    for k in range(count):
        target = rig.reference.sample(rig.now)
        rig.controller.set_setpoint(target, rig.now)
        for _ in range(500):
            point = rig.reference.sample(rig.now)
            command = rig.feed(point.q, point.v)
            if previous is not None:
                largest = max(largest, np.abs(command.reference.q - previous).max())
            previous = command.reference.q
        assert command.state is State.HOLDING, k
        np.testing.assert_array_equal(command.reference.v, 0.0)
    assert largest < 0.01  # [rad] in a millisecond
    faults.record(
        'stream of set-points stops',
        count,
        'held at the last point; largest step of the reference '
        f'{largest * 1e3:.2f} mrad in a period',
    )


def test_nothing_of_an_old_life_survives_a_reset(faults):
    rig, count = Rig(fresh_states=2, start_ramp=0.01), faults.count(50, 1000)
    for _ in range(count):
        rig.run(30)
        assert rig.controller.state.is_running
        rig.controller.shutdown(rig.now)
        while rig.tick() is not None:
            pass
        assert rig.controller.is_finished and not rig.sent[-1].effort.any()
        rig.controller.reset()
        before = len(rig.sent)
        assert rig.feed(Q, np.zeros(2)) is None and len(rig.sent) == before
        command = rig.feed(Q, np.zeros(2))
        assert command.state is State.HOLDING
        np.testing.assert_array_equal(command.reference.q, Q)
    faults.record(
        'shutdown and new start of the controller',
        count,
        'last effort zero; no old reference; nothing sent before fresh states',
    )
