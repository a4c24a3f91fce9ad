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

"""Equations of motion as a Python module that needs NumPy alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
import textwrap
from typing import Any

from robot_dynamics.symbolic.derivation import Derivation, printable
from sympy import cos, count_ops, cse, numbered_symbols, sin
from sympy.printing.pycode import PythonCodePrinter

WIDTH = 99  # columns
MAX_CSE = 20_000  # operations; the search for common terms takes a minute above that
_TERMS_PER_LINE = 40  # Python's parser cannot nest a sum of thousands of terms

_DOCSTRING = '''"""
Equations of motion of {name}: M(q) a + C(q, v) v + G(q) = tau.

Derived by Lagrange's way from the energies of the robot (robot_dynamics derive). Joints, in
this order: {joints}.
"""'''

_FUNCTION = '''def equations_of_motion({arguments}):
    """Return M (n, n), C (n, n) and G (n,) at positions q (n,) and velocities v (n,)."""'''

_INVERSE = '''def inverse_dynamics(q, v, a, **constants):
    """Return the effort (n,) [N m or N] of an acceleration a (n,), without friction."""
    M, C, G = equations_of_motion(q, v, **constants)
    return M @ np.asarray(a) + C @ np.asarray(v) + G'''


class _Printer(PythonCodePrinter):  # type: ignore[misc]
    """Prints plain names of the module math and all digits of a double."""

    def __init__(self) -> None:
        super().__init__({'fully_qualified_modules': False})

    def _print_Float(self, expr: Any) -> str:
        return repr(float(expr))


def to_python(derivation: Derivation) -> str:
    """
    Write a derivation as a Python module.

    Parameters
    ----------
    derivation : Derivation
        The equations.

    Returns
    -------
    str
        Source with ``equations_of_motion(q, v)``, which returns M, C and G, and
        ``inverse_dynamics(q, v, a)``. Named constants are keyword arguments that
        default to the robot's values.

    """
    matrices = {name: getattr(derivation, name) for name in 'MCG'}
    places, expressions = [], []
    for name, matrix in matrices.items():
        rows, columns = matrix.shape
        for i in range(rows):
            for j in range(columns):
                # M is symmetric: its lower half is copied
                if matrix[i, j] != 0 and (name != 'M' or i <= j):
                    places.append(f'{name}[{i}]' if name == 'G' else f'{name}[{i}, {j}]')
                    expressions.append(matrix[i, j])
    shared, rest = _shared(derivation, expressions)
    printer = _Printer()
    n = len(derivation.q)
    body = [f'{_unpacked(derivation.q)} = q', f'{_unpacked(derivation.qd)} = v']
    for symbol, expression in shared:
        body += _assignment(symbol.name, expression, printer)
    body += [f'M, C, G = np.zeros(({n}, {n})), np.zeros(({n}, {n})), np.zeros({n})']
    for place, expression in zip(places, rest):
        body += _assignment(place, expression, printer)
    body += ['return M + np.triu(M, 1).T, C, G']
    arguments = (
        ['q', 'v']
        + (['*'] if derivation.parameters else [])
        + [f'{parameter.symbol.name}={parameter.value!r}' for parameter in derivation.parameters]
    )
    function = _FUNCTION.format(arguments=', '.join(arguments))
    signature, docstring = function.split('\n')
    source = '\n'.join(
        [
            *_wrapped(signature, ' ' * 8),
            docstring,
            *(textwrap.indent(line, ' ' * 4) for line in body),
        ]
    )
    functions = sorted({name for name in ('cos', 'sin', 'sqrt') if f'{name}(' in source})
    imports = [f'from math import {", ".join(functions)}', ''] if functions else []
    header = _DOCSTRING.format(
        name=printable(derivation.name),
        joints=', '.join(printable(joint) for joint in derivation.joint_names),
    )
    return '\n'.join(
        [header, '', *imports, 'import numpy as np', '', '', source, '', '', _INVERSE, '']
    )


def _unpacked(symbols: Sequence[Any]) -> str:
    names = ', '.join(symbol.name for symbol in symbols)
    return names if len(symbols) > 1 else f'({names},)'


def _shared(
    derivation: Derivation, expressions: Sequence[Any]
) -> tuple[list[tuple[Any, Any]], list[Any]]:
    """Take out what appears more than once, or only cosines and sines of a long robot."""
    taken = {
        symbol.name
        for symbol in (
            *derivation.q,
            *derivation.qd,
            *(parameter.symbol for parameter in derivation.parameters),
        )
    }
    fresh = (symbol for symbol in numbered_symbols('t') if symbol.name not in taken)
    if sum(count_ops(expression) for expression in expressions) <= MAX_CSE:
        shared, rest = cse(expressions, symbols=fresh)
        return shared, rest
    functions = sorted(
        {function for expression in expressions for function in expression.atoms(cos, sin)},
        key=str,
    )
    names = dict(zip(functions, fresh))
    return (
        [(name, function) for function, name in names.items()],
        [expression.xreplace(names) for expression in expressions],
    )


def _assignment(place: str, expression: Any, printer: _Printer) -> Iterator[str]:
    """Yield the statements that assign an expression, a long sum in several steps."""
    terms = expression.args if expression.is_Add else (expression,)
    for start in range(0, len(terms), _TERMS_PER_LINE):
        end = start + _TERMS_PER_LINE
        part = expression.func(*terms[start:end]) if expression.is_Add else expression
        sign = '+=' if start else '='
        text = printer.doprint(part)
        if len(f'    {place} {sign} {text}') <= WIDTH:
            yield f'{place} {sign} {text}'
        else:
            yield '\n'.join([f'{place} {sign} (', *_wrapped(f'    {text})', ' ' * 4)])


def _wrapped(line: str, indent: str) -> list[str]:
    """Break a line at blanks; inside brackets Python allows it anywhere."""
    return textwrap.wrap(
        line, WIDTH - 4, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
