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

"""The laws against the reference data, and what they leave out."""

import math

from golden import entries, load, robot
import numpy as np
import pytest
from robot_dynamics.control import (
    AccelerationGains,
    EffortGains,
    Law,
    LawSettings,
    Mode,
    ReferencePoint,
)
from robot_dynamics.control.angles import nearest_turn, wrap
from robot_dynamics.errors import ParameterError, StateError
from robot_dynamics.model import FrictionModel, load_robot, RobotModel

KP = np.array([400.0, 150.0])
KD = np.array([40.0, 4.0])
EFFORT = EffortGains(kp=KP, kd=KD)
ACCELERATION = AccelerationGains(kp=[100.0, 80.0], kd=[20.0, 15.0])
E = np.array([0.03, -0.05])
RATE = np.array([0.2, 0.1])
ARMS = {'arm_2r_rod': 'arm_2r', 'rp_arm': 'rp_arm'}
CASES = [
    pytest.param(robot_name, case.values[0], id=f'{robot_name}-{case.id}')
    for data, robot_name in ARMS.items()
    for case in entries(load(data), 'special', 'random')
]
ALL_MODES = list(Mode)


@pytest.fixture(scope='module')
def models():
    return {name: load_robot(name) for name in ARMS.values()}


def law(model, mode, **choices):
    return Law(
        model,
        LawSettings(mode=mode, acceleration_gains=ACCELERATION, effort_gains=EFFORT, **choices),
    )


def vectors(case, *keys):
    return [np.array(case[key], dtype=float) for key in keys]


def close(actual, expected, relative=1e-11, scale=1.0):
    expected = np.asarray(expected)
    scale = max(scale, 1.0, float(np.max(np.abs(expected))))
    assert float(np.max(np.abs(actual - expected))) <= relative * scale


@pytest.mark.parametrize('name, case', CASES)
def test_laws_give_the_golden_efforts(models, name, case):
    model = models[name]
    q, v, a, M, V, G, tau = vectors(case, 'q', 'qd', 'qdd', 'M', 'V', 'G', 'tau')
    scale = float(np.max(np.abs(tau)) + np.max(np.abs(M)) * 100.0)
    here = ReferencePoint(q, v, a)
    ahead = ReferencePoint(q + E, v + RATE, a)
    kp, kd = np.array([100.0, 80.0]), np.array([20.0, 15.0])
    close(law(model, Mode.GRAVITY_COMPENSATION).effort(q, None, None), G)
    close(law(model, Mode.COMPUTED_TORQUE).effort(q, v, here), tau)
    close(
        law(model, Mode.COMPUTED_TORQUE).effort(q, v, ahead),
        M @ (a + kp * E + kd * RATE) + V + G,
        scale=scale,
    )
    close(law(model, Mode.FEEDFORWARD).effort(q - E, v - RATE, here), tau + KP * E + KD * RATE)
    without_gains = Law(model, LawSettings(mode=Mode.FEEDFORWARD))
    close(without_gains.effort(q + 1.0, v - 2.0, here), tau)
    close(law(model, Mode.PD).effort(q, v, ahead), KP * E + KD * RATE)
    close(law(model, Mode.PD_GRAVITY).effort(q, v, ahead), G + KP * E + KD * RATE)


