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

"""What the demo plays: the arms, their motion, and the phases of each run."""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import NamedTuple, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from robot_dynamics.model import RobotModel

Array = NDArray[np.float64]

NATURAL_FREQUENCY = 12.0  # [rad/s] of the error, in all laws with feedback
DAMPING_RATIO = 1.0


class Act(NamedTuple):
    """
    A phase of a run.

    Attributes
    ----------
    mode
        Value of the parameter `mode` of the dynamics node.
    label
        What it is called in tables and in the picture.
    share
        Its part of the length of a run.
    remark
        What is to be seen, one line.

    """

    mode: str
    label: str
    share: float
    remark: str


GRAVITY = Act(
    'gravity_compensation',
    'gravity compensation',
    0.22,
    'Only G(q) is sent: the arm holds itself, and floats on after a push.',
)
COMPUTED_TORQUE = Act(
    'computed_torque',
    'computed torque',
    0.32,
    'M(q)(a_ref + Kd ė + Kp e) + C v + G(q): the arm follows the sine.',
)
FEEDFORWARD = Act(
    'feedforward', 'feedforward + PD', 0.23, 'The model along the reference, plus PD.'
)
PD = Act('pd', 'PD alone', 0.23, 'The same PD gains, without the model.')
ACTS = (GRAVITY, COMPUTED_TORQUE, FEEDFORWARD, PD)

PUSH_AT = 0.4  # share of the first act after which the arm is pushed
LEAD = 0.06  # share of a run to get from where the arm has floated to the middle of the sine
FADE = 0.06  # share of a run in which the sine grows
PERIOD = 0.2  # share of a run; the errors are taken over the last period of each act


@dataclass(frozen=True, kw_only=True)
class DemoOptions:
    """
    Choices of the user.

    Parameters
    ----------
    seconds : float
        Length of a run [s].
    mass_error : float
        Masses and inertias of the simulated arm are 1 + this times those of the model.
    plant : str
        Physics, 'pinocchio' or 'mujoco'.

    """

    seconds: float
    mass_error: float
    plant: str


@dataclass(frozen=True, kw_only=True)
class Scene:
    """
    One arm of the demo.

    Parameters
    ----------
    robot : str
        Name of a shipped robot.
    title : str
        Heading.
    center, amplitude : tuple of float
        Middle and amplitude of the sine [rad or m]; the arm starts in the middle.
    cycles : tuple of int
        Oscillations of each joint in one period.
    push : tuple of float
        Effort from outside that acts for 0.1 s [N m or N].

    """

    robot: str
    title: str
    center: tuple[float, ...]
    amplitude: tuple[float, ...]
    cycles: tuple[int, ...]
    push: tuple[float, ...]

    def angular_frequency(self, seconds: float) -> list[float]:
        """Return the frequency of each joint [rad/s] in a run of so many seconds."""
        return [2.0 * math.pi * count / (PERIOD * seconds) for count in self.cycles]


SCENES = (
    Scene(
        robot='rp_arm',
        title='RP arm',
        center=(0.4, 0.5),
        amplitude=(0.6, 0.15),
        cycles=(1, 2),
        push=(1.0, 1.0),
    ),
    Scene(
        robot='arm_2r',
        title='2R arm',
        center=(0.5, -0.7),
        amplitude=(0.5, 0.4),
        cycles=(1, 2),
        push=(1.5, 0.1),
    ),
)


def effort_gains(model: RobotModel, q: tuple[float, ...]) -> tuple[list[float], list[float]]:
    """
    Return PD gains that are as stiff as the acceleration gains of computed torque.

    Parameters
    ----------
    model : RobotModel
        The arm.
    q : tuple of float
        Where the inertia that each joint moves is taken [rad or m].

    Returns
    -------
    tuple of list of float
        kp = w^2 M_ii [N m/rad or N/m] and kd = 2 z w M_ii [N m s/rad or N s/m].

    """
    inertia = np.diag(model.mass_matrix(q))
    kp: Array = NATURAL_FREQUENCY**2 * inertia
    kd: Array = 2.0 * DAMPING_RATIO * NATURAL_FREQUENCY * inertia
    return kp.tolist(), kd.tolist()
