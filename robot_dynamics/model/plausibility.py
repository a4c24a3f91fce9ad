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

"""Findings about masses and inertias that do not fit the size of a link: wrong units."""

from __future__ import annotations

from collections.abc import Iterator
import math

import numpy as np
from robot_dynamics.model.description import Description, Link
from robot_dynamics.model.findings import Finding, Severity
from robot_dynamics.model.inertia import principal_moments

_DENSEST = 23000.0  # [kg/m^3] osmium; nothing on a robot is denser
_SLACK = 200.0  # how far an honest inertia may lie from that of a solid of the link's size
_SMALLEST = 0.05  # [m] collision shapes smaller than this stand for a part of the link only
_FACTORS = {
    1e3: 'grams taken for kilograms',
    1e6: 'kg mm^2 taken for kg m^2',
    1e9: 'g mm^2 taken for kg m^2',
}


def check_plausibility(description: Description) -> list[Finding]:
    """
    Compare mass, centre of mass and inertia of moving links with their size.

    The size is the larger of the primitive shapes of the link, and of how far
    its joints lie from each other; meshes are not opened. Links of which
    neither is known are passed over.

    Parameters
    ----------
    description : Description
        A checked tree.

    Returns
    -------
    list of Finding
        Warnings that name the factor of the likely wrong unit.

    """
    children = description.children()
    moving = description.moving_links()
    findings: list[Finding] = []
    for link in description.links.values():
        if link.name not in moving or not link.mass > 0.0:
            continue
        reach = max((math.hypot(*joint.origin.xyz) for joint in children[link.name]), default=0.0)
        size = max(link.extent, reach)
        if size > 0.0:
            findings.extend(_check(link, size))
    return findings


def _warn(link: Link, what: str, value: float, why: str, remedy: str) -> Finding:
    return Finding(
        severity=Severity.WARNING,
        code='units',
        element=f"link '{link.name}'",
        what=what,
        value=f'{value:.6g}',
        why=why,
        remedy=remedy,
    )


def _check(link: Link, size: float) -> Iterator[Finding]:
    distance = float(np.linalg.norm(link.com))
    if distance > 20.0 * max(size, _SMALLEST):
        yield _warn(
            link,
            f'has its centre of mass {distance:.3g} m from its frame, but a size of {size:.3g} m',
            distance,
            'gravity torque grows with that distance',
            'millimetres taken for metres? divide by 1000',
        )
        return
    if link.mass > _DENSEST * max(size, distance) ** 3 and link.mass > 50.0:
        yield _warn(
            link,
            f'weighs {link.mass:.3g} kg at a size of {size:.3g} m, denser than any metal',
            link.mass,
            'all efforts grow with the mass',
            'grams taken for kilograms? divide by 1000',
        )
    largest = float(principal_moments(link.inertia)[-1])
    if not largest > 0.0:
        return
    # a slender rod of the link's size about its centre is the largest honest shape
    ratio = largest / (link.mass * max(size, distance, _SMALLEST) ** 2 / 12.0)
    if ratio > _SLACK:
        factor = min(_FACTORS, key=lambda known: abs(math.log10(ratio / known)))
        yield _warn(
            link,
            f'has an inertia about {ratio:.2g} times that of a rod of its mass and '
            f'size ({size:.3g} m)',
            largest,
            'inertial effort would be too large',
            f'a placeholder, or {_FACTORS[factor]} (a factor of {factor:.0e})?',
        )
