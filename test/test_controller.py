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

"""The controller: when it sends what, faults, changes at run time, and closed loops."""

from dataclasses import replace
import threading

from golden import load
import numpy as np
import pytest
from robot_dynamics.control import (
    AccelerationGains,
    Controller,
    ControllerSettings,
    EffortGains,
    LawSettings,
    Mode,
    ReferencePoint,
    rest_to_rest,
    SineReference,
    State,
    Trajectory,
)
from robot_dynamics.errors import ParameterError, StateError, TrajectoryError
from robot_dynamics.model import load_robot

PERIOD = 1e-3  # [s]
Q = np.array([0.4, -0.6])
REST = np.zeros(2)
NAMES = ('joint1', 'joint2')
BAD = [np.nan, np.inf, -np.inf, 1e308]


def settings(mode=Mode.COMPUTED_TORQUE, *, friction=False, **changes):
    law = LawSettings(
        mode=mode,
        friction=friction,
        acceleration_gains=AccelerationGains(kp=100.0, kd=20.0),
        effort_gains=EffortGains(kp=[400.0, 150.0], kd=[40.0, 4.0]),
    )
    return ControllerSettings(**{'law': law, **changes})


def controller(mode=Mode.COMPUTED_TORQUE, *, robot='arm_2r', **changes):
    return Controller(load_robot(robot), settings(mode, **changes))


def feed(one, begin, count, q=Q, v=REST):
    """Update ``count`` times, every period; return the commands and the time after them."""
    commands = [one.update(begin + i * PERIOD, q, v) for i in range(count)]
    return commands, begin + count * PERIOD


def running(mode=Mode.COMPUTED_TORQUE, **changes):
    """Return a controller that has held for a second, and the time."""
    one = controller(mode, **changes)
    _, now = feed(one, 0.0, 1000)
    assert one.state is State.HOLDING
    return one, now


# -------------------------------------------------------------------- the start


def test_nothing_is_sent_before_fresh_states_and_then_a_ramp_from_zero():
    one = controller(Mode.GRAVITY_COMPENSATION)
    assert one.tick(0.0) is None
    assert one.state is State.WAITING and 'no usable state yet' in one.reason
    commands, _ = feed(one, 1.0, 300)
    assert commands[:4] == [None] * 4
    begin = 1.004
    gravity = load_robot('arm_2r').gravity(Q)
    for i, command in enumerate(commands[4:]):
        share = min((1.004 + i * PERIOD - begin) / 0.2, 1.0)
        np.testing.assert_allclose(command.effort, share * gravity, rtol=1e-9, atol=1e-12)
        assert command.state is State.HOLDING
        assert command.reference is None and command.error is None
    np.testing.assert_array_equal(commands[4].effort, [0.0, 0.0])
    assert one.reason == '' and one.fault_reason == ''


def test_at_rest_gravity_compensation_is_the_golden_gravity():
    for data, robot in (('arm_2r_rod', 'arm_2r'), ('rp_arm', 'rp_arm')):
        case = load(data)['special'][0]
        one = controller('gravity_compensation', robot=robot, start_ramp=0.0)
        for i in range(5):
            command = one.update(i * PERIOD, np.array(case['q']))
        np.testing.assert_allclose(command.effort, case['G'], rtol=0, atol=1e-11)


def test_it_holds_where_the_robot_is():
    one, now = running()
    command = one.update(now, Q + [0.01, -0.02], REST)
    np.testing.assert_array_equal(command.reference.q, Q)
    np.testing.assert_allclose(command.error, [-0.01, 0.02])
    model = load_robot('arm_2r')
    np.testing.assert_allclose(
        command.effort, model.inverse_dynamics(Q + [0.01, -0.02], REST, [-1.0, 2.0]), atol=1e-12
    )
    assert one.update(now + PERIOD, Q, REST).state is State.HOLDING


def test_states_that_are_too_rare_never_start_it():
    one = controller()
    for i in range(50):
        assert one.update(i * 0.06, Q, REST) is None
    assert one.state is State.WAITING
    assert 'state_timeout = 0.05 s' in one.reason


