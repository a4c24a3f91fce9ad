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

"""What a robot description says, as plain data: links, joints and a tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MOVING_TYPES = ('revolute', 'continuous', 'prismatic')


def rotation_from_rpy(rpy: tuple[float, float, float]) -> Array:
    """
    Return the rotation matrix of fixed-axis roll, pitch, yaw angles.

    Parameters
    ----------
    rpy : tuple of float
        Roll, pitch, yaw [rad], about the fixed x, y, z axes in this order.

    Returns
    -------
    numpy.ndarray, shape (3, 3)
        Rz(yaw) Ry(pitch) Rx(roll), the convention of URDF and REP 103.

    """
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def rpy_from_rotation(rotation: Array) -> tuple[float, float, float]:
    """
    Return fixed-axis roll, pitch, yaw angles of a rotation matrix.

    Parameters
    ----------
    rotation : numpy.ndarray, shape (3, 3)
        A rotation matrix.

    Returns
    -------
    tuple of float
        Roll, pitch, yaw [rad]; at a pitch of a right angle the yaw is zero.

    """
    r = rotation
    horizontal = math.hypot(r[0, 0], r[1, 0])
    pitch = math.atan2(-r[2, 0], horizontal)
    if horizontal > 1e-9:
        return math.atan2(r[2, 1], r[2, 2]), pitch, math.atan2(r[1, 0], r[0, 0])
    return math.atan2(-r[1, 2], r[1, 1]), pitch, 0.0


@dataclass(frozen=True)
class Pose:
    """
    Where a frame lies in its parent frame.

    Parameters
    ----------
    xyz : tuple of float
        Origin [m].
    rpy : tuple of float
        Roll, pitch, yaw [rad] about fixed axes.

    """

    xyz: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rpy: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def rotation(self) -> Array:
        """Rotation matrix, shape (3, 3), from this frame into its parent."""
        return rotation_from_rpy(self.rpy)

    @classmethod
    def from_matrix(cls, rotation: Array, translation: Array) -> Pose:
        """Return the pose of a rotation (3, 3) and a translation (3,) [m]."""
        x, y, z = (float(value) for value in translation)
        return cls((x, y, z), rpy_from_rotation(rotation))


@dataclass(frozen=True, eq=False)
class Link:
    """
    A rigid body.

    Parameters
    ----------
    name : str
        Unique among links.
    mass : float
        [kg].
    com : numpy.ndarray, shape (3,)
        Centre of mass in the link frame [m].
    inertia : numpy.ndarray, shape (3, 3)
        Rotational inertia about the centre of mass in link axes [kg m^2].
    has_inertial : bool
        Whether the description states the mass at all.
    extent : float
        Largest edge of its primitive shapes [m]; 0 when there are none.

    """

    name: str
    mass: float = 0.0
    com: Array = field(default_factory=lambda: np.zeros(3))
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))
    has_inertial: bool = False
    extent: float = 0.0

    def scaled(self, mass: float, inertia: float) -> Link:
        """Return this link with mass and rotational inertia multiplied."""
        return replace(self, mass=self.mass * mass, inertia=self.inertia * inertia)


@dataclass(frozen=True)
class Mimic:
    """A joint that follows another: q = multiplier * q_master + offset."""

    master: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True)
class Joint:
    """
    A joint as described; None means 'not stated'.

    Parameters
    ----------
    name, type, parent, child : str
        Type is one of URDF's; parent and child are links.
    origin : Pose
        Joint frame in the parent link's frame, at joint position 0.
    axis : tuple of float
        Unit vector in the joint frame.
    lower, upper : float or None
        Position limits [rad or m].
    velocity, effort : float or None
        Limits of magnitude [rad/s or m/s], [N m or N].
    damping, friction : float
        Viscous [N m s/rad or N s/m] and Coulomb [N m or N] friction.
    mimic : Mimic or None
        The joint that it follows.

    """

    name: str
    type: str  # noqa: A003
    parent: str
    child: str
    origin: Pose = Pose()
    axis: tuple[float, float, float] = (1.0, 0.0, 0.0)
    lower: float | None = None
    upper: float | None = None
    velocity: float | None = None
    effort: float | None = None
    damping: float = 0.0
    friction: float = 0.0
    mimic: Mimic | None = None

    @property
    def is_moving(self) -> bool:
        """Whether the joint has one degree of freedom."""
        return self.type in MOVING_TYPES


@dataclass(frozen=True)
class Transmission:
    """A transmission element: which joint, and its mechanical reduction."""

    name: str
    joint: str
    reduction: float


@dataclass(frozen=True)
class Description:
    """
    A tree of links and joints, in the order of the file.

    Parameters
    ----------
    name : str
        The robot's name.
    links : dict of str to Link
        By name.
    joints : dict of str to Joint
        By name.
    root : str
        The link that is nobody's child.
    transmissions : tuple of Transmission
        As stated; they are reported, not applied.

    """

    name: str
    links: dict[str, Link]
    joints: dict[str, Joint]
    root: str
    transmissions: tuple[Transmission, ...] = ()

    def children(self) -> dict[str, list[Joint]]:
        """Return for each link the joints that start at it, in file order."""
        table: dict[str, list[Joint]] = {name: [] for name in self.links}
        for joint in self.joints.values():
            table[joint.parent].append(joint)
        return table

    def walk(self) -> Iterator[Joint]:
        """Yield the joints depth first from the root, siblings in file order."""
        children = self.children()
        stack = list(reversed(children[self.root]))
        while stack:
            joint = stack.pop()
            yield joint
            stack.extend(reversed(children[joint.child]))

    def scaled(self, mass: float, inertia: float) -> Description:
        """Return the description with all masses and inertias multiplied."""
        links = {name: link.scaled(mass, inertia) for name, link in self.links.items()}
        return replace(self, links=links)

    def moving_links(self) -> frozenset[str]:
        """Return the links that move when a joint moves."""
        moving: set[str] = set()
        for joint in self.walk():
            if joint.is_moving or joint.parent in moving:
                moving.add(joint.child)
        return frozenset(moving)
