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

"""Findings about a well-formed description: physics, limits, what is not applied."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from robot_dynamics.model.description import Description, Joint, Link
from robot_dynamics.model.findings import Finding, Severity
from robot_dynamics.model.inertia import principal_moments, triangle_violation

_TOLERANCE = 1e-9  # relative; files carry rounded numbers
_NO_INERTIA = 1e-12  # [kg m^2] rounding errors of an inertia meant to be zero
_DROPS = 'the arm would push the wrong way or drop'


def check_description(description: Description) -> list[Finding]:
    """
    Check everything that a single link or joint can get wrong.

    Parameters
    ----------
    description : Description
        A tree whose numbers could be read.

    Returns
    -------
    list of Finding
        Impossible inertia on a link that cannot move is only a note.

    """
    moving = description.moving_links()
    findings: list[Finding] = []
    for link in description.links.values():
        for finding in _check_link(link):
            findings.append(finding if link.name in moving else _harmless(finding))
    findings.extend(_massless(description))
    for joint in description.joints.values():
        if joint.is_moving:
            findings.extend(_check_joint(joint))
    findings.extend(_transmissions(description))
    return findings


def _harmless(finding: Finding) -> Finding:
    return Finding(
        severity=Severity.NOTE,
        code=finding.code,
        element=finding.element,
        what=finding.what,
        value=finding.value,
        why='the link is fixed to the base, so no torque depends on it',
        remedy=finding.remedy,
    )


def _moments(moments: np.ndarray) -> str:
    return ', '.join(f'{moment:.6g}' for moment in moments)


def _check_link(link: Link) -> Iterator[Finding]:
    where = f"link '{link.name}'"
    if not link.has_inertial:
        return
    if link.mass < 0.0:
        yield Finding(
            severity=Severity.ERROR,
            code='mass',
            element=where,
            what='has a negative mass',
            value=repr(link.mass),
            why=_DROPS,
            remedy='write the mass in kg',
        )
    moments = principal_moments(link.inertia)
    scale = float(np.abs(moments).max())
    if not scale > _NO_INERTIA:
        return
    if link.mass == 0.0:
        yield Finding(
            severity=Severity.ERROR,
            code='massless_inertia',
            element=where,
            what=f'has inertia (principal moments {_moments(moments)}) but no mass',
            why='no body has that',
            remedy='write its mass, or accept '
            "'massless_inertia' in the robot file when it is meant",
        )
    if moments[0] < -_TOLERANCE * scale:
        hint = (
            'the six values look row-major'
            if _looks_row_major(link.inertia)
            else ('check signs and the order ixx ixy ixz iyy iyz izz')
        )
        yield Finding(
            severity=Severity.ERROR,
            code='inertia',
            element=where,
            what=f'has an impossible inertia, principal moments {_moments(moments)}',
            why='a negative moment makes computed torque unstable',
            remedy=hint,
        )
    elif triangle_violation(link.inertia) > _TOLERANCE * scale:
        amount = triangle_violation(link.inertia)
        yield Finding(
            severity=Severity.WARNING,
            code='triangle',
            element=where,
            what=f'has a principal moment larger than the sum of the others by '
            f'{amount:.3g} kg m^2 ({100.0 * amount / scale:.2g} %), moments '
            f'{_moments(moments)}',
            why='no body has that; MuJoCo and Gazebo refuse it',
            remedy='take the tensor from CAD about the centre of mass',
        )


def _looks_row_major(tensor: np.ndarray) -> bool:
    """Whether reading the six slots as rows of a full matrix gives a possible body."""
    xx, xy, xz = tensor[0]
    yy, yz, zz = tensor[1, 1], tensor[1, 2], tensor[2, 2]
    other = np.array([[xx, xy, xz], [xy, yz, zz], [xz, zz, zz]])
    return bool(np.isclose(yy, xy) and other[1, 1] > 0.0 and yz > 0.0)


def _massless(description: Description) -> Iterator[Finding]:
    """Warn of moving joints that carry no mass at all."""
    carried: dict[str, float] = {}
    children = description.children()
    for joint in reversed(list(description.walk())):
        below = sum(carried[next_joint.child] for next_joint in children[joint.child])
        link = description.links[joint.child]
        carried[joint.child] = below + max(link.mass, 0.0)
        if joint.is_moving and carried[joint.child] == 0.0:
            yield Finding(
                severity=Severity.WARNING,
                code='mass',
                element=f"link '{link.name}'",
                what=f"carries no mass behind joint '{joint.name}'",
                why='its torque is zero, and forward dynamics is impossible',
                remedy='write an inertial element',
            )


def _check_joint(joint: Joint) -> Iterator[Finding]:
    where = f"joint '{joint.name}'"
    if joint.type != 'continuous' and joint.lower is None:
        yield Finding(
            severity=Severity.WARNING,
            code='limits',
            element=where,
            what='has no position limits',
            why='no trajectory can be checked against them',
            remedy='add a limit element',
        )
    if joint.lower is not None and joint.upper is not None and joint.lower > joint.upper:
        yield Finding(
            severity=Severity.ERROR,
            code='limits',
            element=where,
            what=f'has lower {joint.lower:g} above upper {joint.upper:g}',
            why='no position is allowed',
            remedy='exchange them',
        )
    for name in ('velocity', 'effort'):
        value = getattr(joint, name)
        if value is not None and value < 0.0:
            yield Finding(
                severity=Severity.ERROR,
                code='limits',
                element=where,
                what=f'has a negative {name} limit',
                value=repr(value),
                remedy='write the magnitude',
            )
    if joint.mimic is None and (joint.effort is None or joint.effort == 0.0):
        state = 'no' if joint.effort is None else 'a zero'
        yield Finding(
            severity=Severity.WARNING,
            code='effort_limit',
            element=where,
            what=f'has {state} effort limit',
            why='neither no effort nor unlimited effort can be meant in silence',
            remedy='give one in the overlay or the parameter effort_limit',
        )
    for name in ('damping', 'friction'):
        if getattr(joint, name) < 0.0:
            yield Finding(
                severity=Severity.ERROR,
                code='friction',
                element=where,
                what=f'has negative {name}',
                value=repr(getattr(joint, name)),
                why='it would feed energy in',
                remedy='write the magnitude',
            )


def _transmissions(description: Description) -> Iterator[Finding]:
    for transmission in description.transmissions:
        if transmission.reduction != 1.0:
            yield Finding(
                severity=Severity.WARNING,
                code='transmission',
                element=f"joint '{transmission.joint}'",
                what=f'has a transmission with mechanicalReduction {transmission.reduction:g} '
                'that is not applied',
                why='all efforts here are on the joint side',
                remedy='divide by the reduction in the driver if it expects motor torque',
            )