def test_an_effort_that_is_not_finite_does_not_start_it():
    one = controller()
    for i in range(20):
        assert one.update(i * PERIOD, Q, np.array([1e90, 0.0])) is None
    assert one.state is State.FAULT
    assert 'effort: computed_torque gives' in one.reason


def test_a_jump_against_the_measured_effort_keeps_it_waiting():
    one = controller(Mode.GRAVITY_COMPENSATION, start_jump_limit=[2.0, np.inf])
    gravity = load_robot('arm_2r').gravity(Q)
    for i in range(20):
        assert one.update(i * PERIOD, Q, measured_effort=gravity + [2.5, 50.0]) is None
    assert one.state is State.WAITING
    assert "joint 'joint1': first effort would be" in one.reason
    commands = [
        one.update(0.02 + i * PERIOD, Q, measured_effort=gravity + [1.5, 50.0]) for i in range(5)
    ]
    assert commands[3] is None and commands[4] is not None


def test_velocities_are_not_needed_for_gravity_compensation_only():
    one, now = running(Mode.GRAVITY_COMPENSATION)
    assert one.update(now, Q, None) is not None
    assert one.update(now + PERIOD, Q, np.full(2, np.nan)) is not None
    for mode in (Mode.FEEDFORWARD, Mode.COMPUTED_TORQUE, Mode.PD, Mode.PD_GRAVITY):
        one = controller(mode)
        assert [one.update(i * PERIOD, Q, None) for i in range(9)] == [None] * 9
        assert one.dropped_states == 9
        assert one.drop_reason == f'velocity is missing, {mode.value} needs it'
        assert one.reason == f'joint_states: {one.drop_reason}'


# --------------------------------------------------------------------- silence


def drain(one, now, period=PERIOD):
    """Tick until nothing is sent any more; return times and efforts."""
    times, efforts = [], []
    for _ in range(10_000):
        command = one.tick(now)
        if command is None:
            break
        times.append(now)
        efforts.append(command.effort)
        now += period
    return np.array(times), np.array(efforts)


def first_fault(one, now):
    """Tick until the fault; return the time of its first command."""
    while one.state is not State.FAULT:
        now += PERIOD
        command = one.tick(now)
        assert (command is not None) == (one.state is State.FAULT)
    return now, command


def test_silence_leads_to_a_ramp_to_exactly_zero_and_then_nothing():
    one, now = running()
    last_state = now - PERIOD
    last = one.terms()['command']
    began, command = first_fault(one, now - PERIOD)
    assert began - last_state <= 0.05 + 2.0 * PERIOD
    np.testing.assert_array_equal(command.effort, last)
    assert command.state is State.FAULT
    assert 'no usable state for 0.05' in one.fault_reason
    times, efforts = drain(one, began + PERIOD)
    share = np.clip(1.0 - (times - began) / 0.2, 0.0, 1.0)
    np.testing.assert_allclose(efforts, share[:, None] * last, atol=1e-9)
    np.testing.assert_array_equal(efforts[-2:], 0.0)
    assert efforts[-3].any()
    assert times[-1] - began <= 0.2 + 2.0 * PERIOD
    assert one.tick(times[-1] + 1.0) is None
    assert one.fault_count == 1


def test_it_returns_by_a_ramp_and_holds_where_the_robot_then_is():
    one, now = running()
    one.set_trajectory(rest_to_rest(Q, [1.0, 0.0], 2.0, joint_names=NAMES), now)
    feed(one, now, 100)
    began, _ = first_fault(one, now + 0.1)
    times, _ = drain(one, began + PERIOD)
    other = np.array([0.2, -0.2])
    commands, now = feed(one, times[-1] + 3.0, 400, q=other)
    assert commands[:4] == [None] * 4
    np.testing.assert_array_equal(commands[4].effort, [0.0, 0.0])
    gravity = load_robot('arm_2r').gravity(other)
    np.testing.assert_allclose(commands[104].effort, 0.5 * gravity, atol=1e-9)
    np.testing.assert_allclose(commands[-1].effort, gravity, atol=1e-9)
    np.testing.assert_array_equal(commands[-1].reference.q, other)
    assert commands[-1].state is State.HOLDING
    assert one.fault_reason == '' and 'no usable state' in one.last_fault


