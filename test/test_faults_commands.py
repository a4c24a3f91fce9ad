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

"""Faults injected into what is sent: start-up, terms of the law, limits; in simulated time."""

import math

from fault_rig import Q, Rig, T
import numpy as np
import pytest
from robot_dynamics import load_robot
from robot_dynamics.control import Mode, State

BAD = (math.nan, math.inf, -math.inf, 1e308, -1e308)


class Broken:
    """A model, and the parts of a law, that give a chosen value in one joint when told to."""

    def __init__(self):
        self._model = load_robot('arm_2r')
        self.term = self.value = None
        self.joint = 0

    def __getattr__(self, name):
        return getattr(self._model, name)

    def spoil(self, term, values):
        """Return the values of a term, with the chosen one in place of one of them."""
        if term == self.term:
            values = values.copy()
            values[self.joint] = self.value
        return values

    def inverse_dynamics(self, q, v, a):
        return self.spoil('inverse dynamics', self._model.inverse_dynamics(q, v, a))

    def gravity(self, q):
        return self.spoil('gravity', self._model.gravity(q))

    def wrap(self, monkeypatch, controller):
        """Stand between the parts of the law and their sum."""
        cycle = controller._cycle
        law = cycle.setup.law
        feedback, friction = law._feedback, law._friction
        monkeypatch.setattr(law, '_feedback', lambda *x: self.spoil('feedback', feedback(*x)))
        monkeypatch.setattr(law, '_friction', lambda *x: self.spoil('friction', friction(*x)))
        monkeypatch.setattr(cycle, '_wrench_effort', lambda _: self.spoil('wrench', np.zeros(2)))


PARTS = {
    Mode.GRAVITY_COMPENSATION: ('gravity', 'wrench'),
    Mode.FEEDFORWARD: ('inverse dynamics', 'feedback', 'friction', 'wrench'),
    Mode.COMPUTED_TORQUE: ('inverse dynamics', 'feedback', 'friction', 'wrench'),
    Mode.PD: ('feedback',),
    Mode.PD_GRAVITY: ('gravity', 'feedback', 'wrench'),
}


@pytest.mark.parametrize(
    ('mode', 'term'), [(mode, term) for mode, terms in PARTS.items() for term in terms]
)
def test_terms_that_are_not_finite(faults, monkeypatch, mode, term):
    broken, count = Broken(), 0
    rig = Rig(mode, broken, friction=True, fresh_states=2, start_ramp=0.01, backend='plain')
    broken.wrap(monkeypatch, rig.controller)
    for _ in range(faults.count(3, 50)):
        for value in BAD:
            for joint in range(2):
                rig.run(40)
                assert rig.controller.state.is_running
                before = rig.sent[-1].effort
                broken.term, broken.value, broken.joint = term, value, joint
                command = rig.run(1)
                broken.term = None
                assert command.state is State.FAULT and 'finite' in rig.controller.fault_reason
                assert (np.abs(command.effort) <= np.abs(before) + 1e-12).all(), 'on the way down'
                count += 1
    faults.record(
        f'{term}: NaN, ±Inf or ±1e308 in the effort',
        count,
        'never clamped into a command: safe stop with the reason, back by a ramp',
    )


def test_values_that_are_not_finite_after_the_limits(faults):
    rig, count = Rig(fresh_states=2, start_ramp=0.01, backend='plain'), 0
    limiter = rig.controller._cycle.setup.limiter
    for k in range(faults.count(10, 100)):
        rig.run(40)
        assert rig.controller.state.is_running
        good = limiter._lower
        limiter._lower = good.copy()
        limiter._lower[k % 2] = math.nan
        command = rig.run(1)
        limiter._lower = good
        assert command.state is State.FAULT and 'limited effort' in rig.controller.fault_reason
        count += 1
    faults.record('NaN from the limits themselves', count, 'never sent: safe stop with the reason')


