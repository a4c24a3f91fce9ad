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

"""A trajectory for the dynamics node: a sine, a motion from rest to rest, or a file."""

from __future__ import annotations

import time
from typing import Any

from builtin_interfaces.msg import Duration
import numpy as np
from numpy.typing import NDArray
from rclpy.node import Node
from robot_dynamics.errors import RobotDynamicsError, StateError
from robot_dynamics.model import RobotModel
from robot_dynamics.nodes.diagnostics_reporter import STEADY_CLOCK
from robot_dynamics.nodes.messages import JointStateReader
from robot_dynamics.nodes.parameters import NodeParameters
from robot_dynamics.nodes.reference_parameters import REFERENCE_SPECIFICATIONS
from robot_dynamics.nodes.reference_setup import make_points
from robot_dynamics.nodes.reference_shapes import Points
from robot_dynamics.nodes.robot_source import RobotSource
from robot_dynamics.nodes.running import EXIT_FAILURE, run, Runnable, StopNode
from robot_dynamics.nodes.state_source import QOS as STATE_QOS
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

Array = NDArray[np.float64]

_PERIOD = 0.05  # [s] between two looks at what is still missing
_PATIENCE = 5.0  # [s] after which the log says what is missing


class ReferenceNode(Runnable, Node):
    """
    Sends one trajectory to `joint_trajectory` when the arm is there and somebody listens.

    Topics: `joint_trajectory` (out, to be remapped to the one of the dynamics node),
    `joint_states` (in, until the arm is known), `robot_description` (in, when `robot` is empty).
    """

    def __init__(self) -> None:
        super().__init__('reference')
        self._values = NodeParameters(
            self, lambda values: None, lambda: True, REFERENCE_SPECIFICATIONS
        ).values()
        self._publisher = self.create_publisher(JointTrajectory, 'joint_trajectory', 10)
        self._model: RobotModel | None = None
        self._position: Array | None = None
        self._begin = time.monotonic()
        self._send_at: float | None = None
        self._told: str = ''
        self._states: Any = None
        self._source = RobotSource(self, self._on_description)
        if self._values['robot']:
            self._load_robot()
        self._timer = self.create_timer(_PERIOD, self._look, clock=STEADY_CLOCK)

    def _load_robot(self) -> None:
        self._model = self._source.load(self._values)
        self._reader = JointStateReader(
            self._model.commanded_names, prefix=self._values['joint_prefix']
        )
        self._states = self.create_subscription(
            JointState, 'joint_states', self._on_state, STATE_QOS
        )

    def _on_description(self) -> None:
        if self._model is not None:
            return
        try:
            self._load_robot()
        except RobotDynamicsError as error:
            self._give_up(error)

    def _on_state(self, message: JointState) -> None:
        if self._position is not None:
            return
        try:
            self._position = self._reader.read(message).q
        except StateError as error:
            self._tell(f'joint_states: {error}')

    def _look(self) -> None:
        """Send as soon as everything is there; say once what is not."""
        if self._position is not None and self._states is not None:
            # At 1 kHz the states would keep a core busy for nothing.
            self.destroy_subscription(self._states)
            self._states = None
        missing = self._missing()
        now = time.monotonic()
        if missing:
            self._send_at = None
            if now - self._begin > _PATIENCE:
                self._tell(missing)
            return
        if self._send_at is None:
            self._send_at = now + self._values['start_delay']
        if now >= self._send_at and self._model is not None and self._position is not None:
            self._send(self._model, self._position)

    def _missing(self) -> str:
        if self._model is None:
            return self._source.awaited('')
        if self._position is None:
            topic = self.resolve_topic_name('joint_states')
            count = self.count_publishers(topic)
            return f'waiting for a joint state on {topic}, which has {count} publishers'
        if self._publisher.get_subscription_count() == 0:
            return (
                f'waiting for somebody to listen on {self._publisher.topic_name}; '
                'is the dynamics node running, and the topic remapped?'
            )
        return ''

    def _send(self, model: RobotModel, position: Array) -> None:
        try:
            points = make_points(model, self._values, position)
        except RobotDynamicsError as error:
            self._give_up(error)
        message = trajectory_message(points, prefix=self._values['joint_prefix'])
        self._publisher.publish(message)
        end = float(points.times[-1])
        self.get_logger().info(
            f'sent {self._values["kind"]}: {len(points.times)} points, {end:g} s'
        )
        if self._values['repeat']:
            self._send_at = time.monotonic() + end + self._values['start_delay']
        else:
            self._timer.cancel()

    def _give_up(self, error: RobotDynamicsError) -> None:
        self.get_logger().fatal(str(error))
        raise StopNode(EXIT_FAILURE)

    def _tell(self, text: str) -> None:
        if text != self._told:
            self._told = text
            self.get_logger().warning(text)


def trajectory_message(points: Points, *, prefix: str = '') -> JointTrajectory:
    """Return `points` as a message with stamp 0, which means that time 0 is when it arrives."""
    message = JointTrajectory(joint_names=[prefix + name for name in points.joint_names])
    for index, seconds in enumerate(points.times):
        nanoseconds = round(1e9 * float(seconds))
        point = JointTrajectoryPoint(
            positions=points.positions[index].tolist(),
            time_from_start=Duration(sec=nanoseconds // 10**9, nanosec=nanoseconds % 10**9),
        )
        if points.velocities is not None:
            point.velocities = points.velocities[index].tolist()
        if points.accelerations is not None:
            point.accelerations = points.accelerations[index].tolist()
        message.points.append(point)
    return message


def main() -> int:
    """Run the reference node; return the exit code."""
    return run(ReferenceNode)


if __name__ == '__main__':
    raise SystemExit(main())
