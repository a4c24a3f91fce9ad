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

"""URDF text read strictly into a Description."""

from __future__ import annotations

import math
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np
from robot_dynamics.model.description import (
    Description,
    Joint,
    Link,
    Mimic,
    MOVING_TYPES,
    Pose,
    Transmission,
)
from robot_dynamics.model.element_reader import ElementReader
from robot_dynamics.model.findings import Finding, refuse_errors
from robot_dynamics.model.inertia import rotated
from robot_dynamics.model.source import parse_xml, Source
from robot_dynamics.model.strict_numbers import parse_number
from robot_dynamics.model.structure import check_structure, find_root

_TYPES = (*MOVING_TYPES, 'fixed', 'floating', 'planar')


class UrdfReader(ElementReader):
    """Reads the elements of URDF."""

    def pose(self, parent: Element, where: str) -> Pose:
        """Read the origin child of an element."""
        origin = parent.find('origin')
        if origin is None:
            return Pose()
        zero = (0.0, 0.0, 0.0)
        return Pose(
            self.triple(origin, 'xyz', f'{where} origin', zero),
            self.triple(origin, 'rpy', f'{where} origin', zero),
        )

    def link(self, element: Element) -> Link:
        """Read a link with its inertial part."""
        name = self.required(element, 'name', 'link')
        where = f"link '{name}'"
        inertials = element.findall('inertial')
        extent = _extent(element)
        if not inertials:
            return Link(name, extent=extent)
        if len(inertials) > 1:
            self.error('structure', where, 'has more than one inertial element', remedy='keep one')
        inertial = inertials[0]
        where += ' inertial'
        pose = self.pose(inertial, where)
        mass = self._mass(inertial, where)
        tensor = self._tensor(inertial, where)
        return Link(
            name,
            mass,
            np.array(pose.xyz),
            rotated(tensor, pose.rotation),
            has_inertial=True,
            extent=extent,
        )

    def _mass(self, inertial: Element, where: str) -> float:
        element = inertial.find('mass')
        if element is None or element.get('value') is None:
            self.error(
                'number',
                where,
                'has no mass value',
                why='the link would weigh nothing',
                remedy='write <mass value="..."/> in kg',
            )
            return 0.0
        return self.number(element, 'value', f'{where} mass', 0.0) or 0.0

    def _tensor(self, inertial: Element, where: str) -> Any:
        element = inertial.find('inertia')
        names = ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz')
        if element is None:
            self.error(
                'number',
                where,
                'has no inertia element',
                remedy='write all six values; zeros are legal for a point mass',
            )
            return np.zeros((3, 3))
        missing = [name for name in names if element.get(name) is None]
        if missing:
            self.error(
                'number',
                where,
                f'inertia lacks {", ".join(missing)}',
                why='other readers drop the whole inertial element',
                remedy='write all six',
            )
        xx, xy, xz, yy, yz, zz = (
            self.number(element, name, f'{where} inertia', 0.0) for name in names
        )
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], dtype=np.float64)

    def joint(self, element: Element) -> Joint:
        """Read a joint with its limits, dynamics and mimic."""
        name = self.required(element, 'name', 'joint')
        where = f"joint '{name}'"
        kind = element.get('type', '').strip()
        if kind not in _TYPES:
            self.error(
                'structure',
                where,
                'has an unknown type',
                value=kind,
                remedy=f'write one of {", ".join(_TYPES)}',
            )
            kind = 'fixed'
        parent, child = (self._end(element, tag, where) for tag in ('parent', 'child'))
        limit, dynamics = element.find('limit'), element.find('dynamics')
        limits: dict[str, float | None] = dict.fromkeys(('lower', 'upper', 'velocity', 'effort'))
        if limit is not None:
            limits = {key: self.number(limit, key, f'{where} limit', None) for key in limits}
        if kind in ('revolute', 'prismatic') and limit is not None:
            # URDF's default for an absent position limit is 0
            limits['lower'] = 0.0 if limits['lower'] is None else limits['lower']
            limits['upper'] = 0.0 if limits['upper'] is None else limits['upper']
        if kind == 'continuous':
            limits['lower'] = limits['upper'] = None
        damping = friction = 0.0
        if dynamics is not None:
            damping = self.number(dynamics, 'damping', f'{where} dynamics', 0.0) or 0.0
            friction = self.number(dynamics, 'friction', f'{where} dynamics', 0.0) or 0.0
        return Joint(
            name,
            kind,
            parent,
            child,
            self.pose(element, where),
            self._axis(element, kind, where),
            **limits,
            damping=damping,
            friction=friction,
            mimic=self._mimic(element, where),
        )

    def _end(self, element: Element, tag: str, where: str) -> str:
        end = element.find(tag)
        if end is None:
            self.error('structure', where, f'has no {tag} element', remedy='name the link')
            return ''
        return self.required(end, 'link', f'{where} {tag}')

    def _axis(self, element: Element, kind: str, where: str) -> tuple[float, float, float]:
        axis = element.find('axis')
        default = (1.0, 0.0, 0.0)
        if axis is None or kind not in MOVING_TYPES:
            return default
        values = self.triple(axis, 'xyz', f'{where} axis', default)
        norm = math.hypot(*values)
        if not norm > 0.0:
            self.error(
                'axis',
                where,
                'has a zero axis',
                value=axis.get('xyz', ''),
                why='no motion is defined',
                remedy='write a unit vector',
            )
            return default
        if not abs(norm - 1.0) <= 1e-4:
            self.warn(
                'axis',
                where,
                f'has an axis of length {norm:.6g}, normalised here',
                value=axis.get('xyz', ''),
                why='other readers scale motion by it',
                remedy='write a unit vector',
            )
        return values[0] / norm, values[1] / norm, values[2] / norm

    def _mimic(self, element: Element, where: str) -> Mimic | None:
        mimic = element.find('mimic')
        if mimic is None:
            return None
        where += ' mimic'
        return Mimic(
            self.required(mimic, 'joint', where),
            self.number(mimic, 'multiplier', where, 1.0) or 0.0,
            self.number(mimic, 'offset', where, 0.0) or 0.0,
        )

    def transmissions(self, root: Element) -> tuple[Transmission, ...]:
        """Read which joints have a transmission and its reduction."""
        found = []
        for element in root.findall('transmission'):
            name = element.get('name', '')
            reductions = [node.text or '' for node in element.iter('mechanicalReduction')]
            reduction = 1.0
            if reductions:
                reduction = self.parse(
                    reductions[0], 'mechanicalReduction', f"transmission '{name}'", 1.0
                )
            for joint in element.findall('joint'):
                found.append(Transmission(name, joint.get('name', ''), reduction))
        return tuple(found)


