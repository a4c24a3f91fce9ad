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


"""The Newton-Euler recursion over floats, arrays and traced scalars, against Pinocchio."""

from functools import lru_cache
import math

import golden
from hypothesis import given, strategies as st
import numpy as np
import pytest
from robot_dynamics.errors import StateError
from robot_dynamics.model import Payload, RobotModel
from robot_dynamics.model.generic_vectors import cross, minus, negative, plus, times
from robot_dynamics.model.newton_euler import inverse_dynamics
from robot_dynamics.model.sines import LARGEST, sines
from robot_dynamics.model.tracing import needed_for, Trace
import test_model_identities as identities

RELATIVE = 1e-11
FOLDER = golden.example_robots()
TALOS = 'talos_data/robots/talos_reduced.urdf'
REAL = {
    name: block['urdf'].removeprefix('example-robot-data/robots/')
    for name, block in golden.load('real_robots')['robots'].items()
}
needs_real_robots = pytest.mark.skipif(
    not FOLDER.is_dir(),
    reason='the robots are in the package example-robot-data: pip install example-robot-data',
)
GRAVITIES = ((0.0, 0.0, -9.81), (1.0, -2.0, 3.0), (0.0, 0.0, 0.0))


@lru_cache
def real_robot(path):
    """Return a robot of example-robot-data."""
    return RobotModel.from_urdf(FOLDER / path)


def states(model, count, seed=0):
    """Return random positions, velocities and accelerations (count, nv)."""
    generator = np.random.default_rng(seed)
    return tuple(generator.uniform(-3.0, 3.0, (count, model.nv)) for _ in range(3))


def by_floats(model, q, v, a):
    """Return the effort by the recursion over floats."""
    return inverse_dynamics(
        model.tree,
        *(np.asarray(x).tolist() for x in (q, v, a)),
        model.dynamic_parameters.tolist(),
        model.gravity_vector.tolist(),
        sin=math.sin,
        cos=math.cos,
    )


def compare(model, effort=by_floats, relative=RELATIVE):
    """Compare a way to compute efforts with Pinocchio, under several gravity vectors."""
    for gravity in GRAVITIES:
        turned = model.with_gravity(gravity)
        for q, v, a in zip(*states(model, 5)):
            expected = turned.inverse_dynamics(q, v, a)
            error = np.abs(effort(turned, q, v, a) - expected).max()
            assert error <= relative * np.abs(expected).max()


@identities.each_robot
def test_floats_agree_with_pinocchio(name):
    compare(identities.model_of(name))


@needs_real_robots
@pytest.mark.parametrize('path', [*REAL.values(), TALOS], ids=[*REAL, 'talos'])
def test_floats_agree_with_pinocchio_on_real_robots(path):
    compare(real_robot(path))


@given(data=st.data())
@identities.states
def test_floats_agree_in_any_state(data):
    model = identities.model_of('everything')
    q, v, a = identities.draw_state(data, model)
    golden.assert_close(by_floats(model, q, v, a), model.inverse_dynamics(q, v, a), RELATIVE)


def test_payload_and_motors_are_parameters_not_part_of_the_tree():
    model = identities.model_of('everything')
    payload = Payload(mass=1.3, com=(0.02, -0.05, 0.1), frame='finger')
    for variant in (
        model.with_payload(payload),
        model.without_motors(),
        model.with_scaled(mass=1.1, inertia=1.2),
    ):
        assert variant.tree == model.tree and hash(variant.tree) == hash(model.tree)
        q, v, a = (x[0] for x in states(model, 1))
        expected = variant.inverse_dynamics(q, v, a)
        assert not np.allclose(expected, model.inverse_dynamics(q, v, a))
        golden.assert_close(by_floats(variant, q, v, a), expected, RELATIVE)


def test_measured_joints_and_another_order():
    model = RobotModel.from_urdf(
        identities.EVERYTHING, overlay=identities.MOTORS, joints=('grip', 'lift')
    )
    assert model.measured_names
    compare(model)


@identities.each_robot
@pytest.mark.parametrize('vector', range(3), ids=('q', 'v', 'a'))
def test_a_state_that_is_not_finite_gives_no_number_at_any_joint(name, vector):
    model = identities.model_of(name)
    for bad in (math.nan, math.inf):
        for joint in range(model.nv):
            state = [x[0].copy() for x in states(model, 1)]
            state[vector][joint] = bad
            # math.sin refuses infinity, as NumPy's does not
            with np.errstate(invalid='ignore'):
                efforts = inverse_dynamics(
                    model.tree,
                    *(list(x) for x in state),
                    model.dynamic_parameters.tolist(),
                    model.gravity_vector.tolist(),
                    sin=np.sin,
                    cos=np.cos,
                )
            assert not np.isfinite(efforts).any()


# ------------------------------------------------------------------- batches


@identities.each_robot
@pytest.mark.parametrize('count', (0, 1, 700, 2000, 4500))
def test_a_batch_is_what_single_calls_give(name, count):
    model = identities.model_of(name).with_gravity((1.0, -2.0, -9.0))
    q, v, a = states(model, count)
    efforts = model.inverse_dynamics_batch(q, v, a)
    assert efforts.shape == (count, model.nv)
    for row in range(0, count, 97):
        golden.assert_close(efforts[row], model.inverse_dynamics(q[row], v[row], a[row]), 1e-12)


