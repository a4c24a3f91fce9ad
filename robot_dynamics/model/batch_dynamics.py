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


"""Inverse dynamics of many states in one call, by the fastest means at hand."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from robot_dynamics.errors import RobotDynamicsError, StateError
from robot_dynamics.model.batch import batch_by_arrays, batch_by_pinocchio, FEWEST
from robot_dynamics.model.compiled import (
    Backend,
    compile_inverse_dynamics,
    CompiledInverseDynamics,
)
from robot_dynamics.model.joint_space import JointSpace
from robot_dynamics.model.tree import Tree

Array = NDArray[np.float64]


class BatchDynamics(JointSpace):
    """
    Inverse dynamics of many states, compiled on demand.

    Positions are [rad] or [m], efforts [N m] or [N], by our own joint order.
    """

    _compiled: CompiledInverseDynamics | None = None
    _backend = Backend('pinocchio', 'accelerate() has not been called')

    def inverse_dynamics_batch(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> Array:
        """
        Return the efforts of many states, M a + C v + G for each.

        Parameters
        ----------
        q, v, a : array_like, shape (k, nv)
            Position, velocity, acceleration.

        Returns
        -------
        numpy.ndarray, shape (k, nv)
            Without friction [N m or N]; NaN in a whole row whose state is not finite.

        Raises
        ------
        StateError
            When the shapes do not fit.

        """
        q = self._table('q', q, None)
        v, a = self._table('v', v, len(q)), self._table('a', a, len(q))
        if self._compiled is not None:
            return self._compiled.batch(q, v, a, self.dynamic_parameters, self.gravity_vector)
        with np.errstate(invalid='ignore', over='ignore'):
            if len(q) >= FEWEST:
                return batch_by_arrays(
                    self.tree, q, v, a, self.dynamic_parameters, self.gravity_vector
                )
            if self._selection is None:
                return batch_by_pinocchio(self._model, q, v, a)
            turn = self._selection.T
            full_q = q @ turn + self._body.offset
            return np.asarray(
                batch_by_pinocchio(self._model, full_q, v @ turn, a @ turn) @ self._selection
            )

    def accelerate(self) -> Backend:
        """
        Compile the inverse dynamics for ``inverse_dynamics_batch``, where Numba is installed.

        It takes a second the first time, less for each further robot; copies and variants of this
        model made later have it too. Without Numba all stays as it is.

        Returns
        -------
        Backend
            What computes from now on, and why it is not Numba.

        """
        try:
            compiled = compile_inverse_dynamics(self.tree)
            _ = compiled.batch_function  # compiled here and not in the first batch
            self._compiled, self._backend = compiled, Backend('numba')
        except RobotDynamicsError as error:
            self._backend = Backend('pinocchio', str(error))
        return self._backend

    @property
    def backend(self) -> Backend:
        """Return what computes batches, and why it is not Numba."""
        return self._backend

    @cached_property
    def tree(self) -> Tree:
        """Return the robot without its masses, as the Newton-Euler recursion sees it."""
        return Tree.of(self._body, self.nv)

    @property
    def dynamic_parameters(self) -> Array:
        """Parameters that ``joint_torque_regressor`` multiplies, shape (11 nfull,)."""
        bodies = [inertia.toDynamicParameters() for inertia in list(self._model.inertias)[1:]]
        return np.concatenate([*bodies, self._model.armature])

    def _table(self, name: str, x: ArrayLike, rows: int | None) -> Array:
        """Return states (k, nv) as one contiguous array."""
        try:
            table = np.ascontiguousarray(x, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise StateError('is no table of numbers', where=name) from error
        if table.ndim != 2 or table.shape != (len(table) if rows is None else rows, self.nv):
            raise StateError(
                f'has shape {table.shape}',
                where=name,
                expected=f'({"k" if rows is None else rows}, {self.nv}), a row for each state',
            )
        return table
