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

"""Which reference is in force, and how the next one takes over without a step."""

from __future__ import annotations

from dataclasses import dataclass
import math

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.control.blending import blended
from robot_dynamics.control.limits import is_finite
from robot_dynamics.control.piece import Piece, piece_of
from robot_dynamics.control.reference_point import Reference, ReferencePoint
from robot_dynamics.control.references import HoldReference, StreamedPoint
from robot_dynamics.control.trajectory import Trajectory
from robot_dynamics.errors import TrajectoryError

Array = NDArray[np.float64]

SETPOINT_PERIODS = 4.0  # blend of streamed set-points: smooth, and late by 2.3 periods at most
SHORTEST_BLEND = 1e-3  # [s]


@dataclass(frozen=True, kw_only=True, eq=False)
class Bounds:
    """
    What references must keep, for the commanded joints.

    Parameters
    ----------
    joint_names : tuple of str
        n names.
    lower, upper : numpy.ndarray, shape (n,)
        Of position [rad or m].
    velocity : numpy.ndarray, shape (n,)
        Largest velocity [rad/s or m/s].
    continuous : numpy.ndarray of bool, shape (n,)
        Joints without ends.

    """

    joint_names: tuple[str, ...]
    lower: Array
    upper: Array
    velocity: Array
    continuous: NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Transition:
    """
    How references take over.

    Parameters
    ----------
    blend_time : float
        Of a blend or a stop [s].
    blend_velocity : float
        Peak velocity of a blend where the joint has no velocity limit [rad/s or m/s].
    setpoint_timeout : float
        After that a streamed set-point is held [s].

    """

    blend_time: float
    blend_velocity: float
    setpoint_timeout: float


@dataclass(frozen=True, eq=False)
class _Request:
    """A reference that shall take over at time ``switch``; without one: come to rest."""

    reference: Reference | None
    start: float
    switch: float
    blend: float
    then_hold: HoldReference | None = None


@dataclass(frozen=True, eq=False)
class _Segment:
    """A reference in force, its time zero, and until when it counts as followed."""

    reference: Reference
    start: float
    end: float
    then_hold: HoldReference | None = None


