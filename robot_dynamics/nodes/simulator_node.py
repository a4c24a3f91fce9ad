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

"""A simulated arm as a ROS 2 node: joint states out, effort commands in, in real time."""

from __future__ import annotations

from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
import numpy as np
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from robot_dynamics.errors import RobotDynamicsError, StateError
from robot_dynamics.nodes.diagnostics_reporter import STEADY_CLOCK
from robot_dynamics.nodes.effort_commands import COMMAND_READERS, JointStateCommandReader
from robot_dynamics.nodes.messages import JointStateWriter
from robot_dynamics.nodes.parameters import NodeParameters, Values
from robot_dynamics.nodes.physics_loop import PhysicsLoop
from robot_dynamics.nodes.running import EXIT_FAILURE, run, Runnable, StopNode
from robot_dynamics.nodes.simulated_drives import DriveSettings, SimulatedDrives
from robot_dynamics.nodes.simulator_parameters import SIMULATOR_SPECIFICATIONS
from robot_dynamics.nodes.simulator_setup import make_faults, make_model, make_plant, start_state
from robot_dynamics.nodes.state_source import make_state_source
from robot_dynamics.nodes.step_schedule import StepSchedule
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from std_srvs.srv import Trigger

_SLOW = 0.98  # real-time factor below which a diagnostic warns


