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

"""References that are given by a formula."""

from __future__ import annotations

from collections.abc import Sequence
import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from robot_dynamics.control.piece import Piece
from robot_dynamics.control.reference_point import Reference, ReferencePoint
from robot_dynamics.control.trajectory import Trajectory
from robot_dynamics.errors import TrajectoryError

Array = NDArray[np.float64]

__all__ = ['HoldReference', 'Reference', 'rest_to_rest', 'SineReference', 'StreamedPoint']


class HoldReference:
    """
    One position, at rest, for ever.

    Parameters
    ----------
    q : array_like, shape (n,)
        Position [rad or m].

    """

    duration = 0.0

    def __init__(self, q: ArrayLike) -> None:
        """Copy the position."""
        self._point = ReferencePoint.at_rest(np.asarray(q, dtype=np.float64))

    def sample(self, t: float) -> ReferencePoint:
        """Return the same point at any time ``t``."""
        return self._point

    def piece(self, t: float) -> Piece:
        """Return the same point for ever."""
        return Piece.rest(self._point, -math.inf, math.inf)


class StreamedPoint:
    """
    The motion that a set-point with velocity and acceleration stands for.

    Parameters
    ----------
    point : ReferencePoint
        The set-point, at time 0.
    duration : float
        How long it may be followed [s]; the one who follows it holds afterwards.

    """

    def __init__(self, point: ReferencePoint, duration: float) -> None:
        """Keep the point."""
        self.duration = duration
        self._point = point

    def sample(self, t: float) -> ReferencePoint:
        """Return q + v t + a t^2 / 2 and its derivatives at time ``t`` [s]."""
        q, v, a = self._point
        return ReferencePoint(q + t * (v + 0.5 * t * a), v + t * a, a)


class SineReference:
    """
    The reference ``center + amplitude * sin(angular_frequency * t + phase)`` of each joint.

    Parameters
    ----------
    center, amplitude : array_like, shape (n,)
        [rad or m].
    angular_frequency : array_like, scalar or shape (n,)
        [rad/s].
    phase : array_like, scalar or shape (n,)
        [rad]; pi / 2 gives a cosine.
    duration : float
        Afterwards the last position is held [s].

    Raises
    ------
    TrajectoryError
        When sizes do not fit or a value is not finite.

    """

    def __init__(
        self,
        center: ArrayLike,
        amplitude: ArrayLike,
        angular_frequency: ArrayLike,
        phase: ArrayLike = 0.0,
        *,
        duration: float = math.inf,
    ) -> None:
        """Copy the values."""
        try:
            values = np.broadcast_arrays(
                *(
                    np.array(x, dtype=np.float64)
                    for x in (center, amplitude, angular_frequency, phase)
                )
            )
        except (TypeError, ValueError) as error:
            raise TrajectoryError(
                'sizes differ', where='sine reference', expected='one number for each joint'
            ) from error
        if values[0].ndim != 1 or not all(np.isfinite(x).all() for x in values):
            raise TrajectoryError(
                f'is {[x.tolist() for x in values]}',
                where='sine reference',
                expected='one finite number for each joint',
            )
        if not duration >= 0.0:
            raise TrajectoryError(
                f'is {duration} s', where='sine reference, duration', expected='0 s or more'
            )
        self.duration = duration
        self._center, self._amplitude, self._omega, self._phase = values

    def sample(self, t: float) -> ReferencePoint:
        """Return the point at time ``t`` [s], at rest outside [0, duration)."""
        inside = min(max(t, 0.0), self.duration)
        angle = self._omega * inside + self._phase
        swing = self._amplitude * np.sin(angle)
        if inside != t or t == self.duration:
            return ReferencePoint.at_rest(self._center + swing)
        v = self._amplitude * self._omega * np.cos(angle)
        return ReferencePoint(self._center + swing, v, -(self._omega**2) * swing)


def rest_to_rest(
    q0: ArrayLike, q1: ArrayLike, duration: float, *, joint_names: Sequence[str] | None = None
) -> Trajectory:
    """
    Return the quintic motion from rest at ``q0`` to rest at ``q1`` (n,) [rad or m].

    Parameters
    ----------
    q0, q1 : array_like, shape (n,)
        Start and goal.
    duration : float
        Positive [s].
    joint_names : sequence of str, optional
        n names; joint1 to jointn unless given.

    Raises
    ------
    TrajectoryError
        When sizes do not fit, a value is not finite or the duration is not positive.

    """
    positions = np.array([np.atleast_1d(q0), np.atleast_1d(q1)], dtype=np.float64)
    names = joint_names or [f'joint{i + 1}' for i in range(positions.shape[1])]
    rest = np.zeros_like(positions)
    return Trajectory([0.0, duration], positions, rest, rest, joint_names=names)
