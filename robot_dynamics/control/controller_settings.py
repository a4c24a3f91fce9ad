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

"""The settings of a controller, and what they become for one model."""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import get_args, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from robot_dynamics.control.law_settings import LawSettings
from robot_dynamics.control.laws import Law
from robot_dynamics.control.limits import EffortLimiter
from robot_dynamics.control.motor_side import MotorSide
from robot_dynamics.control.parameters import check_number, joint_array, plain
from robot_dynamics.control.steady_step import steady_step
from robot_dynamics.control.supervisor import Supervision
from robot_dynamics.errors import ParameterError
from robot_dynamics.model import RobotModel

Array = NDArray[np.float64]

OnFault = Literal['ramp_to_zero', 'hold_gravity']
VelocitySource = Literal['measured', 'differentiated']
EffortSide = Literal['joint', 'motor']
ControlBackend = Literal['auto', 'numpy', 'plain']

LONGEST_FAULT_RAMP = 0.2  # [s]


@dataclass(frozen=True, kw_only=True)
class ControllerSettings:
    """
    Everything that can be chosen about a controller.

    Parameters
    ----------
    law : LawSettings
        The law and its gains.
    effort_limit : array_like, scalar or shape (n,), optional
        Largest effort [N m or N]; where the model has a smaller limit, that one holds.
    allow_unlimited_effort : bool
        Whether joints without any effort limit are accepted.
    effort_rate_limit : array_like, scalar or shape (n,)
        Largest change of effort [N m/s or N/s], infinite for none.
    state_timeout : float
        Age of the last good state that is a fault [s].
    fresh_states : int
        Good states in a row before the first command, and after a fault.
    start_ramp : float
        Time in which the law takes over, at the start, after a fault and when it is changed [s].
    on_fault : str
        'ramp_to_zero', or 'hold_gravity': gravity at the last good position meanwhile.
    fault_ramp : float
        Time of the fall to zero, at most 0.2 [s]. The fall takes longer where the effort rate
        limit asks for it.
    hold_gravity_time : float
        Time from the fault until the fall begins [s].
    setpoint_timeout : float
        Time without a new set-point after which the last one is held [s].
    blend_time : float
        Time in which a new reference takes over from the old one, or a motion stops [s].
    blend_velocity : float
        Peak velocity of a blend for joints without a velocity limit [rad/s or m/s].
    jump_velocity : float
        A position that changes faster is no continuation of the last one; twice the joint's
        velocity limit where it has one [rad/s or m/s].
    velocity_source : str
        'measured', or 'differentiated': from positions, for drivers that send no velocity or a
        noisy one.
    velocity_cutoff : float
        Frequency of the filter of 'differentiated' [Hz].
    payload_ramp : float
        Time in which a change of payload takes effect [s].
    wrench_timeout : float
        Age after which an external wrench fades out [s].
    effort_side : str
        'joint', or 'motor': what is sent is divided by gear ratio and losses.
    backend : str
        How a usual state is answered, always with the same result to rounding: 'auto', by compiled
        code once ``model.accelerate()`` has been called and found Numba, else 'numpy'; 'plain', by
        the whole cycle, one step after the other.
    start_jump_limit : array_like, scalar or shape (n,)
        Largest difference between the first effort of the law and the measured effort, where one
        is measured [N m or N]; infinite for no check.

    Raises
    ------
    ParameterError
        When a value is out of bounds.

    """

    law: LawSettings
    effort_limit: ArrayLike | None = None
    allow_unlimited_effort: bool = False
    effort_rate_limit: ArrayLike = math.inf
    state_timeout: float = 0.05
    fresh_states: int = 5
    start_ramp: float = 0.2
    on_fault: OnFault = 'ramp_to_zero'
    fault_ramp: float = 0.2
    hold_gravity_time: float = 2.0
    setpoint_timeout: float = 0.1
    blend_time: float = 0.2
    blend_velocity: float = 1.0
    start_jump_limit: ArrayLike = math.inf
    jump_velocity: float = 10.0
    velocity_source: VelocitySource = 'measured'
    velocity_cutoff: float = 30.0
    payload_ramp: float = 1.0
    wrench_timeout: float = 0.1
    effort_side: EffortSide = 'joint'
    backend: ControlBackend = 'auto'

    def __post_init__(self) -> None:
        """Check and freeze the values."""
        for name in ('effort_limit', 'effort_rate_limit', 'start_jump_limit'):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, plain(name, value, positive=True, finite=False))
        shortest = 1e-6  # [s]
        check_number('state_timeout', self.state_timeout, shortest, 10.0, unit='s')
        check_number('fresh_states', self.fresh_states, 1, 1000)
        check_number('start_ramp', self.start_ramp, 0.0, 60.0, unit='s')
        check_number('fault_ramp', self.fault_ramp, 0.0, LONGEST_FAULT_RAMP, unit='s')
        check_number('hold_gravity_time', self.hold_gravity_time, 0.0, 60.0, unit='s')
        check_number('setpoint_timeout', self.setpoint_timeout, shortest, 10.0, unit='s')
        check_number('blend_time', self.blend_time, 1e-3, 10.0, unit='s')
        check_number('blend_velocity', self.blend_velocity, 1e-3, 1e3, unit='rad/s or m/s')
        check_number('jump_velocity', self.jump_velocity, 1e-3, 1e6, unit='rad/s or m/s')
        check_number('velocity_cutoff', self.velocity_cutoff, 0.1, 1e4, unit='Hz')
        check_number('payload_ramp', self.payload_ramp, 0.0, 60.0, unit='s')
        check_number('wrench_timeout', self.wrench_timeout, shortest, 10.0, unit='s')
        for name, choices in (
            ('on_fault', OnFault),
            ('velocity_source', VelocitySource),
            ('effort_side', EffortSide),
            ('backend', ControlBackend),
        ):
            if getattr(self, name) not in get_args(choices):
                raise ParameterError(
                    f'is {getattr(self, name)!r}',
                    where=name,
                    expected='one of ' + ', '.join(get_args(choices)),
                )

    @property
    def supervision(self) -> Supervision:
        """Return the part of the supervisor."""
        return Supervision(
            state_timeout=self.state_timeout,
            fresh_states=self.fresh_states,
            start_ramp=self.start_ramp,
        )


