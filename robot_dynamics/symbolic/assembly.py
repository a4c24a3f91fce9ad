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

"""The steps of a derivation put together: bodies, names, energies, equations, expressions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from robot_dynamics.errors import ModelError, ParameterError
from robot_dynamics.model import RobotModel
from robot_dynamics.symbolic import exact
from robot_dynamics.symbolic.derivation import Derivation, Parameter, Progress
from robot_dynamics.symbolic.harmonics import parallel_joints
from robot_dynamics.symbolic.lagrange import (
    angles_of,
    Energies,
    Equations,
    LagrangeDerivation,
    turning_angle,
)
from robot_dynamics.symbolic.mechanism import Body, moving_bodies
from robot_dynamics.symbolic.motors import motor_inertias
from robot_dynamics.symbolic.naming import (
    body_constants,
    BodyConstants,
    Constant,
    gravity_constants,
    motor_constants,
    Triple,
)
from robot_dynamics.symbolic.tidy import Tidy
from robot_dynamics.symbolic.trig_ring import TrigRing
from sympy import ImmutableDenseMatrix, Symbol

MAX_TERMS = 5000  # terms of the kinetic energy; more would take minutes and fill a book


def assemble(
    model: RobotModel,
    *,
    named: bool,
    coordinates: Sequence[tuple[str, str, str]],
    simplify: bool,
    progress: Progress | None,
) -> Derivation:
    """
    Derive the equations of motion of a model.

    Parameters
    ----------
    model : RobotModel
        The robot.
    named : bool
        Whether constants are symbols.
    coordinates : sequence of tuple of str
        Names of position, velocity and acceleration of each joint.
    simplify : bool
        Whether to look for the shortest form of each entry.
    progress : callable or None
        See ``derive``.

    Returns
    -------
    Derivation

    Raises
    ------
    ModelError
        When the closed form would be too large.
    ParameterError
        When a joint has the name of a constant.

    """
    bodies = moving_bodies(model)
    of_bodies = body_constants(bodies)
    gravity = gravity_constants(model.gravity_vector)
    motors = motor_constants(
        motor_inertias(model),
        ['kg' if joint.type == 'prismatic' else 'kg m^2' for joint in model.joints],
    )
    constants = _by_name(of_bodies, gravity, motors) if named else {}
    ring = TrigRing(model.nv, angles_of(bodies), list(constants))
    derivation = LagrangeDerivation(ring, bodies, of_bodies, gravity, motors, progress)
    energies = derivation.energies()
    size = len(energies.kinetic)
    if size > MAX_TERMS:
        raise ModelError(
            f'is too large for a closed form: its kinetic energy has {size} terms',
            where=f"robot '{model.name}'",
            expected=f'at most {MAX_TERMS}',
            remedy='lock joints that do not matter' + (', or take numbers' if named else ''),
        )
    equations = derivation.equations(energies)
    symbols, parameters = _symbols(ring, energies, constants, coordinates)
    tidy = Tidy(
        ring,
        symbols,
        [parameter.symbol for parameter in parameters if parameter.unit == 'kg'],
        _groups(bodies, ring),
        simplify=simplify,
        numbers=not named,
    )
    return _written(model, ring, energies, equations, tidy, symbols, parameters, progress)


def _by_name(
    of_bodies: dict[int, BodyConstants],
    gravity: Triple,
    motors: Sequence[Constant | None],
) -> dict[str, Constant]:
    """Collect the constants that are not zero, in the order of the bodies."""
    found: dict[str, Constant] = {}
    for number in sorted(of_bodies):
        own = of_bodies[number]
        for constant in (own.mass, *own.origin, *own.com, *own.inertia.values()):
            if constant is not None:
                found.setdefault(constant.name, constant)
    for constant in (*motors, *gravity):
        if constant is not None:
            found[constant.name] = constant
    return found


def _symbols(
    ring: TrigRing,
    energies: Energies,
    constants: dict[str, Constant],
    coordinates: Sequence[tuple[str, str, str]],
) -> tuple[dict[int, Any], tuple[Parameter, ...]]:
    """Return a symbol for each generator, and the constants that appear."""
    start = 2 * len(ring.angles)
    symbols: dict[int, Any] = {
        start + kind * ring.n + index: Symbol(names[kind])
        for index, names in enumerate(coordinates)
        for kind in range(3)
    }
    used = {
        place
        for polynomial in (energies.kinetic, energies.potential)
        for monomial in polynomial
        for place in range(ring.first_constant, len(monomial))
        if monomial[place]
    }
    places = {ring.first_constant + index: name for index, name in enumerate(ring.constants)}
    appearing = [name for place, name in places.items() if place in used]
    taken = {name for names in coordinates for name in names}
    parameters = []
    for place, name in places.items():
        short = _short_inertia(name, appearing)
        if short in taken and place in used:
            raise ParameterError(
                f"'{short}' is the name of a constant",
                where='names',
                expected='other names for the joints',
            )
        symbols[place] = Symbol(short)
        if place in used:
            constant = constants[name]
            parameters.append(
                Parameter(
                    symbols[place], exact.to_float(constant.value), constant.unit, constant.meaning
                )
            )
    return symbols, tuple(parameters)


def _short_inertia(name: str, appearing: Sequence[str]) -> str:
    """Drop the letters of an inertia that is the only one of its body, J1yy to J1."""
    stem, letters = name[:-2], name[-2:]
    if not name.startswith('J') or letters not in ('xx', 'yy', 'zz'):
        return name
    return stem if sum(other[:-2] == stem for other in appearing) == 1 else name


def _groups(bodies: Sequence[Body], ring: TrigRing) -> list[list[int]]:
    """Return the angles of parallel joints; a shared angle is named once."""
    groups = []
    for members in parallel_joints(bodies):
        angles = dict.fromkeys(ring.angles.index(turning_angle(body, bodies)) for body in members)
        if len(angles) > 1:
            groups.append(list(angles))
    return groups


def _written(
    model: RobotModel,
    ring: TrigRing,
    energies: Energies,
    equations: Equations,
    tidy: Tidy,
    symbols: dict[int, Any],
    parameters: tuple[Parameter, ...],
    progress: Progress | None,
) -> Derivation:
    """Turn the polynomials into expressions."""
    n = ring.n
    # all matrices; an effort has n + 2 parts at most, K has one for each pair of velocities
    total = 2 * n * n + 2 * n + n * (n + 2) + n * (n + 1) // 2 + 1
    done = 0

    def expression(polynomial: Any) -> Any:
        nonlocal done
        if progress is not None:
            progress('writing the entries', done, total)
        done += 1
        return tidy.expression(polynomial)

    def matrix(rows: Iterable[Iterable[Any]]) -> Any:
        return ImmutableDenseMatrix([[expression(entry) for entry in row] for row in rows])

    start = 2 * len(ring.angles)
    q, qd, qdd = (
        tuple(symbols[start + kind * n + index] for index in range(n)) for kind in range(3)
    )
    mass, coriolis = matrix(equations.M), matrix(equations.C)
    velocity, gravity = (
        matrix([entry] for entry in column) for column in (equations.V, equations.G)
    )
    effort = ImmutableDenseMatrix([[_effort(row, ring, expression, qdd)] for row in equations.tau])
    return Derivation(
        name=model.name,
        joint_names=model.joint_names,
        q=q,
        qd=qd,
        qdd=qdd,
        M=mass,
        C=coriolis,
        V=velocity,
        G=gravity,
        tau=effort,
        K=_kinetic(energies, ring, expression, qd),
        U=expression(energies.potential),
        parameters=parameters,
    )


def _split(polynomial: Any, places: Sequence[int]) -> dict[tuple[int, ...], Any]:
    """Split a polynomial by its powers of some generators, and divide by these."""
    parts: dict[tuple[int, ...], dict[Any, Any]] = {}
    for monomial, value in polynomial.items():
        powers = tuple(monomial[place] for place in places)
        rest = list(monomial)
        for place in places:
            rest[place] = 0
        parts.setdefault(powers, {})[tuple(rest)] = value
    return {powers: polynomial.ring.from_dict(part) for powers, part in parts.items()}


def _effort(polynomial: Any, ring: TrigRing, expression: Any, qdd: Sequence[Any]) -> Any:
    """Write an effort as inertia times acceleration, velocity terms and gravity."""
    start = ring.first_constant - ring.n
    total: Any = 0
    for powers, part in _split(polynomial, range(start, start + ring.n)).items():
        if any(powers):
            total += expression(part) * qdd[powers.index(1)]
            continue
        velocities = range(start - ring.n, start)
        still = {
            key: value
            for key, value in part.items()
            if not any(key[place] for place in velocities)
        }
        gravity = part.ring.from_dict(still)
        total += expression(part - gravity) + expression(gravity)
    return total


def _kinetic(energies: Energies, ring: TrigRing, expression: Any, qd: Sequence[Any]) -> Any:
    """Write the kinetic energy as a sum over pairs of velocities."""
    start = ring.first_constant - 2 * ring.n
    total: Any = 0
    for powers, part in _split(energies.kinetic, range(start, start + ring.n)).items():
        factor: Any = 1
        for symbol, power in zip(qd, powers):
            factor *= symbol**power
        total += expression(part) * factor
    return total
