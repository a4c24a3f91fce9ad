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

"""What every simulated arm has in common: state, effort, push, step."""

from __future__ import annotations

from abc import ABC, abstractmethod
import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from robot_dynamics.errors import ModelError, ParameterError, SimulationError, StateError
from robot_dynamics.model import FrictionModel, RobotModel
from robot_dynamics.simulation.external_push import ExternalPush
from robot_dynamics.simulation.inertia_check import require_inertia
from robot_dynamics.simulation.integrators import rk4_step, semi_implicit_step
from robot_dynamics.simulation.plant_friction import PlantFriction
from robot_dynamics.simulation.stops import PositionStops

Array = NDArray[np.float64]

INTEGRATORS = ('rk4', 'semi_implicit')

_STABLE = 2.0  # step times friction rate; classical RK4 bears 2.78
_MAX_SUBSTEPS = 16  # beyond these friction is integrated implicitly
_IMPLICIT_SUBSTEPS = 4
_GENERIC = 0.7  # [rad or m] off the special positions around 0


class Plant(ABC):
    """
    An arm that moves: M(q) a + C(q, v) v + G(q) + friction(v) = effort + push.

    Vectors are by ``joint_names``, commanded joints first. Rotor inertia is part
    of M. Effort and push are held during a step.

    The default integrator 'rk4' keeps the energy of an undriven arm: a 2R arm of
    3 kg and 0.9 m loses 1e-5 J in 10 s with steps of 10 ms, 2e-10 J with 1 ms.
    Stiff friction makes it divide the step by itself, so that the part times the
    friction rate (slope over inertia) stays below 2; where more than 16 parts were
    needed, such steps are taken with friction implicit, which is of first order
    but stable for any friction. 'semi_implicit' does so always, and is the
    symplectic Euler method where there is no friction. Joints with bristles (LuGre)
    are always integrated so, their deflection by backward Euler, in quarters of dt.

    Parameters
    ----------
    model : RobotModel
        The arm as it really is; a copy is kept, and its friction and limits used.
    dt : float
        Step [s].
    integrator : str
        'rk4' or 'semi_implicit'.
    friction : bool
        Whether the friction of ``model`` acts.
    stops : bool
        Whether finite position limits are hard, inelastic stops. A joint that
        starts beyond a limit finds its stop where it starts.

    Raises
    ------
    ParameterError
        When a setting is not one of the above.
    SimulationError
        When a joint has no inertia, or the engine cannot take the model.

    """

    def __init__(
        self,
        model: RobotModel,
        *,
        dt: float = 1e-3,
        integrator: str = 'rk4',
        friction: bool = True,
        stops: bool = True,
    ) -> None:
        """Copy the model and put it at rest, each joint as near to 0 as its limits allow."""
        if integrator not in INTEGRATORS:
            raise ParameterError(
                f"is '{integrator}'",
                where='integrator',
                expected=f'one of: {", ".join(INTEGRATORS)}',
            )
        self.dt = _positive(dt)
        self._model = model.copy()
        self.nv, self.n_commanded = model.nv, model.n_commanded
        self.joint_names = model.joint_names
        self._integrator = integrator
        self._friction = PlantFriction(
            model.friction_model if friction else FrictionModel.none(model.nv)
        )
        infinite = np.full(self.nv, math.inf)
        limits = model.limits
        self._limits = (
            PositionStops(limits.lower, limits.upper)
            if stops
            else (PositionStops(-infinite, infinite))
        )
        zero = np.zeros(self.nv)
        self._put(zero.clip(limits.lower, limits.upper), zero)
        # any pose will do here: a joint without inertia has none in every pose
        require_inertia(self._mass_matrix(_GENERIC + self._q), self.joint_names)

    # ------------------------------------------------------------ the engine

    @abstractmethod
    def _free_acceleration(self, q: Array, v: Array, effort: Array) -> Array:
        """Return the acceleration (nv,) that ``effort`` (nv,) causes, without friction."""

    @abstractmethod
    def _mass_matrix(self, q: Array) -> Array:
        """Return M(q), shape (nv, nv)."""

    # ------------------------------------------------------------- the state

    @property
    def time(self) -> float:
        """Time simulated since ``reset`` [s]."""
        return self._time

    @property
    def q(self) -> Array:
        """Positions, shape (nv,) [rad or m], a copy; continuous joints are not wrapped."""
        return self._q.copy()

    @property
    def v(self) -> Array:
        """Velocities, shape (nv,) [rad/s or m/s], a copy."""
        return self._v.copy()

    @property
    def state(self) -> tuple[Array, Array]:
        """Positions and velocities, both as copies."""
        return self.q, self.v

    @property
    def effort(self) -> Array:
        """Effort of the actuators in the last step, shape (nv,) [N m or N], a copy."""
        return self._effort.copy()

    @property
    def friction_effort(self) -> Array:
        """Effort that friction takes now, shape (nv,), in the direction of motion."""
        return self._friction.effort(self._v, self._z)

    @property
    def beyond_limits(self) -> tuple[str, ...]:
        """Joints that stood beyond a position limit at the last ``reset``."""
        return self._beyond

    def energy(self) -> float:
        """Return kinetic and potential energy [J], zero at rest in the root's origin."""
        return self._model.kinetic_energy(self._q, self._v) + self._model.potential_energy(self._q)

    def acceleration(self, effort: ArrayLike) -> Array:
        """Return how an effort, (n_commanded,) or (nv,), would accelerate the arm now, (nv,)."""
        total = self._whole_effort(effort) + self._push.effort(self._q)
        return self._free_acceleration(
            self._q, self._v, total - self._friction.effort(self._v, self._z)
        )

    def reset(self, q: ArrayLike | None = None, v: ArrayLike | None = None) -> None:
        """
        Put the arm into a state, at time 0, without push and effort.

        Parameters
        ----------
        q : array_like, shape (nv,), optional
            Positions; by default as near to 0 as the limits allow.
        v : array_like, shape (nv,), optional
            Velocities; by default at rest.

        Raises
        ------
        StateError
            When a value is missing or not finite.
        SimulationError
            When the mass matrix is singular there.

        """
        zero = np.zeros(self.nv)
        start = zero.clip(self._model.limits.lower, self._model.limits.upper) if q is None else q
        position = self._model.check_vector('position', start)
        velocity = self._model.check_vector('velocity', zero if v is None else v)
        require_inertia(self._mass_matrix(position), self.joint_names)
        self._put(position, velocity)

    def _put(self, q: Array, v: Array) -> None:
        self._q, self._v = q.copy(), v.copy()
        self._time, self._effort, self._z = 0.0, np.zeros(self.nv), np.zeros(self.nv)
        self._push = ExternalPush(self._model)
        self._beyond = tuple(np.array(self.joint_names)[self._limits.beyond(q)].tolist())
        self._stops = self._limits.widened(q)

    # ---------------------------------------------------------- what acts on it

    def set_push(self, effort: ArrayLike | None) -> None:
        """Let an external effort (nv,) [N m or N] act until changed; see ``ExternalPush``."""
        self._push.set_effort(effort)

    def set_wrench(self, frame: str, wrench: ArrayLike | None) -> None:
        """Let a wrench (6,) [N, N m] act on a link until changed; see ``ExternalPush``."""
        self._push.set_wrench(frame, wrench)

    def step(self, effort: ArrayLike, dt: float | None = None) -> None:
        """
        Advance by one step under an effort.

        Parameters
        ----------
        effort : array_like, shape (n_commanded,) or (nv,)
            Of the actuators, joint side [N m or N]; joints that are not commanded
            get none.
        dt : float, optional
            Another step than the plant's own [s].

        Raises
        ------
        StateError
            When an effort is missing or not finite.
        SimulationError
            When the state is no longer finite; it says when, and the last good
            state, which is kept.

        """
        h = self.dt if dt is None else _positive(dt)
        actuators = self._whole_effort(effort)
        try:
            with np.errstate(all='ignore'):
                q, v, z = self._advance(actuators, h)
                if self._stops.hit(q, v).any():
                    q, v = self._stops.apply(q, v, self._mass_matrix(q))
        except (ModelError, StateError, np.linalg.LinAlgError) as error:
            raise self._stopped(str(error)) from error
        if not (np.isfinite(q).all() and np.isfinite(v).all()):
            raise self._stopped('the state is no longer finite')
        self._q, self._v, self._z, self._effort = q, v, z, actuators
        self._time += h

    # ----------------------------------------------------------------- inside

    def _advance(self, actuators: Array, h: float) -> tuple[Array, Array, Array]:
        q, v, z = self._q, self._v, self._z
        substeps = self._substeps(q, h)
        implicit = (
            self._integrator == 'semi_implicit'
            or substeps > _MAX_SUBSTEPS
            or self._friction.has_state
        )
        if implicit:
            substeps = (
                _IMPLICIT_SUBSTEPS
                if self._friction.has_state
                else min(substeps, _IMPLICIT_SUBSTEPS)
            )
        frictionless = self._friction.is_zero

        def free(q: Array, v: Array) -> Array:
            return self._free_acceleration(q, v, actuators + self._push.effort(q))

        def whole(q: Array, v: Array) -> Array:
            effort = actuators + self._push.effort(q)
            return self._free_acceleration(q, v, effort - self._friction.effort(v, z))

        part = h / substeps
        for _ in range(substeps):
            if implicit:
                q, v, z = self._implicit_step(actuators, q, v, z, part)
            else:
                q, v = rk4_step(free if frictionless else whole, q, v, part)
        return q, v, z

    def _implicit_step(
        self, actuators: Array, q: Array, v: Array, z: Array, h: float
    ) -> tuple[Array, Array, Array]:
        offset, chord = self._friction.linear(v, z, h)

        def free(q: Array, v: Array) -> Array:
            return self._free_acceleration(q, v, actuators - offset + self._push.effort(q))

        q, v_next = semi_implicit_step(free, self._mass_matrix(q), chord, q, v, h)
        return q, v_next, self._friction.deflection(v, v_next, z, h)

    def _substeps(self, q: Array, h: float) -> int:
        if self._friction.is_zero:
            return 1
        stiffness = h * self._friction.rate(self._mass_matrix(q))
        return max(1, math.ceil(min(stiffness / _STABLE, _MAX_SUBSTEPS + 1.0)))

    def _whole_effort(self, effort: ArrayLike) -> Array:
        vector = np.array(effort, dtype=np.float64)
        if vector.shape == (self.n_commanded,) and self.n_commanded < self.nv:
            vector = np.concatenate([vector, np.zeros(self.nv - self.n_commanded)])
        return self._model.check_vector('effort', vector)

    def _stopped(self, what: str) -> SimulationError:
        q, v = self._q.tolist(), self._v.tolist()
        return SimulationError(
            f'{what}; the last good state is q = {q}, v = {v}',
            where=f'simulation at {self._time:.6g} s',
            remedy='take a smaller step, and look at the effort and at the inertias',
        )


def _positive(dt: float) -> float:
    if not 0.0 < dt < math.inf:
        raise ParameterError(f'is {dt}', where='dt', expected='a step of more than 0 s')
    return float(dt)