class ControllerSetup:
    """
    Settings put to work for one model; not changed afterwards.

    Parameters
    ----------
    model : RobotModel
        The robot.
    settings : ControllerSettings
        The choices.

    Raises
    ------
    ParameterError
        When they do not fit the model.

    """

    def __init__(self, model: RobotModel, settings: ControllerSettings) -> None:
        """Build the law and the limiter."""
        n = model.n_commanded
        self.model, self.settings = model, settings
        self.law = Law(model, settings.law)
        self.limiter = EffortLimiter(_effort_limit(model, settings), settings.effort_rate_limit, n)
        self.start_jump_limit = joint_array(
            'start_jump_limit', settings.start_jump_limit, n, positive=True, finite=False
        )
        bounded = np.isfinite(model.limits.velocity)
        self.jump_velocity = np.where(bounded, 2.0 * model.limits.velocity, settings.jump_velocity)
        self.turning = np.flatnonzero(model.is_continuous)
        self.motor_side = MotorSide(model) if settings.effort_side == 'motor' else None
        self.checks_start_jump = bool(np.isfinite(self.start_jump_limit).any())
        self.steady_step = steady_step(self)


def _effort_limit(model: RobotModel, settings: ControllerSettings) -> Array:
    """Return the smaller of the model's and the chosen limit (n,); unlimited must be allowed."""
    n = model.n_commanded
    limit = model.limits.effort[:n]
    if settings.effort_limit is not None:
        chosen = joint_array('effort_limit', settings.effort_limit, n, positive=True, finite=False)
        limit = np.minimum(limit, chosen)
    unlimited = [name for name, x in zip(model.commanded_names, limit) if math.isinf(x)]
    if unlimited and not settings.allow_unlimited_effort:
        raise ParameterError(
            f'no effort limit for {", ".join(unlimited)}',
            where='effort_limit',
            expected='a limit in the robot description, the overlay or this parameter',
            remedy='or set allow_unlimited_effort if the drives limit the effort',
        )
    return limit