def test_a_return_during_the_ramp_goes_on_from_there():
    one, now = running()
    began, command = first_fault(one, now)
    half = one.tick(began + 0.1).effort
    commands, _ = feed(one, began + 0.1 + PERIOD, 6)
    efforts = [half] + [command.effort for command in commands]
    assert [command.state for command in commands] == [State.FAULT] * 4 + [State.HOLDING] * 2
    assert np.max(np.abs(np.diff(efforts, axis=0))) <= 0.006 * np.max(np.abs(command.effort))


def test_a_gap_that_nobody_watched_is_a_fault_when_the_next_state_comes():
    one, now = running()
    command = one.update(now + 0.06, Q, REST)
    assert command.state is State.FAULT
    assert one.fault_count == 1
    assert [c.state for c in feed(one, now + 0.061, 4)[0]] == [State.FAULT] * 3 + [State.HOLDING]


def test_hold_gravity_supports_the_arm_for_its_time():
    one, now = running(on_fault='hold_gravity', hold_gravity_time=1.0)
    one.update(now, Q + 0.02, REST)
    gravity = load_robot('arm_2r').gravity(Q + 0.02)
    began, _ = first_fault(one, now)
    times, efforts = drain(one, began + PERIOD)
    since = times - began
    held = (since > 0.2 + 1e-9) & (since < 1.0 - 1e-9)
    np.testing.assert_allclose(efforts[held], np.tile(gravity, (held.sum(), 1)), atol=1e-12)
    assert held.sum() > 790
    assert 1.2 <= since[-1] <= 1.2 + 3.0 * PERIOD
    np.testing.assert_array_equal(efforts[-2:], 0.0)
    assert np.max(np.abs(np.diff(efforts, axis=0))) <= 1.001 * np.max(np.abs(gravity)) * 5e-3


@pytest.mark.parametrize('field', ['q', 'v'])
@pytest.mark.parametrize('joint', [0, 1])
@pytest.mark.parametrize('bad', BAD)
def test_states_with_bad_values_are_as_if_they_had_not_come(field, joint, bad):
    one, now = running()
    state = {'q': Q.copy(), 'v': REST.copy()}
    state[field][joint] = bad
    assert one.update(now, **state) is None
    assert one.state is State.HOLDING
    assert one.dropped_states == 1
    assert f"of joint '{NAMES[joint]}' is {bad}" in one.drop_reason
    commands = [one.update(now + i * PERIOD, **state) for i in range(1, 300)]
    sent = [command for command in commands if command is not None]
    assert one.state is State.FAULT
    assert all(np.isfinite(command.effort).all() for command in sent)
    assert {command.state for command in sent} == {State.FAULT}
    assert not sent[-1].effort.any()
    assert f"joint '{NAMES[joint]}' is {bad}" in one.last_fault


def test_states_of_another_size_are_dropped():
    one, now = running()
    assert one.update(now, np.zeros(3), np.zeros(3)) is None
    assert 'shape (3,)' in one.drop_reason


# ------------------------------------------------------------------ bad efforts


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('method', ['inverse_dynamics', 'friction'])
@pytest.mark.parametrize('bad', BAD)
def test_a_bad_term_is_a_fault_and_never_sent(monkeypatch, method, bad):
    model = load_robot('arm_2r')
    one = Controller(model, settings(friction=True, backend='plain'))
    _, now = feed(one, 0.0, 1000)
    last = one.terms()['command']
    good = getattr(type(model), method)
    with monkeypatch.context() as patch:
        patch.setattr(model, method, lambda *x: good(model, *x) * [1.0, 0.0] + [0.0, bad])
        commands, now = feed(one, now, 400)
    assert one.state is State.FAULT
    assert 'effort: computed_torque gives' in one.fault_reason
    assert 'gains' in one.fault_reason
    np.testing.assert_array_equal(commands[0].effort, last)
    sent = np.array([command.effort for command in commands if command is not None])
    assert np.isfinite(sent).all()
    assert not sent[-1].any() and commands[-1] is None
    assert one.fault_count == 1
    commands, now = feed(one, now, 300)
    assert one.state is State.HOLDING
    assert not commands[4].effort.any()


