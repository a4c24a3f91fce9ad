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

from dataclasses import dataclass, field, fields
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.errors import ParameterError

Array = NDArray[np.float64]

DEFAULT_SMOOTHING = 0.01  # [rad/s or m/s]
DEFAULT_STRIBECK_VELOCITY = 0.1  # [rad/s or m/s]
DEFAULT_STRIBECK_EXPONENT = 2.0


def _not_given() -> Array:
    """Return what stands for an optional array until its length is known."""
    return np.empty(0)


@dataclass(frozen=True, eq=False)
class FrictionModel:
    """
    Friction of each joint, on the joint side; every array has shape (n,).

    The sliding level is g(v) = Fc + (Fs - Fc) exp(-|v / vs|^delta) (Coulomb with
    Stribeck effect), with its own Fc and Fs for either direction. Joints with a
    bristle stiffness follow LuGre (Canudas de Wit et al., 1995): they have a
    deflection z with z' = v - sigma0 |v| z / g(v), and the effort
    sigma0 z + sigma1 z' + Fv v; all others give g(v) sgn(v) + Fv v.

    Parameters
    ----------
    coulomb_positive, coulomb_negative : array_like
        Fc, magnitudes for positive and negative velocity [N m or N].
    viscous : array_like
        Fv [N m s/rad or N s/m].
    smoothing : array_like
        Velocity over which the sliding part changes sign, as tanh(v / smoothing)
        [rad/s or m/s]; 0 gives the sign function, with 0 at rest.
    static_positive, static_negative : array_like, optional
        Fs, at least Fc [N m or N]; Fc if not given. ``dataclasses.replace`` keeps
        them, so lower them together with Fc.
    stribeck_velocity, stribeck_exponent : array_like, optional
        vs [rad/s or m/s] and delta.
    stiffness, damping : array_like, optional
        sigma0 [N m/rad or N/m] and sigma1 [N m s/rad or N s/m]; stiffness 0 means
        that the joint has no LuGre state.

    Raises
    ------
    ParameterError
        When a value is negative or not finite, Fs is below Fc, or shapes differ.

    """

    coulomb_positive: Array
    coulomb_negative: Array
    viscous: Array
    smoothing: Array
    static_positive: Array = field(default_factory=_not_given)
    static_negative: Array = field(default_factory=_not_given)
    stribeck_velocity: Array = field(default_factory=_not_given)
    stribeck_exponent: Array = field(default_factory=_not_given)
    stiffness: Array = field(default_factory=_not_given)
    damping: Array = field(default_factory=_not_given)

    def __post_init__(self) -> None:
        """Copy the values in, fill in defaults and make all read-only."""
        shape = np.shape(self.viscous)
        defaults = {
            'static_positive': self.coulomb_positive,
            'static_negative': self.coulomb_negative,
            'stribeck_velocity': np.full(shape, DEFAULT_STRIBECK_VELOCITY),
            'stribeck_exponent': np.full(shape, DEFAULT_STRIBECK_EXPONENT),
            'stiffness': np.zeros(shape),
            'damping': np.zeros(shape),
        }
        for entry in fields(self):
            array = np.array(getattr(self, entry.name), dtype=np.float64)
            if array.size == 0 and entry.name in defaults:
                array = np.array(defaults[entry.name], dtype=np.float64)
            if array.shape != shape or array.ndim != 1:
                raise ParameterError(
                    f'has shape {array.shape}',
                    where=f'friction {entry.name}',
                    expected=f'one value for each joint, shape {shape}',
                )
            if not np.all(np.isfinite(array)) or not np.all(array >= 0.0):
                raise ParameterError(
                    f'has the values {array.tolist()}',
                    where=f'friction {entry.name}',
                    expected='finite values, zero or more',
                )
            array.setflags(write=False)
            object.__setattr__(self, entry.name, array)
        for static, coulomb in (
            (self.static_positive, self.coulomb_positive),
            (self.static_negative, self.coulomb_negative),
        ):
            if not np.all(static >= coulomb):
                raise ParameterError(
                    'is below Coulomb friction',
                    where='static friction',
                    expected='at least the Coulomb value',
                )
        if not np.all(self.stribeck_velocity > 0.0):
            raise ParameterError('is 0', where='stribeck velocity', expected='more than 0')
        if np.any(
            self.has_state & (np.minimum(self.coulomb_positive, self.coulomb_negative) == 0.0)
        ):
            raise ParameterError(
                'is 0 beside a bristle stiffness',
                where='Coulomb friction',
                expected='more than 0 for LuGre',
            )

    @classmethod
    def none(cls, n: int) -> FrictionModel:
        """Return a model of ``n`` joints without friction."""
        zero = np.zeros(n)
        return cls(zero, zero, zero, np.full(n, DEFAULT_SMOOTHING))

    @cached_property
    def has_stribeck(self) -> bool:
        """Whether static friction exceeds Coulomb friction anywhere."""
        return bool(
            (self.static_positive > self.coulomb_positive).any()
            or (self.static_negative > self.coulomb_negative).any()
        )

    @cached_property
    def is_smooth(self) -> bool:
        """Whether no joint has the sign function."""
        return bool((self.smoothing > 0.0).all())

    @cached_property
    def is_plain(self) -> bool:
        """Whether it is Fv v + Fc tanh(v / smoothing) everywhere."""
        return self.is_smooth and not (self.has_stribeck or self.has_state.any())

    @cached_property
    def is_zero(self) -> bool:
        """Whether no joint has friction."""
        return not (self.static_positive.any() or self.static_negative.any() or self.viscous.any())

    @cached_property
    def has_state(self) -> NDArray[np.bool_]:
        """Which joints have a LuGre state, shape (n,)."""
        return np.asarray(self.stiffness > 0.0)

    def sliding_level(self, v: Array) -> Array:
        """Return g(v), shape (n,): the magnitude of friction while sliding at ``v``."""
        forward = v > 0.0
        coulomb = np.where(forward, self.coulomb_positive, self.coulomb_negative)
        if not self.has_stribeck:
            return coulomb
        static = np.where(forward, self.static_positive, self.static_negative)
        decay = np.exp(-(np.abs(v / self.stribeck_velocity) ** self.stribeck_exponent))
        return np.asarray(coulomb + (static - coulomb) * decay)

    def effort(self, v: Array) -> Array:
        """
        Return the effort that overcomes friction in steady sliding.

        Parameters
        ----------
        v : numpy.ndarray, shape (n,)
            Joint velocities [rad/s or m/s].

        Returns
        -------
        numpy.ndarray, shape (n,)
            Positive for positive velocity, zero at rest [N m or N].

        """
        if self.is_smooth:
            direction = np.tanh(v / self.smoothing)
            return np.asarray(self.sliding_level(v) * direction + self.viscous * v)
        sharp = self.smoothing == 0.0
        direction = np.where(sharp, np.sign(v), np.tanh(v / np.where(sharp, 1.0, self.smoothing)))
        return np.asarray(self.sliding_level(v) * direction + self.viscous * v)

    def bristle_rate(self, v: Array, z: Array) -> Array:
        """Return z' (n,) of the LuGre joints at velocity ``v`` and deflection ``z``."""
        level = np.where(self.has_state, self.sliding_level(v), 1.0)
        rate = v - self.stiffness * np.abs(v) / level * z
        return np.where(self.has_state, rate, 0.0)

    def effort_with_state(self, v: Array, z: Array) -> Array:
        """
        Return the effort (n,) with LuGre deflections ``z`` (n,), at velocity ``v`` (n,).

        Joints without a state give their steady effort.
        """
        lugre = self.stiffness * z + self.damping * self.bristle_rate(v, z) + self.viscous * v
        return np.where(self.has_state, lugre, self.effort(v))

    def advance(self, v: Array, z: Array, dt: float) -> Array:
        """
        Return the deflections after ``dt`` seconds at constant velocity.

        The solution is the exact exponential, so any step is stable.

        Parameters
        ----------
        v, z : numpy.ndarray, shape (n,)
            Velocity during the step and deflection at its start.
        dt : float
            [s].

        Returns
        -------
        numpy.ndarray, shape (n,)

        """
        level = np.where(self.has_state, self.sliding_level(v), 1.0)
        stiffness = np.where(self.has_state, self.stiffness, 1.0)
        steady = level / stiffness * np.sign(v)
        z_next = steady + (z - steady) * np.exp(-stiffness * np.abs(v) / level * dt)
        return np.where(self.has_state & (v != 0.0), z_next, z)
