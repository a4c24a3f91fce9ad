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
Names of the constants of a robot, as textbooks write them.

m1 is the mass of the body that joint 1 moves, l1 the length from joint 1 to joint 2, lc1 the
distance of the centre of mass, J1 an inertia about it, Jm1 a rotor inertia seen at the joint
and g the gravity. Only what is not zero gets a name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.symbolic import exact
from robot_dynamics.symbolic.mechanism import Body

Array = NDArray[np.float64]

_AXES = 'xyz'


@dataclass(frozen=True)
class Constant:
    """
    A number of the robot that is not zero.

    Parameters
    ----------
    name : str
        Its symbol.
    value : exact constant
        What the robot file says.
    unit, meaning : str
        For the reader.
    sign : int
        -1 where the formula has the negative of the symbol.

    """

    name: str
    value: exact.Exact
    unit: str
    meaning: str
    sign: int = 1


Triple = tuple[Constant | None, Constant | None, Constant | None]


@dataclass(frozen=True)
class BodyConstants:
    """
    The constants of one body; None stands for zero.

    Parameters
    ----------
    mass : Constant or None
        [kg].
    com, origin : tuple of Constant or None
        Centre of mass in the body's frame, and the body's frame in its parent's [m].
    inertia : dict
        From (row, column), row <= column, to a constant [kg m^2].

    """

    mass: Constant | None
    com: Triple
    origin: Triple
    inertia: dict[tuple[int, int], Constant]


def body_constants(bodies: Sequence[Body]) -> dict[int, BodyConstants]:
    """Name the constants of all bodies; the keys are their numbers."""
    return {
        body.number: BodyConstants(
            _mass(body), _com(body, bodies), _origin(body, bodies), _inertia(body)
        )
        for body in bodies
    }


def motor_constants(inertias: Array, units: Sequence[str]) -> list[Constant | None]:
    """Name the rotor inertias (nv,) of the joints, given their units."""
    return [
        Constant(
            f'Jm{index + 1}', exact.number(value), unit, f'rotor inertia seen at joint {index + 1}'
        )
        if value
        else None
        for index, (value, unit) in enumerate(zip(inertias.tolist(), units))
    ]


def gravity_constants(gravity: Array) -> Triple:
    """
    Name the components of gravity in the root frame.

    Parameters
    ----------
    gravity : numpy.ndarray, shape (3,)
        [m/s^2].

    Returns
    -------
    tuple of Constant or None
        Along one axis it is -g, as 'g downwards' along z; else gx, gy, gz.

    """
    cleaned = exact.clean(gravity).tolist()
    used = [index for index, value in enumerate(cleaned) if value]
    constants: list[Constant | None] = [None, None, None]
    for index in used:
        if len(used) == 1:
            constants[index] = Constant(
                'g',
                exact.number(-cleaned[index]),
                'm/s^2',
                f'gravity along -{_AXES[index]} of the base',
                sign=-1,
            )
        else:
            constants[index] = Constant(
                f'g{_AXES[index]}',
                exact.number(cleaned[index]),
                'm/s^2',
                f'gravity along {_AXES[index]} of the base',
            )
    return constants[0], constants[1], constants[2]


def _what(body: Body) -> str:
    return ' + '.join(body.links)


def _mass(body: Body) -> Constant | None:
    if not body.mass:
        return None
    return Constant(f'm{body.number}', exact.number(body.mass), 'kg', f'mass of {_what(body)}')


def _com(body: Body, bodies: Sequence[Body]) -> Triple:
    com = exact.vector(body.com.tolist())
    end = _end(body, bodies)
    if end is not None and com == end:
        # a mass in the next joint, or in the tip: the distance is the length of the link
        return _triple(com, f'l{body.number}', f'length of {_what(body)}')
    alone = end is not None and not any(end)
    stem = f'l{body.number}' if alone else f'lc{body.number}'
    return _triple(com, stem, f'centre of mass of {_what(body)}')


def _end(body: Body, bodies: Sequence[Body]) -> exact.Vector | None:
    """Return where a body ends: at the next joint, or at its last frame without mass."""
    children = [child for child in bodies if child.parent == body.number]
    if len(children) == 1:
        return children[0].origin
    return body.frames[-1] if body.frames and not children else None


def _origin(body: Body, bodies: Sequence[Body]) -> Triple:
    siblings = [other for other in bodies if other.parent == body.parent]
    stem = f'l{body.parent}' if len(siblings) == 1 else f'l{body.parent}_{body.number}'
    start = f'joint {body.parent}' if body.parent else 'the base'
    return _triple(body.origin, stem, f"from {start} to joint {body.number} ('{body.joint.name}')")


def _triple(vector: exact.Vector, stem: str, meaning: str) -> Triple:
    """Name the components of a length; a single one needs no letter."""
    used = sum(1 for value in vector if value)
    x, y, z = (
        Constant(
            stem if used == 1 else stem + _AXES[axis],
            value,
            'm',
            f'{meaning}, along {_AXES[axis]}',
        )
        if value
        else None
        for axis, value in enumerate(vector)
    )
    return x, y, z


def _inertia(body: Body) -> dict[tuple[int, int], Constant]:
    return {
        (row, column): Constant(
            f'J{body.number}{_AXES[row]}{_AXES[column]}',
            exact.number(float(body.inertia[row, column])),
            'kg m^2',
            f'inertia of {_what(body)} about its centre of mass',
        )
        for row in range(3)
        for column in range(row, 3)
        if body.inertia[row, column]
    }
