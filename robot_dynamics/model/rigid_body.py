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

"""A Description turned into a Pinocchio model, joint by joint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
import pinocchio as pin
from robot_dynamics.model.description import Description, Joint
from robot_dynamics.model.roles import Roles

Array = NDArray[np.float64]

_ALIGNED = {
    ('rotation', (1.0, 0.0, 0.0)): 'JointModelRX',
    ('rotation', (0.0, 1.0, 0.0)): 'JointModelRY',
    ('rotation', (0.0, 0.0, 1.0)): 'JointModelRZ',
    ('translation', (1.0, 0.0, 0.0)): 'JointModelPX',
    ('translation', (0.0, 1.0, 0.0)): 'JointModelPY',
    ('translation', (0.0, 0.0, 1.0)): 'JointModelPZ',
}


@dataclass(frozen=True)
class RigidBody:
    """
    A Pinocchio model and how our joint vectors map to its own.

    Parameters
    ----------
    model : pinocchio.Model
        One coordinate for each moving joint, followers included.
    selection : numpy.ndarray, shape (nfull, nv), or None
        q_full = selection @ q + offset; None when it is the identity.
    offset : numpy.ndarray, shape (nfull,)
        Offsets of followers [rad or m].
    frames : dict of str to int
        Pinocchio's frame number of each link.

    """

    model: Any
    selection: Array | None
    offset: Array
    frames: dict[str, int]


def build_rigid_body(description: Description, roles: Roles) -> RigidBody:
    """
    Build the Pinocchio model of a description.

    Building it here, instead of handing the text to Pinocchio's own reader,
    keeps one angle for a continuous joint, keeps the file's order, and leaves
    nothing to a parser that skips what it cannot read.

    Parameters
    ----------
    description : Description
        A checked tree.
    roles : Roles
        The order of the joints asked for.

    Returns
    -------
    RigidBody

    """
    model = pin.Model()
    model.name = description.name
    frames = {
        description.root: _add_body(model, description, description.root, 0, pin.SE3.Identity())
    }
    children = description.children()
    rank = {name: index for index, name in enumerate((*roles.names, *roles.followers))}
    stack = [
        (joint, 0, pin.SE3.Identity())
        for joint in _ordered(children[description.root], children, rank)
    ]
    order: list[str] = []
    while stack:
        joint, parent, pose = stack.pop()
        placement = pose * pin.SE3(joint.origin.rotation, np.array(joint.origin.xyz))
        if joint.is_moving:
            parent = model.addJoint(parent, _joint_model(joint), placement, joint.name)
            placement = pin.SE3.Identity()
            order.append(joint.name)
        frames[joint.child] = _add_body(model, description, joint.child, parent, placement)
        stack.extend(
            (child, parent, placement) for child in _ordered(children[joint.child], children, rank)
        )
    selection, offset = _selection(description, roles, order)
    return RigidBody(model, selection, offset, frames)


def _ordered(
    joints: list[Joint], children: dict[str, list[Joint]], rank: dict[str, int]
) -> list[Joint]:
    """Sort siblings so that the wanted order comes out, last first for a stack."""

    def first(joint: Joint) -> int:
        best = rank.get(joint.name, len(rank))
        stack = list(children[joint.child])
        while stack:
            below = stack.pop()
            best = min(best, rank.get(below.name, len(rank)))
            stack.extend(children[below.child])
        return best

    return sorted(joints, key=first)[::-1] if len(joints) > 1 else joints


def _joint_model(joint: Joint) -> Any:
    kind = 'translation' if joint.type == 'prismatic' else 'rotation'
    aligned = _ALIGNED.get((kind, joint.axis))
    if aligned is not None:
        return getattr(pin, aligned)()
    name = (
        'JointModelPrismaticUnaligned'
        if kind == 'translation'
        else ('JointModelRevoluteUnaligned')
    )
    return getattr(pin, name)(np.array(joint.axis))


def spatial_inertia(mass: float, com: Array, inertia: Array) -> Any:
    """Return Pinocchio's inertia of a checked body; its constructor refuses rounding errors."""
    body = pin.Inertia.Zero()
    body.mass, body.lever, body.inertia = mass, np.array(com), np.array(inertia)
    return body


def _add_body(model: Any, description: Description, name: str, parent: int, placement: Any) -> int:
    link = description.links[name]
    if link.mass or link.inertia.any():
        body = spatial_inertia(link.mass, link.com, link.inertia)
        model.appendBodyToJoint(parent, body, placement)
    return int(model.addFrame(pin.Frame(name, parent, 0, placement, pin.FrameType.BODY)))


def _selection(
    description: Description, roles: Roles, order: list[str]
) -> tuple[Array | None, Array]:
    """Return the linear map from our joints to Pinocchio's."""
    names = roles.names
    offset = np.zeros(len(order))
    if tuple(order) == names:
        return None, offset
    selection = np.zeros((len(order), len(names)))
    for row, name in enumerate(order):
        mimic = description.joints[name].mimic
        if mimic is None:
            selection[row, names.index(name)] = 1.0
        else:
            selection[row, names.index(mimic.master)] = mimic.multiplier
            offset[row] = mimic.offset
    return selection, offset
