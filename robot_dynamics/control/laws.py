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

"""The laws: from a measured state and a reference to an effort, by one recursion each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.control.angles import wrap_joints
from robot_dynamics.control.law_settings import LawSettings, Mode
from robot_dynamics.control.parameters import joint_array
from robot_dynamics.control.reference_point import ReferencePoint
from robot_dynamics.errors import StateError
from robot_dynamics.model import FrictionModel, RobotModel

Array = NDArray[np.float64]


class Law:
    """
    One control law for one model.

    With e = q_ref - q, taken the short way round for continuous joints:

    - gravity_compensation: G(q)
    - feedforward: ID(q_ref, v_ref, a_ref) + Kp e + Kd e', gains of effort, may be left out
    - computed_torque: ID(q, v, a_ref + Kd e' + Kp e), gains of acceleration
    - pd: Kp e + Kd e'; pd_gravity: G(q) + Kp e + Kd e', gains of effort

    ID is M(q) a + C(q, v) v + G(q) by one recursive Newton-Euler pass (Siciliano et al.,
    Robotics, sections 7.5.2 and 8.5). Joints that are only measured enter it with their measured
    position and velocity and no acceleration. An object uses the scratch memory of its model: one
    thread only.

    Parameters
    ----------
    model : RobotModel
        The robot.
    settings : LawSettings
        The law.

    Raises
    ------
    ParameterError
        When there are not as many gains as commanded joints.

    """

    def __init__(self, model: RobotModel, settings: LawSettings) -> None:
        """Prepare the gains."""
        self.settings = settings
        mode = settings.mode
        n = model.n_commanded
        self._n, self._all_commanded = n, model.nv == n
        self._model = model
        # robots that compensate gravity get everything else: the same law in weightlessness
        self._dynamics = (
            model if settings.gravity_in_output else model.with_gravity((0.0, 0.0, 0.0))
        )
        self._continuous = np.flatnonzero(model.is_continuous[:n]).tolist()
        prefix = 'acceleration_gains' if mode is Mode.COMPUTED_TORQUE else 'effort_gains'
        gains = (
            settings.acceleration_gains if mode is Mode.COMPUTED_TORQUE else settings.effort_gains
        )
        self._has_feedback = gains is not None and mode is not Mode.GRAVITY_COMPENSATION
        self._kp = joint_array(f'{prefix}.kp', 0.0 if gains is None else gains.kp, n)
        self._kd = joint_array(f'{prefix}.kd', 0.0 if gains is None else gains.kd, n)
        self._has_friction = settings.friction and mode in (Mode.FEEDFORWARD, Mode.COMPUTED_TORQUE)
        self._measured_friction = settings.friction_velocity == 'measured'

    @property
    def needs_velocity(self) -> bool:
        """Whether the measured velocity enters."""
        return self.settings.mode is not Mode.GRAVITY_COMPENSATION

    @property
    def needs_reference(self) -> bool:
        """Whether a reference enters."""
        return self.settings.mode is not Mode.GRAVITY_COMPENSATION

    @property
    def dynamics(self) -> RobotModel:
        """Return the model that the law computes with: weightless if gravity is left out."""
        return self._dynamics

    @property
    def gains(self) -> tuple[Array, Array]:
        """Return the gains of the position and the velocity error, (n,) each."""
        return self._kp, self._kd

    @property
    def compensated_friction(self) -> FrictionModel | None:
        """Return the friction (nv,) that the law adds, None when it adds none."""
        friction = self._model.friction_model
        return friction if self._has_friction and not friction.is_zero else None

    @property
    def has_bristles(self) -> bool:
        """Whether friction is compensated and has a LuGre state."""
        return self._has_friction and bool(self._model.friction_model.has_state.any())

    def effort(
        self,
        q: Array,
        v: Array | None,
        reference: ReferencePoint | None,
        bristles: Array | None = None,
    ) -> Array:
        """
        Return the effort of the commanded joints.

        Parameters
        ----------
        q, v : numpy.ndarray, shape (nv,)
            Measured position and velocity; v may be None for gravity compensation.
        reference : ReferencePoint or None
            Of the n commanded joints; may be None for gravity compensation.
        bristles : numpy.ndarray, shape (nv,), optional
            LuGre deflections; steady sliding if not given.

        Returns
        -------
        numpy.ndarray, shape (n,)
            [N m or N].

        Raises
        ------
        StateError
            When velocity or reference is missing.

        """
        n, mode = self._n, self.settings.mode
        if mode is Mode.GRAVITY_COMPENSATION:
            return self._dynamics.gravity(q)[:n]
        v, reference = self._require(v, reference)
        if mode is Mode.COMPUTED_TORQUE:
            acceleration = reference.a + self._feedback(q, v, reference)
            tau = self._dynamics.inverse_dynamics(q, v, self._with_zeros(acceleration))[:n]
        elif mode is Mode.FEEDFORWARD:
            tau = self._dynamics.inverse_dynamics(
                self._with_measured(reference.q, q),
                self._with_measured(reference.v, v),
                self._with_zeros(reference.a),
            )[:n]
            if self._has_feedback:
                tau = tau + self._feedback(q, v, reference)
        else:
            tau = self._feedback(q, v, reference)
            if mode is Mode.PD_GRAVITY:
                tau = tau + self._dynamics.gravity(q)[:n]
        return tau + self._friction(v, reference, bristles) if self._has_friction else tau

    def terms(
        self,
        q: Array,
        v: Array | None,
        reference: ReferencePoint | None,
        bristles: Array | None = None,
    ) -> dict[str, Array]:
        """
        Return what the effort consists of, each (n,) [N m or N].

        Parameters
        ----------
        q, v, reference, bristles
            As for ``effort``.

        Returns
        -------
        dict of str to numpy.ndarray
            inertia M a_ref, coriolis C v, gravity G, friction, feedback, where the law has them,
            else zero; total is their sum, as ``effort`` computes it.

        Raises
        ------
        StateError
            When velocity or reference is missing.

        """
        n, mode, dynamics = self._n, self.settings.mode, self._dynamics
        zero = np.zeros(n)
        terms = dict.fromkeys(('inertia', 'coriolis', 'gravity', 'friction', 'feedback'), zero)
        terms['total'] = self.effort(q, v, reference, bristles)
        if mode in (Mode.GRAVITY_COMPENSATION, Mode.PD_GRAVITY):
            terms['gravity'] = dynamics.gravity(q)[:n]
        if mode is Mode.GRAVITY_COMPENSATION:
            return terms
        v, reference = self._require(v, reference)
        terms['feedback'] = self._feedback(q, v, reference)
        if self._has_friction:
            terms['friction'] = self._friction(v, reference, bristles)
        if mode in (Mode.FEEDFORWARD, Mode.COMPUTED_TORQUE):
            where, rate = q, v
            if mode is Mode.FEEDFORWARD:
                where = self._with_measured(reference.q, q)
                rate = self._with_measured(reference.v, v)
            mass = dynamics.mass_matrix(where)
            gravity = dynamics.gravity(where)
            terms['inertia'] = (mass @ self._with_zeros(reference.a))[:n]
            terms['coriolis'] = (dynamics.nonlinear_effects(where, rate) - gravity)[:n]
            terms['gravity'] = gravity[:n]
            if mode is Mode.COMPUTED_TORQUE:
                terms['feedback'] = (mass @ self._with_zeros(terms['feedback']))[:n]
        return terms

    def gravity(self, q: Array) -> Array:
        """Return the effort (n,) that supports the arm at ``q`` (nv,), as far as it is ours."""
        return self._dynamics.gravity(q)[: self._n]

    def position_error(self, q: Array, reference: ReferencePoint) -> Array:
        """Return q_ref - q (n,) [rad or m], in (-pi, pi] for continuous joints."""
        error = reference.q - (q if self._all_commanded else q[: self._n])
        return wrap_joints(error, self._continuous) if self._continuous else error

    def _require(
        self, v: Array | None, reference: ReferencePoint | None
    ) -> tuple[Array, ReferencePoint]:
        mode = self.settings.mode.value
        if v is None:
            raise StateError(
                'is missing',
                where='velocity',
                expected=f'a velocity for {mode}',
                remedy='only gravity_compensation works without',
            )
        if reference is None:
            raise StateError('is missing', where='reference', expected=f'a point for {mode}')
        return v, reference

    def _feedback(self, q: Array, v: Array, reference: ReferencePoint) -> Array:
        """Return Kp e + Kd e' (n,), an acceleration in computed torque, else an effort."""
        rate = reference.v - (v if self._all_commanded else v[: self._n])
        feedback: Array = self._kp * self.position_error(q, reference) + self._kd * rate
        return feedback

    def _friction(self, v: Array, reference: ReferencePoint, bristles: Array | None) -> Array:
        """Return the friction (n,) at the measured or reference velocity."""
        rate = self.friction_rate(v, reference)
        if bristles is None:
            return self._model.friction(rate)[: self._n]
        return self._model.friction_model.effort_with_state(rate, bristles)[: self._n]

    def friction_rate(self, v: Array, reference: ReferencePoint) -> Array:
        """Return the velocity (nv,) that friction is taken at."""
        return v if self._measured_friction else self._with_measured(reference.v, v)

    def advance_bristles(
        self, v: Array, reference: ReferencePoint, bristles: Array, dt: float
    ) -> Array:
        """Return the LuGre deflections (nv,) after ``dt`` [s]; any step is stable."""
        rate = self.friction_rate(v, reference)
        return self._model.friction_model.advance(rate, bristles, dt)

    def _with_measured(self, commanded: Array, measured: Array) -> Array:
        """Return (nv,): commanded joints from the first, the others from the second."""
        if self._all_commanded:
            return commanded
        n = self._n
        return np.concatenate([commanded, measured[n:]])

    def _with_zeros(self, commanded: Array) -> Array:
        """Return (nv,) with zeros for the joints that are only measured."""
        if self._all_commanded:
            return commanded
        full = np.zeros(self._model.nv)
        full[: self._n] = commanded
        return full
