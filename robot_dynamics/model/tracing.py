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


"""A scalar that writes down what is done with it."""

from __future__ import annotations

from typing import Any

COMMUTATIVE = ('+', '*')


class Trace:
    """All that was done, each operation once: the same one again gives the same scalar."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._known: dict[tuple[Any, ...], Traced] = {}

    def inputs(self, array: str, size: int) -> list[Traced]:
        """Return the entries of an array that is read, by its name and size."""
        return [self.node('input', array, index) for index in range(size)]

    def node(self, operation: str, *operands: Any) -> Traced:
        """Return the scalar of an operation, a new one only when it is done for the first time."""
        names: list[str] = [f'x{x.number}' if isinstance(x, Traced) else repr(x) for x in operands]
        key = (operation, *(sorted(names) if operation in COMMUTATIVE else names))
        if key not in self._known:
            self._known[key] = Traced(self, len(self._known), operation, operands)
        return self._known[key]


class Traced:
    """
    One scalar of a trace.

    Parameters
    ----------
    trace : Trace
        The record.
    number : int
        Its place in the record; operands have smaller ones.
    operation : str
        '+', '-', '*', 'negative', or 'input'.
    operands : tuple of (Traced or float)
        Of what; for an input the name of its array and its index.

    """

    __slots__ = ('_trace', 'number', 'operands', 'operation')

    def __init__(
        self, trace: Trace, number: int, operation: str, operands: tuple[Any, ...]
    ) -> None:
        """Keep what it came from."""
        self._trace, self.number = trace, number
        self.operation, self.operands = operation, operands

    def __add__(self, other: Traced | float) -> Traced:
        """Write down a sum."""
        return self._trace.node('+', self, other)

    def __radd__(self, other: float) -> Traced:
        """Write down a sum."""
        return self._trace.node('+', other, self)

    def __sub__(self, other: Traced | float) -> Traced:
        """Write down a difference."""
        return self._trace.node('-', self, other)

    def __rsub__(self, other: float) -> Traced:
        """Write down a difference."""
        return self._trace.node('-', other, self)

    def __mul__(self, other: Traced | float) -> Traced:
        """Write down a product."""
        return self._trace.node('*', self, other)

    def __rmul__(self, other: float) -> Traced:
        """Write down a product."""
        return self._trace.node('*', other, self)

    def __neg__(self) -> Traced:
        """Write down a change of sign."""
        return self._trace.node('negative', self)


def needed_for(results: list[Traced]) -> list[Traced]:
    """Return the scalars that the results are made of, operands first, the results included."""
    found: dict[int, Traced] = {}
    stack = list(results)
    while stack:
        scalar = stack.pop()
        if scalar.number not in found:
            found[scalar.number] = scalar
            stack.extend(x for x in scalar.operands if isinstance(x, Traced))
    return [found[number] for number in sorted(found)]