def test_a_fault_from_outside_is_taken_up():
    one, now = running()
    one.fail('a callback raised ValueError')
    command = one.tick(now)
    assert command.state is State.FAULT
    assert one.fault_reason == 'a callback raised ValueError'


def test_a_fault_before_anything_was_sent_sends_nothing():
    one = controller()
    one.fail('early')
    assert one.tick(0.0) is None
    assert one.state is State.FAULT
    commands, _ = feed(one, 1.0, 6)
    assert commands[:4] == [None] * 4 and commands[4].state is State.HOLDING


@pytest.mark.parametrize('now', [np.nan, np.inf, 0.5])
def test_time_that_falls_or_is_no_number_is_refused(now):
    one, _ = running()
    with pytest.raises(StateError, match='steady time'):
        one.update(now, Q, REST)
    with pytest.raises(StateError, match='steady time'):
        one.tick(now)


# ---------------------------------------------------------------------- limits


def test_every_command_is_within_both_limits_whatever_happens():
    rng = np.random.default_rng(3)
    limit, rate = np.array([30.0, 8.0]), np.array([300.0, 90.0])
    one = controller(
        effort_limit=limit,
        effort_rate_limit=rate,
        start_ramp=0.01,
        on_fault='hold_gravity',
        hold_gravity_time=0.1,
    )
    now, last, last_time = 0.0, np.zeros(2), 0.0
    counts = dict.fromkeys(State, 0)
    saturated = 0
    for i in range(30_000):
        now += rng.uniform(0.0, 2e-3) if rng.random() > 2e-3 else 0.3
        q, v = rng.normal(scale=0.3, size=2), rng.normal(scale=0.5, size=2)
        if rng.random() < 0.02:
            (q, v)[rng.integers(2)][rng.integers(2)] = rng.choice(BAD)
        follows = one.settings.law.mode is not Mode.GRAVITY_COMPENSATION
        if one.state.is_running and follows and i % 700 == 350:
            one.set_trajectory(
                rest_to_rest(rng.uniform(-1, 1, 2), rng.uniform(-1, 1, 2), 1.0, joint_names=NAMES),
                now,
            )
        if i % 3000 == 2999:
            one.configure(
                settings(
                    list(Mode)[rng.integers(5)],
                    effort_limit=limit,
                    effort_rate_limit=rate,
                    start_ramp=0.01,
                    on_fault='hold_gravity',
                    hold_gravity_time=0.1,
                )
            )
        command = one.tick(now) if rng.random() < 0.1 else one.update(now, q, v)
        if command is None:
            continue
        assert np.isfinite(command.effort).all()
        assert (np.abs(command.effort) <= limit).all()
        assert (
            np.abs(command.effort - last) <= rate * (now - last_time) * (1.0 + 1e-9) + 1e-9
        ).all()
        last, last_time = command.effort, now
        counts[command.state] += 1
        saturated += command.saturated.any()
    assert counts[State.FAULT] > 200 and counts[State.TRACKING] > 500
    assert counts[State.HOLDING] > 500 and saturated > 1000


def test_limits_of_the_model_and_the_settings_both_hold():
    model = load_robot('arm_2r')  # 150 N m
    for chosen, expected in ((None, 150.0), (20.0, 20.0), (1000.0, 150.0)):
        one = Controller(model, settings(Mode.PD, effort_limit=chosen, start_ramp=0.0))
        feed(one, 0.0, 5)
        command = one.update(5 * PERIOD, Q, REST - 1e3)
        np.testing.assert_array_equal(command.effort, [expected, expected])
        assert command.saturated.all()


