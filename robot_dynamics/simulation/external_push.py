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

"""What pushes an arm from outside."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from robot_dynamics.errors import StateError
from robot_dynamics.model import RobotModel

Array = NDArray[np.float64]


class ExternalPush:
    """
    An effort along the joints and a wrench on a link, both constant until changed.

    Parameters
    ----------
    model : RobotModel
        Gives the Jacobian; used by the calling thread only.

    """

    def __init__(self, model: RobotModel) -> None:
        """Start without any."""
        self._model = model
        self._effort = np.zeros(model.nv)
        self._frame, self._wrench = '', np.zeros(6)

    def set_effort(self, effort: ArrayLike | None) -> None:
        """
        Change the effort.

        Parameters
        ----------
        effort : array_like, shape (nv,), or None
            Along the joints [N m or N]; None ends it.

        Raises
        ------
        StateError
            When a value is missing or not finite; the effort stays as it was.

        """
        push = np.zeros(self._model.nv) if effort is None else effort
        self._effort = self._model.check_vector('push', push).copy()

    def set_wrench(self, frame: str, wrench: ArrayLike | None) -> None:
        """
        Change the wrench.

        Parameters
        ----------
        frame : str
            The link; the force acts at its origin and moves with it.
        wrench : array_like, shape (6,), or None
            Force [N], then moment [N m], exerted on the arm, in the axes of the
            root link; None ends it.

        Raises
        ------
        ModelError
            When there is no such link.
        StateError
            When a value is missing or not finite; the wrench stays as it was.

        """
        vector = np.zeros(6) if wrench is None else np.array(wrench, dtype=np.float64)
        if vector.shape != (6,) or not np.isfinite(vector).all():
            raise StateError(
                f'is {vector.tolist()}',
                where='wrench',
                expected='six finite numbers, force then moment',
            )
        self._model.jacobian(np.zeros(self._model.nv), frame)
        self._frame, self._wrench = frame, vector

    def effort(self, q: Array) -> Array:
        """Return what both add up to at position ``q`` (nv,), effort + J^T wrench, as (nv,)."""
        if not self._wrench.any():
            return self._effort
        jacobian = self._model.jacobian(q, self._frame)
        return np.asarray(self._effort + jacobian.T @ self._wrench)
