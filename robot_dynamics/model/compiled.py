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

LANES = 8  # sines come in multiples of the widest vector register, so that none is left over
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

    Attributes
    ----------
    function : callable
        ``function(q, v, a, parameters, gravity, out)``, to be called from other Numba functions.
        All are contiguous float64 arrays: q, v, a and out (nv,), ``parameters`` (11 nfull,) as
        ``RobotModel.dynamic_parameters``, ``gravity`` (3,) as ``RobotModel.gravity_vector``.
        ``out`` is written last and may be one of the others. Nothing is checked or allocated.

    """

    def __init__(self, tree: Tree) -> None:
        """Compile the function."""
        self.nv = tree.nv
        self.function = _compiled_function(tree)

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
        efforts = np.empty((len(q), self.nv))
        rows = (np.ascontiguousarray(x, dtype=np.float64) for x in (q, v, a))
        self._compiled_batch(*rows, parameters, gravity, efforts)
        return efforts

    @cached_property
    def _compiled_batch(self) -> Any:
        from numba import float64, njit, void

        function = self.function

        def batch(q: Any, v: Any, a: Any, parameters: Any, gravity: Any, out: Any) -> None:
            for row in range(q.shape[0]):
                function(q[row], v[row], a[row], parameters, gravity, out[row])

        table, vector = float64[:, ::1], float64[::1]
        signature = void(table, table, table, vector, vector, table)
        return njit(signature, error_model='numpy', nogil=True)(batch)


@lru_cache(maxsize=16)
def compile_inverse_dynamics(tree: Tree) -> CompiledInverseDynamics:
    """
    Return the compiled inverse dynamics of a robot, the same one for an equal tree.

    The first call in a process imports Numba; each robot takes some tenths of a second. Nothing
    is written to disk.

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
        import numba  # noqa: F401
    except ImportError as error:
        raise RobotDynamicsError(
            f'numba cannot be imported: {error}', where='accelerated backend', remedy=REMEDY
        ) from error
    return CompiledInverseDynamics(tree)


def _compiled_function(tree: Tree) -> Any:
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


@cache
def _compiled_sines() -> Any:
    from numba import njit

    return njit(error_model='numpy', nogil=True)(sines)


def _traced(tree: Tree) -> tuple[dict[int, Traced | float], int, dict[int, Traced | float]]:
    """Return the angles whose sines are needed, how many with padding, and the efforts."""
    trace, n = Trace(), len(tree.branches)
    turns = sum(not branch.slides for branch in tree.branches)
    count = LANES * -(-turns // LANES)
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
