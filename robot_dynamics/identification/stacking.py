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

"""A recording as linear equations in the parameters, kept as small triangles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.identification.recording import MeasuredMotion
from robot_dynamics.model import RobotModel

Array = NDArray[np.float64]

_BLOCK = 500  # [samples] large enough for LAPACK, small beside any recording


@dataclass(frozen=True, eq=False)
class Equations:
    """
    Many equations matrix @ x = effort, reduced by orthogonal transformations.

    ``factor`` is R of the QR factorisation of [matrix | friction | effort]:
    residuals, least squares and singular values are those of the equations
    themselves, without forming matrix^T matrix, which would square the
    condition number.

    Parameters
    ----------
    factor : numpy.ndarray, shape (r, p + 3)
        Columns: p parameters, sgn v, v, effort.
    rows : int
        How many equations there were.

    """

    factor: Array
    rows: int

    @property
    def matrix(self) -> Array:
        """Return the coefficients of the parameters, shape (r, p)."""
        return self.factor[:, :-3]

    @property
    def friction(self) -> Array:
        """Return the coefficients of Coulomb and viscous friction, shape (r, 2)."""
        return self.factor[:, -3:-1]

    @property
    def effort(self) -> Array:
        """Return the right side, shape (r,)."""
        return self.factor[:, -1]

    def residual(self, parameters: Array) -> Array:
        """Return effort - matrix @ parameters (r,), as long as that of all equations."""
        return np.asarray(self.effort - self.matrix @ parameters)

    def rms(self, parameters: Array) -> float:
        """Return the root mean square of the residual over all equations."""
        return float(np.linalg.norm(self.residual(parameters)) / np.sqrt(self.rows))


def triangle(matrix: Array) -> Array:
    """Return R of the QR factorisation of ``matrix``."""
    return np.asarray(np.linalg.qr(matrix, mode='r'), dtype=np.float64)


def joined(parts: Sequence[Equations], weights: Sequence[float] | None = None) -> Equations:
    """Return the equations of all parts together, each part times its weight."""
    scales = [1.0] * len(parts) if weights is None else weights
    stacked = np.vstack([scale * part.factor for scale, part in zip(scales, parts)])
    return Equations(triangle(stacked), sum(part.rows for part in parts))


def stack(model: RobotModel, motion: MeasuredMotion) -> list[Equations]:
    """
    Form the equations of every commanded joint.

    The effort is the measured one less what the model says about rotor inertia
    and friction, so that only the bodies remain.

    Parameters
    ----------
    model : RobotModel
        Kinematics, gravity, motors and friction.
    motion : MeasuredMotion
        At least one sample.

    Returns
    -------
    list of Equations
        One for each commanded joint, with ten parameters for each moving body.

    """
    n, width = model.n_commanded, _body_columns(model)
    factors = [np.zeros((0, width + 3)) for _ in range(n)]
    for start in range(0, len(motion), _BLOCK):
        chosen = slice(start, start + _BLOCK)
        rows, rest = _regressors(model, motion.q[chosen], motion.v[chosen], motion.a[chosen])
        v = motion.v[chosen, :n]
        effort = motion.tau[chosen] - rest
        for joint in range(n):
            block = np.column_stack(
                [rows[:, joint], np.sign(v[:, joint]), v[:, joint], effort[:, joint]]
            )
            factors[joint] = triangle(np.vstack([factors[joint], block]))
    return [Equations(factor, len(motion)) for factor in factors]


def predict_effort(model: RobotModel, motion: MeasuredMotion, parameters: Array) -> Array:
    """
    Return the effort of a motion for other bodies in place of the model's.

    Parameters
    ----------
    model : RobotModel
        Kinematics, gravity, motors and friction.
    motion : MeasuredMotion
        k samples.
    parameters : numpy.ndarray, shape (10 bodies,)
        In the order of ``model.dynamic_parameters``, without rotor inertias.

    Returns
    -------
    numpy.ndarray, shape (k, n)
        For the n commanded joints [N m or N].

    """
    blocks = []
    for start in range(0, len(motion), _BLOCK):
        chosen = slice(start, start + _BLOCK)
        rows, rest = _regressors(model, motion.q[chosen], motion.v[chosen], motion.a[chosen])
        blocks.append(rows @ parameters + rest)
    return np.vstack(blocks)


def body_prior(model: RobotModel) -> Array:
    """Return the model's own bodies, shape (10 bodies,)."""
    return model.dynamic_parameters[: _body_columns(model)]


def _body_columns(model: RobotModel) -> int:
    """Return how many of the regressor's columns are bodies': ten of eleven."""
    return model.dynamic_parameters.size // 11 * 10


def _regressors(model: RobotModel, q: Array, v: Array, a: Array) -> tuple[Array, Array]:
    """Return the columns of the bodies (k, n, p), and motors with friction (k, n)."""
    n, parameters = model.n_commanded, model.dynamic_parameters
    width = parameters.size // 11 * 10
    rows = np.empty((len(q), n, width))
    rest = np.empty((len(q), n))
    for sample in range(len(q)):
        regressor = model.joint_torque_regressor(q[sample], v[sample], a[sample])[:n]
        rows[sample] = regressor[:, :width]
        rest[sample] = regressor[:, width:] @ parameters[width:] + model.friction(v[sample])[:n]
    return rows, rest
