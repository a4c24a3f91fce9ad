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
Inverse dynamics by the Newton-Euler recursion, written once over generic scalars.

Floats give one effort, arrays of shape (k,) a batch, traced scalars (see ``tracing``) code. What
is exactly 0 or 1 leaves no operation behind, so that a trace stays small.

Outward go the angular velocity w, its derivative, and the acceleration of each joint's origin;
inward the force and the moment about that origin, all in the frame of the body (Featherstone,
Rigid Body Dynamics Algorithms, section 5.3). The acceleration of a point p of the body is that of
its origin plus U p with U = [dw/dt] + [w][w] (Khalil and Dombre, Modeling, Identification and
Control of Robots, section 9.5).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from robot_dynamics.model.generic_vectors import (
    add,
    apply,
    cross,
    dot,
    minus,
    negative,
    plus,
    Scalar,
    scale,
    times,
    transposed,
    Triple,
    ZERO,
)
from robot_dynamics.model.tree import Branch, Tree

Function = Callable[[Scalar], Scalar]
BODY_PARAMETERS = 10


@dataclass(frozen=True)
class _Pose:
    """How the frame of a branch lies in its parent's at one position of the joint."""

    branch: Branch
    cosine: Scalar
    sine: Scalar
    origin: Triple

    def to_parent(self, x: Triple) -> Triple:
        """Return a vector of this frame in the parent's."""
        c, s = self.cosine, self.sine
        turned = minus(times(c, x[0]), times(s, x[1])), plus(times(s, x[0]), times(c, x[1])), x[2]
        return apply(self.branch.rotation, turned)

    def from_parent(self, x: Triple) -> Triple:
        """Return a vector of the parent's frame in this one."""
        c, s = self.cosine, self.sine
        x = apply(transposed(self.branch.rotation), x)
        return plus(times(c, x[0]), times(s, x[1])), minus(times(c, x[1]), times(s, x[0])), x[2]


@dataclass(frozen=True)
class _Motion:
    """How one body moves, in its own frame; gravity is an acceleration of the root upwards."""

    w: Triple
    w_rate: Triple
    acceleration: Triple
    products: Triple  # w_y w_z, w_z w_x, w_x w_y
    U: Sequence[Triple]

    @classmethod
    def of(cls, w: Triple, w_rate: Triple, acceleration: Triple) -> _Motion:
        """Complete a motion by its matrix U."""
        products = times(w[1], w[2]), times(w[2], w[0]), times(w[0], w[1])
        yz, zx, xy = products
        x, y, z = w_rate
        xx, yy, zz = (times(rate, rate) for rate in w)
        matrix = (
            (negative(plus(yy, zz)), minus(xy, z), plus(zx, y)),
            (plus(xy, z), negative(plus(xx, zz)), minus(yz, x)),
            (minus(zx, y), plus(yz, x), negative(plus(xx, yy))),
        )
        return cls(w, w_rate, acceleration, products, matrix)


