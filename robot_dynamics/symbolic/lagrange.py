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
Lagrange's way: kinetic and potential energy, then d/dt dL/dqd - dL/dq = tau.

The energies follow from velocities in each body's own frame (Spong, Hutchinson, Vidyasagar,
Robot Modeling and Control, ch. 7); C has the Christoffel symbols of the first kind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from robot_dynamics.symbolic import exact
from robot_dynamics.symbolic.mechanism import Body
from robot_dynamics.symbolic.naming import BodyConstants, Constant, Triple
from robot_dynamics.symbolic.trig_ring import Angle, Polynomial, TrigRing

Progress = Callable[[str, int, int], None]
Triad = tuple[Polynomial, Polynomial, Polynomial]
Rows = list[list[Polynomial]]


@dataclass(frozen=True)
class Energies:
    """Kinetic energy K(q, qd) and potential energy U(q) [J] as polynomials."""

    kinetic: Polynomial
    potential: Polynomial


@dataclass(frozen=True)
class Equations:
    """The terms of the equations of motion as polynomials, by rows."""

    M: Rows
    C: Rows
    V: list[Polynomial]
    G: list[Polynomial]
    tau: list[Polynomial]


def angles_of(bodies: Sequence[Body]) -> list[Angle]:
    """
    Return the angles whose cosine and sine appear.

    One for each turning coordinate; a follower needs its own only when it turns
    at another rate than its master, or its master shifts.
    """
    return list(
        dict.fromkeys(turning_angle(body, bodies) for body in bodies if not body.is_prismatic)
    )


def turning_angle(body: Body, bodies: Sequence[Body]) -> Angle:
    turning = {
        other.coordinate
        for other in bodies
        if other.joint.mimic is None and not other.is_prismatic
    }
    if body.coordinate in turning and abs(body.multiplier) == 1.0:
        return Angle(body.coordinate)
    return Angle(body.coordinate, body.multiplier, body.offset)


