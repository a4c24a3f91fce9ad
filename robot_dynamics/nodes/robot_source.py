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

"""Where the robot comes from: a parameter, or the latched topic robot_description."""

from __future__ import annotations

import threading
import time
from typing import Any, Callable

from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from robot_dynamics.errors import ModelError
from robot_dynamics.model import load_robot, RobotModel, Severity
from robot_dynamics.model.inspection import inspect_model
from robot_dynamics.nodes.connections import qos_mismatch
from robot_dynamics.nodes.parameters import model_options, Values
from robot_dynamics.nodes.state_source import ExecutorSource
from std_msgs.msg import String

TOPIC = 'robot_description'
QOS = QoSProfile(
    depth=1, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL
)


# To look at a robot closely takes as long as to load it, and the first command should not wait.
_INTRODUCTION = 1.0  # [s] after it was loaded


class RobotSource:
    """
    Loads the robot from where the parameters say, and keeps the newest description heard.

    Parameters
    ----------
    node
        The rclpy node; the subscription is made at once, so that a latched description is there
        when it is needed.
    on_description
        Called after each new description.

    """

    def __init__(self, node: Any, on_description: Callable[[], None]) -> None:
        self._node = node
        self._on_description = on_description
        self._subscription = node.create_subscription(String, TOPIC, self._keep, QOS)
        self._description = ''
        self._to_introduce: RobotModel | None = None
        self._introduction = node.create_timer(
            _INTRODUCTION, self._introduce, clock=Clock(clock_type=ClockType.STEADY_TIME)
        )
        self._introduction.cancel()

    def _keep(self, message: String) -> None:
        if message.data != self._description:
            self._description = message.data
            self._on_description()

    def awaited(self, robot: str) -> str:
        """
        Return what a configuration would have to wait for, in one line, or ''.

        Parameters
        ----------
        robot
            The value of the parameter ``robot``.

        """
        if robot or self._description:
            return ''
        topic = self._subscription.topic_name
        publishers = self._node.get_publishers_info_by_topic(topic)
        text = f"waiting for a robot description on '{topic}', which has {len(publishers)} "
        text += 'publisher' if len(publishers) == 1 else 'publishers'
        for publisher in publishers:
            mismatch = qos_mismatch(publisher.qos_profile, QOS)
            if mismatch:
                return (
                    f'{text}; that of node {publisher.node_name} is not {mismatch}, so '
                    'nothing comes from it: latch it (ros2 topic pub --qos-durability '
                    'transient_local), or set the parameter robot'
                )
        return f'{text}; start robot_state_publisher, or set the parameter robot'

    def wait(self, timeout: float, stop: threading.Event) -> None:
        """
        Wait for a description while the executor of the node is busy.

        Parameters
        ----------
        timeout
            Longest wait in seconds.
        stop
            Ends the wait, within a quarter of a second.

        """
        deadline = time.monotonic() + timeout
        source = ExecutorSource(self._node, TOPIC, String, QOS)
        try:
            while not (self._description or stop.is_set() or time.monotonic() > deadline):
                for message in source.wait(0.25):
                    self._description = message.data
        finally:
            source.close()

    def load(self, values: Values) -> RobotModel:
        """
        Return the robot that the parameters ask for; soon, log what is to be known about it.

        Raises
        ------
        ModelError
            There is no description yet, or the robot cannot be used.

        """
        source = values['robot'] or self._description
        if not source:
            raise ModelError(self.awaited(''), where='robot')
        options = {key: value for key, value in model_options(values).items() if value is not None}
        model = load_robot(source, **options)
        # a copy, as models have scratch memory
        self._to_introduce = model.copy()
        self._introduction.reset()
        return model

    def _introduce(self) -> None:
        self._introduction.cancel()
        model, self._to_introduce = self._to_introduce, None
        if model is None:
            return
        logger = self._node.get_logger()
        for finding in inspect_model(model):
            if finding.severity == Severity.NOTE:
                logger.info(str(finding))
            else:
                logger.warning(str(finding))
        text = f"robot '{model.name}': commanded joints {', '.join(model.commanded_names)}"
        if model.measured_names:
            text += f'; measured only: {", ".join(model.measured_names)}'
        logger.info(text)
