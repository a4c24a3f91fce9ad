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

"""Friction as a plant feels it: smooth enough to be integrated."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.model import FrictionModel

Array = NDArray[np.float64]

# a sign function has no solution at rest; this is the velocity over which it is rounded
SHARP_SMOOTHING = 1e-4  # [rad/s or m/s]


class PlantFriction:
    """
    A friction model with the slopes that an integrator needs.

    Where the model asks for the sign function (smoothing 0), the plant uses
    tanh(v / 1e-4) in its place. A joint under a load below its Coulomb friction
    therefore creeps, at smoothing * atanh(load / Coulomb), and never sticks.
    The deflection of a joint with bristles (LuGre) is kept by the plant.

    Parameters
    ----------
    model : FrictionModel
        Friction of ``nv`` joints.

    """

    def __init__(self, model: FrictionModel) -> None:
        """Round the sign function and find the steepest slope."""
        sharp = model.smoothing == 0.0
        self._model = replace(model, smoothing=np.where(sharp, SHARP_SMOOTHING, model.smoothing))
        self._slope = np.asarray(
            np.maximum(model.static_positive, model.static_negative) / self._model.smoothing
            + model.viscous
        )

    @property
    def has_state(self) -> bool:
        """Whether a joint has bristles."""
        return bool(self._model.has_state.any())

    @property
    def is_zero(self) -> bool:
        """Whether no joint has friction."""
        return self._model.is_zero

    def effort(self, v: Array, z: Array) -> Array:
        """Return what friction takes at velocity and deflection (nv,), (nv,) [N m or N]."""
        return self._model.effort_with_state(v, z) if self.has_state else self._model.effort(v)

    def chord(self, v: Array) -> Array:
        """
        Return effort / velocity, at rest its limit.

        Parameters
        ----------
        v : numpy.ndarray, shape (nv,)
            Velocity [rad/s or m/s].

        Returns
        -------
        numpy.ndarray, shape (nv,)
            Zero or more [N m s/rad or N s/m].

        """
        still = np.abs(v) <= 1e-3 * self._model.smoothing
        return np.where(still, self._slope, self._model.effort(v) / np.where(still, 1.0, v))

    def linear(self, v: Array, z: Array, h: float) -> tuple[Array, Array]:
        """
        Return friction at the end of a step as offset + chord * next velocity.

        For bristles the backward Euler step z_next = (z + h v_next) / (1 + h sigma0 |v| / g) is
        put into sigma0 z_next + sigma1 (z_next - z) / h + Fv v_next; it is stable for any step.

        Parameters
        ----------
        v, z : numpy.ndarray, shape (nv,)
            Velocity and deflection at the start of the step.
        h : float
            Step [s].

        Returns
        -------
        tuple of numpy.ndarray
            Offset [N m or N] and chord [N m s/rad or N s/m], both (nv,).

        """
        chord = self.chord(v)
        if not self.has_state:
            return np.zeros_like(v), chord
        model, bristles = self._model, self._model.has_state
        wear = self._wear(v, h)
        pull = model.stiffness + model.damping / h
        offset = (pull / wear - model.damping / h) * z
        slope = h * pull / wear + model.viscous
        return np.where(bristles, offset, 0.0), np.where(bristles, slope, chord)

    def deflection(self, v: Array, v_next: Array, z: Array, h: float) -> Array:
        """Return the deflections (nv,) after the step that ``linear`` belongs to."""
        return np.where(self._model.has_state, (z + h * v_next) / self._wear(v, h), 0.0)

    def _wear(self, v: Array, h: float) -> Array:
        level = np.where(self._model.has_state, self._model.sliding_level(v), 1.0)
        return 1.0 + h * self._model.stiffness * np.abs(v) / level

    def rate(self, mass_matrix: Array) -> float:
        """
        Return a bound on how fast friction alone can stop the arm.

        Parameters
        ----------
        mass_matrix : numpy.ndarray, shape (nv, nv)
            At the present position.

        Returns
        -------
        float
            trace(M^-1 D) with the steepest slopes D, at least the largest eigenvalue
            of M^-1 D [1/s].

        """
        return float(np.diag(np.linalg.inv(mass_matrix)) @ self._slope)
