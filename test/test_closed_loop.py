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

"""The closed loop reproduces the reference runs, and predicts what nodes can be held to."""

from __future__ import annotations

import csv
from functools import cache

from golden import arm_2r_rod, load, rp_arm
import numpy as np
import pytest
from robot_dynamics.control import (
    AccelerationGains,
    EffortGains,
    HoldReference,
    LawSettings,
    Mode,
    rest_to_rest,
    SineReference,
)
from robot_dynamics.errors import ParameterError, SimulationError, StateError
from robot_dynamics.model import FrictionModel, load_robot, RobotModel
from robot_dynamics.simulation import MujocoPlant, PinocchioPlant, simulate

DATA = load('closed_loop_2r')['arms']
ARMS = {'arm_2r_rod': arm_2r_rod, 'rp_arm': rp_arm}


def runs(*groups):
    """Return (arm, run) for each run of the groups, as test parameters."""
    return [
        pytest.param(arm, run, id=f'{arm}-{group}{number}-{run["controller"]}-{run["start"]}')
        for arm, data in DATA.items()
        for group in groups
        for number, run in enumerate(data[group])
    ]


@cache
def nominal(arm):
    """Return the arm of the reference data."""
    return RobotModel.from_yaml(ARMS[arm](**DATA[arm]['params']))


def plant_model(arm, run):
    """Return the arm, with friction where the run has some."""
    if 'plant_friction' not in run:
        return nominal(arm)
    friction = run['plant_friction']
    return nominal(arm).with_friction(
        FrictionModel(friction['Fc'], friction['Fc'], friction['Fv'], [friction['eps']] * 2)
    )


def controller_model(arm, run):
    """Return what the law of a run believes the arm to be."""
    error = run['model']
    if isinstance(error, dict):
        factor = error['factor']
        return nominal(arm).with_scaled(
            mass=factor, inertia=factor if error['scaled'] == 'all' else 1.0
        )
    if error.startswith('text4'):
        return RobotModel.from_yaml(ARMS[arm](**run['model_params']))
    return (
        plant_model(arm, run) if error.endswith('friction feedforward at qd_d') else (nominal(arm))
    )


def settings(arm, run):
    """Return the law of a run."""
    gains = DATA[arm]['gains']
    effort = EffortGains(kp=gains['Kp'], kd=gains['Kd'])
    return {
        'pd': LawSettings(mode=Mode.PD, effort_gains=effort),
        'pd_gravity': LawSettings(mode=Mode.PD_GRAVITY, effort_gains=effort),
        'computed_torque': LawSettings(
            mode=Mode.COMPUTED_TORQUE,
            acceleration_gains=AccelerationGains(kp=gains['Kp_ct'], kd=gains['Kd_ct']),
        ),
        'ff_pd': LawSettings(
            mode=Mode.FEEDFORWARD,
            effort_gains=effort,
            friction=run['model'] == 'exact rigid body + friction feedforward at qd_d',
        ),
        'ff_no_gravity_pd': LawSettings(
            mode=Mode.FEEDFORWARD, effort_gains=effort, gravity_in_output=False
        ),
    }[run['controller']]


def reference(arm):
    """Return the sine reference of an arm."""
    rows = DATA[arm]['reference_spec']
    center, amplitude, omega = (np.array([row[i] for row in rows]) for i in (0, 1, 3))
    phase = [0.5 * np.pi if row[2] == 'cos' else 0.0 for row in rows]
    return SineReference(center, amplitude, omega, phase)


def replayed(arm, run, **options):
    """Simulate a run."""
    return simulate(
        plant_model(arm, run),
        controller_model(arm, run),
        settings(arm, run),
        reference(arm),
        run['q0'],
        run['qd0'],
        DATA[arm]['T'],
        **options,
    )


def assert_tracks(actual, expected, relative):
    """Require relative agreement; less than 1e-8 where the error is 0 but for rounding."""
    zero = max(expected) < 1e-10
    np.testing.assert_allclose(
        actual, expected, rtol=0.0 if zero else relative, atol=1e-8 if zero else 0.0
    )