def test_joints_without_a_limit_must_be_allowed(endless_effort):
    with pytest.raises(ParameterError) as caught:
        Controller(endless_effort, settings())
    assert 'no effort limit for joint1' in str(caught.value)
    assert 'allow_unlimited_effort' in str(caught.value)
    Controller(endless_effort, settings(allow_unlimited_effort=True))
    Controller(endless_effort, settings(effort_limit=5.0))


@pytest.fixture
def endless_effort():
    from golden import robot
    from robot_dynamics.model import RobotModel

    mapping = robot('arm_2r')
    for joint in mapping['joints'][:2]:
        joint['limits'].pop('effort')
    return RobotModel.from_yaml(mapping)


# ------------------------------------------------------------------- references


def test_a_trajectory_is_followed_and_its_end_is_held():
    one, now = running(Mode.FEEDFORWARD)
    trajectory = rest_to_rest(Q, [1.0, 0.0], 0.5, joint_names=NAMES)
    one.set_trajectory(trajectory, now)
    for since in (0.0, 0.1, 0.25, 0.4, 0.499):
        # states every 50 ms at most
        while one._now < now + since - 0.04:
            one.update(one._now + 0.03, Q, REST)
        command = one.update(now + since, Q, REST)
        np.testing.assert_allclose(command.reference, trajectory.sample(since), atol=1e-12)
        assert command.state is State.TRACKING
    command = one.update(now + 0.51, Q, REST)
    assert command.state is State.HOLDING
    np.testing.assert_array_equal(command.reference.q, [1.0, 0.0])


def test_a_set_point_trajectory_and_a_stream_that_stops():
    one, now = running()
    point = Trajectory([0.0], [Q + 0.01], joint_names=NAMES)
    one.set_trajectory(point, now)
    commands, now = feed(one, now, 500)
    assert commands[1].state is State.TRACKING
    assert commands[-1].state is State.HOLDING
    np.testing.assert_array_equal(commands[-1].reference.q, Q + 0.01)
    references = np.array([command.reference.q for command in commands])
    assert np.max(np.abs(np.diff(references, axis=0))) < 0.01 * 1.875 / 0.2 * PERIOD * 1.01
    one.set_setpoint(ReferencePoint(Q + 0.01, np.array([0.1, 0.0]), REST), now)
    commands, now = feed(one, now, 500)
    references = np.array([command.reference.q for command in commands])
    assert np.max(np.abs(np.diff(references, axis=0))) < 0.15 * PERIOD
    np.testing.assert_array_equal(commands[-1].reference.q, Q + 0.01)


def test_hold_stops_a_motion_without_a_step():
    one, now = running()
    one.set_trajectory(rest_to_rest(Q, Q + 1.0, 1.0, joint_names=NAMES), now)
    commands, now = feed(one, now, 500)
    one.hold(now)
    more, now = feed(one, now, 500)
    references = np.array([command.reference for command in commands + more])
    assert np.max(np.abs(np.diff(references[:, 0], axis=0))) <= 1.9 * PERIOD
    assert np.max(np.abs(np.diff(references[:, 1], axis=0))) <= 20.0 * PERIOD
    assert more[-1].state is State.HOLDING and not references[-1, 1].any()


@pytest.mark.parametrize(
    'order',
    [
        lambda one, now: one.set_trajectory(rest_to_rest(Q, Q, 1.0, joint_names=NAMES), now),
        lambda one, now: one.set_reference(SineReference(Q, Q, 1.0), now),
        lambda one, now: one.set_setpoint(ReferencePoint.at_rest(Q), now),
        lambda one, now: one.hold(now),
    ],
)
def test_references_are_refused_while_they_could_not_be_followed(order):
    with pytest.raises(TrajectoryError, match='state is waiting'):
        order(controller(), 0.0)
    one, now = running(Mode.GRAVITY_COMPENSATION)
    with pytest.raises(TrajectoryError, match='mode gravity_compensation follows no reference'):
        order(one, now)
    one, now = running()
    one.fail('broken')
    one.tick(now)
    with pytest.raises(TrajectoryError, match='state is fault; expected .*; broken'):
        order(one, now)
    one, now = running()
    order(one, now)
    assert one.update(now, Q, REST) is not None


