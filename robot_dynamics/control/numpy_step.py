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


"""The usual cycle in as few operations as NumPy allows."""

from __future__ import annotations

import math
from typing import Any, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.control.command import Command, SteadyCommand
from robot_dynamics.control.limits import LARGEST
from robot_dynamics.control.piece import Piece
from robot_dynamics.control.supervisor import JITTER, State

if TYPE_CHECKING:
    from robot_dynamics.control.controller_settings import ControllerSetup

Array = NDArray[np.float64]

# a named tuple's own constructor is slow
new, subtract, tanh = tuple.__new__, np.subtract, np.tanh


class NumpyStep:
    """
    The law and all checks of a state by a dozen NumPy operations and one ``pin.rnea``.

    With d = [q_ref, v_ref, a_ref] - [q, v, 0] the acceleration is one product, [Kp, Kd, 1] d;
    with t = tanh(v_ref / smoothing) and w = [v_ref, t, |t|] friction is another, [Fv, Fc, D] w,
    where Fc is the mean of both directions and D half their difference. Limits are tested by
    norms, which can only be too strict: then the whole cycle decides.

    Parameters
    ----------
    setup : ControllerSetup
        One for which ``is_steady_law`` holds.

    """

    backend = 'numpy'

    def __init__(self, setup: ControllerSetup) -> None:
        """Prepare matrices and memory."""
        n = setup.model.nv
        law, limiter = setup.law, setup.limiter
        kp, kd = law.gains
        self._n, self._shape = n, (n,)
        # where what is in the vectors that are multiplied with the gains and the friction
        self._of_q, self._of_v, _, self._of_turned, self._of_size = (
            slice(k * n, (k + 1) * n) for k in range(5)
        )
        self._timeout = setup.settings.state_timeout
        self._inverse_dynamics = law.dynamics.unchecked_inverse_dynamics()
        self._slowest = float(setup.jump_velocity.min())
        self._continuous = np.flatnonzero(setup.model.is_continuous).tolist()
        self._per_limit = 1.0 / np.minimum(limiter.limit, LARGEST)
        rates = limiter.rate
        self._per_rate = 1.0 / rates if np.isfinite(rates).any() else None
        friction = law.compensated_friction
        self._friction = friction
        self._at_reference = law.settings.friction_velocity == 'reference'
        groups, self._plain_friction, self._per_smoothing = 3, None, None
        if friction is not None and friction.is_plain and self._at_reference:
            forward, back = friction.coulomb_positive, friction.coulomb_negative
            self._is_even = bool((forward == back).all())
            groups = 4 if self._is_even else 5
            zero = np.zeros(n)
            columns = (zero, friction.viscous, zero, (forward + back) / 2, (forward - back) / 2)
            self._plain_friction = np.hstack([np.diag(column) for column in columns[:groups]])
            self._per_smoothing = 1.0 / friction.smoothing
        self._width = groups * n
        self._gains = np.zeros((n, self._width))
        self._gains[:, : 3 * n] = np.hstack([np.diag(kp), np.diag(kd), np.eye(n)])
        self._powers, self._higher = np.ones(1), range(1, 1)
        self._power_view: Any = memoryview(self._powers.data)
        self._step = np.zeros(n)
        self._acceleration = np.zeros(n)
        self._state, self._spare = np.zeros(self._width), np.zeros(self._width)
        self._none_saturated = np.zeros(n, dtype=np.bool_)
        self._none_saturated.setflags(write=False)
        self.now, self.effort = -math.inf, np.zeros(n)

    @property
    def q(self) -> Array:
        """Return the position of the last state."""
        return self._state[self._of_q]

    @property
    def v(self) -> Array:
        """Return the velocity of the last state."""
        return self._state[self._of_v]

    def begin(
        self, now: float, q: Array, v: Array, effort: Array, piece: Piece, state: State
    ) -> None:
        """See ``SteadyStep.begin``."""
        n = self._n
        self._state[self._of_q], self._state[self._of_v] = q, v
        self.now, self.effort = now, effort
        rows = len(piece.table)
        self._running, self._piece = state, piece
        self._table = np.zeros((rows, self._width))
        self._table[:, : 3 * n] = piece.table
        if self._per_smoothing is not None:
            self._table[:, self._of_turned] = self._table[:, self._of_v] * self._per_smoothing
        if rows != len(self._powers):
            self._powers = np.ones(rows)
            self._power_view = memoryview(self._powers.data)
            self._higher = range(1, rows)
        self._at_rest = not self._table[:, n:].any()

    def load(self) -> None:
        """See ``SteadyStep.load``: Pinocchio has the model already."""

    def run(self, now: float, q: Array, v: Array | None) -> Command | None:
        """See ``SteadyStep.run``."""
        piece, age = self._piece, now - self.now
        if not (0.0 <= age <= self._timeout and piece.begin <= now < piece.end):
            return None
        shape = self._shape
        try:
            if v is None or q.shape != shape or v.shape != shape:
                return None
        except AttributeError:
            return None
        step = subtract(q, self._state[self._of_q], self._step)
        reach = self._slowest * (age + JITTER)
        if not step.dot(step) <= reach * reach:
            return None
        state = self._spare
        state[self._of_q] = q
        state[self._of_v] = v
        power = self._power_view
        s = whole = (now - piece.start - piece.knot) * piece.scale
        for k in self._higher:
            power[k] = s
            s *= whole
        values = self._powers.dot(self._table)
        errors = values - state
        for joint in self._continuous:
            if not -math.pi < errors[joint] <= math.pi:
                return None
        acceleration = self._gains.dot(errors, self._acceleration)
        tau: Array = self._inverse_dynamics(q, v, acceleration)
        friction = self._friction
        if friction is not None and not (self._at_rest and self._at_reference):
            if self._plain_friction is None:
                tau += friction.effort(values[self._of_v] if self._at_reference else v)
            else:
                turned = values[self._of_turned]
                tanh(turned, turned)
                if not self._is_even:
                    np.abs(turned, values[self._of_size])
                tau += self._plain_friction.dot(values)
        share = tau * self._per_limit
        # NaN and infinity fail here as well
        if not share.dot(share) <= 1.0:
            return None
        if self._per_rate is not None:
            change = (tau - self.effort) * self._per_rate
            if not change.dot(change) <= age * age:
                return None
        self._state, self._spare = state, self._state
        self.now, self.effort = now, tau
        return new(SteadyCommand, (tau, self._running, self._none_saturated, errors, values))