def assert_ends(result, run, allowed):
    """Require the final state of a run."""
    np.testing.assert_allclose(result.q[-1], run['final_q'], rtol=0.0, atol=allowed)
    np.testing.assert_allclose(result.v[-1], run['final_qd'], rtol=0.0, atol=allowed)


@pytest.mark.parametrize('arm, run', runs('runs', 'extra'))
def test_continuous_run(arm, run):
    # without friction, stability keeps the steps much shorter than this tolerance would
    result = replayed(arm, run, tolerance=1e-9 if 'plant_friction' in run else 1e-8)
    assert_tracks(result.rms_error, run['rms_error'], 1e-6)
    assert_tracks(result.rms_effort, run['rms_torque'], 1e-6)
    assert_ends(result, run, 1e-7)
    assert_tracks(result.sampled_rms_error(), run['rms_error_sampled_1ms'], 1e-6)
    assert_tracks(result.sampled_rms_error(2.5), run['rms_error_second_half_sampled_1ms'], 1e-6)
    assert_tracks(result.max_abs_error, run['max_abs_error'], 1e-5)
    index = np.rint([1e3 * sample['t'] for sample in run['samples']]).astype(int)
    for name, values in (('q', result.q), ('qd', result.v), ('e', result.e)):
        expected = [sample[name] for sample in run['samples']]
        np.testing.assert_allclose(values[index], expected, rtol=0.0, atol=1e-7)
    tau = [sample['tau'] for sample in run['samples']]
    np.testing.assert_allclose(result.tau[index], tau, rtol=0.0, atol=1e-5)


@pytest.mark.parametrize('arm, run', runs('sampled_zoh'))
def test_sampled_run(arm, run):
    result = replayed(arm, run, control_period=run['dt'])
    assert_tracks(result.rms_error, run['rms_error_at_samples'], 1e-6)
    assert_tracks(result.max_abs_error, run['max_abs_error_at_samples'], 1e-6)
    assert_ends(result, run, 1e-7)
    np.testing.assert_array_equal(result.t, run['dt'] * np.arange(round(5.0 / run['dt']) + 1))


def feedforward(kp=(400.0, 150.0), kd=(40.0, 4.0)):
    return LawSettings(mode=Mode.FEEDFORWARD, effort_gains=EffortGains(kp=kp, kd=kd))


def test_feedforward_with_5_percent_error_is_20_times_better_than_pd():
    arm, gains = nominal('arm_2r_rod'), EffortGains(kp=(400.0, 150.0), kd=(40.0, 4.0))
    options = {'duration': 5.0, 'control_period': 1e-3}
    with_model = simulate(
        arm,
        arm.with_scaled(mass=1.05, inertia=1.05),
        feedforward(),
        reference('arm_2r_rod'),
        **options,
    )
    pd = simulate(
        arm, arm, LawSettings(mode=Mode.PD, effort_gains=gains), reference('arm_2r_rod'), **options
    )
    ratio = pd.rms_error / with_model.rms_error
    np.testing.assert_allclose(ratio, 20.0, rtol=0.01)


def test_delay_of_a_whole_period_costs_more_than_none():
    arm = nominal('arm_2r_rod')
    law = LawSettings(
        mode=Mode.COMPUTED_TORQUE, acceleration_gains=AccelerationGains(kp=100.0, kd=20.0)
    )
    rms = [
        simulate(
            arm, arm, law, reference('arm_2r_rod'), duration=1.0, control_period=5e-3, delay=delay
        ).rms_error
        for delay in (0.0, 2e-3, 5e-3)
    ]
    assert np.all(rms[0] < rms[1]) and np.all(rms[1] < rms[2])


def test_any_plant_can_be_used():
    pytest.importorskip('mujoco')
    arm = load_robot('rp_arm')
    results = [
        simulate(
            arm,
            arm.with_scaled(mass=1.1),
            feedforward((400.0, 800.0), (40.0, 60.0)),
            reference('rp_arm'),
            duration=0.5,
            control_period=2e-3,
            plant=plant,
        )
        for plant in (None, MujocoPlant(arm, dt=1e-3), PinocchioPlant(arm, dt=1e-3))
    ]
    for result in results[1:]:
        np.testing.assert_allclose(result.q, results[0].q, rtol=0.0, atol=1e-10)


