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

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.control import Controller, Mode, Trajectory
from robot_dynamics.control.trajectory_efforts import trajectory_efforts
from robot_dynamics.errors import ParameterError
from robot_dynamics.model import RobotModel
from robot_dynamics.nodes.loop_publishers import LoopPublishers
from robot_dynamics.nodes.messages import JointStateReader
from robot_dynamics.nodes.parameters import controller_settings, payload, Values
from robot_dynamics.nodes.serialized_states import SerializedStateReader
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
    wrench_frame, imu_filter_time
        The parameters of these names.
    dry_run
        Whether no command is sent.

    """

    def __init__(self, node: Any, values: Values, model: RobotModel) -> None:
        self.model = model
        # scratch memory of its own, for the executor's thread
        self._planning_model = model.copy()
        self.dry_run = values['dry_run']
        self._prefix = values['joint_prefix']
        names = model.commanded_names
        self._payload_values = _payload_values(values)
        self.controller = Controller(model, controller_settings(values, names), payload(values))
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
        self.wrench_frame = values['wrench_frame']
        self.imu_filter_time = values['imu_filter_time']
        self.trajectories = TrajectoryReader(
            self.model.commanded_names,
            prefix=self._prefix,
            max_points=values['max_trajectory_points'],
            setpoint_timeout=values['setpoint_timeout'],
        )

    def efforts(self, trajectory: Trajectory) -> NDArray[np.float64]:
        """Return what the points of a trajectory ask for (k, n), with the present payload."""
        law = self.controller.settings.law
        model = self._planning_model
        model.set_payload_parameters(model.payload_parameters(self.controller.payload))
        gravity = self.controller.gravity if law.gravity_in_output else np.zeros(3)
        model.set_gravity(gravity)
        last = self.controller.last_position
        n = model.n_commanded
        measured = None if last is None else last[n:]
        return trajectory_efforts(model, trajectory, measured, friction=law.friction)

    def base_rotation(self, frame: str) -> NDArray[np.float64]:
        """
        Return the axes (3, 3) of a sensor on the base in the root link's frame.

        Raises
        ------
        ModelError
            There is no such link.
        ParameterError
            The link moves against the base.

        """
        model = self._planning_model
        if not frame:
            return np.eye(3)
        if frame in model.description.moving_links():
            raise ParameterError(
                f"is on the moving link '{frame}'",
                where='imu',
                expected='a link that is fixed to the base',
            )
        return model.frame_pose(np.zeros(model.nv), frame)[0]

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
        settings = controller_settings(values, self.model.commanded_names)
        changed = _payload_values(values) != self._payload_values
        load = payload(values) if changed else None
        self.model.payload_parameters(load)
        self.controller.configure(settings)
        if changed:
            # only then: the topic may have brought another payload since
            self._payload_values = _payload_values(values)
            self.controller.set_payload(load)
        self._use(values)

    def selector(self) -> StateSelector:
        """Return a new selector of serialized joint states for a loop."""
        reader = JointStateReader(self.model.joint_names, prefix=self._prefix)
        return StateSelector(SerializedStateReader(reader))

    def destroy(self) -> None:
        """Take the topics back."""
        self.publishers.destroy()


def _payload_values(values: Values) -> tuple[Any, ...]:
    return tuple(values[f'payload.{name}'] for name in ('frame', 'mass', 'com', 'inertia'))
