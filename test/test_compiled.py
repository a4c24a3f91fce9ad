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


"""Inverse dynamics compiled for one robot, and what happens without the compiler."""

import builtins
import importlib.util
import math
import subprocess
import sys

import golden
from hypothesis import given, strategies as st
import numpy as np
import pytest
from robot_dynamics.errors import RobotDynamicsError
from robot_dynamics.model import compiled, Payload, RobotModel
from robot_dynamics.model.compiled import available_backend, Backend, compile_inverse_dynamics
import test_model_identities as identities
import test_newton_euler as recursion

RELATIVE = 1e-10
needs_numba = pytest.mark.skipif(
    importlib.util.find_spec('numba') is None,
    reason="numba is not installed: pip install 'robot_dynamics[fast]'",
)
# one with everything, one with slides only, one shipped arm: each takes a while to compile
NAMES = ('everything', 'vertical_mass', 'puma560')
each_compiled = pytest.mark.parametrize('name', NAMES)


def compiled_effort(model, q, v, a):
    """Return the effort of one state by the compiled function."""
    effort = np.full(model.nv, math.nan)
    function = compile_inverse_dynamics(model.tree).function
    function(q, v, a, model.dynamic_parameters, model.gravity_vector, effort)
    return effort


@needs_numba
@each_compiled
def test_compiled_agrees_with_pinocchio(name):
    recursion.compare(identities.model_of(name), effort=compiled_effort, relative=RELATIVE)


@needs_numba
@recursion.needs_real_robots
@pytest.mark.parametrize('robot', ('panda', 'tiago_no_hand'))
def test_compiled_agrees_with_pinocchio_on_real_robots(robot):
    model = recursion.real_robot(recursion.REAL[robot])
    recursion.compare(model, effort=compiled_effort, relative=RELATIVE)


@needs_numba
@given(data=st.data())
@identities.states
def test_compiled_agrees_in_any_state(data):
    model = identities.model_of('everything')
    q, v, a = identities.draw_state(data, model)
    golden.assert_close(compiled_effort(model, q, v, a), model.inverse_dynamics(q, v, a), RELATIVE)


@needs_numba
def test_compiled_agrees_after_thousands_of_turns():
    model = identities.model_of('puma560')
    v, a = np.full(6, 0.3), np.full(6, -0.7)
    for turns in (1e3, 1e5, 1e7):
        q = np.linspace(-turns, turns, 6)
        expected = model.inverse_dynamics(q, v, a)
        golden.assert_close(compiled_effort(model, q, v, a), expected, RELATIVE)


@needs_numba
def test_payload_motors_and_gravity_change_without_compiling_again():
    model = identities.model_of('everything')
    function = compile_inverse_dynamics(model.tree)
    q, v, a = (x[0] for x in recursion.states(model, 1))
    load = Payload(mass=1.3, com=(0.02, -0.05, 0.1), frame='finger')
    for variant in (
        model.with_payload(load),
        model.without_motors(),
        model.with_scaled(mass=1.1, inertia=1.2),
        model.with_gravity((3.0, 4.0, 5.0)),
        model.copy(),
    ):
        assert compile_inverse_dynamics(variant.tree) is function
        expected = variant.inverse_dynamics(q, v, a)
        golden.assert_close(compiled_effort(variant, q, v, a), expected, RELATIVE)


@needs_numba
def test_a_load_may_be_written_into_the_parameters():
    model = identities.model_of('everything').copy()
    parameters, nfull = model.dynamic_parameters, len(model.body_joints)
    load = Payload(mass=1.3, com=(0.02, -0.05, 0.1), frame='finger')
    for number, row in model.payload_parameters(load).items():
        bodies = parameters[:-nfull].reshape(-1, 10)
        bodies[number - 1] += row
    model.set_payload_parameters(model.payload_parameters(load))
    golden.assert_close(parameters, model.dynamic_parameters, 1e-12)


@needs_numba
@each_compiled
@pytest.mark.parametrize('vector', range(3), ids=('q', 'v', 'a'))
def test_a_state_that_is_not_finite_gives_no_number_at_any_joint(name, vector):
    model = identities.model_of(name)
    for bad in (math.nan, math.inf, -math.inf):
        for joint in range(model.nv):
            state = [x[0].copy() for x in recursion.states(model, 1)]
            state[vector][joint] = bad
            assert not np.isfinite(compiled_effort(model, *state)).any()


@needs_numba
def test_the_result_may_take_the_place_of_an_input():
    model = identities.model_of('puma560')
    expected = model.inverse_dynamics(*(x[0] for x in recursion.states(model, 1)))
    function = compile_inverse_dynamics(model.tree).function
    for vector in range(3):
        state = [x[0].copy() for x in recursion.states(model, 1)]
        function(*state, model.dynamic_parameters, model.gravity_vector, state[vector])
        golden.assert_close(state[vector], expected, RELATIVE)


