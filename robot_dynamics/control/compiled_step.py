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


"""The usual cycle as machine code, for one robot."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
import math
from typing import Any, NamedTuple, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.control.angles import TURN
from robot_dynamics.control.command import Command
from robot_dynamics.control.limits import LARGEST
from robot_dynamics.control.piece import Piece
from robot_dynamics.control.reference_point import ReferencePoint
from robot_dynamics.control.supervisor import JITTER, State
from robot_dynamics.model.compiled import compile_inverse_dynamics
from robot_dynamics.model.machine_code import memory_at
from robot_dynamics.model.newton_euler import BODY_PARAMETERS
from robot_dynamics.model.tree import Tree

if TYPE_CHECKING:
    from robot_dynamics.control.controller_settings import ControllerSetup

Array = NDArray[np.float64]

# Where what is in the memory of the function: single numbers first, then rows of n numbers.
LAST, TIMEOUT, BEGIN, END, START, KNOT, SCALE, POWERS, ROWS = range(9)
MOST_POWERS = 6  # of a quintic
FRICTION_ROWS = (
    'coulomb_positive',
    'coulomb_negative',
    'static_positive',
    'static_negative',
    'stribeck_velocity',
    'stribeck_exponent',
    'viscous',
    'smoothing',
)
ROW_NAMES = (
    *('q', 'v', 'effort', 'kp', 'kd', 'limit', 'rate', 'free_step', 'jump_velocity'),
    *FRICTION_ROWS,
)


class _Parts(NamedTuple):
    effort: Array
    state: State
    saturated: NDArray[np.bool_]
    result: Array


class CompiledCommand(_Parts):
    """
    A command of compiled code, whose output is the effort; see ``Command``.

    Reference and error are cut out of the function's result when they are looked at.
    """

    __slots__ = ()

    output = _Parts.effort

    @property
    def reference(self) -> ReferencePoint:
        """Return what is being followed."""
        _, q, v, a, _ = self.result.reshape(5, -1)
        return ReferencePoint(q, v, a)

    @property
    def error(self) -> Array:
        """Return q_ref - q (n,)."""
        return self.result[: len(self.effort)]


class CompiledStep:
    """
    The law and all checks of a state in one call of a compiled function.

    Parameters
    ----------
    setup : ControllerSetup
        One for which ``is_steady_law`` holds.

    Raises
    ------
    RobotDynamicsError
        When Numba is not there.

    """

    backend = 'numba'

    def __init__(self, setup: ControllerSetup) -> None:
        """Compile the function, unless that has been done, and fill its memory."""
        law, limiter, n = setup.law, setup.limiter, setup.model.nv
        self._n, self._dynamics = n, law.dynamics
        friction = law.compensated_friction
        self._function = compile_step(
            law.dynamics.tree,
            tuple(setup.model.is_continuous.tolist()),
            friction is not None,
            law.settings.friction_velocity == 'reference',
        )
        table_at, loads_at = _places(n)
        self._memory = np.zeros(_size(law.dynamics.tree))
        self._address = self._memory.ctypes.data
        self._table, self._loads = self._memory[table_at:], self._memory[loads_at:]
        self._memory[TIMEOUT] = setup.settings.state_timeout
        kp, kd = law.gains
        rows = {
            'kp': kp,
            'kd': kd,
            'limit': np.minimum(limiter.limit, LARGEST),
            'rate': limiter.finite_rate,
            'free_step': limiter.free_step,
            'jump_velocity': setup.jump_velocity,
        }
        if friction is not None:
            rows.update((name, getattr(friction, name)) for name in FRICTION_ROWS)
        for name, row in rows.items():
            self._row(name)[:] = row
        self.q, self.v, self.effort = (self._row(name) for name in ('q', 'v', 'effort'))
        self._none_saturated = np.zeros(n, dtype=np.bool_)
        self._none_saturated.setflags(write=False)
        self.load()

    def _row(self, name: str) -> Array:
        first = ROWS + ROW_NAMES.index(name) * self._n
        return self._memory[first:][: self._n]

    @property
    def now(self) -> float:
        """Return the steady time of the last state answered [s]."""
        return float(self._memory[LAST])

    def begin(
        self, now: float, q: Array, v: Array, effort: Array, piece: Piece, state: State
    ) -> None:
        """See ``SteadyStep.begin``."""
        memory = self._memory
        memory[LAST], self.q[:], self.v[:], self.effort[:] = now, q, v, effort
        memory[BEGIN], memory[END] = piece.begin, piece.end
        memory[START], memory[KNOT], memory[SCALE] = piece.start, piece.knot, piece.scale
        memory[POWERS] = len(piece.table)
        self._table[: piece.table.size] = piece.table.ravel()
        self.run = self._runner(state)

    def load(self) -> None:
        """See ``SteadyStep.load``."""
        loads = (self._dynamics.dynamic_parameters, self._dynamics.gravity_vector)
        self._loads[:] = np.concatenate(loads)

    def _runner(self, state: State) -> Callable[[float, Array, Array | None], Command | None]:
        """Return ``SteadyStep.run`` for a state of the controller; a closure is the fastest."""
        function, address, size, empty = self._function, self._address, 5 * self._n, np.empty
        none_saturated, last, new = self._none_saturated, 4 * self._n, tuple.__new__

        def run(now: float, q: Array, v: Array | None) -> Command | None:
            result = empty(size)
            try:
                if function(now, q, v, address, result):
                    return None
            except TypeError:
                # no contiguous arrays of float64
                return None
            # a named tuple's own constructor takes longer than the law
            return new(CompiledCommand, (result[last:], state, none_saturated, result))

        return run


def _places(n: int) -> tuple[int, int]:
    """Return where the polynomials and the loads begin in the memory."""
    table = ROWS + len(ROW_NAMES) * n
    return table, table + MOST_POWERS * 3 * n


def _size(tree: Tree) -> int:
    """Return the size of the memory, at whose end are the bodies, the motors and gravity."""
    return _places(tree.nv)[1] + (BODY_PARAMETERS + 1) * len(tree.branches) + 3


@lru_cache(maxsize=16)
def compile_step(
    tree: Tree, continuous: tuple[bool, ...], with_friction: bool, at_reference: bool
) -> Any:
    """
    Return the compiled function of one robot and kind of law.

    Parameters
    ----------
    tree : Tree
        The robot without its masses.
    continuous : tuple of bool
        Which joints turn without end.
    with_friction, at_reference : bool
        Whether friction is compensated, and at the reference's velocity or the measured one.

    Returns
    -------
    callable
        ``function(now, q, v, address, result)``: 0 when it has answered the state, with
        ``result`` the error, position, velocity and acceleration of the reference and the effort,
        (5 n,); else 1, and nothing has changed in the memory at ``address``.

    Raises
    ------
    RobotDynamicsError
        When Numba is not there.

    """
    n, inverse_dynamics = tree.nv, compile_inverse_dynamics(tree).function
    from numba import carray, float64, int64, njit

    turns, (table_at, loads_at) = np.array(continuous), _places(n)
    rows = [ROWS + k * n for k in range(len(ROW_NAMES))]
    q_at, v_at, effort_at, kp_at, kd_at, limit_at, rate_at, free_at, jump_at = rows[:9]
    positive_at, negative_at, static_positive_at, static_negative_at = rows[9:13]
    stribeck_at, exponent_at, viscous_at, smoothing_at = rows[13:]

    def friction(w: float, i: int, memory: Any) -> float:
        """Return the effort as ``FrictionModel.effort`` gives it for joint ``i``."""
        if w > 0.0:
            level, static = memory[positive_at + i], memory[static_positive_at + i]
        else:
            level, static = memory[negative_at + i], memory[static_negative_at + i]
        if static > level:
            past = abs(w / memory[stribeck_at + i]) ** memory[exponent_at + i]
            level += (static - level) * math.exp(-past)
        if memory[smoothing_at + i] > 0.0:
            direction = math.tanh(w / memory[smoothing_at + i])
        else:
            direction = np.sign(w)
        return float(level * direction + memory[viscous_at + i] * w)

    # an address is handed over in less time than an array
    pointer, size = memory_at(), (_size(tree),)
    compiled_friction = njit(error_model='numpy')(friction)

    def step(now: float, q: Any, v: Any, address: int, result: Any) -> int:
        memory = carray(pointer(address), size)
        age = now - memory[LAST]
        if not (0.0 <= age <= memory[TIMEOUT] and memory[BEGIN] <= now < memory[END]):
            return 1
        if q.size != n or v.size != n:
            return 1
        s = (now - memory[START] - memory[KNOT]) * memory[SCALE]
        last_power, effort = int(memory[POWERS]) - 1, result[-n:]
        for i in range(n):
            moved = q[i] - memory[q_at + i]
            if turns[i]:
                moved -= TURN * np.round(moved / TURN)
            if not (abs(moved) <= memory[jump_at + i] * (age + JITTER) and abs(v[i]) <= LARGEST):
                return 1
            for part in range(3):
                value = 0.0
                for power in range(last_power, -1, -1):
                    value = value * s + memory[table_at + (3 * power + part) * n + i]
                result[(part + 1) * n + i] = value
            error = result[n + i] - q[i]
            if turns[i] and not -math.pi < error <= math.pi:
                error = math.pi - (math.pi - error) % TURN
            result[i] = error
            effort[i] = (
                memory[kp_at + i] * error
                + memory[kd_at + i] * (result[2 * n + i] - v[i])
                + result[3 * n + i]
            )
        inverse_dynamics(q, v, effort, memory[loads_at:-3], memory[-3:], effort)
        for i in range(n):
            if with_friction:
                rate = result[2 * n + i] if at_reference else v[i]
                effort[i] += compiled_friction(rate, i, memory)
            change = memory[rate_at + i] * age + memory[free_at + i]
            # NaN and infinity fail here as well
            if not (
                abs(effort[i]) <= memory[limit_at + i]
                and abs(effort[i] - memory[effort_at + i]) <= change
            ):
                return 1
        memory[LAST] = now
        for i in range(n):
            memory[q_at + i], memory[v_at + i], memory[effort_at + i] = q[i], v[i], effort[i]
        return 0

    vector = float64[::1]
    signature = int64(float64, vector, vector, int64, vector)
    return njit(signature, error_model='numpy')(step)
