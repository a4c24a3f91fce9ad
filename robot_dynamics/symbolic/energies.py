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

"""
Lagrange's equations by numbers, for robots of any size and without SymPy.

Energies come from forward kinematics of our own, and their derivatives from a complex step,
dE/dq = Im E(q + i h) / h, which is exact to the last digit since nothing is subtracted (Squire
and Trapp, SIAM Review 40, 1998). Nothing here is shared with the recursion that it checks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.model import RobotModel
from robot_dynamics.model.description import Joint
from robot_dynamics.symbolic.motors import motor_inertias

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

STEP = 1e-40  # [rad or m] its square vanishes beside 1, and its inverse is no infinity


@dataclass(frozen=True)
class Terms:
    """
    The terms of the equations of motion at one state.

    Parameters
    ----------
    M : numpy.ndarray, shape (n, n)
        Mass matrix.
    V, G, tau : numpy.ndarray, shape (n,)
        Velocity terms, gravity, and d/dt dL/dv - dL/dq [N m or N].

    """

    M: Array
    V: Array
    G: Array
    tau: Array


class EnergyLagrangian:
    """
    Lagrange's equations of one model, evaluated by numbers.

    Parameters
    ----------
    model : RobotModel
        The robot.

    """

    def __init__(self, model: RobotModel) -> None:
        """Read the description; only the rotors' inertia comes from the model."""
        description = model.description
        self._n = model.nv
        self._names = model.joint_names
        self._joints = tuple(description.walk())
        self._links = description.links
        self._root = description.root
        self._gravity = model.gravity_vector
        self._motors = motor_inertias(model)

    def energies(self, q: Complex) -> tuple[Complex, Complex]:
        """
        Return the mass matrix of the kinetic energy, and the potential energy.

        Parameters
        ----------
        q : numpy.ndarray, shape (batch, n)
            Positions, complex.

        Returns
        -------
        tuple of numpy.ndarray, shapes (batch, n, n) and (batch,)
            K = v^T M v / 2 and U [J].

        """
        batch = len(q)
        mass = np.zeros((batch, self._n, self._n), complex) + np.diag(self._motors)
        potential = np.zeros(batch, complex)
        # per link: rotation, origin, and the Jacobians of both, in the root frame
        state: dict[str, tuple[Any, ...]] = {
            self._root: (
                np.zeros((batch, 3, 3), complex) + np.eye(3),
                np.zeros((batch, 3), complex),
                np.zeros((batch, 3, self._n), complex),
                np.zeros((batch, 3, self._n), complex),
            )
        }
        for joint in self._joints:
            state[joint.child] = self._moved(joint, q, *state[joint.parent])
            link = self._links[joint.child]
            rotation, origin, linear, angular = state[joint.child]
            if not angular.any() and not linear.any():
                continue
            arm = rotation @ link.com
            of_com = linear + np.cross(angular, arm[:, :, None], axis=1)
            turned = np.swapaxes(rotation, 1, 2) @ angular
            mass += link.mass * np.swapaxes(of_com, 1, 2) @ of_com
            mass += np.swapaxes(turned, 1, 2) @ link.inertia @ turned
            potential -= link.mass * (origin + arm) @ self._gravity
        return mass, potential

    def _moved(
        self,
        joint: Joint,
        q: Complex,
        rotation: Complex,
        origin: Complex,
        linear: Complex,
        angular: Complex,
    ) -> tuple[Complex, Complex, Complex, Complex]:
        """Carry a frame and its Jacobians over a joint."""
        arm = rotation @ np.array(joint.origin.xyz)
        origin = origin + arm
        linear = linear + np.cross(angular, arm[:, :, None], axis=1)
        roll, pitch, yaw = joint.origin.rpy
        rotation = rotation @ (_turn(2, yaw) @ _turn(1, pitch) @ _turn(0, roll))
        if not joint.is_moving:
            return rotation, origin, linear, angular
        name, multiplier, offset = joint.name, 1.0, 0.0
        if joint.mimic is not None:
            name, multiplier, offset = (
                joint.mimic.master,
                joint.mimic.multiplier,
                joint.mimic.offset,
            )
        index = self._names.index(name)
        position = multiplier * q[:, index] + offset
        own = np.array(joint.axis)
        axis = rotation @ own
        if joint.type == 'prismatic':
            shift = axis * position[:, None]
            origin = origin + shift
            linear = linear + np.cross(angular, shift[:, :, None], axis=1)
            linear[:, :, index] += multiplier * axis
            return rotation, origin, linear, angular
        angular = angular.copy()
        angular[:, :, index] += multiplier * axis
        cross = np.cross(np.eye(3), own)
        sine, cosine = np.sin(position)[:, None, None], np.cos(position)[:, None, None]
        # Rodrigues' formula, with the axis as it is written, rounded
        turn = cosine * np.eye(3) + sine * cross + (1.0 - cosine) * np.outer(own, own)
        return rotation @ turn, origin, linear, angular

    def terms(self, q: Array, v: Array, a: Array) -> Terms:
        """
        Evaluate d/dt dL/dv - dL/dq at one state.

        Parameters
        ----------
        q, v, a : numpy.ndarray, shape (n,)
            Position, velocity, acceleration.

        Returns
        -------
        Terms

        """
        n = self._n
        # row 0 is the state itself, row k + 1 has a complex step of q_k
        steps = np.vstack([np.zeros(n), 1j * STEP * np.eye(n)])
        mass, potential = self.energies((q + steps).astype(complex))
        slope: Any = mass[1:].imag / STEP  # slope[k, i, j] = dM_ij / dq_k
        gravity = potential[1:].imag / STEP
        momentum_rate = np.einsum('kij,k,j->i', slope, v, v)
        velocity = momentum_rate - 0.5 * np.einsum('ijk,j,k->i', slope, v, v)
        inertia = mass[0].real
        return Terms(inertia, velocity, gravity, inertia @ a + velocity + gravity)


def _turn(axis: int, angle: float) -> Array:
    """Return the rotation (3, 3) about the x (0), y (1) or z (2) axis."""
    matrix = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix[i, i] = matrix[j, j] = np.cos(angle)
    matrix[j, i] = np.sin(angle)
    matrix[i, j] = -matrix[j, i]
    return matrix