class LagrangeDerivation:
    """
    The derivation for one robot.

    Parameters
    ----------
    ring : TrigRing
        Made for the angles of the bodies and the names of the constants.
    bodies : sequence of Body
        Parents before children.
    constants : dict of int to BodyConstants
        By number of body.
    gravity : tuple of Constant or None
        In the root frame [m/s^2].
    motors : sequence of Constant or None
        Rotor inertia of each coordinate.
    progress : callable, optional
        Called with what is being done, how much is done, and of how much.

    """

    def __init__(
        self,
        ring: TrigRing,
        bodies: Sequence[Body],
        constants: dict[int, BodyConstants],
        gravity: Triple,
        motors: Sequence[Constant | None],
        progress: Progress | None = None,
    ) -> None:
        """Keep what the derivation needs."""
        self.ring = ring
        self.bodies, self._constants = tuple(bodies), constants
        self._gravity, self._motors = gravity, tuple(motors)
        self._progress = progress or (lambda what, done, total: None)

    # --------------------------------------------------------------- energies

    def energies(self) -> Energies:
        """Return the energies of all bodies and rotors."""
        ring = self.ring
        zero = ring.ring.zero
        none: Triad = (zero, zero, zero)
        half = ring.lift(exact.number(0.5))
        kinetic = potential = zero
        for qd, motor in zip(ring.qd, self._motors):
            kinetic += half * self._value(motor) * qd**2
        # velocities of a body's origin and its turning, gravity, and gravity times the
        # origin's place, all in the body's own axes
        state = {0: (none, none, self._triad(self._gravity), zero)}
        for done, body in enumerate(self.bodies):
            self._progress(f"energy of '{body.joint.child}'", done, len(self.bodies))
            linear, angular, gravity, place = self._moved(body, *state[body.parent])
            state[body.number] = (linear, angular, gravity, place)
            own = self._constants[body.number]
            com, mass = self._triad(own.com), self._value(own.mass)
            of_com = self._sum(linear, self._cross(angular, com))
            speed = sum((ring.product(part, part) for part in of_com), zero)
            kinetic += half * (mass * speed + self._spin(own, angular))
            potential -= mass * (place + self._dot(gravity, com))
        return Energies(ring.normal(kinetic), ring.normal(potential))

    def _moved(
        self, body: Body, linear: Triad, angular: Triad, gravity: Triad, place: Polynomial
    ) -> tuple[Triad, Triad, Triad, Polynomial]:
        """Carry velocities and gravity from a body to the next one."""
        ring = self.ring
        origin = self._triad(self._constants[body.number].origin)
        linear = self._sum(linear, self._cross(angular, origin))
        place = place + self._dot(gravity, origin)
        rotation = [[ring.lift(value) for value in row] for row in body.rotation]
        axis = self._lifted(exact.unit_vector(body.joint.axis))
        rate = ring.lift(exact.number(body.multiplier)) * ring.qd[body.coordinate]
        linear, angular, gravity = (
            self._turned(rotation, vector) for vector in (linear, angular, gravity)
        )
        if body.is_prismatic:
            position = ring.lift(exact.number(body.multiplier)) * ring.q[body.coordinate]
            position += ring.lift(exact.number(body.offset))
            shift = self._times(axis, position)
            linear = self._sum(linear, self._cross(angular, shift), self._times(axis, rate))
            return linear, angular, gravity, place + self._dot(gravity, shift)
        turn = self._turn(body, axis)
        linear, angular, gravity = (
            self._turned(turn, vector) for vector in (linear, angular, gravity)
        )
        return linear, self._sum(angular, self._times(axis, rate)), gravity, place

    def _turn(self, body: Body, axis: Triad) -> Rows:
        """Return the rotation of a joint, 1 + sin X + (1 - cos) X^2 (Rodrigues)."""
        ring, one, zero = self.ring, self.ring.ring.one, self.ring.ring.zero
        angle = turning_angle(body, self.bodies)
        index = ring.angles.index(angle)
        cosine, sine = ring.cosine[index], ring.sine[index]
        if angle == Angle(body.coordinate):
            # the follower turns with its master, or against it, from another zero
            along, across = (ring.lift(value) for value in exact.cos_sin(body.offset))
            sine = sine * ring.lift(exact.number(body.multiplier))
            cosine, sine = cosine * along - sine * across, sine * along + cosine * across
        x, y, z = axis
        cross = [[zero, -z, y], [z, zero, -x], [-y, x, zero]]
        return [
            [
                (one if i == j else zero)
                + sine * cross[i][j]
                + (one - cosine) * sum((cross[i][k] * cross[k][j] for k in range(3)), zero)
                for j in range(3)
            ]
            for i in range(3)
        ]

    def _spin(self, own: BodyConstants, angular: Triad) -> Polynomial:
        """Return twice the energy of turning about the centre of mass."""
        total = self.ring.ring.zero
        for (row, column), constant in own.inertia.items():
            twice = 1 if row == column else 2
            total += (
                twice * self._value(constant) * self.ring.product(angular[row], angular[column])
            )
        return total

    # --------------------------------------------------------------- equations

    def equations(self, energies: Energies) -> Equations:
        """Return the equations of motion that follow from the energies."""
        ring, n = self.ring, self.ring.n
        steps = 3 * n
        momentum = [energies.kinetic.diff(qd) for qd in ring.qd]
        mass = [[p.diff(qd) for qd in ring.qd] for p in momentum]
        # slope[k][i][j] = dM_ij / dq_k
        slope = []
        for k in range(n):
            self._progress('derivatives of the mass matrix', k, steps)
            upper = {(i, j): ring.by_q(mass[i][j], k) for i in range(n) for j in range(i, n)}
            slope.append([[upper[min(i, j), max(i, j)] for j in range(n)] for i in range(n)])
        half = ring.lift(exact.number(0.5))
        coriolis: Rows = []
        gravity, effort = [], []
        for i in range(n):
            self._progress('Christoffel symbols', n + i, steps)
            coriolis.append(
                [
                    half
                    * sum(
                        (
                            (slope[k][i][j] + slope[j][i][k] - slope[i][j][k]) * ring.qd[k]
                            for k in range(n)
                        ),
                        ring.ring.zero,
                    )
                    for j in range(n)
                ]
            )
            gravity.append(ring.by_q(energies.potential, i))
        for i in range(n):
            self._progress('Euler-Lagrange equations', 2 * n + i, steps)
            lagrangian = ring.by_q(energies.kinetic, i) - gravity[i]
            effort.append(ring.by_time(momentum[i]) - lagrangian)
        velocity = [
            sum((row[j] * ring.qd[j] for j in range(n)), ring.ring.zero) for row in coriolis
        ]
        return Equations(mass, coriolis, velocity, gravity, effort)

    # ------------------------------------------------------------ small algebra

    def _value(self, constant: Constant | None) -> Polynomial:
        """Return a constant by its name if the ring knows it, else by its value."""
        if constant is None:
            return self.ring.ring.zero
        if constant.name in self.ring.constants:
            return constant.sign * self.ring.constant(constant.name)
        return constant.sign * self.ring.lift(constant.value)

    def _triad(self, constants: Triple) -> Triad:
        x, y, z = (self._value(constant) for constant in constants)
        return x, y, z

    def _lifted(self, vector: exact.Vector) -> Triad:
        x, y, z = (self.ring.lift(value) for value in vector)
        return x, y, z

    def _sum(self, *vectors: Triad) -> Triad:
        x, y, z = (self.ring.normal(sum(parts, self.ring.ring.zero)) for parts in zip(*vectors))
        return x, y, z

    def _times(self, vector: Triad, factor: Polynomial) -> Triad:
        x, y, z = (part * factor for part in vector)
        return x, y, z

    def _dot(self, a: Triad, b: Triad) -> Polynomial:
        return sum((self.ring.product(x, y) for x, y in zip(a, b)), self.ring.ring.zero)

    def _cross(self, a: Triad, b: Triad) -> Triad:
        times = self.ring.product
        return (
            times(a[1], b[2]) - times(a[2], b[1]),
            times(a[2], b[0]) - times(a[0], b[2]),
            times(a[0], b[1]) - times(a[1], b[0]),
        )

    def _turned(self, rotation: Rows, vector: Triad) -> Triad:
        """Return the vector in the turned axes, R^T v."""
        x, y, z = (
            self.ring.normal(
                sum(
                    (self.ring.product(rotation[row][column], vector[row]) for row in range(3)),
                    self.ring.ring.zero,
                )
            )
            for column in range(3)
        )
        return x, y, z
