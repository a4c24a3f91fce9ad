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

"""Equations of motion as text and as LaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
import re
from typing import Any

from robot_dynamics.symbolic.derivation import Derivation, printable
from sympy import latex, sstr

LATEX_ROW = 160  # characters of LaTeX source that fit on a printed row, roughly

_CONSTANT = re.compile(
    r'(?P<stem>m|l|J)(?P<kind>[cm]?)(?P<number>\d+)(?:_(?P<to>\d+))?'
    r'(?P<axes>[xyz]*)'
)


def to_text(derivation: Derivation) -> str:
    """
    Write a derivation as lines of text.

    Parameters
    ----------
    derivation : Derivation
        The equations.

    Returns
    -------
    str
        Names, constants, energies and all entries that are not zero.

    """
    lines = [
        f'Equations of motion of {printable(derivation.name)}: M(q) a + C(q, v) v + G(q) = tau',
        '',
    ]
    for index, joint in enumerate(derivation.joint_names):
        lines.append(
            f'{derivation.q[index]}, {derivation.qd[index]}, {derivation.qdd[index]}: '
            f"position, velocity and acceleration of '{printable(joint)}'"
        )
    if derivation.parameters:
        lines += ['', 'Constants', *_constants(derivation)]
    lines += ['', 'Energies [J]', f'K = {_plain(derivation.K)}', f'U = {_plain(derivation.U)}']
    titles = {
        'M': 'Mass matrix, symmetric',
        'C': 'Coriolis matrix of Christoffel symbols',
        'V': 'Velocity terms, C v',
        'G': 'Gravity, dU/dq',
        'tau': 'Effort, d/dt dL/dv - dL/dq with L = K - U',
    }
    for name, title in titles.items():
        entries = [
            f'{name}[{place}] = {_plain(entry)}'
            for place, entry in _entries(derivation, name, ',')
            if entry != 0
        ]
        lines += ['', f'{title} (what is not listed is 0)', *(entries or [f'{name} = 0'])]
    return '\n'.join(lines) + '\n'


def to_latex(derivation: Derivation) -> str:
    r"""
    Write a derivation as LaTeX.

    Parameters
    ----------
    derivation : Derivation
        The equations.

    Returns
    -------
    str
        One align* environment of amsmath for each quantity; long sums are broken
        between their terms.

    """
    names = latex_names(derivation)
    lines = [
        f'% Equations of motion of {printable(derivation.name)}, for a document with '
        r'\usepackage{amsmath}'
    ]
    lines += [f'% {line.strip()}' for line in _constants(derivation)]
    groups: list[list[tuple[str, Any]]] = [[('K', derivation.K), ('U', derivation.U)]]
    separator = '' if len(derivation.q) < 10 else ','
    for name in ('M', 'C', 'V', 'G', 'tau'):
        symbol = r'\tau' if name == 'tau' else name
        groups.append(
            [
                (f'{symbol}_{{{place}}}', entry)
                for place, entry in _entries(derivation, name, separator)
                if entry != 0
            ]
        )
    for group in groups:
        if group:
            rows = [_rows(left, expression, names) for left, expression in group]
            lines += [r'\begin{align*}', ' \\\\\n'.join(rows), r'\end{align*}']
    return '\n'.join(lines) + '\n'


def latex_names(derivation: Derivation) -> dict[Any, str]:
    r"""Return how LaTeX writes each symbol, such as \dot{\theta} and l_{c1}."""
    names = {}
    for q, qd, qdd in zip(derivation.q, derivation.qd, derivation.qdd):
        names[q] = latex(q)
        head, *index = names[q].split('_', 1)
        tail = f'_{index[0]}' if index else ''
        names[qd], names[qdd] = rf'\dot{{{head}}}{tail}', rf'\ddot{{{head}}}{tail}'
    for parameter in derivation.parameters:
        names[parameter.symbol] = _constant_name(parameter.symbol.name)
    return names


def _constant_name(name: str) -> str:
    match = _CONSTANT.fullmatch(name)
    if match is None:
        return f'{name[0]}_{{{name[1:]}}}' if len(name) > 1 else name
    parts = (match['kind'] + match['number'], match['to'], match['axes'])
    return f'{match["stem"]}_{{{",".join(part for part in parts if part)}}}'


def _constants(derivation: Derivation) -> list[str]:
    """Return one line for each named constant, in columns."""
    width = max((len(parameter.symbol.name) for parameter in derivation.parameters), default=0)
    return [
        f'{parameter.symbol.name:>{width}} = {parameter.value:<12.6g} '
        f'{parameter.unit:<7} {printable(parameter.meaning)}'
        for parameter in derivation.parameters
    ]


def _entries(derivation: Derivation, name: str, separator: str) -> Iterator[tuple[str, Any]]:
    """Yield the place, counted from 1, and value of each entry; M's upper half only."""
    matrix = getattr(derivation, name)
    rows, columns = matrix.shape
    for i in range(rows):
        for j in range(i if name == 'M' else 0, columns):
            place = (
                f'{i + 1}' if columns == 1 and name not in 'MC' else (f'{i + 1}{separator}{j + 1}')
            )
            yield place, matrix[i, j]


def _plain(expression: Any) -> str:
    return str(sstr(expression, full_prec=False))


def _rows(left: str, expression: Any, names: Mapping[Any, str]) -> str:
    """Return 'left &= right', broken where a row would get too long."""
    rows = [f'{left} &=']
    for index, term in enumerate(expression.as_ordered_terms()):
        text = str(latex(term, symbol_names=names, full_prec=False))
        if index and not text.startswith('-'):
            text = f'+ {text}'
        if len(rows[-1]) + len(text) > LATEX_ROW and index:
            rows.append(r'&\quad')
        rows[-1] += f' {text}'
    return ' \\\\\n'.join(rows)
