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

"""A robot as the bodies that move, with exact frames: what Lagrange's way starts from."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.model import RobotModel
from robot_dynamics.model.description import Joint, Link
from robot_dynamics.symbolic import exact

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Body:
    """
    All that moves with one joint: a link and what is fixed to it.

    Parameters
    ----------
    number : int
        Counted from 1: the joints in the model's order, then followers.
    parent : int
        Number of the body that carries the joint, 0 for the base.
    joint : Joint
        The joint; its position is ``multiplier`` q + ``offset``.
    coordinate : int
        Index of q in the model's joint order.
    multiplier, offset : float
        1 and 0, except for a follower.
    rotation : exact matrix (3, 3)
        From this body's frame into its parent's, at joint position 0.
    origin : exact vector (3,)
        Of this body's frame in its parent's [m].
    mass : float
        [kg].
    com : numpy.ndarray, shape (3,)
        Centre of mass in the body's frame [m].
    inertia : numpy.ndarray, shape (3, 3)
        About the centre of mass, in the body's axes [kg m^2].
    frames : tuple of exact vector
        Origins of links without mass that are fixed to it, such as a tool centre [m].
    links : tuple of str
        The links with mass that are part of it, or the child of the joint.

    """

    number: int
    parent: int
    joint: Joint
    coordinate: int
    multiplier: float
    offset: float
    rotation: exact.Matrix
    origin: exact.Vector
    mass: float
    com: Array
    inertia: Array
    frames: tuple[exact.Vector, ...]
    links: tuple[str, ...]

    @property
    def is_prismatic(self) -> bool:
        """Whether the joint shifts instead of turning."""
        return self.joint.type == 'prismatic'


@dataclass
class _Parts:
    """What has been found to be fixed to one body so far."""

    links: list[str] = field(default_factory=list)
    frames: list[exact.Vector] = field(default_factory=list)
    mass: float = 0.0
    com: Array = field(default_factory=lambda: np.zeros(3))
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))

    def add(self, link: Link, rotation: exact.Matrix, origin: exact.Vector) -> None:
        """Add a link whose frame lies at an exact pose in the body's frame."""
        if not link.mass and not link.inertia.any():
            self.frames.append(origin)
            return
        self.links.append(link.name)
        turn = exact.to_array(rotation)
        com = turn @ link.com + np.array([exact.to_float(value) for value in origin])
        mass = self.mass + link.mass
        # the reduced mass carries the distance of the two centres (parallel axes)
        shift = com - self.com
        reduced = self.mass * link.mass / mass if mass else 0.0
        self.inertia = (
            self.inertia
            + turn @ link.inertia @ turn.T
            + reduced * (shift @ shift * np.eye(3) - np.outer(shift, shift))
        )
        if link.mass:
            self.com = com if not self.mass else self.com + link.mass / mass * shift
        self.mass = mass


def moving_bodies(model: RobotModel) -> tuple[Body, ...]:
    """
    Merge what is fixed together and return the bodies that move.

    Parameters
    ----------
    model : RobotModel
        Its description, with locked joints fixed.

    Returns
    -------
    tuple of Body
        Parents before children.

    """
    description = model.description
    order = (*model.joint_names, *model.follower_names)
    # for each link: the number of its body and its pose in the body's frame
    pose = {description.root: (0, exact.IDENTITY, exact.NOWHERE)}
    parts: dict[int, _Parts] = {0: _Parts()}
    moving: list[tuple[Joint, int, exact.Matrix, exact.Vector]] = []
    for joint in description.walk():
        body, rotation, origin = pose[joint.parent]
        origin = exact.added(origin, exact.applied(rotation, exact.vector(joint.origin.xyz)))
        rotation = exact.product(rotation, exact.rotation(joint.origin.rpy))
        if joint.is_moving:
            moving.append((joint, body, rotation, origin))
            body, rotation, origin = (order.index(joint.name) + 1, exact.IDENTITY, exact.NOWHERE)
            parts[body] = _Parts()
        pose[joint.child] = (body, rotation, origin)
        parts[body].add(description.links[joint.child], rotation, origin)
    return tuple(
        _body(model, joint, parent, rotation, origin, parts[order.index(joint.name) + 1])
        for joint, parent, rotation, origin in moving
    )


def _body(
    model: RobotModel,
    joint: Joint,
    parent: int,
    rotation: exact.Matrix,
    origin: exact.Vector,
    parts: _Parts,
) -> Body:
    order = (*model.joint_names, *model.follower_names)
    master, multiplier, offset = joint.name, 1.0, 0.0
    if joint.mimic is not None:
        master, multiplier, offset = (
            joint.mimic.master,
            joint.mimic.multiplier,
            joint.mimic.offset,
        )
    return Body(
        number=order.index(joint.name) + 1,
        parent=parent,
        joint=joint,
        coordinate=model.joint_names.index(master),
        multiplier=multiplier,
        offset=offset,
        rotation=rotation,
        origin=origin,
        mass=parts.mass,
        com=np.where(np.abs(parts.com) > exact.ZERO, parts.com, 0.0),
        inertia=exact.clean(parts.inertia),
        frames=tuple(parts.frames),
        links=tuple(parts.links) or (joint.child,),
    )
