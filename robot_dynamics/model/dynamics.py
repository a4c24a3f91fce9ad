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

"""The terms of M(q) a + C(q, v) v + G(q) = tau, computed with Pinocchio."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
import pinocchio as pin
from robot_dynamics.errors import ModelError
from robot_dynamics.model.batch_dynamics import BatchDynamics

Array = NDArray[np.float64]


class Dynamics(BatchDynamics):
    """
    Rigid-body dynamics by our own joint order.

    Vectors have one entry for each joint of ``joint_names``. Positions are
    [rad] or [m], efforts [N m] or [N]. An object holds scratch memory: use it
    from one thread only.
    """

    def gravity(self, q: ArrayLike) -> Array:
        """Return G(q) (nv,): the effort that holds still at ``q`` (nv,) [N m or N]."""
        return self._reduced(
            pin.computeGeneralizedGravity(self._model, self._data, self._full_q(q))
        )

    def inverse_dynamics(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> Array:
        """
        Return the effort of a motion, M a + C v + G, by one RNEA.

        Parameters
        ----------
        q, v, a : array_like, shape (nv,)
            Position, velocity, acceleration.

        Returns
        -------
        numpy.ndarray, shape (nv,)
            Without friction [N m or N].

        """
        return self._reduced(
            pin.rnea(
                self._model, self._data, self._full_q(q), self._full('v', v), self._full('a', a)
            )
        )

    def unchecked_inverse_dynamics(self) -> Callable[[Array, Array, Array], Array]:
        """Return ``inverse_dynamics`` without its checks, for a model that ``is_direct``."""
        return partial(pin.rnea, self._model, self._data)

    def mass_matrix(self, q: ArrayLike) -> Array:
        """Return M(q), shape (nv, nv), symmetric, with motor inertia."""
        matrix = np.triu(pin.crba(self._model, self._data, self._full_q(q)))
        return self._reduced_matrix(matrix + np.triu(matrix, 1).T)

    def nonlinear_effects(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Return C(q, v) v + G(q), shape (nv,)."""
        return self._reduced(
            pin.nonLinearEffects(self._model, self._data, self._full_q(q), self._full('v', v))
        )

    def coriolis_matrix(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Return C(q, v), shape (nv, nv), by Christoffel symbols, so M' - 2 C is skew."""
        return self._reduced_matrix(
            pin.computeCoriolisMatrix(self._model, self._data, self._full_q(q), self._full('v', v))
        )

    def forward_dynamics(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> Array:
        """
        Return the acceleration that an effort causes.

        Parameters
        ----------
        q, v, tau : array_like, shape (nv,)
            Position, velocity, effort net of friction.

        Returns
        -------
        numpy.ndarray, shape (nv,)

        Raises
        ------
        ModelError
            When the mass matrix is singular, naming the joint without inertia.

        """
        if self._selection is None:
            acceleration = np.array(
                pin.aba(
                    self._model,
                    self._data,
                    self._vector('q', q),
                    self._vector('v', v),
                    self._vector('tau', tau),
                )
            )
        else:
            bias = self._vector('tau', tau) - self.nonlinear_effects(q, v)
            try:
                acceleration = np.linalg.solve(self.mass_matrix(q), bias)
            except np.linalg.LinAlgError:
                acceleration = np.full(self.nv, math.nan)
        if not math.isfinite(acceleration.sum()):
            self._explain_singular(q, v, tau)
        return acceleration

    def _explain_singular(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> None:
        """Raise for a singular mass matrix or an input that is not finite."""
        for name, x in (('q', q), ('v', v), ('tau', tau)):
            self.check_vector(name, x)
        matrix = self.mass_matrix(q)
        joint = self.joint_names[int(np.argmin(np.diag(matrix)))]
        raise ModelError(
            'forward dynamics is impossible, the mass matrix is singular',
            where=f"joint '{joint}'",
            expected='mass or rotor inertia behind it',
            remedy='add an inertial element or a motor',
        )

    def kinetic_energy(self, q: ArrayLike, v: ArrayLike) -> float:
        """Return v^T M(q) v / 2 [J]."""
        v = self._vector('v', v)
        return 0.5 * float(v @ self.mass_matrix(q) @ v)

    def potential_energy(self, q: ArrayLike) -> float:
        """
        Return the energy of gravity [J], zero where moving masses lie in the root's origin.

        Masses fixed to the root are left out, so locking a joint shifts it by a constant.
        """
        return float(pin.computePotentialEnergy(self._model, self._data, self._full_q(q)))

    # ------------------------------------------------------------- kinematics

    def frame_pose(self, q: ArrayLike, frame: str) -> tuple[Array, Array]:
        """Return rotation (3, 3) and origin (3,) [m] of a link frame in the root frame."""
        number = self._frame(frame)
        pin.forwardKinematics(self._model, self._data, self._full_q(q))
        pose = pin.updateFramePlacement(self._model, self._data, number)
        return np.array(pose.rotation), np.array(pose.translation)

    def jacobian(self, q: ArrayLike, frame: str) -> Array:
        """
        Return the Jacobian of a link frame.

        Parameters
        ----------
        q : array_like, shape (nv,)
            Position.
        frame : str
            A link name.

        Returns
        -------
        numpy.ndarray, shape (6, nv)
            Linear then angular velocity of the frame's origin, root axes.
            A wrench F on the robot there adds jacobian^T F to the joints.

        Raises
        ------
        ModelError
            When there is no such link; close names are offered.

        """
        matrix = np.array(
            pin.computeFrameJacobian(
                self._model,
                self._data,
                self._full_q(q),
                self._frame(frame),
                pin.ReferenceFrame.LOCAL_WORLD_ALIGNED,
            )
        )
        matrix = matrix.reshape(6, -1)  # one joint comes back as a vector
        return matrix if self._selection is None else np.asarray(matrix @ self._selection)

    # -------------------------------------------------------------- regressor

    @property
    def body_joints(self) -> tuple[str, ...]:
        """Joints that carry the bodies of ``dynamic_parameters``, nfull in its order."""
        return tuple(self._model.names)[1:]

    def joint_torque_regressor(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> Array:
        """
        Return Y with Y @ dynamic_parameters = inverse_dynamics(q, v, a).

        Parameters
        ----------
        q, v, a : array_like, shape (nv,)
            Position, velocity, acceleration.

        Returns
        -------
        numpy.ndarray, shape (nv, 11 nfull)
            Ten columns for each moving body (m, m c, I about the joint), then one
            for the rotor inertia of each joint; nfull counts followers too.

        """
        acceleration = self._full('a', a)
        bodies = np.array(
            pin.computeJointTorqueRegressor(
                self._model, self._data, self._full_q(q), self._full('v', v), acceleration
            )
        )
        # one joint comes back as a vector
        bodies = bodies.reshape(acceleration.size, -1)
        matrix = np.hstack([bodies, np.diag(acceleration)])
        return matrix if self._selection is None else np.asarray(self._selection.T @ matrix)
