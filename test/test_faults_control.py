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

"""Faults injected into the controller, in simulated time: nothing lost, nothing let through."""

import math

import numpy as np
import pytest
from robot_dynamics import load_robot, ParameterError, TrajectoryError
from robot_dynamics.control import (
    AccelerationGains,
    Controller,
    ControllerSettings,
    EffortLimiter,
    LawSettings,
    Mode,
    SineReference,
    State,
    Trajectory,
)

T = 1e-3  # [s] loop period
TIMEOUT = 0.05  # [s]
Q = np.array([0.3, -0.8])
NAMES = ('joint1', 'joint2')
BAD = (math.nan, math.inf, -math.inf)


class Rig:
    """A controller that tracks a sine with a perfect robot, in simulated time."""

    def __init__(self, mode=Mode.COMPUTED_TORQUE, model=None, **more):
        law = LawSettings(mode=mode, acceleration_gains=AccelerationGains(kp=100.0, kd=20.0))
        settings = ControllerSettings(law=law, state_timeout=TIMEOUT, **more)
        self.model = model or load_robot('arm_2r')
        self.controller = Controller(self.model, settings)
        self.reference = SineReference(Q, [0.2, 0.3], [2.0, 1.5])
        self.now = 0.0
        self.sent = []

    def run(self, steps):
        """Feed good states and return the last command."""
        command = None
        for _ in range(steps):
            point = self.reference.sample(self.now)
            command = self.feed(point.q, point.v)
            holding = command is not None and command.state is State.HOLDING
            if holding and command.reference is not None:
                self.controller.set_reference(self.reference, self.now)
        return command

    def feed(self, q, v):
        """Feed one state a period later."""
        self.now += T
        return self._note(self.controller.update(self.now, np.array(q), np.array(v)))

    def tick(self):
        """Let a period pass in silence."""
        self.now += T
        return self._note(self.controller.tick(self.now))

    def _note(self, command):
        if command is not None:
            assert np.isfinite(command.output).all()
            assert (np.abs(command.effort) <= 150.0).all()
            self.sent.append(command)
        return command


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


class Broken:
    """A model whose dynamics give a chosen value in one joint, when told to."""

    def __init__(self):
        self._model = load_robot('arm_2r')
        self.value, self.joint = None, 0

    def __getattr__(self, name):
        return getattr(self._model, name)

    def _spoil(self, tau):
        if self.value is not None:
            tau[self.joint] = self.value
        return tau

    def inverse_dynamics(self, q, v, a):
        return self._spoil(self._model.inverse_dynamics(q, v, a))

    def gravity(self, q):
        return self._spoil(self._model.gravity(q))


@pytest.mark.parametrize(
    'mode', [Mode.COMPUTED_TORQUE, Mode.FEEDFORWARD, Mode.GRAVITY_COMPENSATION]
)
def test_terms_that_are_not_finite(faults, mode):
    model = Broken()
    rig, count = Rig(mode, model, fresh_states=2, start_ramp=0.01), 0
    for _ in range(faults.count(5, 50)):
        for value in (*BAD, 1e308, -1e308):
            for joint in range(2):
                rig.run(40)
                assert rig.controller.state.is_running
                model.value, model.joint = value, joint
                command = rig.run(1)
                assert command.state is State.FAULT and 'finite' in rig.controller.fault_reason
                model.value = None
                count += 1
    faults.record(
        'effort of the law NaN, Inf or 1e308',
        count,
        'never clamped into a command: safe stop with the reason, back by a ramp',
    )


def test_saturation(faults):
    rng, count = np.random.default_rng(2), faults.count(100_000, 1_000_000)
    limit, rate = np.array([10.0, 4.0, 0.5]), np.array([1000.0, 200.0, 50.0])
    limiter, previous, saturated = EffortLimiter(limit, rate, 3), np.zeros(3), 0
    wanted = rng.normal(scale=[20.0, 8.0, 1.0], size=(count, 3))
    steps = rng.choice([1e-4, 1e-3, 5e-3], size=count)
    for tau, dt in zip(wanted, steps, strict=True):
        effort, hit = limiter.apply(tau, previous, dt)
        assert not (np.abs(effort) > limit).any()
        assert not (np.abs(effort - previous) > rate * dt + 1e-12).any()
        saturated += hit.any()
        previous = effort
    assert saturated > count // 2
    faults.record(
        'efforts beyond the effort and rate limits',
        int(saturated),
        'both limits hold for every command; saturated joints are told',
    )


GOOD = {'times': [0.5, 1.0], 'positions': [[0.3, -0.7], [0.4, -0.6]]}
RULES = {
    'times zero': {'times': [0.0, 0.0]},
    'times equal': {'times': [0.5, 0.5]},
    'times falling': {'times': [1.0, 0.5]},
    'times negative': {'times': [-0.5, 1.0]},
    'times not finite': {'times': [0.5, math.inf]},
    'too few positions': {'positions': [[0.3], [0.4]]},
    'too few points': {'positions': [[0.3, -0.7]]},
    'position not finite': {'positions': [[0.3, math.nan], [0.4, -0.6]]},
    'velocity not finite': {'velocities': [[0.0, math.inf], [0.0, 0.0]]},
    'velocities of wrong size': {'velocities': [[0.0], [0.0]]},
    'acceleration not finite': {
        'velocities': [[0.0, 0.0]] * 2,
        'accelerations': [[0.0, 0.0], [math.nan, 0.0]],
    },
    'unknown joint': {'joint_names': ['joint1', 'gripper']},
    'doubled joint': {'joint_names': ['joint1', 'joint1']},
    'no joint': {'joint_names': []},
    'beyond a position limit': {'positions': [[0.3, -0.7], [40.0, -0.6]], 'times': [50.0, 100.0]},
    'beyond a velocity limit': {'times': [0.5, 0.501], 'positions': [[0.3, -0.7], [1.4, -0.6]]},
    'ends while moving': {'velocities': [[0.0, 0.0], [1.0, 0.0]]},
}


@pytest.mark.parametrize('rule', RULES)
def test_trajectories_that_break_a_rule(faults, rule):
    twin, rig, count = Rig(), Rig(), faults.count(3, 30)
    for each in (twin, rig):
        each.run(300)
    for _ in range(count):
        with pytest.raises(TrajectoryError) as caught:
            arguments = {'joint_names': NAMES, **GOOD, **RULES[rule]}
            rig.controller.set_trajectory(Trajectory(**arguments), rig.now)
        assert str(caught.value)
        for _ in range(5):
            np.testing.assert_array_equal(rig.run(1).output, twin.run(1).output)
    assert rig.controller.state is State.TRACKING
    faults.record(
        f'trajectory: {rule}',
        count,
        'refused whole; what is in force goes on, bit for bit',
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
