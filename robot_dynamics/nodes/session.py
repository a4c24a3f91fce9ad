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

"""What exists between configuration and clean-up: one robot, one controller, its topics."""

from __future__ import annotations

from typing import Any

from robot_dynamics.control import Controller, Mode
from robot_dynamics.model import RobotModel
from robot_dynamics.nodes.loop_publishers import LoopPublishers
from robot_dynamics.nodes.messages import JointStateReader
from robot_dynamics.nodes.parameters import controller_settings, Values
from robot_dynamics.nodes.state_selector import StateSelector
from robot_dynamics.nodes.trajectory_messages import TrajectoryReader


class Session:
    """
    A configured robot.

    Parameters
    ----------
    node
        The rclpy node that the topics belong to.
    values
        Converted parameters.
    model
        The robot; used by the control loop only from here on.

    Raises
    ------
    ParameterError
        The settings do not fit the robot.

    Attributes
    ----------
    model, controller, publishers
        What they say.
    trajectories
        Reads trajectory messages; exchanged when a parameter changes.
    mode
        The control mode in force.
    dry_run
        Whether no command is sent.

    """

    def __init__(self, node: Any, values: Values, model: RobotModel) -> None:
        self.model = model
        self.dry_run = values['dry_run']
        self._prefix = values['joint_prefix']
        names = model.commanded_names
        self.controller = Controller(model, controller_settings(values, names))
        self.publishers = LoopPublishers(
            node,
            names,
            self.controller,
            command_format=values['command_format'],
            prefix=self._prefix,
            dry_run=self.dry_run,
        )
        self._use(values)

    def _use(self, values: Values) -> None:
        self.mode = values['mode']
        self.trajectories = TrajectoryReader(
            self.model.commanded_names,
            prefix=self._prefix,
            max_points=values['max_trajectory_points'],
            setpoint_timeout=values['setpoint_timeout'],
        )

    @property
    def follows(self) -> bool:
        """Whether a reference is being followed or held."""
        return self.controller.state.is_running and self.mode != Mode.GRAVITY_COMPENSATION.value

    def configure(self, values: Values) -> None:
        """
        Put new settings into force, all or none.

        Raises
        ------
        ParameterError
            They do not fit the robot; the old ones stay.

        """
        self.controller.configure(controller_settings(values, self.model.commanded_names))
        self._use(values)

    def selector(self) -> StateSelector:
        """Return a new selector of joint states for a loop."""
        return StateSelector(JointStateReader(self.model.joint_names, prefix=self._prefix))

    def destroy(self) -> None:
        """Take the topics back."""
        self.publishers.destroy()
