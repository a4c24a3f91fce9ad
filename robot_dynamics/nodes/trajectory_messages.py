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

"""JointTrajectory messages to trajectories of the commanded joints, by name and in time."""

from __future__ import annotations

import struct
from typing import Any, Callable, NamedTuple, Sequence

import numpy as np
from numpy.typing import NDArray
from rclpy.serialization import deserialize_message
from robot_dynamics.control import ReferencePoint, Trajectory
from robot_dynamics.errors import TrajectoryError
from robot_dynamics.nodes.joint_names import closest, describe_missing, doubled
from robot_dynamics.nodes.messages import stamp_of
from trajectory_msgs.msg import JointTrajectory

Array = NDArray[np.float64]

FAR_OFF = 300.0  # [s] a stamp further from now than that comes from another clock

_CLOCK_HINT = (
    'the clocks differ by minutes: check use_sim_time of sender and node, or the '
    'clock synchronisation of their machines'
)


class TrajectoryRequest(NamedTuple):
    """
    What a JointTrajectory message asks for; with both of the first two None: stop and hold.

    Attributes
    ----------
    trajectory
        A trajectory of the commanded joints.
    setpoint
        A streamed set-point (one point with time 0) of the commanded joints.
    delay
        Seconds from now to the start of the trajectory; negative when it is partly past.
    effort_ignored
        Whether the points carried efforts, which are not used.

    """

    trajectory: Trajectory | None
    setpoint: ReferencePoint | None
    delay: float
    effort_ignored: bool


def count_points(serialized: bytes) -> int | None:
    """
    Return the number of points in a serialized JointTrajectory without converting any.

    The encoding is CDR: 4 bytes that tell the byte order, then header, names and the length of
    the list of points, integers aligned to 4 bytes. None when the bytes end too early.
    """
    order = '<' if serialized[1:2] == b'\x01' else '>'
    offset = 4 + 8  # after the encapsulation and the stamp
    try:
        length, offset = _read_length(serialized, offset, order)
        names, offset = _read_length(serialized, offset + length, order)  # after frame_id
        for _ in range(names):
            length, offset = _read_length(serialized, offset, order)
            offset += length
        return _read_length(serialized, offset, order)[0]
    except struct.error:
        return None


