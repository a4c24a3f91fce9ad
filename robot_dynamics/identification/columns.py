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

"""Which column of a recording is what: quantities, joints and units by their headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
import difflib
import re

from robot_dynamics.errors import StateError
from robot_dynamics.model import JointInfo

QUANTITIES = {'q': 'position', 'v': 'velocity', 'a': 'acceleration', 'tau': 'effort'}
_TIMES = ('t', 'time')
_WITH_UNIT = re.compile(r'(.*?)\s*\[([^\[\]]*)\]')
_NUMBERED = re.compile(r'(?:q|v|a|tau|position|velocity|acceleration|effort)_?(\d+)')


@dataclass(frozen=True, kw_only=True)
class Columns:
    """
    Where the quantities stand in a row.

    Parameters
    ----------
    time : int or None
        Column of the time.
    index : dict of str to tuple of int
        By 'q', 'v', 'a', 'tau': a column for each joint, in joint order;
        'tau' has the commanded joints only.
    unused : tuple of str
        Headings of the other columns.
    numbered : bool
        Whether joints were given by number.

    """

    time: int | None
    index: dict[str, tuple[int, ...]]
    unused: tuple[str, ...]
    numbered: bool


def find_columns(
    header: Sequence[str], joints: Sequence[JointInfo], n_commanded: int, where: str
) -> Columns:
    """
    Find time, position, velocity, acceleration and effort of all joints.

    A heading is a quantity (q, v, a, tau, or in words position, velocity,
    acceleration, effort) and a joint, by name or by its number from 1 in joint
    order: 'q elbow', 'q_elbow', 'q.elbow', 'q2', 'q_2'. A unit may follow in
    brackets and must be SI: 'tau elbow [N·m]'. The time is 't' or 'time'.

    Parameters
    ----------
    header : sequence of str
        Headings.
    joints : sequence of JointInfo
        All joints in order, commanded ones first.
    n_commanded : int
        How many of them are commanded and need an effort.
    where : str
        Source, for messages.

    Returns
    -------
    Columns

    Raises
    ------
    StateError
        When a column is missing, doubled, in another unit, or there are more
        numbers than joints.

    """
    meanings = _meanings(joints)
    found: dict[tuple[str, int], int] = {}
    time: int | None = None
    unused: list[str] = []
    numbered = False
    for column, heading in enumerate(header):
        name, unit = _split(heading)
        if name in _TIMES:
            if time is not None:
                raise StateError('has two columns of time', where=where, expected='one')
            _check_unit(heading, unit, ('s',), where)
            time = column
        elif name in meanings:
            quantity, joint, by_number = meanings[name]
            if (quantity, joint) in found:
                raise StateError(
                    f"columns '{header[found[quantity, joint]]}' and '{heading}' both give the "
                    f"{QUANTITIES[quantity]} of joint '{joints[joint].name}'",
                    where=where,
                    expected='one column for each',
                )
            _check_unit(heading, unit, _units(quantity, joints[joint]), where)
            found[quantity, joint] = column
            numbered |= by_number
        else:
            unused.append(heading)
    _refuse_more_numbers(unused, len(joints), where)
    index = {}
    for quantity in QUANTITIES:
        count = n_commanded if quantity == 'tau' else len(joints)
        for joint in range(count):
            if (quantity, joint) not in found:
                raise _missing(quantity, joints[joint], unused, where)
        index[quantity] = tuple(found[quantity, joint] for joint in range(count))
    return Columns(time=time, index=index, unused=tuple(unused), numbered=numbered)


def _meanings(joints: Sequence[JointInfo]) -> dict[str, tuple[str, int, bool]]:
    """Return for each heading its quantity, joint, and whether that is by number."""
    meanings: dict[str, tuple[str, int, bool]] = {}
    words = [(word, symbol) for symbol, long in QUANTITIES.items() for word in (symbol, long)]
    for word, symbol in words:
        for number, joint in enumerate(joints):
            for separator in ' _.':
                meanings[f'{word}{separator}{joint.name}'] = symbol, number, False
    # names go before numbers: a joint may be called '2'
    for word, symbol in words:
        for number in range(len(joints)):
            for separator in ('', '_'):
                meanings.setdefault(f'{word}{separator}{number + 1}', (symbol, number, True))
    return meanings


def _split(heading: str) -> tuple[str, str | None]:
    match = _WITH_UNIT.fullmatch(heading.strip())
    return (match[1], match[2].strip()) if match else (heading.strip(), None)


def _units(quantity: str, joint: JointInfo) -> tuple[str, ...]:
    unit = joint.unit
    if quantity == 'tau':
        return ('N',) if unit == 'm' else ('N·m', 'Nm', 'N m', 'N*m')
    return {'q': (unit,), 'v': (f'{unit}/s',), 'a': (f'{unit}/s²', f'{unit}/s^2', f'{unit}/s2')}[
        quantity
    ]


def _check_unit(heading: str, unit: str | None, accepted: tuple[str, ...], where: str) -> None:
    if unit is not None and unit not in accepted:
        raise StateError(
            f"column '{heading.strip()}' is in '{unit}'",
            where=where,
            expected=accepted[0],
            remedy='convert the column',
        )


def _refuse_more_numbers(unused: Sequence[str], count: int, where: str) -> None:
    for heading in unused:
        match = _NUMBERED.fullmatch(_split(heading)[0])
        if match:
            raise StateError(
                f"column '{heading.strip()}' has joint number {match[1]}",
                where=where,
                expected=f'numbers from 1 to {count}, in the order of the joints of the model',
                remedy='name the columns by joint, such as q_elbow',
            )


def _missing(quantity: str, joint: JointInfo, unused: Sequence[str], where: str) -> StateError:
    close = difflib.get_close_matches(f'{quantity}_{joint.name}', unused, 2)
    names = ', '.join(f"'{heading.strip()}'" for heading in unused[:12]) or 'none'
    remedy = f'not understood: {names}'
    if close:
        remedy += f'; did you mean {" or ".join(close)}?'
    elif quantity == 'a':
        remedy = (
            'differentiate the velocity with a filter that does not delay '
            '(such as scipy.signal.savgol_filter) and add the column'
        )
    return StateError(
        f"has no {QUANTITIES[quantity]} of joint '{joint.name}'",
        where=where,
        expected=f"a column '{quantity}_{joint.name}'",
        remedy=remedy,
    )
