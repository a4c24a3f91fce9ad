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


"""The short ways through a cycle give what the whole cycle gives, whatever happens."""

import math

import numpy as np
import pytest
from robot_dynamics.control import (
    AccelerationGains,
    Controller,
    ControllerSettings,
    ExternalWrench,
    LawSettings,
    ReferencePoint,
    State,
    Trajectory,
)
from robot_dynamics.control.compiled_step import CompiledStep
from robot_dynamics.control.numpy_step import NumpyStep
from robot_dynamics.errors import RobotDynamicsError
from robot_dynamics.model import FrictionModel, load_robot, Payload
from robot_dynamics.model.compiled import available_backend

DT = 1e-3
needs_numba = pytest.mark.skipif(
    bool(available_backend().reason), reason=available_backend().reason
)
SHORT_WAYS = ['numpy', pytest.param('auto', marks=needs_numba)]
STEPS = {'numpy': NumpyStep, 'auto': CompiledStep}


def friction(n, kind):
    if kind == 'none':
        return FrictionModel.none(n)
    smoothing = np.full(n, 0.0 if kind == 'sharp' else 0.02)
    static = np.linspace(0.9, 1.4, n) if kind == 'stribeck' else np.linspace(0.4, 0.8, n)
    return FrictionModel(
        np.linspace(0.4, 0.8, n),
        np.linspace(0.4, 0.8, n) if kind == 'even' else np.linspace(0.3, 0.4, n),
        np.linspace(0.1, 0.2, n),
        smoothing,
        static_positive=static,
        static_negative=static,
    )


def two_of(robot, way, kind='even', velocity='reference', **changes):
    """Return the same controller twice: by the whole cycle, and by a short way."""
    pair = []
    for backend in ('plain', way):
        model = load_robot(robot)
        model = model.with_friction(friction(model.nv, kind))
        if backend == 'auto':
            assert model.accelerate().name == 'numba'
        law = LawSettings(
            mode='computed_torque',
            acceleration_gains=AccelerationGains.from_natural_frequency(8.0),
            friction=kind != 'none',
            friction_velocity=velocity,
            gravity_in_output=changes.get('gravity_in_output', True),
        )
        options = {key: value for key, value in changes.items() if key != 'gravity_in_output'}
        settings = ControllerSettings(
            law=law, allow_unlimited_effort=True, start_ramp=0.01, backend=backend, **options
        )
        pair.append(Controller(model, settings))
    return pair


def agree(whole, short, one, other):
    """Require the same command, state and reasons."""
    assert (one.state, one.reason, one.drop_reason) == (
        other.state,
        other.reason,
        other.drop_reason,
    )
    assert (one.dropped_states, one.fault_count) == (other.dropped_states, other.fault_count)
    assert (whole is None) == (short is None)
    if whole is None:
        return
    scale = 1.0 + np.abs(whole.effort).max()
    np.testing.assert_allclose(short.effort, whole.effort, rtol=0, atol=1e-10 * scale)
    np.testing.assert_allclose(short.output, whole.output, rtol=0, atol=1e-10 * scale)
    assert short.state is whole.state
    assert short.saturated.tolist() == whole.saturated.tolist()
    assert (short.reference is None) == (whole.reference is None)
    if whole.reference is not None:
        for mine, theirs in zip(short.reference, whole.reference):
            np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-10)
        np.testing.assert_allclose(short.error, whole.error, rtol=0, atol=1e-11)


def order(rng, pair, now, q):
    """Give both controllers the same order, sometimes one that is refused."""
    names, n = pair[0].model.commanded_names, len(q)
    times = np.cumsum(rng.uniform(0.02, 0.2, 4))
    points = q + 0.05 * rng.standard_normal((4, n))
    last = pair[0].model.link_names[-1]
    payload = Payload(frame=last, mass=rng.uniform(0.0, 0.5), com=[0.0, 0.0, 0.05])
    gravity = rng.uniform(-9.81, 9.81, 3)
    wrench = ExternalWrench(last, rng.standard_normal(3), rng.standard_normal(3))
    gains = AccelerationGains.from_natural_frequency(rng.uniform(4.0, 9.0))
    choice = int(rng.integers(9))
    seen = []
    for one in pair:
        law = one.settings.law
        orders = [
            lambda: one.set_trajectory(Trajectory(times, points, joint_names=names), now),
            lambda: one.set_trajectory(
                Trajectory(times, points, joint_names=names), now, now + 0.05
            ),
            lambda: one.set_setpoint(ReferencePoint.at_rest(points[0]), now),
            lambda: one.hold(now),
            lambda: one.set_payload(payload),
            lambda: one.set_gravity(gravity),
            lambda: one.set_external_wrench(wrench, now),
            lambda: one.fail('told so'),
            lambda: one.configure(
                ControllerSettings(
                    **{
                        **vars(one.settings),
                        'law': LawSettings(**{**vars(law), 'acceleration_gains': gains}),
                    }
                )
            ),
        ]
        try:
            orders[choice]()
            seen.append('')
        except RobotDynamicsError as error:
            seen.append(str(error))
    assert seen[0] == seen[1]