@pytest.mark.parametrize('way', ['numpy', 'compiled'])
def test_terms_of_the_short_ways_that_are_not_finite(faults, way):
    rig, count = Rig(friction=True, fresh_states=2, start_ramp=0.01), 0
    if way == 'compiled':
        backend = rig.model.accelerate()
        if backend.reason:
            pytest.skip(backend.reason)
    rig.controller.configure(rig.controller.settings)
    q, v = np.array([0.4, -0.3]), np.array([1e-3, 1e-3])
    for _ in range(300):
        rig.feed(q, v)
    for _ in range(faults.count(20, 500)):
        for value in BAD:
            for joint in range(2):
                step = rig.controller._cycle.steady
                if way == 'compiled':
                    gains = step._row('kd')
                else:
                    gains = step._gains[:, 2 + joint]
                good = gains.copy()
                gains[joint] = value
                command = rig.feed(q, v)
                gains[:] = good
                # found out before anything is sent, and computed once more the whole way
                assert rig.controller._cycle.steady is not None
                assert (np.abs(command.effort - rig.sent[-2].effort) < 1e-9).all()
                count += 1
    faults.record(
        f'NaN, ±Inf or ±1e308 in the short way of computed torque ({way})',
        count,
        'never sent: the whole cycle answers the state instead',
    )


def test_saturation(faults):
    rng, count = np.random.default_rng(2), faults.count(20_000, 1_000_000)
    limit, rate = np.array([20.0, 5.0]), np.array([2000.0, 400.0])
    rig = Rig(effort_limit=limit, effort_rate_limit=rate, start_ramp=0.01)
    command, saturated = rig.run(100), 0
    noise = rng.normal(scale=[0.5, 1.0], size=(count, 2))
    for v, dt in zip(noise, rng.choice([1e-4, 1e-3, 5e-3], size=count), strict=True):
        previous = command.effort
        rig.now += dt
        point = rig.reference.sample(rig.now)
        command = rig.controller.update(rig.now, point.q, point.v + v)
        assert command.state is State.TRACKING
        assert not (np.abs(command.effort) > limit).any()
        assert not (np.abs(command.effort - previous) > rate * dt + 1e-9).any()
        saturated += command.saturated.any()
    assert saturated > count // 4
    faults.record(
        'efforts beyond the effort and rate limits, at random',
        count,
        f'both limits hold for every command; {saturated:,} were held back, and say so',
    )


def test_start_up(faults):
    rng, count, refused = np.random.default_rng(3), faults.count(100, 1000), 0
    n, ramp, jump = 5, 0.05, 2.0
    rig = Rig(Mode.PD_GRAVITY, fresh_states=n, start_ramp=ramp, start_jump_limit=jump)
    gravity = rig.model.gravity(Q)

    def feed(q, measured):
        rig.now += T
        return rig.controller.update(rig.now, np.array(q), np.zeros(2), measured_effort=measured)

    for _ in range(count):
        kind = rng.choice(['nothing', 'NaN', 'gap', 'jump'])
        for _ in range(rng.integers(1, n)):
            assert feed(Q, gravity) is None
        if kind == 'NaN':
            assert feed([Q[0], math.nan], gravity) is None
        elif kind == 'gap':
            rig.now += 1.0
            assert rig.tick() is None
        elif kind == 'jump':
            assert feed(Q, gravity + [0.0, 1.1 * jump]) is None
            assert "joint 'joint2': first effort would be" in rig.controller.reason
        if kind != 'nothing':
            refused += 1
            for _ in range(n - 1):
                assert feed(Q, gravity) is None, kind
        while (first := feed(Q, gravity)) is None:
            pass
        begin = rig.now
        assert first.state is State.HOLDING and not first.effort.any(), 'from zero'
        while rig.now < begin + 2.0 * ramp:
            share = min(1.0, (rig.now + T - begin) / ramp)
            effort = feed(Q, gravity).effort
            assert (np.abs(effort) <= share * np.abs(gravity) + 1e-9).all(), 'by a ramp'
        np.testing.assert_allclose(effort, gravity, rtol=0.0, atol=1e-9)
        rig.controller.shutdown(rig.now)
        while rig.tick() is not None:
            pass
        rig.controller.reset()
    faults.record(
        'start-up',
        count,
        f'nothing sent before {n} good states in a row, then by a ramp from zero; {refused:,} '
        'times a bad state, a gap or a jump against the measured effort began the row again',
    )
