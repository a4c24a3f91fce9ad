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

"""Trajectory: points in time that become continuous position, velocity and acceleration."""

from __future__ import annotations

from collections.abc import Sequence
import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from robot_dynamics.control.angles import nearest_turn
from robot_dynamics.control.blending import blended
from robot_dynamics.control.interpolation import (
    cubic_coefficients,
    PiecewisePolynomial,
    quintic_coefficients,
    spline_velocities,
)
from robot_dynamics.control.piece import Piece
from robot_dynamics.control.reference_point import Reference, ReferencePoint
from robot_dynamics.control.trajectory_checks import (
    check_field,
    check_joint_names,
    check_rest,
    check_times,
    column_order,
    place,
)
from robot_dynamics.control.trajectory_limits import find_excess
from robot_dynamics.errors import TrajectoryError

Array = NDArray[np.float64]

__all__ = ['Reference', 'ReferencePoint', 'Trajectory']


class Trajectory:
    """
    A reference through points, immutable.

    What is given at the points decides how they are joined: positions only, by a cubic spline
    with continuous acceleration, at rest at both ends; with velocities, by cubic Hermite
    polynomials (continuous velocity); with accelerations too, by quintic ones (continuous
    acceleration). Before the first point it holds the first position, after the last the last.

    Parameters
    ----------
    times : array_like, shape (k,)
        Strictly rising, 0 or more [s].
    positions : array_like, shape (k, n)
        [rad or m].
    velocities : array_like, shape (k, n), optional
        [rad/s or m/s]; the last must be zero.
    accelerations : array_like, shape (k, n), optional
        [rad/s^2 or m/s^2]; only with velocities.
    joint_names : sequence of str
        n names, in the order of the columns.
    start_velocity : array_like, shape (n,), optional
        Velocity at the first point of a spline through positions only; zero unless given.

    Raises
    ------
    TrajectoryError
        When a rule is broken, naming point, joint and field.

    """

    def __init__(
        self,
        times: ArrayLike,
        positions: ArrayLike,
        velocities: ArrayLike | None = None,
        accelerations: ArrayLike | None = None,
        *,
        joint_names: Sequence[str],
        start_velocity: ArrayLike | None = None,
    ) -> None:
        """Check everything, then compute the polynomials."""
        self.joint_names = check_joint_names(joint_names)
        self.times = check_times(times)
        self.positions = self._field('positions', positions)
        self.velocities = None if velocities is None else self._field('velocities', velocities)
        self.accelerations = (
            None if accelerations is None else self._field('accelerations', accelerations)
        )
        if self.velocities is not None:
            check_rest(self.velocities, self.joint_names)
        elif accelerations is not None:
            raise TrajectoryError(
                'accelerations without velocities',
                where='trajectory',
                expected='velocities as well',
            )
        n = len(self.joint_names)
        rest = (
            np.zeros((1, n))
            if start_velocity is None
            else np.atleast_2d(np.asarray(start_velocity, dtype=np.float64))
        )
        self._start_velocity = check_field('start_velocity', rest, 1, self.joint_names)[0]
        self._first = ReferencePoint.at_rest(self.positions[0])
        self._last = ReferencePoint.at_rest(self.positions[-1])
        self._begin, self._end = float(self.times[0]), float(self.times[-1])
        self._curve = self._make_curve() if self.times.size > 1 else None

    def _field(self, field: str, values: ArrayLike) -> Array:
        return check_field(field, values, self.times.size, self.joint_names)

    def _make_curve(self) -> PiecewisePolynomial:
        times, q, v, a = self.times, self.positions, self.velocities, self.accelerations
        if v is None:
            v = spline_velocities(times, q, self._start_velocity, np.zeros(q.shape[1]))
        curve = PiecewisePolynomial(
            times,
            cubic_coefficients(times, q, v) if a is None else quintic_coefficients(times, q, v, a),
        )
        if not curve.is_finite:
            raise TrajectoryError(
                'is not finite between its points',
                where='trajectory',
                expected='values of a physical size, times not too close',
            )
        return curve

    @property
    def duration(self) -> float:
        """Time of the last point [s]."""
        return self._end

    @property
    def is_setpoint(self) -> bool:
        """Whether it is one point with time 0, an order for now."""
        return self._end == 0.0

    def sample(self, t: float) -> ReferencePoint:
        """
        Return the point ``t`` seconds after the start, at rest before and after the points.

        Parameters
        ----------
        t : float
            Finite time [s], may be negative.

        """
        if t >= self._end or self._curve is None:
            return self._last
        if t < self._begin:
            return self._first
        return self._curve.sample(t)

    def piece(self, t: float) -> Piece:
        """Return the polynomials that hold at time ``t`` [s], at rest before and after."""
        if t >= self._end or self._curve is None:
            return Piece.rest(self._last, self._end if t >= self._end else -math.inf, math.inf)
        if t < self._begin:
            return Piece.rest(self._first, -math.inf, self._begin)
        return self._curve.piece(t)

    def sample_points(self) -> ReferencePoint:
        """Return what ``sample`` gives at all of ``times`` at once, (k, n) each."""
        if self._curve is None:
            rest = np.zeros_like(self.positions)
            return ReferencePoint(self.positions, rest, rest)
        q, v, a = (
            np.vstack([inner, end]) for inner, end in zip(self._curve.beginnings, self._last)
        )
        return ReferencePoint(q, v, a)

    def starting_from(
        self,
        point: ReferencePoint,
        *,
        at: float = 0.0,
        blend_time: float = 0.2,
        continuous: NDArray[np.bool_] | None = None,
    ) -> Reference:
        """
        Return this trajectory without a step from what is commanded at time ``at``.

        When the first point is still to come, ``point`` becomes a point before it, at ``at``: the
        way there has the same kind of polynomial, so position and velocity are continuous (and
        the acceleration with quintic ones). When it is not, the difference is taken to zero by a
        quintic within ``blend_time``. The acceleration is blended only from a moving ``point``: a
        motion that starts from rest starts with the acceleration that it asks for.

        Parameters
        ----------
        point : ReferencePoint
            What is commanded at ``at``.
        at : float
            Time since the start of this trajectory [s].
        blend_time : float
            Duration of the blend [s], positive.
        continuous : numpy.ndarray of bool, shape (n,), optional
            Joints without ends; their difference is taken the short way round.

        Returns
        -------
        Reference
            With the time of this trajectory; a Trajectory when a point has been added.

        """
        if at < self._begin:
            return self.with_start(point, at=at, continuous=continuous)
        return blended(self, point, at=at, duration=blend_time, continuous=continuous)

    def with_start(
        self,
        point: ReferencePoint,
        *,
        at: float = 0.0,
        continuous: NDArray[np.bool_] | None = None,
    ) -> Trajectory:
        """
        Return this trajectory with ``point`` put before its first point.

        Parameters
        ----------
        point : ReferencePoint
            The new first point.
        at : float
            Its time, before that of the present first point; a negative one counts as 0 [s].
        continuous : numpy.ndarray of bool, shape (n,), optional
            Joints without ends, whose new point is turned to the nearest equal angle.

        Raises
        ------
        TrajectoryError
            When ``at`` is too late.

        """
        q, v, a = self.positions, self.velocities, self.accelerations
        return Trajectory(
            np.append(max(at, 0.0), self.times),
            np.vstack([nearest_turn(point.q, q[0], continuous), q]),
            None if v is None else np.vstack([point.v, v]),
            None if a is None else np.vstack([point.a, a]),
            joint_names=self.joint_names,
            start_velocity=point.v,
        )

    def reordered(self, joint_names: Sequence[str]) -> Trajectory:
        """
        Return the same trajectory with its columns in the order of ``joint_names``.

        Raises
        ------
        TrajectoryError
            When a joint is unknown, missing or doubled.

        """
        order = column_order(self.joint_names, joint_names)
        v, a = self.velocities, self.accelerations
        return Trajectory(
            self.times,
            self.positions[:, order],
            None if v is None else v[:, order],
            None if a is None else a[:, order],
            joint_names=joint_names,
            start_velocity=self._start_velocity[order],
        )

    def check_limits(
        self,
        *,
        lower: Array | None = None,
        upper: Array | None = None,
        velocity: Array | None = None,
    ) -> None:
        """
        Require that the whole curve stays within limits, between the points too.

        Parameters
        ----------
        lower, upper : numpy.ndarray, shape (n,), optional
            Of position [rad or m], infinite for none.
        velocity : numpy.ndarray, shape (n,), optional
            Largest magnitude [rad/s or m/s].

        Raises
        ------
        TrajectoryError
            Naming point, joint and value.

        """
        n = len(self.joint_names)
        infinite = np.full(n, np.inf)
        low = -infinite if lower is None else lower
        high = infinite if upper is None else upper
        speed = infinite if velocity is None else velocity
        self._check_range('positions', self.positions[:, None], low, high, points=True)
        if self.velocities is not None:
            self._check_range('velocities', self.velocities[:, None], -speed, speed, points=True)
        if self._curve is not None:
            self._check_range('positions', self._curve.coefficients, low, high, points=False)
            self._check_range(
                'velocities', self._curve.velocity_coefficients, -speed, speed, points=False
            )

    def _check_range(
        self, field: str, coefficients: Array, lower: Array, upper: Array, *, points: bool
    ) -> None:
        excess = find_excess(coefficients, lower, upper)
        if excess is None:
            return
        i, joint, value = excess
        where = place(i, self.joint_names[joint], field)
        if not points:
            where = f"between points {i} and {i + 1}, joint '{self.joint_names[joint]}', {field}"
        raise TrajectoryError(
            f'is {value:.9g}' if points else f'reach {value:.9g}',
            where=where,
            expected=f'within [{lower[joint]:g}, {upper[joint]:g}]',
        )