def _extent(link: Element) -> float:
    """Return the largest edge of a link's boxes, cylinders and spheres [m]."""
    largest = 0.0
    for shape in (shape for geometry in link.iter('geometry') for shape in geometry):
        texts = [
            *shape.get('size', '').split(),
            shape.get('length', ''),
            *2 * [shape.get('radius', '')],
        ]
        for text, factor in zip(texts, [1.0] * (len(texts) - 1) + [2.0], strict=True):
            try:
                largest = max(largest, factor * parse_number(text))
            except ValueError:
                continue  # a shape that cannot be read says nothing about the size
    return largest


def read_urdf(source: Source) -> tuple[Description, tuple[Finding, ...]]:
    """
    Read a URDF text.

    Parameters
    ----------
    source : Source
        Plain URDF; meshes and materials are not looked at.

    Returns
    -------
    Description
        Links and joints in file order.
    tuple of Finding
        What was odd but readable.

    Raises
    ------
    ModelError
        When a value cannot be read or the links and joints form no tree.

    """
    root = parse_xml(source)
    reader = UrdfReader()
    if root.tag != 'robot':
        reader.error(
            'structure',
            f'element <{root.tag}>',
            'is not a robot',
            remedy='the root element of a URDF is <robot>',
        )
        refuse_errors(reader.findings, source.where)
    links = [reader.link(element) for element in root.findall('link')]
    joints = [reader.joint(element) for element in root.findall('joint')]
    transmissions = reader.transmissions(root)
    reader.findings.extend(check_structure(links, joints))
    findings = refuse_errors(reader.findings, source.where)
    description = Description(
        root.get('name', 'robot'),
        {link.name: link for link in links},
        {joint.name: joint for joint in joints},
        find_root(links, joints),
        transmissions,
    )
    return description, findings