def test_a_mode_that_has_not_begun_refuses_references_and_says_so():
    one, now = running(Mode.GRAVITY_COMPENSATION)
    one.configure(settings(Mode.COMPUTED_TORQUE))
    with pytest.raises(TrajectoryError, match='has not begun yet; send it again'):
        one.hold(now)
    one.update(now, Q, REST)
    one.hold(now)


def test_lists_and_integers_are_states_too():
    one = controller(start_ramp=0)
    for i in range(6):
        command = one.update(i * PERIOD, [0, 1], [0.0, 0])
    np.testing.assert_allclose(command.effort, load_robot('arm_2r').gravity([0.0, 1.0]))


def test_a_refused_trajectory_changes_nothing():
    one, now = running()
    twin, _ = running()
    for each in (one, twin):
        each.set_trajectory(rest_to_rest(Q, [1.0, 0.0], 0.5, joint_names=NAMES), now)
        feed(each, now, 100)
    with pytest.raises(TrajectoryError, match='positions'):
        one.set_trajectory(rest_to_rest(Q, [9.0, 0.0], 9.0, joint_names=NAMES), now + 0.1)
    with pytest.raises(TrajectoryError, match='an end after now'):
        one.set_trajectory(rest_to_rest(Q, Q, 0.5, joint_names=NAMES), now + 0.1, start=now - 0.6)
    for a, b in zip(feed(one, now + 0.1, 100)[0], feed(twin, now + 0.1, 100)[0]):
        np.testing.assert_array_equal(a.effort, b.effort)


# -------------------------------------------------------------- changes at run time


@pytest.mark.parametrize('new', list(Mode))
@pytest.mark.parametrize('old', list(Mode))
def test_a_change_of_mode_blends_from_the_last_command(old, new):
    one, now = running(old)
    q, v = Q + [0.05, -0.1], np.array([0.3, 0.2])
    before = one.update(now, q, v).effort
    one.configure(settings(new))
    commands, _ = feed(one, now + PERIOD, 400, q=q, v=v)
    efforts = np.array([before] + [command.effort for command in commands])
    full = np.abs(efforts[-1] - before)
    assert (np.abs(np.diff(efforts, axis=0)) <= full / 200.0 * 1.01 + 1e-9).all()
    reference = commands[-1].reference
    if new is Mode.GRAVITY_COMPENSATION:
        assert reference is None
    else:
        np.testing.assert_array_equal(reference.q, q if old is Mode.GRAVITY_COMPENSATION else Q)
    assert one.settings.law.mode is new


def test_other_settings_do_not_restart_the_ramp():
    one, now = running()
    before = one.update(now, Q, REST).effort
    one.configure(settings(state_timeout=0.2, effort_limit=100.0))
    np.testing.assert_array_equal(one.update(now + PERIOD, Q, REST).effort, before)
    assert one.tick(now + 0.15) is None
    assert one.tick(now + 0.25).state is State.FAULT


def test_a_mode_change_keeps_the_trajectory():
    one, now = running(Mode.PD_GRAVITY)
    trajectory = rest_to_rest(Q, [1.0, 0.0], 1.0, joint_names=NAMES)
    one.set_trajectory(trajectory, now)
    feed(one, now, 300)
    one.configure(settings(Mode.COMPUTED_TORQUE))
    commands, _ = feed(one, now + 0.3, 100)
    np.testing.assert_allclose(commands[-1].reference, trajectory.sample(0.399), atol=1e-9)
    assert commands[-1].state is State.TRACKING


