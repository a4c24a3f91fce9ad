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
Polynomials in cosines and sines: the algebra of the equations of motion.

All energies of an arm are polynomials in cos(q), sin(q), q, velocities and constants. With
sin^2 = 1 - cos^2 each has one normal form, so that equal terms meet and zeros are seen without
searching for identities; this is what makes six joints a matter of a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from robot_dynamics.errors import ModelError
from robot_dynamics.symbolic import exact
from sympy import QQ
from sympy.polys.rings import PolyRing

Polynomial = Any  # an element of TrigRing.ring
Monomial = tuple[int, ...]

MAX_PRODUCT = 40_000_000  # pairs of terms in one product, about a minute of work


@dataclass(frozen=True)
class Angle:
    """An angle ``multiplier`` q + ``offset`` [rad] of coordinate ``coordinate``."""

    coordinate: int
    multiplier: float = 1.0
    offset: float = 0.0


class TrigRing:
    """
    A polynomial ring with one cosine and one sine for each angle.

    Generators come in blocks: cosines, sines, then q, qd and qdd of each
    coordinate, named constants, and the square roots of 2 and 3.

    Parameters
    ----------
    n : int
        Number of coordinates.
    angles : sequence of Angle
        Those that appear.
    constants : sequence of str
        Names of constants.

    """

    def __init__(self, n: int, angles: Sequence[Angle], constants: Sequence[str]) -> None:
        """Build the ring."""
        self.n = n
        self.angles, self.constants = tuple(angles), tuple(constants)
        m = len(self.angles)
        names = [
            f'{kind}{index}'
            for kind, count in (('c', m), ('s', m), ('q', n), ('qd', n), ('qdd', n))
            for index in range(count)
        ]
        # a blank keeps the names of constants apart from those of the other generators
        names += [f' {name}' for name in self.constants] + ['sqrt2', 'sqrt3']
        self.ring: Any = PolyRing(names, QQ, 'lex')
        gens = self.ring.gens
        self.cosine, self.sine = _blocks(gens, 0, m, 2)
        start = 2 * m
        self.q, self.qd, self.qdd = _blocks(gens, start, n, 3)
        self.first_constant = start + 3 * n
        self._constant = {
            name: gens[self.first_constant + index] for index, name in enumerate(self.constants)
        }

    def constant(self, name: str) -> Polynomial:
        """Return the generator of a named constant."""
        return self._constant[name]

    def lift(self, value: exact.Exact) -> Polynomial:
        """Return an exact constant as a polynomial."""
        rest = (0,) * (self.ring.ngens - 2)
        return self.ring.from_dict(
            {(*rest, *roots): coefficient for roots, coefficient in value.terms()}
        )

    def product(self, a: Polynomial, b: Polynomial) -> Polynomial:
        """
        Return a b in normal form.

        Raises
        ------
        ModelError
            When that would take minutes.

        """
        if len(a) * len(b) > MAX_PRODUCT:
            raise ModelError(
                f'is too large for a closed form: a product of {len(a)} and {len(b)} terms',
                where='symbolic derivation',
                expected='arms of up to seven joints or so',
                remedy='lock the joints that do not matter; numerical verification has no limit',
            )
        return self.normal(a.square() if a is b else a * b)

    def normal(self, p: Polynomial) -> Polynomial:
        """Return the normal form: no sine, and no square root, above its first power."""
        m = len(self.angles)
        for index in range(m):
            p = self._lowered(p, m + index, index)
        two = self.ring.ngens - 2
        for position, value in ((two, 2), (two + 1, 3)):
            if any(monomial[position] > 1 for monomial in p):
                terms: dict[Monomial, Any] = {}
                for monomial, coefficient in p.items():
                    power = monomial[position]
                    key = _with(monomial, position, power % 2)
                    terms[key] = terms.get(key, 0) + coefficient * value ** (power // 2)
                p = self._polynomial(terms)
        return p

    def _lowered(self, p: Polynomial, sine: int, cosine: int) -> Polynomial:
        """Replace sin^2 by 1 - cos^2, as often as it is there."""
        while any(monomial[sine] > 1 for monomial in p):
            terms: dict[Monomial, Any] = {}
            for monomial, coefficient in p.items():
                power = monomial[sine]
                if power > 1:
                    low = _with(monomial, sine, power - 2)
                    terms[low] = terms.get(low, 0) + coefficient
                    monomial = _with(low, cosine, low[cosine] + 2)
                    coefficient = -coefficient
                terms[monomial] = terms.get(monomial, 0) + coefficient
            p = self._polynomial(terms)
        return p

    def _polynomial(self, terms: dict[Monomial, Any]) -> Polynomial:
        return self.ring.from_dict({key: value for key, value in terms.items() if value})

    def by_q(self, p: Polynomial, index: int) -> Polynomial:
        """Return the partial derivative by coordinate ``index``."""
        total = p.diff(self.q[index])
        for angle, cosine, sine in zip(self.angles, self.cosine, self.sine):
            if angle.coordinate == index:
                slope = p.diff(sine) * cosine - p.diff(cosine) * sine
                total += slope * self.lift(exact.number(angle.multiplier))
        return self.normal(total)

    def by_time(self, p: Polynomial) -> Polynomial:
        """Return the derivative by time, with qd and qdd for those of q and qd."""
        total = self.ring.zero
        for index in range(self.n):
            total += self.by_q(p, index) * self.qd[index]
            total += p.diff(self.qd[index]) * self.qdd[index]
        return total


def _blocks(gens: Sequence[Any], start: int, size: int, count: int) -> list[list[Any]]:
    """Cut ``count`` blocks of ``size`` generators out of all."""
    return [
        [gens[start + block * size + index] for index in range(size)] for block in range(count)
    ]


def _with(monomial: Monomial, position: int, power: int) -> Monomial:
    """Return a monomial with another power at one position."""
    powers = list(monomial)
    powers[position] = power
    return tuple(powers)