@needs_numba
def test_it_can_be_called_by_compiled_code():
    from numba import njit

    model = identities.model_of('puma560')
    function = compile_inverse_dynamics(model.tree).function
    parameters, gravity = model.dynamic_parameters, model.gravity_vector

    @njit
    def doubled(q, v, a, parameters, gravity, out):
        function(q, v, a, parameters, gravity, out)
        for joint in range(out.size):
            out[joint] *= 2.0

    q, v, a = (x[0] for x in recursion.states(model, 1))
    out = np.empty(6)
    doubled(q, v, a, parameters, gravity, out)
    golden.assert_close(out, 2.0 * model.inverse_dynamics(q, v, a), RELATIVE)


@needs_numba
@each_compiled
@pytest.mark.parametrize('count', (0, 1, 300))
def test_an_accelerated_batch_is_what_single_calls_give(name, count):
    model = identities.model_of(name).with_gravity((1.0, -2.0, -9.0))
    assert model.accelerate() == model.backend == Backend('numba')
    q, v, a = recursion.states(model, count)
    efforts = model.inverse_dynamics_batch(q, v, a)
    assert efforts.shape == (count, model.nv)
    for row in range(0, count, 17):
        expected = model.inverse_dynamics(q[row], v[row], a[row])
        golden.assert_close(efforts[row], expected, RELATIVE)


@needs_numba
def test_only_the_row_that_is_not_finite_is_lost():
    model = identities.model_of('everything').copy()
    model.accelerate()
    q, v, a = recursion.states(model, 50)
    q[7, 0], v[8, 3], a[9, 1] = math.nan, math.inf, math.nan
    finite = np.isfinite(model.inverse_dynamics_batch(q, v, a))
    assert not finite[7:10].any()
    assert finite[:7].all() and finite[10:].all()


@needs_numba
def test_copies_made_later_are_accelerated_too():
    model = identities.model_of('everything').copy()
    assert model.backend == Backend('pinocchio', 'accelerate() has not been called')
    earlier = model.copy()
    model.accelerate()
    assert earlier.backend.name == 'pinocchio'
    load = Payload(mass=1.3, com=(0.02, -0.05, 0.1), frame='finger')
    carrying = model.with_payload(load)
    assert carrying.backend == Backend('numba')
    q, v, a = recursion.states(model, 3)
    expected = earlier.with_payload(load).inverse_dynamics_batch(q, v, a)
    golden.assert_close(carrying.inverse_dynamics_batch(q, v, a), expected, RELATIVE)


# ------------------------------------------------------------- without Numba


def other_robot(length):
    """Return a robot that no other test has compiled."""
    text = identities.EVERYTHING.replace('xyz="0.2 0 0.1"', f'xyz="{length} 0 0.1"')
    return RobotModel.from_urdf(text, overlay=identities.MOTORS)


def check_works_without(model, reason):
    """Require that batches work, and that the reason is said."""
    backend = model.accelerate()
    assert backend is model.backend
    assert backend.name == 'pinocchio' and reason in backend.reason
    assert "pip install 'robot_dynamics[fast]'" in backend.reason
    with pytest.raises(RobotDynamicsError, match=reason):
        compile_inverse_dynamics(model.tree)
    q, v, a = recursion.states(model, 3)
    expected = [model.inverse_dynamics(*state) for state in zip(q, v, a)]
    golden.assert_close(model.inverse_dynamics_batch(q, v, a), expected, RELATIVE)


def test_numba_is_not_installed(monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        compiled.importlib.util,
        'find_spec',
        lambda name: None if name == 'numba' else find(name),
    )
    assert available_backend().name == 'pinocchio'
    check_works_without(other_robot(0.30), 'numba is not installed')


def test_numba_does_not_fit_the_other_packages(monkeypatch):
    original = builtins.__import__

    def broken(name, *arguments, **keywords):
        if name == 'numba':
            raise ImportError('Numba needs NumPy 2.3 or less')
        return original(name, *arguments, **keywords)

    monkeypatch.setattr(compiled.importlib.util, 'find_spec', lambda name: object())
    monkeypatch.setattr(builtins, '__import__', broken)
    check_works_without(other_robot(0.31), 'Numba needs NumPy')


@needs_numba
def test_numba_is_told_not_to_compile(monkeypatch):
    from numba import config

    monkeypatch.setattr(config, 'DISABLE_JIT', 1)
    model = other_robot(0.32)
    assert model.accelerate().reason == 'accelerated backend: NUMBA_DISABLE_JIT is set'


@needs_numba
def test_a_failure_of_the_compiler_stops_nothing(monkeypatch):
    def fail(*_):
        raise AttributeError('no such thing in this version')

    monkeypatch.setattr(compiled, 'storing', fail)
    model = other_robot(0.33)
    assert model.accelerate().name == 'pinocchio'
    assert model.backend.reason.endswith('no such thing in this version')
    with pytest.raises(RobotDynamicsError, match='cannot compile'):
        compile_inverse_dynamics(model.tree).function  # noqa: B018


def test_importing_the_package_does_not_import_numba():
    code = "import robot_dynamics, sys; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, '-c', code], check=False).returncode == 0
