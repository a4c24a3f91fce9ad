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

"""Which joint plays which part: commanded, measured, locked or a follower."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
import difflib
import math

import numpy as np
from robot_dynamics.errors import ModelError
from robot_dynamics.model.description import Description, Joint, Pose


@dataclass(frozen=True)
class Roles:
    """
    The parts of the moving joints.

    Parameters
    ----------
    commanded : tuple of str
        In the order asked for.
    measured : tuple of str
        Moving freely, known by measurement only, in tree order.
    followers : tuple of str
        Mimic joints, folded into their masters, in tree order.

    """

    commanded: tuple[str, ...]
    measured: tuple[str, ...]
    followers: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Commanded joints, then measured ones."""
        return self.commanded + self.measured


def unknown_name(name: str, known: Sequence[str], kind: str) -> ModelError:
    """Return the error for a name that does not exist, with close ones."""
    close = difflib.get_close_matches(name, known, 3)
    hint = f'did you mean {", ".join(close)}?' if close else ''
    return ModelError(
        f"there is no {kind} '{name}'",
        expected=f'one of: {", ".join(list(known)[:40])}',
        remedy=hint,
    )


def lock_joints(description: Description, locked: Mapping[str, float]) -> Description:
    """
    Turn joints into fixed ones at given positions.

    Parameters
    ----------
    description : Description
        The robot.
    locked : mapping of str to float
        Joint positions [rad or m]; followers of a locked master are locked with it.

    Returns
    -------
    Description
        With those joints of type 'fixed' and their origins moved.

    Raises
    ------
    ModelError
        When a name is unknown or no moving joint, or a position is not finite.

    """
    if not locked:
        return description
    positions = dict(locked)
    for name in positions:
        if name not in description.joints:
            raise unknown_name(name, tuple(description.joints), 'joint')
        if not description.joints[name].is_moving:
            raise ModelError('is fixed and cannot be locked', where=f"joint '{name}'")
        if not math.isfinite(positions[name]):
            raise ModelError(
                f'is locked at {positions[name]}',
                where=f"joint '{name}'",
                expected='a finite position',
            )
    for joint in description.joints.values():
        if joint.mimic is not None and joint.mimic.master in positions:
            master = positions[joint.mimic.master]
            positions.setdefault(joint.name, joint.mimic.multiplier * master + joint.mimic.offset)
    joints = {
        name: _fixed(joint, positions[name]) if name in positions else joint
        for name, joint in description.joints.items()
    }
    return replace(description, joints=joints)


def _fixed(joint: Joint, position: float) -> Joint:
    rotation, translation = joint.origin.rotation, np.array(joint.origin.xyz)
    axis = np.array(joint.axis)
    if joint.type == 'prismatic':
        translation = translation + rotation @ axis * position
    else:
        x, y, z = axis
        cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        turn = np.eye(3) + math.sin(position) * cross + (1.0 - math.cos(position)) * cross @ cross
        rotation = rotation @ turn
    return replace(joint, type='fixed', mimic=None, origin=Pose.from_matrix(rotation, translation))


def assign_roles(description: Description, joints: Sequence[str] | None) -> Roles:
    """
    Decide which joints are commanded and which are only measured.

    Parameters
    ----------
    description : Description
        The robot, with locked joints already fixed.
    joints : sequence of str or None
        The commanded joints in the order wanted; None for all that move freely.

    Returns
    -------
    Roles

    Raises
    ------
    ModelError
        When a name is unknown, doubled, fixed or a follower, or none is left.

    """
    moving = [joint for joint in description.walk() if joint.is_moving]
    free = [joint.name for joint in moving if joint.mimic is None]
    followers = tuple(joint.name for joint in moving if joint.mimic is not None)
    commanded = tuple(free if joints is None else joints)
    if not commanded:
        raise ModelError('has no joint to command', where=f"robot '{description.name}'")
    for index, name in enumerate(commanded):
        if name in commanded[:index]:
            raise ModelError('is named twice', where=f"joint '{name}'", remedy='name it once')
        if name in followers:
            master = description.joints[name].mimic
            raise ModelError(
                'follows another joint',
                where=f"joint '{name}'",
                expected=f"its master '{master.master if master else ''}' in its place",
            )
        if name not in free:
            raise unknown_name(name, free, 'free moving joint')
    measured = tuple(name for name in free if name not in commanded)
    return Roles(commanded, measured, followers)
