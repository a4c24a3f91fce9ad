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

"""Friction laws against closed forms and high-precision LuGre trajectories."""

import golden
import numpy as np
import pytest
from robot_dynamics.errors import ParameterError
from robot_dynamics.model import FrictionModel
from scipy.integrate import solve_ivp

DATA = golden.load('friction')


def one(Fc, Fv=0.0, *, negative=None, smoothing=0.0, **more):
    """Return the friction of one joint."""
    return FrictionModel(
        [Fc],
        [Fc if negative is None else negative],
        [Fv],
        [smoothing],
        **{key: [value] for key, value in more.items()},
    )


def lugre(params):
    """Return the LuGre friction of a parameter set of the reference."""
    return one(
        params['Fc'],
        params['sigma2'],
        static_positive=params['Fs'],
        static_negative=params['Fs'],
        stribeck_velocity=params['vs'],
        stiffness=params['sigma0'],
        damping=params['sigma1'],
    )


@pytest.mark.parametrize('case', golden.entries(DATA['coulomb_viscous'], 'special', 'random'))
def test_coulomb_and_viscous(case):
    symmetric = one(case['Fc'], case['Fv'])
    asymmetric = one(case['Fc_pos'], case['Fv'], negative=case['Fc_neg'])
    v = np.array([case['v']])
    golden.assert_close(symmetric.effort(v), [case['tau']], 1e-12)
    golden.assert_close(asymmetric.effort(v), [case['tau_asymmetric']], 1e-12)


@pytest.mark.parametrize('exponent', [1, 2])
@pytest.mark.parametrize('case', golden.entries(DATA['stribeck'], 'special', 'random'))
def test_stribeck(case, exponent):
    friction = one(
        case['Fc'],
        case['Fv'],
        static_positive=case['Fs'],
        static_negative=case['Fs'],
        stribeck_velocity=case['vs'],
        stribeck_exponent=exponent,
    )
    effort = friction.effort(np.array([case['v']]))
    golden.assert_close(effort, [case[f'tau_delta{exponent}']], 1e-12)


@pytest.mark.parametrize('case', golden.entries(DATA['lugre_steady_state'], 'random'))
def test_lugre_comes_to_rest_at_the_sliding_level(case):
    friction = lugre(case['params'])
    v = np.array([case['v']])
    z = friction.advance(v, np.zeros(1), 1e3)
    golden.assert_close(z, [case['z_ss']], 1e-12)
    golden.assert_close(friction.effort_with_state(v, z), [case['F_ss']], 1e-12)
    golden.assert_close(friction.effort(v), [case['F_ss']], 1e-12)


@pytest.mark.parametrize('case', golden.entries(DATA['lugre_piecewise'], 'special', 'random'))
def test_lugre_at_piecewise_constant_velocity_is_exact(case):
    friction = lugre(case['params'])
    z, t = np.array([case['z0']]), 0.0
    for sample in case['samples']:
        v = np.array([sample['v']])
        z = friction.advance(v, z, sample['t'] - t)
        t = sample['t']
        golden.assert_close(z, [sample['z']], 1e-12)
        golden.assert_close(friction.bristle_rate(v, z), [sample['zdot']], 1e-11)
        golden.assert_close(friction.effort_with_state(v, z), [sample['F']], 1e-11)


@pytest.mark.parametrize('case', [pytest.param(c, id=c['name']) for c in DATA['lugre_sin']])
def test_lugre_along_a_sine(case):
    friction = lugre(case['params'])
    z, t = np.array([case['z0']]), 0.0
    for sample in case['samples']:
        steps = 4000
        dt = (sample['t'] - t) / steps
        for k in range(steps):
            # the midpoint rule makes the exponential step second order
            middle = t + (k + 0.5) * dt
            z = friction.advance(np.array([case['V'] * np.sin(case['omega'] * middle)]), z, dt)
        t = sample['t']
        effort = friction.effort_with_state(np.array([sample['v']]), z)
        golden.assert_close(effort, [sample['F']], 1e-6)


def test_lugre_breaks_away_like_the_reference():
    case = DATA['lugre_breakaway']
    friction, inertia = lugre(case['params']), case['inertia']

    def rate(t, x):
        v, z = x[1:2], x[2:3]
        force = friction.effort_with_state(v, z)[0]
        return [x[1], (case['torque_rate'] * t - force) / inertia, friction.bristle_rate(v, z)[0]]

    times = [sample['t'] for sample in case['samples']]
    solution = solve_ivp(
        rate,
        (0.0, times[-1]),
        [0.0, 0.0, 0.0],
        method='DOP853',
        t_eval=times,
        rtol=1e-10,
        atol=1e-13,
    )
    for sample, (q, v, z) in zip(case['samples'], solution.y.T, strict=True):
        golden.assert_close([q, v, z], [sample['q'], sample['v'], sample['z']], 1e-6)


@pytest.mark.parametrize('dt', [1e-4, 1e-3, 1e-2, 1.0])
def test_lugre_is_stable_at_any_step_and_bounded(dt):
    params = {'sigma0': 1e5, 'sigma1': 316.0, 'sigma2': 0.4, 'Fc': 1.0, 'Fs': 1.5, 'vs': 0.001}
    friction, rng, z = lugre(params), np.random.default_rng(1), np.zeros(1)
    for v in rng.normal(scale=1.0, size=500):
        z = friction.advance(np.array([v]), z, dt)
        assert abs(z[0]) <= params['Fs'] / params['sigma0'] * (1.0 + 1e-12)


def test_no_chatter_at_zero_velocity():
    friction = one(2.0, 0.5, smoothing=0.01)
    assert friction.effort(np.zeros(1))[0] == 0.0
    # noise a tenth of the smoothing makes a tenth of the Coulomb value, not all of it
    efforts = [friction.effort(np.array([v]))[0] for v in (-1e-3, 1e-3)]
    assert abs(efforts[1] - efforts[0]) < 2 * 2.0 * 0.1 + 1e-2


def test_friction_always_takes_energy():
    rng = np.random.default_rng(2)
    friction = FrictionModel(
        rng.uniform(0, 5, 6),
        rng.uniform(0, 5, 6),
        rng.uniform(0, 2, 6),
        rng.uniform(0, 0.1, 6),
        static_positive=np.full(6, 6.0),
        static_negative=np.full(6, 7.0),
    )
    for _ in range(200):
        v = rng.normal(size=6)
        assert (friction.effort(v) * v >= 0.0).all()


@pytest.mark.parametrize(
    'arguments',
    [
        ([-1.0], [1.0], [0.0], [0.0]),
        ([np.nan], [1.0], [0.0], [0.0]),
        ([1.0], [1.0], [np.inf], [0.0]),
        ([1.0, 2.0], [1.0], [0.0], [0.0]),
        ([1.0], [1.0], [0.0], [-0.1]),
    ],
)
def test_impossible_values_are_refused(arguments):
    with pytest.raises(ParameterError):
        FrictionModel(*arguments)


@pytest.mark.parametrize(
    'more', [{'static_positive': 0.5, 'static_negative': 2.0}, {'stribeck_velocity': 0.0}]
)
def test_static_friction_below_coulomb_is_refused(more):
    with pytest.raises(ParameterError):
        one(1.0, **more)


def test_arrays_are_copied_in_and_read_only():
    coulomb = np.ones(2)
    friction = FrictionModel(coulomb, coulomb, coulomb, coulomb)
    coulomb[0] = 7.0
    assert friction.viscous[0] == 1.0
    with pytest.raises(ValueError):
        friction.viscous[0] = 2.0
