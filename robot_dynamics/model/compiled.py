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


"""Inverse dynamics compiled for one robot: to be called by compiled code, and for batches."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property, lru_cache
import importlib.util
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.errors import RobotDynamicsError
from robot_dynamics.model.machine_code import stack_memory, storing
from robot_dynamics.model.newton_euler import BODY_PARAMETERS, inverse_dynamics
from robot_dynamics.model.sines import sines
from robot_dynamics.model.tracing import Trace, Traced
from robot_dynamics.model.tree import Tree

Array = NDArray[np.float64]

PADDING = 8  # sines come in multiples of the widest vector register, so that none is left over
LANES = 4  # states of a batch computed at once
REMEDY = "pip install 'robot_dynamics[fast]'"


class Backend(NamedTuple):
    """
    What computes batches and compiled laws.

    Attributes
    ----------
    name : str
        'numba' or 'pinocchio'.
    reason : str
        Why it is not 'numba'; empty when it is.

    """

    name: str
    reason: str = ''


def available_backend() -> Backend:
    """Return the fastest backend that is installed, without importing it."""
    if importlib.util.find_spec('numba') is None:
        return Backend('pinocchio', f'numba is not installed; {REMEDY}')
    return Backend('numba')


class CompiledInverseDynamics:
    """
    Inverse dynamics of one robot as machine code, for any masses and any gravity.

    Parameters
    ----------
    tree : Tree
        The robot without its masses.

    """

    def __init__(self, tree: Tree) -> None:
        """Keep the tree; each function is compiled when it is first asked for."""
        self._tree = tree

    @cached_property
    def function(self) -> Any:
        """
        Return the function for one state, to be called by other Numba functions.

        ``function(q, v, a, parameters, gravity, out)`` takes contiguous float64 arrays: q, v, a
        and out (nv,), ``parameters`` (11 nfull,) as ``RobotModel.dynamic_parameters``,
        ``gravity`` (3,) as ``RobotModel.gravity_vector``. ``out`` is written last and may be one
        of the others. Nothing is checked and nothing allocated.

        """
        return _compiled(_state_function, self._tree)

    @cached_property
    def batch_function(self) -> Any:
        """Return the function for tables (k, nv) of states, arguments as of ``function``."""
        return _compiled(_batch_function, self._tree)

    def batch(self, q: Array, v: Array, a: Array, parameters: Array, gravity: Array) -> Array:
        """
        Return the efforts (k, nv) of k states; other threads go on meanwhile.

        Parameters
        ----------
        q, v, a : numpy.ndarray, shape (k, nv)
            Position, velocity, acceleration.
        parameters, gravity : numpy.ndarray, shape (11 nfull,) and (3,)
            As for ``function``.

        """
        efforts = np.empty((len(q), self._tree.nv))
        rows = (np.ascontiguousarray(x, dtype=np.float64) for x in (q, v, a))
        self.batch_function(*rows, parameters, gravity, efforts)
        return efforts


@lru_cache(maxsize=16)
def compile_inverse_dynamics(tree: Tree) -> CompiledInverseDynamics:
    """
    Return the compiled inverse dynamics of a robot, the same one for an equal tree.

    The first call in a process imports Numba; each function of each robot takes some tenths of a
    second when it is first asked for. Nothing is written to disk.

    Parameters
    ----------
    tree : Tree
        ``RobotModel.tree``: masses, payload, motors and gravity are not in it, they are given
        with each call.

    Raises
    ------
    RobotDynamicsError
        When Numba is not there, or cannot be imported.

    """
    backend = available_backend()
    if backend.reason:
        raise RobotDynamicsError(backend.reason, where='accelerated backend')
    try:
        from numba import config
    except ImportError as error:
        raise RobotDynamicsError(
            f'numba cannot be imported: {error}', where='accelerated backend', remedy=REMEDY
        ) from error
    if config.DISABLE_JIT:
        raise RobotDynamicsError('NUMBA_DISABLE_JIT is set', where='accelerated backend')
    return CompiledInverseDynamics(tree)


def _compiled(function: Callable[[Tree], Any], tree: Tree) -> Any:
    """Return a function of a tree, compiled; whatever goes wrong is no reason to stop a robot."""
    try:
        return function(tree)
    except Exception as error:
        raise RobotDynamicsError(
            f'numba cannot compile the dynamics: {error}', where='accelerated backend'
        ) from error


def _state_function(tree: Tree) -> Any:
    from numba import carray, float64, njit, void

    angles, count, efforts = _traced(tree)
    prepare, finish = storing(angles, 'work'), storing(efforts, 'out')
    size = 2 * count
    memory, compiled_sines = stack_memory(size), _compiled_sines()

    def function(q: Any, v: Any, a: Any, parameters: Any, gravity: Any, out: Any) -> None:
        work = carray(memory(), (size,))
        prepare(q, v, a, parameters, gravity, work, out)
        compiled_sines(work, count)
        finish(q, v, a, parameters, gravity, work, out)

    vector = float64[::1]
    return njit(void(*[vector] * 6), error_model='numpy', nogil=True)(function)


def _batch_function(tree: Tree) -> Any:
    from numba import float64, njit, void

    angles, count, efforts = _traced(tree)
    prepare, finish = storing(angles, 'work', LANES), storing(efforts, 'out', LANES)
    nv, compiled_sines = tree.nv, _compiled_sines()

    def batch(q: Any, v: Any, a: Any, parameters: Any, gravity: Any, out: Any) -> None:
        rows = q.shape[0]
        lanes_q, lanes_v = np.empty(nv * LANES), np.empty(nv * LANES)
        lanes_a, lanes_out = np.empty(nv * LANES), np.empty(nv * LANES)
        work = np.empty(2 * count * LANES)
        for first in range(0, rows, LANES):
            for lane in range(LANES):
                # behind the last row it is computed once more
                row = min(first + lane, rows - 1)
                for joint in range(nv):
                    lanes_q[joint * LANES + lane] = q[row, joint]
                    lanes_v[joint * LANES + lane] = v[row, joint]
                    lanes_a[joint * LANES + lane] = a[row, joint]
            prepare(lanes_q, lanes_v, lanes_a, parameters, gravity, work, lanes_out)
            compiled_sines(work, count * LANES)
            finish(lanes_q, lanes_v, lanes_a, parameters, gravity, work, lanes_out)
            for lane in range(min(LANES, rows - first)):
                for joint in range(nv):
                    out[first + lane, joint] = lanes_out[joint * LANES + lane]

    table, vector = float64[:, ::1], float64[::1]
    signature = void(table, table, table, vector, vector, table)
    return njit(signature, error_model='numpy', nogil=True)(batch)


@cache
def _compiled_sines() -> Any:
    from numba import njit

    return njit(error_model='numpy', nogil=True)(sines)


def _traced(tree: Tree) -> tuple[dict[int, Traced | float], int, dict[int, Traced | float]]:
    """Return the angles whose sines are needed, how many with padding, and the efforts."""
    trace, n = Trace(), len(tree.branches)
    turns = sum(not branch.slides for branch in tree.branches)
    count = PADDING * -(-turns // PADDING)
    angles: list[Traced] = []

    def entry(angle: Traced, first: int) -> Traced:
        if angle not in angles:
            angles.append(angle)
        return trace.node('input', 'work', first + angles.index(angle))

    efforts = inverse_dynamics(
        tree,
        trace.inputs('q', tree.nv),
        trace.inputs('v', tree.nv),
        trace.inputs('a', tree.nv),
        trace.inputs('parameters', (BODY_PARAMETERS + 1) * n),
        trace.inputs('gravity', 3),
        sin=lambda angle: entry(angle, 0),
        cos=lambda angle: entry(angle, count),
    )
    padding = [0.0] * (count - len(angles))
    return dict(enumerate([*angles, *padding])), count, dict(enumerate(efforts))