@pytest.mark.parametrize('name, case', CASES)
def test_terms_are_the_golden_ones_and_sum_to_the_total(models, name, case):
    model = models[name]
    q, v, a, M, V, G = vectors(case, 'q', 'qd', 'qdd', 'M', 'V', 'G')
    here, ahead = ReferencePoint(q, v, a), ReferencePoint(q + E, v + RATE, a)
    for mode in ALL_MODES:
        one = law(model, mode, friction=True)
        state = (q, v) if mode is not Mode.FEEDFORWARD else (q - E, v - RATE)
        point = ahead if mode is not Mode.FEEDFORWARD else here
        terms = one.terms(*state, point)
        assert set(terms) == {'inertia', 'coriolis', 'gravity', 'friction', 'feedback', 'total'}
        parts = [value for key, value in terms.items() if key != 'total']
        largest = max(float(np.max(np.abs(part))) for part in parts)
        assert np.max(np.abs(sum(parts) - terms['total'])) <= 1e-12 * max(1.0, largest)
        np.testing.assert_array_equal(terms['total'], one.effort(*state, point))
        if mode in (Mode.FEEDFORWARD, Mode.COMPUTED_TORQUE):
            close(terms['inertia'], M @ a)
            close(terms['coriolis'], V)
        else:
            assert not terms['inertia'].any() and not terms['coriolis'].any()
        if mode is Mode.PD:
            assert not terms['gravity'].any()
        else:
            close(terms['gravity'], G)
        if mode is Mode.GRAVITY_COMPENSATION:
            assert not terms['feedback'].any()
        elif mode is Mode.COMPUTED_TORQUE:
            close(
                terms['feedback'],
                M @ (np.array([100.0, 80.0]) * E + np.array([20.0, 15.0]) * RATE),
            )
        else:
            close(terms['feedback'], KP * E + KD * RATE)


class CountingModel(RobotModel):
    """Counts recursions over the links."""

    calls = 0

    def gravity(self, q):
        """Count, then compute."""
        self.calls += 1
        return super().gravity(q)

    def inverse_dynamics(self, q, v, a):
        """Count, then compute."""
        self.calls += 1
        return super().inverse_dynamics(q, v, a)

    def mass_matrix(self, q):
        """Fail: laws must not form it."""
        raise AssertionError('the mass matrix was formed')

    nonlinear_effects = coriolis_matrix = mass_matrix


@pytest.mark.parametrize(
    'mode, recursions',
    [
        (Mode.GRAVITY_COMPENSATION, 1),
        (Mode.FEEDFORWARD, 1),
        (Mode.COMPUTED_TORQUE, 1),
        (Mode.PD, 0),
        (Mode.PD_GRAVITY, 1),
    ],
)
def test_each_law_is_one_recursion(mode, recursions):
    model = load_robot('arm_2r')
    model.__class__ = CountingModel
    point = ReferencePoint(*np.ones((3, 2)))
    law(model, mode, friction=True).effort(np.zeros(2), np.zeros(2), point)
    assert model.calls == recursions


# -------------------------------------------------------------------- friction


def rubbing(model):
    return model.with_friction(
        FrictionModel(
            np.array([2.0, 1.0]), np.array([3.0, 1.5]), np.array([0.5, 0.25]), np.zeros(2)
        )
    )


@pytest.mark.parametrize('mode', ALL_MODES)
@pytest.mark.parametrize('switched_on', [True, False])
def test_friction_is_added_where_it_belongs_and_only_when_switched_on(mode, switched_on):
    plain, model = load_robot('arm_2r'), rubbing(load_robot('arm_2r'))
    q, v = np.array([0.3, -0.2]), np.array([-0.4, 0.6])
    point = ReferencePoint(q + E, np.array([1.0, -2.0]), np.ones(2))
    added = law(model, mode, friction=switched_on).effort(q, v, point) - law(plain, mode).effort(
        q, v, point
    )
    expected = np.zeros(2)
    if switched_on and mode in (Mode.FEEDFORWARD, Mode.COMPUTED_TORQUE):
        expected = np.array([2.0 + 0.5, -1.5 - 0.5])
    np.testing.assert_allclose(added, expected, atol=1e-12)


def test_friction_at_the_measured_velocity():
    model = rubbing(load_robot('arm_2r'))
    q, v = np.zeros(2), np.array([-0.4, 0.6])
    point = ReferencePoint(q, np.array([1.0, -2.0]), np.ones(2))
    terms = law(model, Mode.COMPUTED_TORQUE, friction=True, friction_velocity='measured').terms(
        q, v, point
    )
    np.testing.assert_allclose(terms['friction'], [-3.0 - 0.2, 1.0 + 0.15], atol=1e-12)


