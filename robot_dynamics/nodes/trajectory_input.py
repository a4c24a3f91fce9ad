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

"""Trajectories and the hold service: from the executor's thread to the controller."""

from __future__ import annotations

from array import array
import time
from typing import Any, Callable

from rclpy.clock import JumpThreshold, TimeJump
from rclpy.duration import Duration
from rclpy.qos import QoSProfile
from robot_dynamics.errors import TrajectoryError
from robot_dynamics.nodes.session import Session
from robot_dynamics.nodes.trajectory_messages import TrajectoryRequest
from std_srvs.srv import Trigger
from trajectory_msgs.msg import JointTrajectory

# A jump of simulated time that is more than a slow /clock.
_JUMP = JumpThreshold(
    min_forward=Duration(seconds=5), min_backward=Duration(nanoseconds=-1), on_clock_change=False
)


class TrajectoryInput:
    """
    Receives ~/joint_trajectory and ~/hold, and holds when ROS time jumps.

    Each valid trajectory is sent back on ~/trajectory_with_effort with its efforts filled in.

    A message that cannot be followed as a whole is refused, and what is in force stays. The
    controller is handed immutable objects by its setters.

    Parameters
    ----------
    node
        The rclpy node.
    active
        Returns the session while its loop runs, else None.

    Attributes
    ----------
    refused, refusal
        How many messages were refused, and why the last one was.

    """

    def __init__(self, node: Any, active: Callable[[], Session | None]) -> None:
        self._node = node
        self._active = active
        self.refused = 0
        self.refusal = ''
        # Serialized, so that a message with far too many points is not converted at all.
        node.create_subscription(
            JointTrajectory,
            '~/joint_trajectory',
            self._on_trajectory,
            QoSProfile(depth=10),
            raw=True,
        )
        self._with_effort = node.create_publisher(
            JointTrajectory, '~/trajectory_with_effort', QoSProfile(depth=10)
        )
        node.create_service(Trigger, '~/hold', self._on_hold)
        self._jumps = node.get_clock().create_jump_callback(_JUMP, post_callback=self._on_jump)

    def _on_trajectory(self, serialized: bytes) -> None:
        try:
            session = self._active()
            if session is None:
                raise TrajectoryError(
                    'the node is not active', where='joint_trajectory', remedy='activate it first'
                )
            ros_time = 1e-9 * self._node.get_clock().now().nanoseconds
            message = session.trajectories.decode(serialized)
            request = session.trajectories.read(message, ros_time)
            self._answer(session, message, request)
            self._hand_over(session, request)
        except TrajectoryError as error:
            self.refused += 1
            self.refusal = str(error)
            self._node.get_logger().error(f'trajectory refused, what is in force stays: {error}')

    def _answer(
        self, session: Session, message: JointTrajectory, request: TrajectoryRequest
    ) -> None:
        """Send a valid trajectory back with its efforts, whether or not this node follows it."""
        if request.trajectory is None or not self._with_effort.get_subscription_count():
            return
        order = session.trajectories.order(message.joint_names)
        efforts = session.efforts(request.trajectory)[:, order]
        for point, effort in zip(message.points, efforts, strict=True):
            point.effort = array('d', effort)
        self._with_effort.publish(message)

    def _hand_over(self, session: Session, request: TrajectoryRequest) -> None:
        now = time.monotonic()
        logger = self._node.get_logger()
        if request.effort_ignored:
            logger.warning(
                'the efforts in the points of a trajectory are not used: this node computes them',
                once=True,
            )
        if request.setpoint is not None:
            session.controller.set_setpoint(request.setpoint, now)
        elif request.trajectory is not None:
            session.controller.set_trajectory(request.trajectory, now, start=now + request.delay)
        else:
            session.controller.hold(now)

    def _on_jump(self, jump: TimeJump) -> None:
        """Drop what is being followed: its stamps belong to another time."""
        if jump.delta.nanoseconds == self._node.get_clock().now().nanoseconds:
            return  # the first time that has come
        seconds = 1e-9 * jump.delta.nanoseconds
        self._node.get_logger().warning(f'ROS time jumped by {seconds:.3f} s: hold')
        session = self._active()
        if session is not None and session.follows:
            session.controller.hold(time.monotonic())

    def _on_hold(self, _request: Any, response: Any) -> Any:
        session = self._active()
        try:
            if session is None:
                raise TrajectoryError('the node is not active: nothing is commanded')
            session.controller.hold(time.monotonic())
        except TrajectoryError as error:
            response.success, response.message = False, str(error)
            return response
        response.success, response.message = True, 'comes to rest and holds'
        return response