@pytest.mark.parametrize('count', (50, 2500))
def test_only_the_row_that_is_not_finite_is_lost(count):
    model = identities.model_of('everything')
    q, v, a = states(model, count)
    q[7, 0], v[8, 3], a[9, 1] = math.nan, math.inf, math.nan
    finite = np.isfinite(model.inverse_dynamics_batch(q, v, a))
    assert not finite[7:10].any()
    assert finite[:7].all() and finite[10:].all()


def test_the_arrays_may_be_lists_or_not_contiguous_but_must_fit():
    model = identities.model_of('arm_2r')
    q, v, a = states(model, 10)
    efforts = model.inverse_dynamics_batch(q, v, a)
    np.testing.assert_array_equal(model.inverse_dynamics_batch(q.tolist(), v, a), efforts)
    backwards = model.inverse_dynamics_batch(q[::-1], v[::-1], np.asfortranarray(a)[::-1])
    np.testing.assert_array_equal(backwards[::-1], efforts)
    for bad in (q[:, :1], q[0], [['x', 'y']], np.zeros((0, 2)), np.zeros((9, 2))):
        with pytest.raises(StateError, match='^v: '):
            model.inverse_dynamics_batch(q, bad, a)


# -------------------------------------------------------------------- traces


def test_constants_of_zero_and_one_leave_no_operation():
    x = Trace().inputs('q', 1)[0]
    assert plus(x, 0.0) is x and plus(0.0, x) is x and minus(x, 0.0) is x
    assert times(x, 1.0) is x and times(1.0, x) is x
    assert times(x, 0.0) == 0.0 and times(0.0, x) == 0.0 and negative(0.0) == 0.0
    assert times(-1.0, x) is times(x, -1.0) is minus(0.0, x) is negative(x)
    assert cross((0.0, 0.0, 1.0), (x, 0.0, 0.0)) == (0.0, x, 0.0)


def test_the_same_operation_is_recorded_once():
    trace = Trace()
    x, y = trace.inputs('q', 2)
    assert x + y is y + x and x * y is y * x
    assert x - y is not y - x
    assert 2.0 * x is x * 2.0 and x + 1.0 is 1.0 + x and 1.0 - x is 1.0 - x
    assert [scalar.operation for scalar in needed_for([x * y + x * y])] == [
        'input',
        'input',
        '*',
        '+',
    ]


@identities.each_robot
def test_a_trace_evaluated_step_by_step_agrees_with_pinocchio(name):
    model = identities.model_of(name)
    trace, n = Trace(), len(model.tree.branches)
    results = inverse_dynamics(
        model.tree,
        *(trace.inputs(array, model.nv) for array in ('q', 'v', 'a')),
        trace.inputs('parameters', 11 * n),
        trace.inputs('gravity', 3),
        sin=lambda x: trace.node('sin', x),
        cos=lambda x: trace.node('cos', x),
    )
    q, v, a = (x[0] for x in states(model, 1))
    arrays = {'q': q, 'v': v, 'a': a}
    arrays |= {'parameters': model.dynamic_parameters, 'gravity': model.gravity_vector}
    values = {}
    operations = {
        'input': lambda array, index: arrays[array][index],
        '+': lambda x, y: x + y,
        '-': lambda x, y: x - y,
        '*': lambda x, y: x * y,
        'negative': lambda x: -x,
        'sin': math.sin,
        'cos': math.cos,
    }
    for scalar in needed_for(results):
        operands = [values.get(getattr(x, 'number', None), x) for x in scalar.operands]
        values[scalar.number] = operations[scalar.operation](*operands)
    efforts = [values[result.number] for result in results]
    golden.assert_close(efforts, model.inverse_dynamics(q, v, a), RELATIVE)


# --------------------------------------------------------------------- sines


def sines_of(angles):
    """Return what ``sines`` gives for many angles."""
    n = len(angles)
    work = np.concatenate([angles, np.zeros(n)])
    with np.errstate(invalid='ignore'):
        sines(work, n)
    return work[:n], work[n:]


@pytest.mark.parametrize('largest', (0.8, 7.0, 1e3, 0.999 * LARGEST, 10.0 * LARGEST))
def test_sines_are_exact_to_rounding(largest):
    angles = np.linspace(-largest, largest, 3001)
    sine, cosine = sines_of(angles)
    np.testing.assert_allclose(sine, np.sin(angles), rtol=0.0, atol=3e-16)
    np.testing.assert_allclose(cosine, np.cos(angles), rtol=0.0, atol=3e-16)


def test_sines_near_multiples_of_a_quarter_turn():
    quarters = 0.5 * math.pi * np.arange(-2000.0, 2001.0)
    for offset in (-1e-9, 0.0, 1e-9):
        sine, cosine = sines_of(quarters + offset)
        np.testing.assert_allclose(sine, np.sin(quarters + offset), rtol=0.0, atol=3e-16)
        np.testing.assert_allclose(cosine, np.cos(quarters + offset), rtol=0.0, atol=3e-16)


def test_an_angle_that_is_not_finite_has_no_sine():
    sine, cosine = sines_of(np.array([math.nan, 0.3, math.inf, -math.inf]))
    assert (
        np.isfinite(sine).tolist() == np.isfinite(cosine).tolist() == [False, True, False, False]
    )