def test_feedforward_with_friction_and_motors_gives_the_full_puma_torque():
    model = load_robot('puma560')
    q, v, a = np.array([0.1, 0.2, 0.3, 0, 0, 0]), np.zeros(6), np.array([1, 0.5, 0, 0, 0, 0])
    tau = Law(model, LawSettings(mode='feedforward', friction=True)).effort(
        np.zeros(6), v, ReferencePoint(q, v, a)
    )
    np.testing.assert_allclose(
        tau,
        [
            3.4526464558576464,
            34.13143548638135,
            -3.981824625651931,
            0.0014392354015,
            -0.0131652359960,
            0.0000351033,
        ],
        rtol=1e-10,
        atol=1e-10,
    )


# ------------------------------------------------------------- gravity left out


@pytest.mark.parametrize('mode', ALL_MODES)
def test_gravity_can_be_left_to_the_robot(mode):
    model = load_robot('arm_2r')
    q, v = np.array([0.3, -0.2]), np.array([-0.4, 0.6])
    point = ReferencePoint(q + E, np.array([1.0, -2.0]), np.ones(2))
    full, without = law(model, mode), law(model, mode, gravity_in_output=False)
    where = point.q if mode is Mode.FEEDFORWARD else q
    gravity = np.zeros(2) if mode is Mode.PD else model.gravity(where)
    close(full.effort(q, v, point) - without.effort(q, v, point), gravity)
    terms = without.terms(q, v, point)
    assert np.max(np.abs(terms['gravity'])) <= 1e-13
    close(terms['coriolis'], full.terms(q, v, point)['coriolis'])
    assert np.max(np.abs(without.gravity(q))) <= 1e-13


# ------------------------------------------------- measured and endless joints


def test_measured_joints_enter_with_their_state_and_no_acceleration():
    full, part = load_robot('arm_2r'), load_robot('arm_2r', joints=['joint2'])
    assert part.joint_names == ('joint2', 'joint1')
    q, v = np.array([0.3, -0.7]), np.array([0.5, -1.1])  # by joint1, joint2
    reference = ReferencePoint(np.array([-0.6]), np.array([-1.0]), np.array([2.0]))
    gains = {
        'acceleration_gains': AccelerationGains(kp=100.0, kd=20.0),
        'effort_gains': EffortGains(kp=50.0, kd=5.0),
    }
    feedback = 100.0 * 0.1 + 20.0 * 0.1
    pd = 50.0 * 0.1 + 5.0 * 0.1
    expected = {
        Mode.GRAVITY_COMPENSATION: full.gravity(q)[1],
        Mode.COMPUTED_TORQUE: full.inverse_dynamics(q, v, [0.0, 2.0 + feedback])[1],
        Mode.FEEDFORWARD: full.inverse_dynamics([0.3, -0.6], [0.5, -1.0], [0.0, 2.0])[1] + pd,
        Mode.PD: pd,
        Mode.PD_GRAVITY: full.gravity(q)[1] + pd,
    }
    for mode, tau in expected.items():
        one = Law(part, LawSettings(mode=mode, **gains))
        effort = one.effort(q[::-1].copy(), v[::-1].copy(), reference)
        assert effort.shape == (1,)
        close(effort, [tau])
        terms = one.terms(q[::-1].copy(), v[::-1].copy(), reference)
        close(sum(value for key, value in terms.items() if key != 'total'), terms['total'], 1e-12)


def endless():
    mapping = robot('arm_2r')
    joint = mapping['joints'][0]
    joint['type'] = 'continuous'
    del joint['limits']['lower'], joint['limits']['upper']
    return RobotModel.from_yaml(mapping)


@pytest.mark.parametrize('turns', [-2, -1, 0, 1, 3])
def test_errors_of_continuous_joints_are_taken_the_short_way(turns):
    model = endless()
    assert model.is_continuous.tolist() == [True, False]
    q = np.array([3.0, 3.0])
    point = ReferencePoint(
        np.array([-3.0 + turns * 2.0 * math.pi, -3.0]), np.zeros(2), np.zeros(2)
    )
    one = law(model, Mode.PD)
    short = 2.0 * math.pi - 6.0
    np.testing.assert_allclose(one.position_error(q, point), [short, -6.0], atol=1e-12)
    np.testing.assert_allclose(
        one.effort(q, np.zeros(2), point), [KP[0] * short, KP[1] * -6.0], atol=1e-9
    )