def inverse_dynamics(
    tree: Tree,
    q: Sequence[Scalar],
    v: Sequence[Scalar],
    a: Sequence[Scalar],
    parameters: Sequence[Scalar],
    gravity: Triple,
    *,
    sin: Function,
    cos: Function,
) -> list[Scalar]:
    """
    Return the efforts M a + C v + G.

    Parameters
    ----------
    tree : Tree
        The robot without its masses.
    q, v, a : sequence of scalars, length nv
        Position, velocity, acceleration.
    parameters : sequence of scalars, length 11 nfull
        As ``RobotModel.dynamic_parameters``: ten of each body, then all rotor inertias.
    gravity : sequence of scalars, length 3
        In the root link's frame [m/s^2].
    sin, cos : callable
        Of a scalar.

    Returns
    -------
    list of scalars, length nv
        [N m or N].

    """
    n = len(tree.branches)
    root = _Motion.of(ZERO, ZERO, scale(-1.0, gravity))
    rates = [_joint(branch, q, v, a) for branch in tree.branches]
    poses: list[_Pose] = []
    motions: list[_Motion] = []
    for branch, (position, speed, rate) in zip(tree.branches, rates):
        parent = root if branch.parent < 0 else motions[branch.parent]
        pose = _pose(branch, position, sin, cos)
        poses.append(pose)
        motions.append(_outward(pose, parent, speed, rate))
    # NaN times a skipped zero would be lost: this takes it from any input to all efforts
    nothing = 0.0 * sum((x for vector in (q, v, a) for x in vector[1:]), q[0] + v[0] + a[0])
    efforts = [nothing] * tree.nv
    forces, moments = [ZERO] * n, [ZERO] * n
    for i in reversed(range(n)):
        branch, pose = tree.branches[i], poses[i]
        body = slice(BODY_PARAMETERS * i, BODY_PARAMETERS * (i + 1))
        force, moment = _newton_euler(branch, parameters[body], motions[i])
        force, moment = add(forces[i], force), add(moments[i], moment)
        rotor = times(parameters[BODY_PARAMETERS * n + i], rates[i][2])
        effort = plus(force[2] if branch.slides else moment[2], rotor)
        efforts[branch.coordinate] = plus(
            efforts[branch.coordinate], times(branch.multiplier, effort)
        )
        if branch.parent >= 0:
            force, moment = pose.to_parent(force), pose.to_parent(moment)
            moment = add(moment, cross(pose.origin, force))
            forces[branch.parent] = add(forces[branch.parent], force)
            moments[branch.parent] = add(moments[branch.parent], moment)
    return efforts


def _joint(
    branch: Branch, q: Sequence[Scalar], v: Sequence[Scalar], a: Sequence[Scalar]
) -> tuple[Scalar, Scalar, Scalar]:
    """Return position, velocity and acceleration of a joint, a follower's from its master's."""
    position, speed, rate = (times(branch.multiplier, x[branch.coordinate]) for x in (q, v, a))
    return plus(position, branch.offset), speed, rate


def _pose(branch: Branch, position: Scalar, sin: Function, cos: Function) -> _Pose:
    if branch.slides:
        axis = [row[2] for row in branch.rotation]
        return _Pose(branch, 1.0, 0.0, add(branch.translation, scale(position, axis)))
    return _Pose(branch, cos(position), sin(position), branch.translation)


def _outward(pose: _Pose, parent: _Motion, speed: Scalar, rate: Scalar) -> _Motion:
    """Return the motion of a body from that of its parent."""
    w, w_rate = pose.from_parent(parent.w), pose.from_parent(parent.w_rate)
    acceleration = pose.from_parent(add(parent.acceleration, apply(parent.U, pose.origin)))
    # what turns with the parent and moves along z, once for Coriolis in a slide, twice in a turn
    carried = times(speed, w[1]), negative(times(speed, w[0])), rate
    if pose.branch.slides:
        return _Motion.of(w, w_rate, add(acceleration, (*scale(2.0, carried)[:2], rate)))
    return _Motion.of((w[0], w[1], plus(w[2], speed)), add(w_rate, carried), acceleration)


def _newton_euler(
    branch: Branch, body: Sequence[Scalar], motion: _Motion
) -> tuple[Triple, Triple]:
    """Return the force and the moment about the joint's origin that move one body."""
    back = transposed(branch.turn)
    xx, xy, yy, xz, yz, zz = body[4:]
    mass, first = body[0], apply(back, body[1:4])
    inertia = [apply(back, row) for row in ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))]
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = (apply(back, row) for row in transposed(inertia))
    U = motion.U
    force = add(scale(mass, motion.acceleration), apply(U, first))
    w_yz, w_zx, w_xy = motion.products
    moment = (
        dot((xx, minus(zz, yy), yz), (motion.w_rate[0], w_yz, minus(U[1][1], U[2][2]))),
        dot((yy, minus(xx, zz), xz), (motion.w_rate[1], w_zx, minus(U[2][2], U[0][0]))),
        dot((zz, minus(yy, xx), xy), (motion.w_rate[2], w_xy, minus(U[0][0], U[1][1]))),
    )
    mixed = (
        minus(times(xz, U[1][0]), times(xy, U[2][0])),
        minus(times(xy, U[2][1]), times(yz, U[0][1])),
        minus(times(yz, U[0][2]), times(xz, U[1][2])),
    )
    return force, add(add(cross(first, motion.acceleration), moment), mixed)
