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

"""
From powers of cosines and sines to forms that read well.

Two rewritings of a normal form, each of which only brings terms together: 1 - cos^2 becomes
sin^2 again, and products over joints with parallel axes become cosines and sines of sums of
angles, such as cos(q1 + q2) of a planar arm.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from robot_dynamics.symbolic import exact
from robot_dynamics.symbolic.mechanism import Body
from robot_dynamics.symbolic.trig_ring import Monomial
from sympy import QQ

# a cosine (True) or sine (False) of a sum of angles, each with a whole factor
Harmonic = tuple[tuple[int, ...], bool]
# powers of the generators, and one harmonic for each group of angles that was rewritten
Key = tuple[Monomial, tuple[Harmonic, ...]]
Terms = dict[Key, Any]

_HALF = QQ(1, 2)


def parallel_joints(bodies: Sequence[Body]) -> list[list[Body]]:
    """
    Return the groups of turning joints whose axes stay parallel.

    Parameters
    ----------
    bodies : sequence of Body
        Parents before children.

    Returns
    -------
    list of list of Body
        Each of two bodies or more.

    """
    by_number = {body.number: body for body in bodies}
    group: dict[int, list[Body]] = {}
    for body in bodies:
        if body.is_prismatic:
            continue
        axis = exact.applied(body.rotation, exact.unit_vector(body.joint.axis))
        parent = by_number.get(body.parent)
        while parent is not None and parent.is_prismatic:
            axis = exact.applied(parent.rotation, axis)
            parent = by_number.get(parent.parent)
        group[body.number] = [body]
        if parent is not None and _parallel(axis, exact.unit_vector(parent.joint.axis)):
            group[body.number] = group[parent.number]
            group[parent.number].append(body)
    unique = {id(members): members for members in group.values()}
    return [members for members in unique.values() if len(members) > 1]


def _parallel(a: exact.Vector, b: exact.Vector) -> bool:
    return not any(exact.reduced(a[i] * b[j] - a[j] * b[i]) for i, j in ((0, 1), (1, 2), (2, 0)))


def with_squares(terms: Terms, pairs: Iterable[tuple[int, int]]) -> Terms:
    """
    Join terms that differ by -cos^2 to one with sin^2.

    Parameters
    ----------
    terms : dict
        Coefficients by key.
    pairs : iterable of (int, int)
        Places of cosine and sine of each angle among the powers.

    Returns
    -------
    dict
        Not more terms than before.

    """
    terms = dict(terms)
    for cosine, sine in pairs:
        # high powers first, so that cos^2 - cos^4 is found before 1 - cos^2 takes its first
        for key in sorted(terms, key=lambda key: -key[0][cosine]):
            monomial, rest = key
            if monomial[cosine] < 2 or key not in terms:
                continue
            powers = list(monomial)
            powers[cosine] -= 2
            low = (tuple(powers), rest)
            if terms.get(low) == -terms[key]:
                coefficient = terms.pop(low)
                del terms[key]
                powers[sine] += 2
                joined = (tuple(powers), rest)
                terms[joined] = terms.get(joined, 0) + coefficient
    return {key: value for key, value in terms.items() if value}


def with_sums(terms: Terms, group: Sequence[tuple[int, int]]) -> Terms:
    """
    Write products over a group of angles as cosines and sines of sums.

    Parameters
    ----------
    terms : dict
        Coefficients by key.
    group : sequence of (int, int)
        Places of cosine and sine of the angles of the group.

    Returns
    -------
    dict
        With one more harmonic in each key.

    """
    found: Terms = {}
    places = [place for pair in group for place in pair]
    for (monomial, harmonics), coefficient in terms.items():
        powers = list(monomial)
        for place in places:
            powers[place] = 0
        expanded = _expanded(tuple((monomial[cosine], monomial[sine]) for cosine, sine in group))
        for harmonic, factor in expanded:
            key = (tuple(powers), (*harmonics, harmonic))
            found[key] = found.get(key, 0) + coefficient * factor
    return {key: value for key, value in found.items() if value}


@lru_cache(maxsize=4096)
def _expanded(powers: tuple[tuple[int, int], ...]) -> tuple[tuple[Harmonic, Any], ...]:
    """Return the Fourier terms of a product of powers of cosines and sines."""
    terms: dict[Harmonic, Any] = {((0,) * len(powers), True): QQ(1)}
    for index, (cosines, sines) in enumerate(powers):
        for is_cosine in (True,) * cosines + (False,) * sines:
            terms = _times(terms, index, is_cosine)
    return tuple((key, value) for key, value in terms.items() if value)


def _times(terms: dict[Harmonic, Any], index: int, is_cosine: bool) -> dict[Harmonic, Any]:
    """Multiply by the cosine or sine of one angle (product-to-sum formulas)."""
    result: dict[Harmonic, Any] = {}
    for (factors, even), value in terms.items():
        for step in (1, -1):
            moved = tuple(
                factor + step if place == index else factor for place, factor in enumerate(factors)
            )
            kind, sign = even, 1
            if not is_cosine:
                # cos A sin B = [sin(A+B) - sin(A-B)] / 2, sin A sin B = [cos(A-B) - cos(A+B)] / 2
                kind, sign = not even, step if even else -step
            first = next((factor for factor in moved if factor), 0)
            if first < 0:
                moved = tuple(-factor for factor in moved)
                sign = sign if kind else -sign
            if first == 0 and not kind:
                continue
            key = (moved, kind)
            result[key] = result.get(key, 0) + value * sign * _HALF
    return result