def test_wrapping_gives_angles_above_minus_pi_up_to_pi():
    assert wrap(math.pi) == math.pi
    assert wrap(-math.pi) == math.pi
    assert wrap(0.1) == 0.1
    assert wrap(-3.0 * math.pi) == pytest.approx(math.pi, abs=1e-15)
    assert wrap(2.0 * math.pi + 0.25) == pytest.approx(0.25, abs=1e-15)
    for angle in np.linspace(-40.0, 40.0, 1001).tolist():
        wrapped = wrap(angle)
        assert -math.pi < wrapped <= math.pi
        assert math.sin(wrapped) == pytest.approx(math.sin(angle), abs=1e-13)
        assert math.cos(wrapped) == pytest.approx(math.cos(angle), abs=1e-13)


def test_nearest_turn_leaves_other_joints_alone():
    q = np.array([13.0, 13.0])
    turned = nearest_turn(q, np.zeros(2), np.array([True, False]))
    np.testing.assert_allclose(turned, [13.0 - 4.0 * math.pi, 13.0])
    assert nearest_turn(q, np.zeros(2), None) is q


# -------------------------------------------------------------------- settings


def test_natural_frequency_and_damping_ratio_make_gains():
    gains = AccelerationGains.from_natural_frequency([10.0, 5.0], 0.7)
    np.testing.assert_allclose(gains.kp, [100.0, 25.0])
    np.testing.assert_allclose(gains.kd, [14.0, 7.0])
    assert AccelerationGains.from_natural_frequency(10.0) == AccelerationGains(kp=100, kd=20.0)


def test_settings_compare_by_value():
    def make(kp):
        return LawSettings(mode=Mode.PD, effort_gains=EffortGains(kp=np.array(kp), kd=1))

    assert make([1.0, 2.0]) == make([1, 2])
    assert make([1.0, 2.0]) != make([1.0, 3.0])


@pytest.mark.parametrize(
    'make, where',
    [
        (lambda: EffortGains(kp=-1.0, kd=1.0), 'effort_gains.kp'),
        (lambda: EffortGains(kp=1.0, kd=[1.0, np.nan]), 'effort_gains.kd'),
        (lambda: EffortGains(kp='stiff', kd=1.0), 'effort_gains.kp'),
        (lambda: EffortGains(kp=[[1.0]], kd=1.0), 'effort_gains.kp'),
        (lambda: AccelerationGains(kp=np.inf, kd=1.0), 'acceleration_gains.kp'),
        (lambda: AccelerationGains.from_natural_frequency(-10.0), 'natural_frequency'),
        (lambda: LawSettings(mode='magic'), 'mode'),
        (lambda: LawSettings(mode=Mode.PD), 'effort_gains'),
        (lambda: LawSettings(mode=Mode.PD_GRAVITY), 'effort_gains'),
        (
            lambda: LawSettings(mode=Mode.COMPUTED_TORQUE, effort_gains=EFFORT),
            'acceleration_gains',
        ),
        (
            lambda: LawSettings(mode='feedforward', friction_velocity='desired'),
            'friction_velocity',
        ),
        (
            lambda: Law(
                load_robot('arm_2r'),
                LawSettings(mode='pd', effort_gains=EffortGains(kp=[1.0, 2.0, 3.0], kd=1.0)),
            ),
            'effort_gains.kp',
        ),
    ],
)
def test_wrong_settings_are_refused(make, where):
    with pytest.raises(ParameterError, match=where):
        make()


@pytest.mark.parametrize('mode', [mode for mode in Mode if mode.value != 'gravity_compensation'])
def test_laws_refuse_a_missing_velocity_or_reference(mode):
    one = law(load_robot('arm_2r'), mode)
    point = ReferencePoint.at_rest(np.zeros(2))
    assert one.needs_velocity and one.needs_reference
    with pytest.raises(StateError, match='velocity: is missing'):
        one.effort(np.zeros(2), None, point)
    with pytest.raises(StateError, match='reference: is missing'):
        one.effort(np.zeros(2), np.zeros(2), None)