INVALID = [
    {'effort_limit': -1.0},
    {'effort_limit': [1.0, 2.0, 3.0]},
    {'effort_limit': np.nan},
    {'effort_rate_limit': 0.0},
    {'effort_rate_limit': [1.0]},
    {'state_timeout': 0.0},
    {'state_timeout': np.nan},
    {'state_timeout': np.inf},
    {'fresh_states': 0},
    {'start_ramp': -0.1},
    {'start_ramp': 'slow'},
    {'on_fault': 'panic'},
    {'fault_ramp': 0.3},
    {'fault_ramp': np.nan},
    {'hold_gravity_time': -1.0},
    {'setpoint_timeout': 0.0},
    {'blend_time': 0.0},
    {'blend_velocity': np.inf},
    {'start_jump_limit': 0.0},
    {'law': LawSettings(mode='pd', effort_gains=EffortGains(kp=[1.0, 2.0, 3.0], kd=1.0))},
]


@pytest.mark.parametrize('change', INVALID, ids=lambda change: str(change)[:40])
def test_invalid_settings_change_nothing(change):
    one, now = running()
    twin, _ = running()
    before = one.settings
    with pytest.raises(ParameterError) as caught:
        one.configure(replace(before, **change))
    name = next(iter(change))
    assert (name if name != 'law' else 'effort_gains.kp') in str(caught.value)
    assert one.settings is before
    for a, b in zip(feed(one, now, 50)[0], feed(twin, now, 50)[0]):
        np.testing.assert_array_equal(a.effort, b.effort)


def test_integers_are_accepted_for_doubles():
    one, _ = running(effort_limit=20, state_timeout=1, start_ramp=0, hold_gravity_time=2)
    assert one.settings.state_timeout == 1


def test_another_model_comes_in_by_a_ramp():
    one, now = running(Mode.GRAVITY_COMPENSATION)
    model = load_robot('arm_2r')
    heavy = model.with_scaled(mass=2.0, inertia=2.0)
    one.set_model(heavy)
    commands, _ = feed(one, now, 400)
    np.testing.assert_allclose(commands[0].effort, model.gravity(Q), atol=1e-9)
    np.testing.assert_allclose(commands[100].effort, 1.5 * model.gravity(Q), atol=1e-9)
    np.testing.assert_allclose(commands[-1].effort, heavy.gravity(Q), atol=1e-9)
    assert one.model is heavy


def test_a_model_with_other_joints_is_refused():
    one, now = running()
    before = one.model
    for other in (
        load_robot('arm_2r', joints=['joint2', 'joint1']),
        load_robot('puma560'),
        load_robot('arm_2r', joints=['joint1']),
    ):
        with pytest.raises(ParameterError, match='model: has the joints'):
            one.set_model(other)
    assert one.model is before
    assert one.update(now, Q, REST) is not None


# --------------------------------------------------------------------- the end


def test_a_shutdown_ramps_to_exactly_zero_and_is_final():
    one, now = running()
    one.set_trajectory(rest_to_rest(Q, [1.0, 0.0], 1.0, joint_names=NAMES), now)
    commands, now = feed(one, now, 200)
    one.shutdown(now)
    assert not one.is_finished
    began = now
    times, efforts = drain(one, now)
    np.testing.assert_array_equal(efforts[0], commands[-1].effort)
    assert np.max(np.abs(np.diff(efforts, axis=0))) <= np.max(np.abs(efforts[0])) * 5.01e-3
    np.testing.assert_array_equal(efforts[-2:], 0.0)
    assert times[-1] - began <= 0.2 + 2.0 * PERIOD
    assert one.is_finished and one.state is State.STOPPED
    one.fail('too late')
    assert feed(one, times[-1] + 1.0, 20)[0] == [None] * 20
    one.reset()
    assert one.state is State.WAITING
    assert feed(one, 0.0, 6)[0][4] is not None


def test_states_that_come_during_a_shutdown_change_nothing():
    one, now = running()
    one.shutdown(now)
    commands, _ = feed(one, now, 400)
    sent = [command for command in commands if command is not None]
    assert {command.state for command in sent} == {State.STOPPED}
    assert not sent[-1].effort.any() and commands[-1] is None


def test_a_shutdown_of_one_that_has_sent_nothing_sends_nothing():
    one = controller()
    one.shutdown(0.0)
    assert one.tick(0.0) is None
    assert one.is_finished