class Follower:
    """
    Follows one reference after the other; the commanded position and velocity never step.

    ``sample`` belongs to one thread. The other methods may be called from another one: they hand
    over one immutable request, which ``sample`` takes up; a later request replaces one that has
    not been taken up yet.

    Parameters
    ----------
    q : numpy.ndarray, shape (n,)
        Position to hold at first [rad or m].
    bounds : Bounds
        Limits of references.
    transition : Transition
        How references take over; may be exchanged.

    """

    def __init__(self, q: Array, bounds: Bounds, transition: Transition) -> None:
        """Hold."""
        self.transition = transition
        self._bounds = bounds
        self._segment = _Segment(HoldReference(q), 0.0, -math.inf)
        self._request: _Request | None = None
        self._applied: _Request | None = None
        self._last_sample = -math.inf
        self._last_streamed = self._stream_began = -math.inf

    def sample(self, now: float) -> tuple[ReferencePoint, bool]:
        """Return what is commanded at ``now`` [s], and whether a motion is being followed."""
        request = self._request
        if request is not None and request is not self._applied and now >= request.switch:
            self._applied = request
            self._take_up(request)
        segment = self._segment
        if segment.then_hold is not None and now >= segment.end:
            self._enter(segment.then_hold, segment.end, segment.end, self.transition.blend_time)
            segment = self._segment
        self._last_sample = now
        return segment.reference.sample(now - segment.start), now < segment.end

    def piece(self, now: float) -> tuple[Piece, bool] | None:
        """
        Return what ``sample`` will give from now on without anything else happening.

        Returns
        -------
        tuple of Piece and bool, or None
            The polynomials, in steady time, and whether a motion is being followed; None when a
            request is waiting, or what is followed are no polynomials now.

        """
        segment = self._segment
        if self._request is not self._applied or segment.then_hold is not None:
            return None
        piece = piece_of(segment.reference, now - segment.start)
        if piece is None:
            return None
        tracking = now < segment.end
        piece = piece.later(segment.start)
        if tracking:
            return piece.cut(-math.inf, segment.end), True
        return piece.cut(segment.end, math.inf), False

    def sampled(self, now: float) -> ReferencePoint:
        """Take note that ``piece`` was followed until ``now`` [s]; return what it gave then."""
        self._last_sample = now
        return self._commanded(now)

    def follow_trajectory(
        self, trajectory: Trajectory, now: float, start: float | None = None
    ) -> None:
        """
        Follow a trajectory of the commanded joints, in any order of theirs.

        Parameters
        ----------
        trajectory : Trajectory
            A single point with time 0 is taken as a set-point.
        now : float
            Steady time [s].
        start : float, optional
            When its time zero is; in the future the present reference stays until then, in the
            past it is entered on its way. Now unless given.

        Raises
        ------
        TrajectoryError
            When joints are unknown or missing, limits are exceeded, or it is wholly past.

        """
        bounds = self._bounds
        if trajectory.joint_names != bounds.joint_names:
            trajectory = trajectory.reordered(bounds.joint_names)
        if trajectory.is_setpoint:
            self.follow_setpoint(trajectory.sample(0.0), now)
            return
        begin = now if start is None else start
        elapsed = max(0.0, now - begin)
        if not (math.isfinite(begin) and elapsed < trajectory.duration):
            raise TrajectoryError(
                f'starts at {begin:.3f} s and lasts {trajectory.duration:.3f} s, now is '
                f'{now:.3f} s',
                where='trajectory',
                expected='an end after now',
                remedy='look at the stamp and at the clock of the sender',
            )
        trajectory.check_limits(lower=bounds.lower, upper=bounds.upper, velocity=bounds.velocity)
        switch = max(begin, now)
        if elapsed < trajectory.times[0]:
            trajectory = self._with_way_to(trajectory, self._commanded(switch), elapsed)
        self._request = _Request(trajectory, begin, switch, self.transition.blend_time)

    def follow_reference(self, reference: Reference, now: float) -> None:
        """Follow any reference of the commanded joints from ``now`` [s]; not checked."""
        self._request = _Request(reference, now, now, self.transition.blend_time)

    def follow_setpoint(self, point: ReferencePoint, now: float) -> None:
        """
        Go to a streamed set-point, and on with its velocity and acceleration until the timeout.

        The beginning of a stream is approached within the blend time, what follows within four
        times the time between set-points, so that the stream becomes one smooth motion. After
        the timeout the last one is held.

        Raises
        ------
        TrajectoryError
            When it is not finite or outside the limits, naming joint and field.

        """
        self._check_setpoint(point)
        timeout, whole = self.transition.setpoint_timeout, self.transition.blend_time
        period = now - self._last_streamed
        self._last_streamed = now
        if period > timeout:
            self._stream_began = now
        approach = self._stream_began + whole - now
        blend = min(whole, max(SETPOINT_PERIODS * period, approach, SHORTEST_BLEND))
        point = ReferencePoint(*(np.array(x, dtype=np.float64) for x in point))
        hold = HoldReference(point.q)
        if point.is_at_rest:
            self._request = _Request(hold, now, now, blend)
        else:
            self._request = _Request(StreamedPoint(point, timeout), now, now, blend, hold)

    def stop(self, now: float) -> None:
        """Come to rest within the blend time and hold there."""
        self._request = _Request(None, now, now, self.transition.blend_time)

    def _with_way_to(self, trajectory: Trajectory, point: ReferencePoint, at: float) -> Trajectory:
        """Return the trajectory with ``point`` before its first one; refuse too fast a way."""
        bounds = self._bounds
        longer = trajectory.with_start(point, at=at, continuous=bounds.continuous)
        start = longer.positions[0]
        try:
            # the robot may stand outside its limits and must be able to come back
            longer.check_limits(
                lower=np.minimum(bounds.lower, start),
                upper=np.maximum(bounds.upper, start),
                velocity=np.maximum(bounds.velocity, np.abs(point.v)),
            )
        except TrajectoryError as error:
            raise TrajectoryError(
                error.what,
                where=f'with the commanded point put before it, {error.where}',
                expected=error.expected,
                remedy='give the first point more time, or begin nearer',
            ) from error
        return longer

    def _take_up(self, request: _Request) -> None:
        # a command may have been sent after the request was made: take over from the last one
        switch = max(request.switch, self._last_sample)
        if request.reference is None:
            smooth = blended(
                self._resting_place(switch, request.blend),
                self._commanded(switch),
                at=0.0,
                duration=request.blend,
            )
            self._segment = _Segment(smooth, switch, switch + smooth.duration)
        else:
            self._enter(request.reference, request.start, switch, request.blend, request.then_hold)

    def _enter(
        self,
        reference: Reference,
        start: float,
        switch: float,
        blend: float,
        then_hold: HoldReference | None = None,
    ) -> None:
        """Make ``reference`` the one in force, blended in from what is commanded at switch."""
        bounds = self._bounds
        speed = np.where(
            np.isfinite(bounds.velocity), bounds.velocity, self.transition.blend_velocity
        )
        smooth = blended(
            reference,
            self._commanded(switch),
            at=switch - start,
            duration=blend,
            continuous=bounds.continuous,
            speed=speed,
        )
        length = smooth.duration if then_hold is None else self.transition.setpoint_timeout
        self._segment = _Segment(smooth, start, start + length, then_hold)

    def _commanded(self, now: float) -> ReferencePoint:
        return self._segment.reference.sample(now - self._segment.start)

    def _resting_place(self, now: float, duration: float) -> HoldReference:
        """Return where the motion ends when its velocity falls to zero by a cubic."""
        q, v, a = self._commanded(now)
        if not (v.any() or a.any()):
            return HoldReference(q)
        end = q + v * (duration / 2.0) + a * (duration**2 / 12.0)
        lower, upper = np.minimum(self._bounds.lower, q), np.maximum(self._bounds.upper, q)
        return HoldReference(np.minimum(np.maximum(end, lower), upper))

    def _check_setpoint(self, point: ReferencePoint) -> None:
        bounds = self._bounds
        n = len(bounds.joint_names)
        for field, values in zip(('position', 'velocity', 'acceleration'), point):
            if np.shape(values) != (n,):
                raise TrajectoryError(
                    f'has shape {np.shape(values)}',
                    where=f'set-point, {field}',
                    expected=f'{n} numbers',
                )
            if not is_finite(values):
                raise TrajectoryError(
                    f'is {values.tolist()}', where=f'set-point, {field}', expected='finite numbers'
                )
        for field, values, lower, upper in (
            ('position', point.q, bounds.lower, bounds.upper),
            ('velocity', point.v, -bounds.velocity, bounds.velocity),
        ):
            outside = np.flatnonzero((values < lower) | (values > upper))
            if outside.size:
                i = int(outside[0])
                raise TrajectoryError(
                    f'is {values[i]:.9g}',
                    where=f"set-point, joint '{bounds.joint_names[i]}', {field}",
                    expected=f'within [{lower[i]:g}, {upper[i]:g}]',
                )
