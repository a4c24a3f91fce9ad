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

"""Joint vectors by our own order, and the maps to Pinocchio's."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
import pinocchio as pin
from robot_dynamics.errors import StateError
from robot_dynamics.model.payload import Payload
from robot_dynamics.model.rigid_body import RigidBody, spatial_inertia
from robot_dynamics.model.roles import unknown_name

Array = NDArray[np.float64]


class JointSpace:
    """
    The joints of a rigid-body model by our own order, and what they carry.

    Vectors have one entry for each joint of ``joint_names``. Positions are
    [rad] or [m], efforts [N m] or [N]. An object holds scratch memory: use it
    from one thread only.

    Parameters
    ----------
    body : RigidBody
        The Pinocchio model and the map from our joints to its own.
    joint_names : tuple of str
        The order of all vectors.

    """

    def __init__(self, body: RigidBody, joint_names: tuple[str, ...]) -> None:
        """Keep the body and make its scratch memory."""
        self.joint_names = joint_names
        self.nv = len(joint_names)
        self._body = body
        self._model, self._selection = body.model, body.selection
        self._data = body.model.createData()
        # the bodies without payload, so that a load leaves no residue when it goes
        self._bare = [inertia.copy() for inertia in body.model.inertias]
        self._loads: dict[int, Array] = {}

    @property
    def is_direct(self) -> bool:
        """Whether each joint is one of Pinocchio's, in its order: none follows another."""
        return self._selection is None

    @property
    def gravity_vector(self) -> Array:
        """Gravity in the root link's frame, shape (3,) [m/s^2]."""
        return np.array(self._model.gravity.linear)

    def set_gravity(self, gravity: ArrayLike) -> None:
        """Change the gravity of this object, (3,) in the root link's frame [m/s^2]."""
        self._model.gravity = pin.Motion(np.array(gravity, dtype=np.float64), np.zeros(3))

    def payload_parameters(self, payload: Payload | None) -> dict[int, Array]:
        """
        Return what a payload adds to the bodies.

        Parameters
        ----------
        payload : Payload or None
            The load.

        Returns
        -------
        dict of int to numpy.ndarray, shape (10,)
            By Pinocchio's joint number: mass, first moment, inertia about the
            joint; all zero in mass means nothing. They may be interpolated.

        Raises
        ------
        ModelError
            When the frame does not exist.

        """
        if payload is None or payload.mass == 0.0:
            return {}
        frame = self._model.frames[self._frame(payload.frame)]
        body = spatial_inertia(payload.mass, payload.com, payload.inertia)
        return {int(frame.parentJoint): np.array(frame.placement.act(body).toDynamicParameters())}

    def set_payload_parameters(self, loads: dict[int, Array]) -> None:
        """
        Put loads on the bare bodies of this object, in place of earlier ones.

        Parameters
        ----------
        loads : dict of int to numpy.ndarray, shape (10,)
            As ``payload_parameters`` gives them.

        """
        for number in self._loads:
            self._model.inertias[number] = self._bare[number]
        for number, parameters in loads.items():
            if parameters[0] == 0.0:
                continue  # a massless body has no centre of mass to compute
            total = self._bare[number].toDynamicParameters() + parameters
            self._model.inertias[number] = pin.Inertia.FromDynamicParameters(total)
        self._loads = dict(loads)

    def check_vector(self, name: str, x: ArrayLike) -> Array:
        """
        Return ``x`` as a vector by joint order.

        Parameters
        ----------
        name : str
            What it is, for the message.
        x : array_like, shape (nv,)
            The values.

        Raises
        ------
        StateError
            When the length is wrong or a value not finite, naming the joint.

        """
        vector = self._vector(name, x)
        if not np.isfinite(vector).all():
            joint = self.joint_names[int(np.argmin(np.isfinite(vector)))]
            raise StateError(
                f'is {vector[self.joint_names.index(joint)]}',
                where=f"{name} of joint '{joint}'",
                expected='a finite number',
            )
        return vector

    def _vector(self, name: str, x: ArrayLike) -> Array:
        if type(x) is np.ndarray and x.dtype == np.float64 and x.shape == (self.nv,):
            return x
        try:
            vector = np.array(x, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise StateError('is no list of numbers', where=name) from error
        if vector.shape != (self.nv,):
            raise StateError(
                f'has shape {vector.shape}',
                where=name,
                expected=f'{self.nv} values, for {", ".join(self.joint_names)}',
            )
        return vector

    def _full_q(self, q: ArrayLike) -> Array:
        q = self._vector('q', q)
        if self._selection is None:
            return q
        return np.asarray(self._selection @ q + self._body.offset)

    def _full(self, name: str, x: ArrayLike) -> Array:
        x = self._vector(name, x)
        return x if self._selection is None else np.asarray(self._selection @ x)

    def _reduced(self, tau: Array) -> Array:
        if self._selection is None:
            return np.array(tau)
        return np.asarray(self._selection.T @ tau)

    def _reduced_matrix(self, matrix: Array) -> Array:
        if self._selection is None:
            return np.array(matrix)
        return np.asarray(self._selection.T @ matrix @ self._selection)

    def require_frame(self, frame: str) -> None:
        """Raise ModelError, offering close names, when there is no such link frame."""
        self._frame(frame)

    def _frame(self, frame: str) -> int:
        if frame not in self._body.frames:
            raise unknown_name(frame, tuple(self._body.frames), 'link frame')
        return self._body.frames[frame]
