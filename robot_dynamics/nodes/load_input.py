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

"""Payload, external wrench and the direction of gravity, from topics to the controller."""

from __future__ import annotations

import math
import time
from typing import Any, Callable

from geometry_msgs.msg import InertiaStamped, WrenchStamped
import numpy as np
from numpy.typing import NDArray
from rclpy.qos import qos_profile_sensor_data, QoSProfile, ReliabilityPolicy
from robot_dynamics.errors import RobotDynamicsError
from robot_dynamics.nodes.load_messages import read_gravity, read_payload, read_wrench
from robot_dynamics.nodes.session import Session
from sensor_msgs.msg import Imu

WRENCH_QOS = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)


class LoadInput:
    """
    Receives ~/payload, ~/external_wrench and, where it is asked for, imu.

    A message that cannot be used is refused with a log entry, and what is in force stays.

    Parameters
    ----------
    node
        The rclpy node.
    session
        Returns the session, None before the configuration.

    Attributes
    ----------
    refused, refusal
        How many messages were refused, and why the last one was.

    """

    def __init__(self, node: Any, session: Callable[[], Session | None]) -> None:
        self._node = node
        self._session = session
        self.refused = 0
        self.refusal = ''
        self._imu: Any = None
        self._gravity: NDArray[np.float64] | None = None
        self._gravity_at = -math.inf
        node.create_subscription(
            InertiaStamped, '~/payload', self._guarded(self._on_payload), QoSProfile(depth=10)
        )
        node.create_subscription(
            WrenchStamped, '~/external_wrench', self._guarded(self._on_wrench), WRENCH_QOS
        )

    def watch_imu(self, wanted: bool) -> None:
        """Subscribe to imu, or no longer."""
        self._gravity = None
        if wanted and self._imu is None:
            self._imu = self._node.create_subscription(
                Imu, 'imu', self._guarded(self._on_imu), qos_profile_sensor_data
            )
        elif not wanted and self._imu is not None:
            self._node.destroy_subscription(self._imu)
            self._imu = None

    def _guarded(self, handle: Callable[[Session, Any], None]) -> Callable[[Any], None]:
        """Return a callback that refuses what the handler cannot use."""

        def callback(message: Any) -> None:
            session = self._session()
            if session is None:
                return
            try:
                handle(session, message)
            except RobotDynamicsError as error:
                self.refused += 1
                self.refusal = str(error)
                self._node.get_logger().error(
                    f'refused, what is in force stays: {error}', throttle_duration_sec=1.0
                )

        return callback

    def _on_payload(self, session: Session, message: InertiaStamped) -> None:
        payload = read_payload(message)
        session.controller.set_payload(payload)
        text = 'no payload' if payload is None else f'{payload.mass:g} kg at {payload.frame}'
        self._node.get_logger().info(f'payload: {text}')

    def _on_wrench(self, session: Session, message: WrenchStamped) -> None:
        wrench = read_wrench(message, session.wrench_frame)
        session.controller.set_external_wrench(wrench, time.monotonic())

    def _on_imu(self, session: Session, message: Imu) -> None:
        rotation = session.base_rotation(message.header.frame_id)
        gravity = read_gravity(message, rotation)
        now = time.monotonic()
        if self._gravity is not None and session.imu_filter_time > 0.0:
            share = -math.expm1(-(now - self._gravity_at) / session.imu_filter_time)
            mixed = self._gravity + share * (gravity - self._gravity)
            size = max(float(np.linalg.norm(mixed)), 1e-6)
            gravity = mixed * (float(np.linalg.norm(gravity)) / size)
        self._gravity, self._gravity_at = gravity, now
        session.controller.set_gravity(gravity)