class SimulatorNode(Runnable, Node):
    """
    Publishes the joint states of a simulated arm and moves it by the efforts it hears.

    The brake holds the start position until commands have come for `brake_release` seconds.
    Efforts are limited as the description says. `command_timeout` after the last command the
    effort is zero, until commands come back.

    Topics: `joint_states` (out), `robot_description` (out, latched, the robot without the model
    error), `effort_command` (in), `~/push` (in, JointState: names and efforts from outside that
    act for `push_duration`), `/diagnostics` (out). Service: `~/reset`.
    """

    def __init__(self) -> None:
        super().__init__('simulator')
        self._node_parameters = NodeParameters(
            self, self._accept, lambda: True, SIMULATOR_SPECIFICATIONS
        )
        values = self._node_parameters.values()
        nominal = make_model(values)
        model = nominal.with_scaled(mass=values['mass_scale'], inertia=values['inertia_scale'])
        self._model = model
        self._drives = SimulatedDrives(
            make_plant(model, values),
            model,
            DriveSettings(
                command_timeout=values['command_timeout'], brake_release=values['brake_release']
            ),
        )
        self._drives.reset(*start_state(model, values))
        self._publish_description(nominal.urdf)
        self._states = self.create_publisher(JointState, 'joint_states', 10)
        self._writer = JointStateWriter(model.joint_names)
        self._effort = np.zeros(model.nv)
        self._faults = make_faults(values)
        self._step = values['physics_step']
        self._loop = self._make_loop(values)
        self._push_reader = JointStateCommandReader(model.joint_names)
        self.create_subscription(JointState, '~/push', self._on_push, 10)
        self.create_service(Trigger, '~/reset', self._on_reset)
        self._diagnostics = self.create_publisher(DiagnosticArray, '/diagnostics', 10)
        self.create_timer(1.0, self._report, clock=STEADY_CLOCK)
        # In the first callback, when the process has done all that would disturb the beat.
        self._starter = self.create_timer(0.0, self._start, clock=STEADY_CLOCK)
        self._introduce(values)

    def _start(self) -> None:
        self.destroy_timer(self._starter)
        self._loop.start()

    def _make_loop(self, values: Values) -> PhysicsLoop:
        names = self._model.commanded_names
        reader = COMMAND_READERS[values['command_format']](names)
        source = make_state_source('auto', self, 'effort_command', reader.message_type)
        return PhysicsLoop(
            self._drives,
            source,
            reader,
            StepSchedule(self._step, values['catch_up_limit']),
            step=self._step,
            publish_rate=values['publish_rate'],
            publish=self._publish,
            logger=self.get_logger(),
        )

    def _publish_description(self, urdf: str) -> None:
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self._description = self.create_publisher(String, 'robot_description', latched)
        self._description.publish(String(data=urdf))

    def _introduce(self, values: Values) -> None:
        position = ', '.join(
            f'{name} {q:.4g}' for name, q in zip(self._model.joint_names, self._drives.position)
        )
        self.get_logger().info(
            f'{self._model.name}: {values["plant"]} plant, step {1e3 * values["physics_step"]:g} '
            f'ms, {values["publish_rate"]:g} states a second; start at {position}'
        )

    def _publish(self, drives: SimulatedDrives) -> None:
        """Publish the state; called by the physics thread."""
        q, v, stamp = drives.position, drives.velocity, self.get_clock().now()
        if self._faults is not None:
            t = self._loop.steps * self._step
            measured = self._faults.pass_on(t, q, v)
            if measured is None:
                return
            q, v = measured.q, measured.v
            stamp -= Duration(seconds=t - measured.t)
        self._effort[: drives.effort.size] = drives.effort
        self._states.publish(
            self._writer.write(stamp.to_msg(), position=q, velocity=v, effort=self._effort)
        )

    def _accept(self, values: Values) -> None:
        """Check new values that are used by the next reset."""
        start_state(self._model, values)

    def _on_push(self, message: JointState) -> None:
        """Let efforts act from outside; joints that are not named get none."""
        names = list(message.name)
        unknown = [name for name in names if name not in self._model.joint_names]
        try:
            if unknown:
                raise StateError(
                    f"unknown joint '{unknown[0]}'",
                    where='push',
                    expected=f'some of {", ".join(self._model.joint_names)}',
                )
            others = [name for name in self._model.joint_names if name not in names]
            effort = self._push_reader.read(
                JointState(name=names + others, effort=[*message.effort, *[0.0] * len(others)])
            )
        except StateError as error:
            self.get_logger().warning(f'push dropped: {error}')
            return
        duration = self._node_parameters['push_duration']
        self._loop.order(lambda drives: drives.push(effort, duration))

    def _on_reset(self, _request: Trigger.Request, response: Any) -> Any:
        """Put the arm back to its start, brake shut."""
        try:
            state = start_state(self._model, self._node_parameters.values())
        except RobotDynamicsError as error:
            response.success, response.message = False, str(error)
            return response

        def reset(drives: SimulatedDrives) -> None:
            drives.reset(*state)
            self._loop.resume()

        self._loop.order(reset)
        response.success, response.message = True, 'the arm is at its start, brake shut'
        return response

    def _report(self) -> None:
        loop = self._loop
        if loop.failed:
            raise StopNode(EXIT_FAILURE)
        factor = loop.real_time_factor()
        values = {
            'real-time factor': f'{factor:.3f}',
            'steps': loop.steps,
            'steps lost': loop.lost_steps,
            'commands': loop.commands,
            'commands dropped': loop.dropped_commands,
            'last reason': loop.last_reason,
            'brake': 'open' if self._drives.released else 'shut',
        }
        level, text = DiagnosticStatus.OK, 'running'
        if loop.halted:
            level, text = DiagnosticStatus.ERROR, f'stopped: {loop.halted}'
        elif self._drives.timed_out:
            level, text = DiagnosticStatus.WARN, 'no effort command any more: effort zero'
        elif factor < _SLOW:
            level, text = DiagnosticStatus.WARN, 'slower than real time: the machine is busy'
        status = DiagnosticStatus(
            level=level,
            name=f'{self.get_fully_qualified_name().lstrip("/")}: arm',
            message=text,
            values=[KeyValue(key=key, value=str(value)) for key, value in values.items()],
        )
        array = DiagnosticArray(status=[status])
        array.header.stamp = self.get_clock().now().to_msg()
        self._diagnostics.publish(array)

    def request_stop(self) -> None:
        """End the physics thread; the signal thread calls this."""
        self._loop.request_stop()

    def close(self) -> None:
        """Wait for the physics thread and say how the time was kept."""
        factor = self._loop.real_time_factor()
        self._loop.close()
        self.get_logger().info(
            f'{self._loop.steps} steps, {self._loop.lost_steps} lost, real-time factor '
            f'{factor:.3f}; {self._loop.commands} commands, {self._loop.dropped_commands} dropped'
        )


def main() -> int:
    """Run the simulator node; return the exit code."""
    return run(SimulatorNode)


if __name__ == '__main__':
    raise SystemExit(main())