def test_start_is_held_when_there_is_no_reference():
    arm = load_robot('arm_2r')
    law = LawSettings(mode=Mode.GRAVITY_COMPENSATION)
    for options in ({}, {'control_period': 1e-3}):
        result = simulate(arm, arm, law, q0=[0.4, -0.7], duration=1.0, **options)
        assert result.max_abs_error.max() < 1e-9
        np.testing.assert_allclose(result.tau, [arm.gravity([0.4, -0.7])] * 1001, atol=1e-6)


def test_trajectory_is_followed_and_then_held():
    arm = load_robot('arm_2r')
    motion = rest_to_rest([0.0, 0.0], [0.5, -0.5], 0.5, joint_names=arm.joint_names)
    result = simulate(arm, arm, feedforward(), motion, duration=0.8)
    assert result.max_abs_error.max() < 1e-8
    np.testing.assert_allclose(result.q[-1], [0.5, -0.5], atol=1e-8)
    assert len(simulate(arm, arm, feedforward(), motion, control_period=0.01).t) == 51


def test_step_in_reference_velocity_at_its_end_is_not_smeared():
    arm = load_robot('arm_2r')
    swing = SineReference([0.0, 0.0], [0.3, 0.3], 2.0, duration=0.4)
    short, full = (
        simulate(arm, arm, feedforward(), swing, duration=duration) for duration in (0.4, 0.6)
    )
    assert short.max_abs_error.max() < 1e-8
    np.testing.assert_allclose(full.q[:401], short.q, atol=1e-9)
    # the arm cannot stop at once
    assert full.max_abs_error.max() > 1e-3


def test_stiff_friction_is_simulated_in_continuous_time():
    arm = load_robot('arm_2r')
    stiff = arm.with_friction(FrictionModel([2.0, 1.0], [2.0, 1.0], [0.1, 0.1], [1e-3, 0.0]))
    result = simulate(
        stiff, arm, feedforward(), reference('arm_2r_rod'), duration=0.5, tolerance=1e-7
    )
    sampled = simulate(
        stiff, arm, feedforward(), reference('arm_2r_rod'), duration=0.5, control_period=1e-3
    )
    np.testing.assert_allclose(sampled.rms_error, result.rms_error, rtol=0.05)
    frictionless = simulate(
        stiff, arm, feedforward(), reference('arm_2r_rod'), duration=0.5, friction=False
    )
    assert np.all(frictionless.rms_error < 1e-3 * result.rms_error)


def test_continuous_joint_takes_the_short_way():
    mapping = arm_2r_rod(**DATA['arm_2r_rod']['params'])
    mapping['joints'][0].update(type='continuous', limits={'velocity': 10.0, 'effort': 150.0})
    arm = RobotModel.from_yaml(mapping)
    result = simulate(
        arm,
        arm,
        LawSettings(mode=Mode.PD_GRAVITY, effort_gains=EffortGains(kp=100.0, kd=20.0)),
        HoldReference([3.0, 0.0]),
        [-3.0, 0.0],
        duration=2.0,
    )
    assert result.e[0, 0] == pytest.approx(6.0 - 2.0 * np.pi)
    assert result.q[-1, 0] == pytest.approx(3.0 - 2.0 * np.pi, abs=0.01)


def test_joints_that_are_not_commanded_swing():
    arm = load_robot('arm_2r', joints=['joint1'])
    law = LawSettings(
        mode=Mode.COMPUTED_TORQUE, acceleration_gains=AccelerationGains(kp=100.0, kd=20.0)
    )
    result = simulate(
        arm, arm, law, HoldReference([0.3]), [0.3, 0.0], [0.0, 0.0], 1.0, with_terms=True
    )
    assert result.q.shape == (1001, 2)
    assert result.e.shape == result.tau.shape == result.terms['gravity'].shape == (1001, 1)
    assert np.ptp(result.q[:, 1]) > 0.5


def test_efforts_are_cut_off_at_the_limit():
    arm = load_robot('arm_2r')
    result = simulate(
        arm,
        arm,
        feedforward(),
        HoldReference([0.0, 0.0]),
        [0.3, 0.0],
        duration=0.2,
        control_period=1e-3,
        effort_limit=[30.0, 10.0],
    )
    assert np.abs(result.tau).max(axis=0).tolist() == [30.0, 10.0]


