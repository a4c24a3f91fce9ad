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

"""What effort to send: no ROS in this room, and time is an argument."""

from robot_dynamics.control.command import Command
from robot_dynamics.control.controller import Controller
from robot_dynamics.control.controller_settings import ControllerSettings, OnFault
from robot_dynamics.control.differentiator import Differentiator
from robot_dynamics.control.external_wrench import ExternalWrench
from robot_dynamics.control.law_settings import (
    AccelerationGains,
    EffortGains,
    FrictionVelocity,
    LawSettings,
    Mode,
)
from robot_dynamics.control.laws import Law
from robot_dynamics.control.limits import EffortLimiter, is_finite
from robot_dynamics.control.motor_side import MotorSide
from robot_dynamics.control.reference_point import Reference, ReferencePoint
from robot_dynamics.control.references import HoldReference, rest_to_rest, SineReference
from robot_dynamics.control.supervisor import State, Supervisor
from robot_dynamics.control.trajectory import Trajectory

__all__ = [
    'AccelerationGains',
    'Command',
    'Controller',
    'ControllerSettings',
    'Differentiator',
    'EffortGains',
    'EffortLimiter',
    'ExternalWrench',
    'FrictionVelocity',
    'HoldReference',
    'is_finite',
    'Law',
    'LawSettings',
    'Mode',
    'MotorSide',
    'OnFault',
    'Reference',
    'ReferencePoint',
    'rest_to_rest',
    'SineReference',
    'State',
    'Supervisor',
    'Trajectory',
]
