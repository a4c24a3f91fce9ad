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

"""Which law, with which gains."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import get_args, Literal

import numpy as np
from numpy.typing import ArrayLike
from robot_dynamics.control.parameters import plain
from robot_dynamics.errors import ParameterError

FrictionVelocity = Literal['reference', 'measured']


class Mode(str, Enum):
    """
    The laws.

    PD and PD_GRAVITY are there to compare the others with.
    """

    GRAVITY_COMPENSATION = 'gravity_compensation'
    FEEDFORWARD = 'feedforward'
    COMPUTED_TORQUE = 'computed_torque'
    PD = 'pd'
    PD_GRAVITY = 'pd_gravity'


@dataclass(frozen=True, kw_only=True)
class AccelerationGains:
    """
    Gains from an error to an acceleration, for computed torque.

    Parameters
    ----------
    kp : array_like, scalar or shape (n,)
        [1/s^2], finite, 0 or more.
    kd : array_like, scalar or shape (n,)
        [1/s], finite, 0 or more.

    Raises
    ------
    ParameterError
        When a gain is negative or not finite.

    """

    kp: ArrayLike
    kd: ArrayLike

    def __post_init__(self) -> None:
        """Check and freeze the gains."""
        object.__setattr__(self, 'kp', plain('acceleration_gains.kp', self.kp))
        object.__setattr__(self, 'kd', plain('acceleration_gains.kd', self.kd))

    @classmethod
    def from_natural_frequency(
        cls, omega: ArrayLike, damping_ratio: ArrayLike = 1.0
    ) -> AccelerationGains:
        """
        Return the gains that give the error e'' + 2 z w e' + w^2 e = 0.

        Parameters
        ----------
        omega : array_like, scalar or shape (n,)
            Natural frequency w [rad/s].
        damping_ratio : array_like, scalar or shape (n,)
            z, 1 for the fastest return without overshoot.

        """
        w = np.asarray(plain('acceleration_gains.natural_frequency', omega))
        z = np.asarray(plain('acceleration_gains.damping_ratio', damping_ratio))
        return cls(kp=w * w, kd=2.0 * z * w)


@dataclass(frozen=True, kw_only=True)
class EffortGains:
    """
    Gains from an error to an effort, for feedforward and PD.

    Parameters
    ----------
    kp : array_like, scalar or shape (n,)
        [N m/rad or N/m], finite, 0 or more.
    kd : array_like, scalar or shape (n,)
        [N m s/rad or N s/m], finite, 0 or more.

    Raises
    ------
    ParameterError
        When a gain is negative or not finite.

    """

    kp: ArrayLike
    kd: ArrayLike

    def __post_init__(self) -> None:
        """Check and freeze the gains."""
        object.__setattr__(self, 'kp', plain('effort_gains.kp', self.kp))
        object.__setattr__(self, 'kd', plain('effort_gains.kd', self.kd))


@dataclass(frozen=True, kw_only=True)
class LawSettings:
    """
    A law and what it needs; gains of other laws may be there, for a change of mode.

    Parameters
    ----------
    mode : Mode or str
        The law.
    acceleration_gains : AccelerationGains, optional
        Computed torque must have them.
    effort_gains : EffortGains, optional
        The PD laws must have them; feedforward may.
    friction : bool
        Add the friction of the model, in feedforward and computed torque.
    friction_velocity : str
        'reference' or 'measured': the velocity of the commanded joints for it.
    gravity_in_output : bool
        False for robots that already compensate gravity themselves.

    Raises
    ------
    ParameterError
        When the mode is unknown or its gains are missing.

    """

    mode: Mode
    acceleration_gains: AccelerationGains | None = None
    effort_gains: EffortGains | None = None
    friction: bool = False
    friction_velocity: FrictionVelocity = 'reference'
    gravity_in_output: bool = True

    def __post_init__(self) -> None:
        """Check that everything fits together."""
        modes = [mode.value for mode in Mode]
        if self.mode not in modes:
            raise ParameterError(
                f'is {self.mode!r}', where='mode', expected='one of ' + ', '.join(modes)
            )
        object.__setattr__(self, 'mode', Mode(self.mode))
        if self.friction_velocity not in get_args(FrictionVelocity):
            raise ParameterError(
                f'is {self.friction_velocity!r}',
                where='friction_velocity',
                expected='one of ' + ', '.join(get_args(FrictionVelocity)),
            )
        if self.mode is Mode.COMPUTED_TORQUE and self.acceleration_gains is None:
            raise ParameterError(
                'are missing',
                where='acceleration_gains',
                expected='kp [1/s^2] and kd [1/s] for computed_torque',
            )
        if self.mode in (Mode.PD, Mode.PD_GRAVITY) and self.effort_gains is None:
            raise ParameterError(
                'are missing', where='effort_gains', expected=f'kp and kd for {self.mode.value}'
            )
