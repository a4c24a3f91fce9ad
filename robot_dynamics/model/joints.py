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

"""What is known about the joints of a model, by joint and as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
import math

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.model.description import Description, Joint
from robot_dynamics.model.friction import FrictionModel
from robot_dynamics.model.overlay import JointExtras, JointFriction, Motor

Array = NDArray[np.float64]


@dataclass(frozen=True)
class JointInfo:
    """
    One joint of a model.

    Parameters
    ----------
    name, type, parent, child : str
        Type is 'revolute', 'continuous' or 'prismatic'.
    lower, upper : float
        Position limits [rad or m], infinite where there are none.
    velocity, effort : float
        Limits of magnitude, infinite where there are none.
    effort_stated : bool
        False when the description gives no effort limit, or 0.
    armature : float
        Rotor inertia at the joint [kg m^2 or kg].
    motor_ratio, motor_efficiency : float
        Motor angle over joint position, signed, and the share of the motor's
        effort that reaches the joint; 1 without a motor.

    """

    name: str
    type: str  # noqa: A003
    parent: str
    child: str
    lower: float
    upper: float
    velocity: float
    effort: float
    effort_stated: bool
    armature: float
    motor_ratio: float = 1.0
    motor_efficiency: float = 1.0

    @property
    def unit(self) -> str:
        """Return the unit of position."""
        return 'm' if self.type == 'prismatic' else 'rad'

    @property
    def effort_unit(self) -> str:
        """Return the unit of effort."""
        return 'N' if self.type == 'prismatic' else 'N·m'


@dataclass(frozen=True, eq=False)
class JointLimits:
    """
    Limits of all joints, in joint order, read-only.

    Parameters
    ----------
    lower, upper, velocity, effort : numpy.ndarray, shape (nv,)
        Infinite where there are none.
    effort_stated : numpy.ndarray of bool, shape (nv,)
        False where the description leaves the effort limit open.

    """

    lower: Array
    upper: Array
    velocity: Array
    effort: Array
    effort_stated: NDArray[np.bool_]

    @classmethod
    def of(cls, joints: Sequence[JointInfo]) -> JointLimits:
        """Collect the limits of joints."""
        lower, upper, velocity, effort = (
            np.array([getattr(joint, key) for joint in joints], dtype=np.float64)
            for key in ('lower', 'upper', 'velocity', 'effort')
        )
        stated = np.array([joint.effort_stated for joint in joints])
        for array in (lower, upper, velocity, effort, stated):
            array.setflags(write=False)
        return cls(lower, upper, velocity, effort, stated)


def joint_info(joint: Joint, extras: JointExtras) -> JointInfo:
    """Return what is known about a joint whose limits are the overlay's where it has some."""
    motor = extras.motor or Motor()
    return JointInfo(
        joint.name,
        joint.type,
        joint.parent,
        joint.child,
        lower=-math.inf if joint.lower is None else joint.lower,
        upper=math.inf if joint.upper is None else joint.upper,
        velocity=joint.velocity or math.inf,
        effort=joint.effort or math.inf,
        effort_stated=bool(joint.effort),
        armature=motor.armature,
        motor_ratio=motor.ratio,
        motor_efficiency=motor.efficiency,
    )


def friction_of(
    description: Description, extras: dict[str, JointExtras], names: Sequence[str]
) -> FrictionModel:
    """
    Collect friction: the overlay's where it says something, else the URDF's.

    Parameters
    ----------
    description : Description
        Its ``dynamics`` elements give damping and friction.
    extras : dict of str to JointExtras
        The overlay.
    names : sequence of str
        Joint order.

    Returns
    -------
    FrictionModel

    """
    frictions = []
    for name in names:
        own = extras[name].friction if name in extras else None
        joint = description.joints[name]
        frictions.append(
            own
            or JointFriction(
                coulomb_positive=joint.friction,
                coulomb_negative=joint.friction,
                viscous=joint.damping,
            )
        )
    columns = {
        field.name: np.array([getattr(friction, field.name) for friction in frictions])
        for field in fields(JointFriction)
    }
    return FrictionModel(**columns)