def test_joints_beyond_their_limits_are_named():
    arm = load_robot('rp_arm')
    law = LawSettings(mode=Mode.GRAVITY_COMPENSATION)
    free = simulate(arm, arm, law, None, [0.0, 0.85], [0.0, 1.0], 0.2)
    assert free.beyond_limits == ('joint2',)
    stopped = simulate(arm, arm, law, None, [0.0, 0.85], [0.0, 1.0], 0.2, control_period=1e-3)
    assert stopped.beyond_limits == ()


def test_terms_add_up_and_the_table_has_names_and_units(tmp_path):
    arm = load_robot('rp_arm')
    result = simulate(
        arm,
        arm,
        feedforward((400.0, 800.0), (40.0, 60.0)),
        reference('rp_arm'),
        duration=0.1,
        control_period=0.01,
        with_terms=True,
    )
    parts = [values for name, values in result.terms.items() if name != 'total']
    np.testing.assert_allclose(sum(parts), result.tau, rtol=1e-12, atol=1e-12)
    result.write_csv(tmp_path / 'run.csv')
    with open(tmp_path / 'run.csv', encoding='utf-8') as file:
        names, *rows = csv.reader(file)
    assert names[:5] == [
        't [s]',
        'q joint1 [rad]',
        'q joint2 [m]',
        'v joint1 [rad/s]',
        'v joint2 [m/s]',
    ]
    assert 'tau joint1 [N·m]' in names and 'tau_gravity joint2 [N]' in names
    assert len(rows) == 11
    column = names.index('tau joint2 [N]')
    np.testing.assert_allclose([float(row[column]) for row in rows], result.tau[:, 1], rtol=1e-11)


def test_progress_is_told_up_to_the_end():
    arm = load_robot('arm_2r')
    for options in ({}, {'control_period': 1e-3}):
        told = []
        simulate(
            arm,
            arm,
            feedforward(),
            reference('arm_2r_rod'),
            duration=0.3,
            progress=told.append,
            **options,
        )
        assert told == sorted(told) and len(told) <= 100
        assert told[-1] == 1.0


@pytest.mark.parametrize(
    'options, error, text',
    [
        ({'duration': None}, ParameterError, 'duration'),
        ({'duration': float('nan')}, ParameterError, 'duration'),
        ({'duration': 1.0, 'control_period': 0.3}, ParameterError, 'duration'),
        ({'duration': 1.0, 'control_period': 0.0}, ParameterError, 'control_period'),
        ({'duration': 1.0, 'control_period': 1e-3, 'delay': 2e-3}, ParameterError, 'delay'),
        ({'duration': 1.0, 'delay': 1e-3}, ParameterError, 'delay'),
        ({'duration': 1.0, 'effort_limit': [1.0, float('nan')]}, ParameterError, 'effort_limit'),
        ({'duration': 1.0, 'q0': [0.0, float('nan')]}, StateError, "joint 'joint2'"),
    ],
)
def test_impossible_settings_are_refused(options, error, text):
    arm = load_robot('arm_2r')
    with pytest.raises(error, match=text):
        simulate(arm, arm, feedforward(), reference('arm_2r_rod'), **options)


def test_models_of_different_joints_are_refused():
    with pytest.raises(ParameterError, match='controller model: has the joints slide'):
        simulate(
            load_robot('arm_2r'),
            load_robot('vertical_mass'),
            feedforward(),
            reference('arm_2r_rod'),
            duration=1.0,
        )


def test_unstable_loop_ends_with_the_time():
    arm = load_robot('arm_2r')
    wild = feedforward((1e9, 1e9), (0.0, 0.0))
    with pytest.raises(SimulationError, match=r'simulation at [\d.]+ s'):
        simulate(
            arm,
            arm,
            wild,
            reference('arm_2r_rod'),
            [0.1, 0.0],
            duration=1.0,
            control_period=0.01,
            plant=PinocchioPlant(arm, dt=0.01, stops=False),
        )