def test_a_shutdown_while_gravity_is_held_ramps_down_at_once():
    one, now = running(on_fault='hold_gravity', hold_gravity_time=10.0)
    began, _ = first_fault(one, now)
    one.tick(began + 0.5)
    one.shutdown(began + 0.501)
    times, efforts = drain(one, began + 0.501)
    assert times[-1] - began <= 0.501 + 0.2 + 2.0 * PERIOD
    assert not efforts[-1].any()


def test_a_reset_forgets_everything():
    one, now = running()
    one.set_trajectory(rest_to_rest(Q, [1.0, 0.0], 1.0, joint_names=NAMES), now)
    one.fail('x')
    one.tick(now)
    one.reset()
    assert (one.state, one.fault_count, one.last_fault) == (State.WAITING, 0, '')
    with pytest.raises(StateError, match='no good state yet'):
        one.terms()
    commands, _ = feed(one, 0.0, 300)
    np.testing.assert_array_equal(commands[-1].reference.q, Q)
    assert commands[-1].state is State.HOLDING


# ----------------------------------------------------------------- terms, loops


def test_terms_belong_to_the_last_command():
    one, now = running()
    one.set_reference(SineReference(Q, [0.3, 0.3], 2.0), now)
    feed(one, now, 300)
    command = one.update(now + 0.3, Q + 0.01, np.array([0.1, 0.2]))
    terms = one.terms()
    np.testing.assert_array_equal(terms['command'], command.effort)
    np.testing.assert_array_equal(terms['total'], command.effort)
    parts = [terms[key] for key in ('inertia', 'coriolis', 'gravity', 'friction', 'feedback')]
    np.testing.assert_allclose(sum(parts), command.effort, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize('mode', [Mode.FEEDFORWARD, Mode.COMPUTED_TORQUE])
@pytest.mark.parametrize(
    'robot, start, goal', [('arm_2r', [0.0, 0.0], [0.6, -0.4]), ('rp_arm', [0.0, 0.5], [0.6, 0.3])]
)
def test_closed_loops_follow_a_motion(mode, robot, start, goal):
    plant = load_robot(robot)
    one = controller(mode, robot=robot)
    q, v, now = np.array(start), np.zeros(2), 0.0
    error = 0.0
    for i in range(3000):
        if i == 500:
            one.set_trajectory(rest_to_rest(start, goal, 2.0, joint_names=NAMES), now)
        command = one.update(now, q, v)
        # the brake holds until the ramp is over
        if i >= 250:
            v = v + PERIOD * plant.forward_dynamics(q, v, command.effort)
            q = q + PERIOD * v
            error = max(error, float(np.max(np.abs(command.error))))
        now += PERIOD
    assert error < 2e-3
    np.testing.assert_allclose(q, goal, atol=2e-4)
    assert np.max(np.abs(v)) < 1e-3


def test_orders_from_another_thread_never_break_the_loop():
    one, now = running()
    stop, failures, orders = threading.Event(), [], [0]

    def give_orders():
        rng = np.random.default_rng(0)
        try:
            while not stop.is_set():
                when = one._now
                one.set_trajectory(
                    rest_to_rest(Q, Q + rng.uniform(-0.3, 0.3, 2), 1.0, joint_names=NAMES), when
                )
                one.set_setpoint(ReferencePoint.at_rest(Q + rng.uniform(-0.1, 0.1, 2)), when)
                one.hold(when)
                one.configure(settings(start_ramp=0.1))
                orders[0] += 4
        except Exception as error:
            failures.append(error)

    thread = threading.Thread(target=give_orders)
    thread.start()
    references = []
    try:
        for i in range(3000):
            references.append(one.update(now + i * PERIOD, Q, REST).reference)
    finally:
        stop.set()
        thread.join()
    assert not failures and orders[0] >= 4
    assert one.state.is_running and one.fault_count == 0
    q = np.array([point.q for point in references])
    assert np.max(np.abs(np.diff(q, axis=0))) < 5.0 * PERIOD
