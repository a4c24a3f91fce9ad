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

"""Polynomials turned into SymPy expressions that a reader would write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
import math
from typing import Any

from robot_dynamics.symbolic.harmonics import Harmonic, Terms, with_squares, with_sums
from robot_dynamics.symbolic.trig_ring import Monomial, Polynomial, TrigRing
from sympy import (
    Add,
    collect,
    cos,
    count_ops,
    factor_terms,
    Float,
    Integer,
    Mul,
    Pow,
    Rational,
    sin,
    sqrt,
)

Expression = Any  # sympy.Expr

MAX_TIDY = 2000  # terms; above that no rewriting makes an entry readable
MAX_FACTORED = 60  # terms; more do not read better with brackets, and factoring is slow
_LARGEST_FRACTION = 9999  # numerators and denominators above that become decimals
_DUST = 1e-16  # numbers this small beside the largest of their entry change no double


class Tidy:
    """
    Turns polynomials of one ring into expressions.

    Parameters
    ----------
    ring : TrigRing
        Their ring.
    symbols : mapping of int to Symbol
        For the places of q, qd, qdd and the constants among the generators.
    masses : sequence of Symbol
        Symbols that may be put outside the brackets.
    groups : sequence of sequence of int
        Angles of joints with parallel axes, by their index in the ring.
    simplify : bool
        Whether to look for a shorter form of each entry.
    numbers : bool
        Whether coefficients are printed as decimals.

    """

    def __init__(
        self,
        ring: TrigRing,
        symbols: Mapping[int, Any],
        masses: Sequence[Any],
        groups: Sequence[Sequence[int]],
        *,
        simplify: bool,
        numbers: bool,
    ) -> None:
        """Keep the choices, and remember what has been turned already."""
        self._ring, self._masses = ring, tuple(masses)
        self._simplify, self._numbers = simplify, numbers
        self._n_angles = m = len(ring.angles)
        self._pairs = [(index, m + index) for index in range(m)]
        self._groups = [list(group) for group in groups]
        self._angle = [self._angle_of(index, symbols) for index in range(m)]
        self._factors = dict(symbols)
        self._factors.update({index: cos(angle) for index, angle in enumerate(self._angle)})
        self._factors.update({m + index: sin(angle) for index, angle in enumerate(self._angle)})
        last = ring.ring.ngens - 2
        self._factors.update({last: sqrt(Integer(2)), last + 1: sqrt(Integer(3))})
        self._known: dict[Any, Expression] = {}

    def _angle_of(self, index: int, symbols: Mapping[int, Any]) -> Expression:
        angle = self._ring.angles[index]
        q = symbols[2 * self._n_angles + angle.coordinate]
        multiplier, offset = (
            self._coefficient(Fraction(repr(value))) for value in (angle.multiplier, angle.offset)
        )
        return multiplier * q + offset

    def expression(self, p: Polynomial) -> Expression:
        """Return the expression of a polynomial in normal form."""
        if p not in self._known:
            terms: Terms = {(monomial, ()): value for monomial, value in p.items()}
            if self._simplify and len(terms) <= MAX_TIDY:
                terms = min(self._forms(terms), key=_length)
            self._known[p] = self._written(terms)
        return self._known[p]

    def _forms(self, terms: Terms) -> list[Terms]:
        """Return the forms to choose from, the plainest first."""
        sums = terms
        for group in self._groups:
            sums = with_sums(sums, [self._pairs[index] for index in group])
        return [
            with_squares(form, self._pairs)
            for form in ((terms, sums) if self._groups else (terms,))
        ]

    def _written(self, terms: Terms) -> Expression:
        """Write terms as a sum over different cosines and sines, with factors outside."""
        rows: dict[Any, dict[Monomial, Any]] = {}
        m = 2 * self._n_angles
        for (monomial, harmonics), value in terms.items():
            trigonometric, rest = (monomial[:m], harmonics), monomial[m:]
            if self._numbers:
                value = float(value) * math.sqrt(2.0) ** rest[-2] * math.sqrt(3.0) ** rest[-1]
                rest = rest[:-2]
            row = rows.setdefault(trigonometric, {})
            row[rest] = row.get(rest, 0) + value
        largest = max((abs(value) for row in rows.values() for value in row.values()), default=0)
        factored = self._simplify and len(terms) <= MAX_FACTORED
        parts = []
        for (powers, harmonics), row in rows.items():
            trigonometric = Mul(
                *self._powers(powers, 0),
                *(
                    self._harmonic(group, harmonic)
                    for group, harmonic in zip(self._groups, harmonics)
                ),
            )
            cofactor = Add(
                *(
                    Mul(self._coefficient(value), *self._powers(rest, m))
                    for rest, value in row.items()
                    if not self._numbers or abs(value) > _DUST * largest
                )
            )
            parts.append((factor_terms(cofactor) if factored else cofactor) * trigonometric)
        total = Add(*parts)
        return self._shortest(total) if factored else total

    def _shortest(self, total: Expression) -> Expression:
        """Return the shortest of some ways to put factors outside the brackets."""
        forms = [total, factor_terms(total)]
        if self._masses:
            forms.append(collect(factor_terms(total.expand()), self._masses))
            forms.append(factor_terms(collect(total.expand(), self._masses, factor_terms)))
        return min(forms, key=count_ops)

    def _powers(self, powers: Monomial, start: int) -> list[Expression]:
        return [
            Pow(self._factors[start + index], power) for index, power in enumerate(powers) if power
        ]

    def _harmonic(self, group: Sequence[int], harmonic: Harmonic) -> Expression:
        factors, is_cosine = harmonic
        angle = Add(*(factor * self._angle[index] for index, factor in zip(group, factors)))
        return cos(angle) if is_cosine else sin(angle)

    def _coefficient(self, value: Any) -> Expression:
        # an oblique axis brings fractions of 30 digits
        if self._numbers or max(abs(value.numerator), value.denominator) > _LARGEST_FRACTION:
            return _decimal(value)
        return Rational(int(value.numerator), int(value.denominator))


def _decimal(value: Any) -> Expression:
    """Return a number as a whole number if it is one, else as a double."""
    value = float(value)
    return Integer(int(value)) if value.is_integer() else Float(value)


def _length(terms: Terms) -> int:
    """Count the factors of a sum of products; a harmonic counts as one."""
    return sum(1 + sum(monomial) + len(harmonics) for monomial, harmonics in terms)