def _read_length(serialized: bytes, offset: int, order: str) -> tuple[int, int]:
    """Return the length that stands at the next multiple of 4, and where its content begins."""
    aligned = -(-offset // 4) * 4
    (length,) = struct.unpack_from(order + 'I', serialized, aligned)
    return int(length), aligned + 4


class TrajectoryReader:
    """
    Turns JointTrajectory messages into requests for the controller.

    Parameters
    ----------
    joint_names
        The commanded joints, in the order of the arrays.
    prefix
        What stands before each of these names on topics.
    max_points
        Longest trajectory accepted; longer ones are refused before they are converted.
    setpoint_timeout
        How far the stamp of a streamed set-point may be from now, in seconds.

    """

    def __init__(
        self,
        joint_names: Sequence[str],
        *,
        prefix: str = '',
        max_points: int = 10_000,
        setpoint_timeout: float = 0.1,
    ) -> None:
        self._joint_names = tuple(joint_names)
        self._wanted = tuple(prefix + name for name in joint_names)
        self._max_points = max_points
        self._setpoint_timeout = setpoint_timeout

    def decode(self, serialized: bytes) -> JointTrajectory:
        """
        Return the message of these bytes; too many points cost nothing.

        Raises
        ------
        TrajectoryError
            There are too many points, or the bytes are no such message.

        """
        points = count_points(serialized)
        if points is not None:
            self._check_count(points)
        try:
            return deserialize_message(serialized, JointTrajectory)
        except RuntimeError as error:
            raise TrajectoryError(
                f'{len(serialized)} bytes that are no JointTrajectory',
                where='joint_trajectory',
                remedy='check that sender and node use the same message definitions',
            ) from error

    def order(self, names: Sequence[str]) -> list[int]:
        """Return which commanded joint each joint name of a valid message is."""
        return [self._wanted.index(name) for name in names]

    def read(self, message: JointTrajectory, now: float) -> TrajectoryRequest:
        """
        Return what `message` asks for.

        Parameters
        ----------
        message
            Positions in rad or m; its stamp 0 means now.
        now
            ROS time in seconds, the clock of the stamps.

        Raises
        ------
        TrajectoryError
            The message cannot be followed as a whole; point, joint and field are named.

        """
        self._check_count(len(message.points))
        if not message.points:
            return TrajectoryRequest(None, None, 0.0, False)
        index = self._match(message.joint_names)
        points = message.points
        times = np.array(
            [p.time_from_start.sec + 1e-9 * p.time_from_start.nanosec for p in points]
        )
        count = len(message.joint_names)
        positions = self._field(points, count, 'positions', lambda p: p.positions)
        velocities = self._field(points, count, 'velocities', lambda p: p.velocities)
        accelerations = self._field(points, count, 'accelerations', lambda p: p.accelerations)
        efforts = self._field(points, count, 'effort', lambda p: p.effort)
        if positions is None:
            raise TrajectoryError(
                'no positions', where='joint_trajectory, point 0', expected=f'{count} positions'
            )
        q = positions[:, index]
        v = None if velocities is None else velocities[:, index]
        a = None if accelerations is None else accelerations[:, index]
        ignored = efforts is not None and bool(efforts.any())
        stamp = stamp_of(message)
        delay = stamp - now if stamp else 0.0
        if len(points) == 1 and times[0] == 0.0:
            self._check_setpoint(q, v, a, delay, stamp, now)
            zero = np.zeros(len(index))
            setpoint = ReferencePoint(
                q[0], zero if v is None else v[0], zero if a is None else a[0]
            )
            return TrajectoryRequest(None, setpoint, 0.0, ignored)
        trajectory = Trajectory(times, q, v, a, joint_names=self._joint_names)
        self._check_stamp(delay, trajectory.duration, stamp, now)
        return TrajectoryRequest(trajectory, None, delay, ignored)

    def _check_count(self, points: int) -> None:
        if points > self._max_points:
            raise TrajectoryError(
                f'{points} points',
                where='joint_trajectory',
                expected=f'at most {self._max_points} (max_trajectory_points)',
                remedy='send fewer points; they are joined by splines',
            )

    def _match(self, names: Sequence[str]) -> NDArray[np.intp]:
        """Return for each commanded joint where it stands in the message."""
        where = 'joint_trajectory, joint_names'
        expected = 'each of ' + ', '.join(self._wanted) + ' once'
        if not names:
            raise TrajectoryError('is empty', where=where, expected=expected)
        twice = doubled(names)
        if twice:
            raise TrajectoryError(
                f"joint '{twice[0]}' more than once", where=where, expected=expected
            )
        unknown = [name for name in names if name not in self._wanted]
        if unknown:
            match = closest(unknown[0], self._wanted)
            hint = f" (closest match '{match}')" if match else ''
            raise TrajectoryError(
                f"unknown joint '{unknown[0]}'{hint}", where=where, expected=expected
            )
        missing = [name for name in self._wanted if name not in names]
        if missing:
            raise TrajectoryError(describe_missing(missing, names), where=where, expected=expected)
        return np.array([list(names).index(name) for name in self._wanted])

    def _field(
        self, points: Sequence[Any], count: int, field: str, get: Callable[[Any], Any]
    ) -> Array | None:
        """Return one field of all points (k, count), or None when no point has it."""
        rows = [get(point) for point in points]
        filled = len(rows[0]) > 0
        for number, row in enumerate(rows):
            if len(row) != (count if filled else 0):
                wanted = (
                    f'{count} {field}, one for each joint name'
                    if filled or len(row) != count
                    else f'{field} in every point or in none'
                )
                raise TrajectoryError(
                    f'{len(row)} {field}',
                    where=f'joint_trajectory, point {number}',
                    expected=wanted,
                )
        return np.array(rows) if filled else None

    def _check_stamp(self, delay: float, duration: float, stamp: float, now: float) -> None:
        hint = _CLOCK_HINT if abs(delay) > FAR_OFF else ''
        where = 'joint_trajectory, header.stamp'
        times = f'starts at {stamp:.3f} s, ends at {stamp + duration:.3f} s, now is {now:.3f} s'
        if delay + duration < 0.0:
            raise TrajectoryError(
                f'wholly past: {times}',
                where=where,
                expected='an end after now, or stamp 0 for a start now',
                remedy=hint,
            )
        if delay > FAR_OFF:
            raise TrajectoryError(
                f'too far in the future: {times}',
                where=where,
                expected=f'a start within {FAR_OFF:.0f} s',
                remedy=hint,
            )

    def _check_setpoint(
        self, q: Array, v: Array | None, a: Array | None, delay: float, stamp: float, now: float
    ) -> None:
        for field, values in (('position', q), ('velocity', v), ('acceleration', a)):
            if values is not None and not np.isfinite(values).all():
                joint = int(np.flatnonzero(~np.isfinite(values[0]))[0])
                raise TrajectoryError(
                    f"{field} of joint '{self._wanted[joint]}' is {values[0, joint]}",
                    where='joint_trajectory, point 0',
                    expected='a finite number',
                )
        if abs(delay) > self._setpoint_timeout:
            raise TrajectoryError(
                f'set-point for {stamp:.3f} s, now is {now:.3f} s',
                where='joint_trajectory, header.stamp',
                expected=f'within setpoint_timeout = {self._setpoint_timeout:g} s, or stamp 0',
                remedy=_CLOCK_HINT if abs(delay) > FAR_OFF else '',
            )
