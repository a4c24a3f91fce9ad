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

"""A Description written out as URDF text."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from robot_dynamics.model.description import Description, Joint, Link, Pose


def write_urdf(description: Description) -> str:
    """
    Write a description as URDF.

    Parameters
    ----------
    description : Description
        Links, joints, limits, friction and mimic; there are no visuals.

    Returns
    -------
    str
        Reading it again gives the same description to the last digit.

    """
    robot = Element('robot', name=description.name)
    for link in description.links.values():
        _add_link(robot, link)
    for joint in description.joints.values():
        _add_joint(robot, joint)
    ElementTree.indent(robot)
    return '<?xml version="1.0"?>\n' + ElementTree.tostring(robot, encoding='unicode') + '\n'


def _text(values: Iterable[float]) -> str:
    return ' '.join(repr(float(value)) for value in values)


def _add_origin(parent: Element, pose: Pose) -> None:
    SubElement(parent, 'origin', xyz=_text(pose.xyz), rpy=_text(pose.rpy))


def _add_link(robot: Element, link: Link) -> None:
    element = SubElement(robot, 'link', name=link.name)
    if not link.has_inertial:
        return
    inertial = SubElement(element, 'inertial')
    SubElement(inertial, 'origin', xyz=_text(link.com), rpy='0 0 0')
    SubElement(inertial, 'mass', value=repr(float(link.mass)))
    tensor = link.inertia
    SubElement(
        inertial,
        'inertia',
        {
            name: repr(float(tensor[row, column]))
            for name, (row, column) in (
                ('ixx', (0, 0)),
                ('ixy', (0, 1)),
                ('ixz', (0, 2)),
                ('iyy', (1, 1)),
                ('iyz', (1, 2)),
                ('izz', (2, 2)),
            )
        },
    )


def _add_joint(robot: Element, joint: Joint) -> None:
    element = SubElement(robot, 'joint', name=joint.name, type=joint.type)
    _add_origin(element, joint.origin)
    SubElement(element, 'parent', link=joint.parent)
    SubElement(element, 'child', link=joint.child)
    if not joint.is_moving:
        return
    SubElement(element, 'axis', xyz=_text(joint.axis))
    limits = {
        key: repr(float(value))
        for key in ('lower', 'upper', 'velocity', 'effort')
        if (value := getattr(joint, key)) is not None
    }
    if limits:
        SubElement(element, 'limit', limits)
    if joint.damping or joint.friction:
        SubElement(
            element,
            'dynamics',
            damping=repr(float(joint.damping)),
            friction=repr(float(joint.friction)),
        )
    if joint.mimic is not None:
        SubElement(
            element,
            'mimic',
            joint=joint.mimic.master,
            multiplier=repr(float(joint.mimic.multiplier)),
            offset=repr(float(joint.mimic.offset)),
        )
