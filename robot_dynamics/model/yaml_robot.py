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

"""The YAML robot format, turned into a Description and an Overlay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.model.description import Description, Joint, Link, Pose
from robot_dynamics.model.dh import DhParameters
from robot_dynamics.model.findings import refuse_errors
from robot_dynamics.model.inertia import rotated
from robot_dynamics.model.overlay import (
    check_version,
    JointExtras,
    Overlay,
    read_accept,
    read_extras,
    read_gravity,
    read_mount,
)
from robot_dynamics.model.source import Source
from robot_dynamics.model.strict_yaml import read_yaml, wrap, YamlValue
from robot_dynamics.model.structure import check_structure, find_root

Array = NDArray[np.float64]

_JOINT_TYPES = ('revolute', 'continuous', 'prismatic', 'fixed')
_EXTRAS = ('motor', 'friction', 'locked')


class _Builder:
    """Collects links and joints while the document is read."""

    def __init__(self, base: str) -> None:
        self.links: list[Link] = []
        self.joints: list[Joint] = []
        self.extras: dict[str, JointExtras] = {}
        # DH joints form a chain: the last link and the DH frame in its frame
        self.chain_link = base
        self.chain_frame: Array = np.eye(4)

    def add_link(self, value: YamlValue, frame: Array | None = None) -> str:
        """Add a link; ``frame`` (4, 4) is where its data are given, in the link frame."""
        entries = value.mapping(('name',), ('mass', 'com', 'inertia'))
        name = entries['name'].text()
        if 'mass' not in entries:
            for key in ('com', 'inertia'):
                if key in entries:
                    raise entries[key].error('stands without a mass', 'a mass beside it')
            self.links.append(Link(name))
            return name
        if 'inertia' not in entries:
            raise value.error(
                "has a mass but no 'inertia'", 'ixx, iyy, izz (zeros for a point mass)'
            )
        com = np.array(entries['com'].triple()) if 'com' in entries else np.zeros(3)
        tensor = _tensor(entries['inertia'])
        if frame is not None:
            com = frame[:3, :3] @ com + frame[:3, 3]
            tensor = rotated(tensor, frame[:3, :3])
        self.links.append(Link(name, entries['mass'].number(), com, tensor, has_inertial=True))
        return name

    def add_joint(self, value: YamlValue) -> None:
        """Add a joint given by its frame or by DH parameters."""
        if not isinstance(value.value, dict):
            raise value.error('is no mapping', 'a joint')
        if 'dh' in value.value:
            self._add_dh_joint(value)
            return
        entries = value.mapping(
            ('name', 'type', 'parent', 'child'), ('origin', 'axis', 'limits', *_EXTRAS)
        )
        kind = _type(entries['type'])
        pose = Pose()
        if 'origin' in entries:
            parts = entries['origin'].mapping((), ('xyz', 'rpy'))
            pose = Pose(
                *(
                    parts[key].triple() if key in parts else (0.0, 0.0, 0.0)
                    for key in ('xyz', 'rpy')
                )
            )
        axis = (1.0, 0.0, 0.0)
        if 'axis' in entries:
            axis = _unit(entries['axis'])
        elif kind != 'fixed':
            raise value.error("has no 'axis'", 'a unit vector in the joint frame')
        self._finish(entries, kind, entries['parent'].text(), entries['child'].text(), pose, axis)

    def _add_dh_joint(self, value: YamlValue) -> None:
        entries = value.mapping(('name', 'type', 'dh', 'link'), ('limits', *_EXTRAS))
        kind = _type(entries['type'])
        if kind == 'fixed':
            raise entries['type'].error("is 'fixed'", 'a moving joint for a DH row')
        row = _dh(entries['dh'])
        origin = self.chain_frame @ row.before()
        after = row.after()
        child = self.add_link(entries['link'], after)
        pose = Pose.from_matrix(origin[:3, :3], origin[:3, 3])
        self._finish(entries, kind, self.chain_link, child, pose, (0.0, 0.0, 1.0))
        self.chain_link, self.chain_frame = child, after

    def _finish(
        self,
        entries: dict[str, YamlValue],
        kind: str,
        parent: str,
        child: str,
        pose: Pose,
        axis: tuple[float, float, float],
    ) -> None:
        name = entries['name'].text()
        limits: dict[str, Any] = {}
        if 'limits' in entries:
            keys = entries['limits'].mapping((), ('lower', 'upper', 'velocity', 'effort'))
            limits = {key: entry.number() for key, entry in keys.items()}
            if kind == 'continuous' and ('lower' in limits or 'upper' in limits):
                raise entries['limits'].error('has position limits', 'none for a continuous joint')
        self.joints.append(Joint(name, kind, parent, child, pose, axis, **limits))
        extras = read_extras({key: entries[key] for key in _EXTRAS if key in entries})
        if extras != JointExtras():
            self.extras[name] = extras


def _type(value: YamlValue) -> str:
    if value.text() not in _JOINT_TYPES:
        raise value.error(f"is '{value.text()}'", f'one of: {", ".join(_JOINT_TYPES)}')
    return value.text()


def _unit(value: YamlValue) -> tuple[float, float, float]:
    vector = np.array(value.triple())
    norm = float(np.linalg.norm(vector))
    if not abs(norm - 1.0) <= 1e-6:
        raise value.error(f'has length {norm:g}', 'a unit vector')
    x, y, z = (vector / norm).tolist()
    return x, y, z


def _tensor(value: YamlValue) -> Array:
    entries = value.mapping(('ixx', 'iyy', 'izz'), ('ixy', 'ixz', 'iyz'))
    numbers = {key: entry.number() for key, entry in entries.items()}
    xy, xz, yz = (numbers.get(key, 0.0) for key in ('ixy', 'ixz', 'iyz'))
    return np.array([[numbers['ixx'], xy, xz], [xy, numbers['iyy'], yz], [xz, yz, numbers['izz']]])


def _dh(value: YamlValue) -> DhParameters:
    entries = value.mapping(('convention',), ('a', 'alpha', 'd', 'theta'))
    convention = entries['convention'].text()
    if convention not in ('standard', 'modified'):
        raise entries['convention'].error(f"is '{convention}'", 'standard or modified')
    return DhParameters(
        convention=convention,
        **{key: entry.number() for key, entry in entries.items() if key != 'convention'},
    )


def read_yaml_robot(source: Source | Mapping[str, Any]) -> tuple[Description, Overlay]:
    """
    Read a robot in the YAML format.

    Parameters
    ----------
    source : Source or mapping
        A YAML text, or data already parsed.

    Returns
    -------
    Description
        Links and joints, as if read from URDF.
    Overlay
        What URDF cannot say.

    Raises
    ------
    ModelError
        When a key is unknown, a value unusable or the links form no tree.

    """
    root = read_yaml(source) if isinstance(source, Source) else wrap(source, 'robot')
    entries = root.mapping(
        ('robot_dynamics', 'name', 'joints'), ('base', 'gravity', 'mount', 'accept', 'links')
    )
    check_version(entries['robot_dynamics'])
    base = entries['base'].text() if 'base' in entries else 'base_link'
    builder = _Builder(base)
    for value in entries['links'].sequence() if 'links' in entries else ():
        builder.add_link(value)
    for value in entries['joints'].sequence():
        builder.add_joint(value)
    if all(link.name != base for link in builder.links):
        builder.links.insert(0, Link(base))
    refuse_errors(check_structure(builder.links, builder.joints), root.where)
    actual = find_root(builder.links, builder.joints)
    if actual != base:
        raise root.error(f"has the root link '{actual}'", f"the base '{base}'")
    description = Description(
        entries['name'].text(),
        {link.name: link for link in builder.links},
        {joint.name: joint for joint in builder.joints},
        actual,
    )
    overlay = Overlay(
        joints=builder.extras,
        gravity=read_gravity(entries),
        mount_rpy=read_mount(entries),
        accept=read_accept(entries),
    )
    return description, overlay
