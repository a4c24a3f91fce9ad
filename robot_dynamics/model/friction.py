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

"""Friction: the effort that the actuator must supply on top of the rigid body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robot_dynamics.errors import ParameterError

Array = NDArray[np.float64]

DEFAULT_SMOOTHING = 0.01  # [rad/s or m/s]


@dataclass(frozen=True, eq=False)
class FrictionModel:
    """
    Coulomb and viscous friction of each joint, on the joint side.

    Parameters
    ----------
    coulomb_positive, coulomb_negative : array_like, shape (n,)
        Magnitudes for positive and negative velocity [N m or N].
    viscous : array_like, shape (n,)
        [N m s/rad or N s/m].
    smoothing : array_like, shape (n,)
        Velocity over which the Coulomb part changes sign, as tanh(v / smoothing)
        [rad/s or m/s]; 0 gives the sign function, with 0 at rest.

    Raises
    ------
    ParameterError
        When a value is negative or not finite, or shapes differ.
    """

    coulomb_positive: Array
    coulomb_negative: Array
    viscous: Array
    smoothing: Array

    def __post_init__(self) -> None:
        """Copy the values in and make them read-only."""
        shape = np.shape(self.viscous)
        for name in ('coulomb_positive', 'coulomb_negative', 'viscous', 'smoothing'):
            value: ArrayLike = getattr(self, name)
            array = np.array(value, dtype=np.float64)
            if array.shape != shape or array.ndim != 1:
                raise ParameterError(
                    f'has shape {array.shape}', where=f'friction {name}',
                    expected=f'one value for each joint, shape {shape}')
            if not np.all(np.isfinite(array)) or not np.all(array >= 0.0):
                raise ParameterError(
                    f'has the values {array.tolist()}', where=f'friction {name}',
                    expected='finite magnitudes, zero or more')
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @classmethod
    def none(cls, n: int) -> FrictionModel:
        """Return a model of ``n`` joints without friction."""
        zero = np.zeros(n)
        return cls(zero, zero, zero, np.full(n, DEFAULT_SMOOTHING))

    @property
    def is_zero(self) -> bool:
        """Whether no joint has friction."""
        return not (
            self.coulomb_positive.any() or self.coulomb_negative.any() or self.viscous.any())

    def effort(self, v: Array) -> Array:
        """
        Return the effort that overcomes friction.

        Parameters
        ----------
        v : numpy.ndarray, shape (n,)
            Joint velocities [rad/s or m/s].

        Returns
        -------
        numpy.ndarray, shape (n,)
            Positive for positive velocity, zero at rest [N m or N].
        """
        coulomb = np.where(v > 0.0, self.coulomb_positive, self.coulomb_negative)
        sharp = self.smoothing == 0.0
        scaled = v / np.where(sharp, 1.0, self.smoothing)
        direction = np.where(sharp, np.sign(v), np.tanh(scaled))
        return coulomb * direction + self.viscous * v