def live(pair, seed, steps=1500):
    """Let both answer the same states and orders; return how many the short way answered."""
    rng, now, answered = np.random.default_rng(seed), 10.0, 0
    model = pair[0].model
    q, v = rng.uniform(-0.5, 0.5, model.nv), np.zeros(model.nv)
    for k in range(steps):
        now += DT if rng.random() > 0.003 else rng.uniform(0.0, 0.08)
        v = 0.98 * v + 0.02 * rng.standard_normal(model.nv)
        q = q + DT * v
        if rng.random() < 0.004:
            order(rng, pair, now, q[: model.n_commanded])
        state, rate = q.copy(), v.copy()
        chance = rng.random()
        if chance < 0.004:
            (state, rate)[k % 2][int(rng.integers(model.nv))] = rng.choice(
                [math.nan, math.inf, -math.inf, 1e101, 3.0]
            )
        elif chance < 0.006:
            state = state[:-1]
        if chance > 0.995:
            commands = [one.tick(now) for one in pair]
        else:
            commands = [one.update(now, state, None if chance > 0.994 else rate) for one in pair]
        agree(*commands, *pair)
        answered += pair[1]._cycle.steady is not None
        if k % 50 == 0 and pair[0].last_position is not None:
            np.testing.assert_array_equal(pair[0].last_position, pair[1].last_position)
            for name, term in pair[0].terms().items():
                np.testing.assert_allclose(pair[1].terms()[name], term, rtol=0, atol=1e-9)
    now += 1.0
    for one in pair:
        one.shutdown(now)
    for _ in range(300):
        now += DT
        agree(*(one.tick(now) for one in pair), *pair)
    assert pair[1].is_finished
    return answered


@pytest.mark.parametrize('seed', range(2))
@pytest.mark.parametrize('way', SHORT_WAYS)
@pytest.mark.parametrize('robot', ['arm_2r', 'rp_arm', 'puma560'])
def test_the_same_life_by_the_short_way(robot, way, seed):
    kind = ('even', 'uneven')[seed]
    assert live(two_of(robot, way, kind), seed) > 300


@pytest.mark.parametrize('way', SHORT_WAYS)
@pytest.mark.parametrize(
    ('kind', 'changes'),
    [
        ('stribeck', {}),
        ('sharp', {'velocity': 'measured'}),
        ('uneven', {'velocity': 'measured', 'effort_rate_limit': 300.0}),
        ('even', {'gravity_in_output': False, 'effort_limit': 8.0}),
        ('none', {'effort_limit': 3.0, 'effort_rate_limit': 50.0}),
        ('even', {'on_fault': 'hold_gravity', 'fresh_states': 1}),
    ],
)
def test_the_same_with_other_settings(way, kind, changes):
    live(two_of('arm_2r', way, kind, **changes), 5)


@pytest.mark.parametrize('way', SHORT_WAYS)
def test_joints_that_turn_without_end(way, tmp_path):
    text = load_robot('arm_2r').urdf.replace('"revolute"', '"continuous"')
    path = tmp_path / 'turning.urdf'
    path.write_text(text)
    pair = two_of(str(path), way, velocity='measured')
    assert pair[0].model.is_continuous.all()
    now = 0.0
    for k in range(4000):
        now += DT
        q = np.array([math.pi - 1.0 + 0.9e-3 * k, -0.5])
        q[0] = math.remainder(q[0], 2.0 * math.pi)
        agree(*(one.update(now, q, np.array([0.9, 0.0])) for one in pair), *pair)
    assert pair[0].state is State.HOLDING and pair[0].dropped_states == 0


@pytest.mark.parametrize('way', SHORT_WAYS)
@pytest.mark.parametrize('bad', [math.nan, math.inf, -math.inf, 1e308])
def test_a_bad_effort_of_the_short_way_is_never_sent(way, bad):
    _, one = two_of('arm_2r', way)
    q, v, now = np.array([0.3, -0.4]), np.zeros(2), 0.0
    for _ in range(100):
        now += DT
        good = one.update(now, q, v)
    step = one._cycle.steady
    assert isinstance(step, STEPS[way])
    if way == 'numpy':
        step._inverse_dynamics = lambda *_: np.array([1.0, bad])
    else:
        step._row('kd')[1] = bad
        v = np.array([0.0, 1e-9])
    now += DT
    # the whole cycle takes over, whose own terms are good
    command = one.update(now, q, v)
    np.testing.assert_allclose(command.effort, good.effort, atol=1e-5)


@pytest.mark.parametrize('way', SHORT_WAYS)
def test_what_is_given_is_not_looked_at_later(way):
    _, one = two_of('arm_2r', way)
    q, v, now = np.array([0.3, -0.4]), np.zeros(2), 0.0
    for _ in range(100):
        now += DT
        before = one.update(now, q, v)
    kept = before.effort.copy()
    for other in (q.tolist(), q[:1], q.astype(np.float32), np.zeros((2, 1)), None):
        now += DT
        one.update(now, q if other is None else other, v if other is not None else None)
    q[:] = 9.0
    assert one.last_position.tolist() != q.tolist()
    np.testing.assert_array_equal(before.effort, kept)


def test_without_a_computed_torque_of_all_joints_there_is_no_short_way():
    model = load_robot('arm_2r')
    gravity = ControllerSettings(
        law=LawSettings(mode='gravity_compensation'), allow_unlimited_effort=True
    )
    one, now = Controller(model, gravity), 0.0
    for _ in range(300):
        now += DT
        assert one._cycle.steady is None
        one.update(now, np.zeros(2))
    assert one.state is State.HOLDING
