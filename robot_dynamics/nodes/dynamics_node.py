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

"""The managed node `dynamics`: joint states and trajectories in, effort commands out."""

from __future__ import annotations

import threading
import traceback
from typing import Any, Callable

from rclpy.lifecycle import LifecycleNode, LifecycleState, TransitionCallbackReturn
from robot_dynamics.errors import ModelError, RobotDynamicsError
from robot_dynamics.nodes.acceleration import Acceleration
from robot_dynamics.nodes.autostart import Autostart
from robot_dynamics.nodes.connections import Connections
from robot_dynamics.nodes.control_loop import ControlLoop
from robot_dynamics.nodes.diagnostics import Snapshot
from robot_dynamics.nodes.diagnostics_reporter import DiagnosticsReporter, STEADY_CLOCK
from robot_dynamics.nodes.idle_collector import IdleCollector
from robot_dynamics.nodes.load_input import LoadInput
from robot_dynamics.nodes.parameters import NodeParameters, unknown_parameters, Values
from robot_dynamics.nodes.realtime import bind_to_processors, lock_memory, raise_priority
from robot_dynamics.nodes.robot_source import RobotSource
from robot_dynamics.nodes.running import run, Runnable
from robot_dynamics.nodes.session import Session
from robot_dynamics.nodes.state_source import make_state_source
from robot_dynamics.nodes.trajectory_input import TrajectoryInput
from std_srvs.srv import Trigger

REFRESH_PERIOD = 0.25  # [s] between looks at who is subscribed
DESCRIPTION_WAIT = 5.0  # [s] that a configuration from outside waits for a description


class DynamicsNode(Runnable, LifecycleNode):
    """
    Commands the efforts of a robot from its model.

    This class ties the parts together; what they do is in their own modules. The control loop
    runs in a thread of its own while the node is active, all else in the executor's.
    """

    def __init__(self) -> None:
        super().__init__('dynamics')
        self._session: Session | None = None
        self._loop: ControlLoop | None = None
        self._lifecycle = 'unconfigured'
        self._failure = ''
        self._stopping = threading.Event()
        self._collector = IdleCollector()
        self._autostart: Autostart | None = None
        self._settings = NodeParameters(self, self._accept, lambda: self._loop is not None)
        self._robot = RobotSource(self, self._on_description)
        self._connections = Connections(self)
        self._trajectories = TrajectoryInput(
            self, lambda: self._session if self._loop is not None else None
        )
        self._loads = LoadInput(self, lambda: self._session)
        self._acceleration = Acceleration(
            self,
            lambda: None if self._session is None else self._session.controller,
            self._collector,
        )
        self.create_service(Trigger, '~/reload_model', self._on_reload)
        self._reporter = DiagnosticsReporter(self, self._observe)
        self.create_timer(REFRESH_PERIOD, self._refresh, clock=STEADY_CLOCK)
        for line in unknown_parameters(list(getattr(self, '_parameter_overrides', {}))):
            self.get_logger().warning(line)
        if self._settings['autostart']:
            self._autostart = Autostart(self, self._awaited)

    # ------------------------------------------------------------ transitions

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Load the robot and make its controller; the reason of a failure is logged."""
        return self._attempt('configure', 'inactive', self._configure)

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Start the control loop."""
        return self._attempt('activate', 'active', self._activate)

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """End the control loop by a ramp to zero effort."""
        return self._attempt('deactivate', 'inactive', self._stop_loop)

    def on_cleanup(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Forget the robot."""
        return self._attempt('cleanup', 'unconfigured', self._clean_up)

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        """End the control loop and forget the robot."""
        return self._attempt('shutdown', 'finalized', self._clean_up)

    def on_error(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Go back to the beginning after a transition that raised an unexpected exception."""
        failure = self._failure
        result = self._attempt('error', 'unconfigured', self._clean_up)
        self._failure = self._failure or failure
        return result

    def _attempt(
        self, name: str, reached: str, action: Callable[[], None]
    ) -> TransitionCallbackReturn:
        """Do one transition; say why it failed, since rclpy does not."""
        if self._autostart is not None:
            self._autostart.give_up()
        self._failure = ''
        try:
            action()
        except RobotDynamicsError as error:
            self._failure = f'{name} failed: {error}'
            self._log_failure(error)
            return TransitionCallbackReturn.FAILURE
        except Exception as error:
            self._failure = f'{name} failed: {type(error).__name__}: {error}'
            self.get_logger().error(f'{name} failed:\n{traceback.format_exc()}')
            return TransitionCallbackReturn.ERROR
        else:
            self._lifecycle = reached
            return TransitionCallbackReturn.SUCCESS
        finally:
            self._reporter.report()

    def _log_failure(self, error: RobotDynamicsError) -> None:
        findings = error.findings if isinstance(error, ModelError) else ()
        self.get_logger().error(
            '\n  '.join(
                [
                    f'{self._failure}; put it right, then configure the node again',
                    *map(str, findings),
                ]
            )
        )

    def _configure(self) -> None:
        values = self._settings.values()
        if self._robot.awaited(values['robot']):
            self._robot.wait(DESCRIPTION_WAIT, self._stopping)
        self._session = Session(self, values, self._robot.load(values))
        self._loads.watch_imu(values['gravity_from_imu'])

    def _activate(self) -> None:
        session = self._require_session()
        values = self._settings.values()
        session.configure(values)
        session.controller.reset()
        self._prepare_process(values)
        session.publishers.refresh()
        self._loop = ControlLoop(
            make_state_source(values['control_loop'], self, raw=True),
            session.selector(),
            session.controller,
            session.publishers,
            logger=self.get_logger(),
            on_change=self._reporter.changed.trigger,
            prepare=lambda: self._warn(raise_priority(values['realtime.priority'])),
        )
        self._collector.begin()
        self._loop.start()
        self._acceleration.begin(session.controller)

    def _prepare_process(self, values: Values) -> None:
        """Ask the operating system for what the parameters say."""
        self._warn(bind_to_processors(values['realtime.processors']))
        if values['realtime.lock_memory']:
            self._warn(lock_memory())

    def _warn(self, problem: str) -> None:
        if problem:
            self.get_logger().warning(problem)

    def _stop_loop(self) -> None:
        loop, self._loop = self._loop, None
        if loop is not None:
            loop.stop()
            self._collector.end()

    def _clean_up(self) -> None:
        self._stop_loop()
        session, self._session = self._session, None
        if session is not None:
            session.destroy()

    def _require_session(self) -> Session:
        if self._session is None:
            raise ModelError('no robot is loaded', remedy='configure the node first')
        return self._session

    # -------------------------------------------------------------- callbacks

    def _accept(self, values: Values) -> None:
        if self._session is not None:
            self._session.configure(values)
            if self._loop is not None:
                self._acceleration.begin(self._session.controller)

    def _awaited(self) -> str:
        try:
            robot = self._settings['robot']
        except RobotDynamicsError:
            return ''
        return self._robot.awaited(robot)

    def _on_description(self) -> None:
        if self._settings['robot']:
            return
        if self._lifecycle == 'unconfigured':
            if self._autostart is not None:
                self._autostart.retry()
        else:
            self.get_logger().warning(
                'a new robot description has come; it is used after a deactivation and a call of '
                '~/reload_model'
            )

    def _on_reload(self, _request: Any, response: Any) -> Any:
        response.success = False
        if self._loop is not None:
            response.message = (
                'the model cannot be exchanged while efforts are sent: deactivate '
                'the node, call this again, then activate it'
            )
            return response
        if self._session is None:
            response.message = 'no robot is loaded: configure the node'
            return response
        try:
            values = self._settings.values()
            session = Session(self, values, self._robot.load(values))
        except RobotDynamicsError as error:
            response.message = f'the old model stays: {error}'
            return response
        old, self._session = self._session, session
        old.destroy()
        response.success, response.message = True, f"loaded '{session.model.name}'"
        return response

    def _refresh(self) -> None:
        if self._session is not None:
            self._session.publishers.refresh()
        self._collector.collect()

    def _observe(self) -> Snapshot:
        session, loop = self._session, self._loop
        joints = () if session is None else session.model.commanded_names
        clock = self.get_clock()
        return Snapshot(
            lifecycle=self._lifecycle,
            failure=self._failure,
            awaited=self._awaited() if self._lifecycle == 'unconfigured' else '',
            robot='' if session is None else session.model.name,
            mode='' if session is None else session.mode,
            backend='' if session is None else session.controller.backend,
            joints=joints,
            dry_run=session is not None and session.dry_run,
            states_topic=self._connections.states_topic,
            state_publishers=self._connections.state_publishers(),
            qos_problems=self._connections.qos_problems(),
            clock_missing=clock.ros_time_is_active and clock.now().nanoseconds == 0,
            trajectories_refused=self._trajectories.refused,
            refusal=self._trajectories.refusal,
            loads_refused=self._loads.refused,
            load_refusal=self._loads.refusal,
            ros_time=1e-9 * clock.now().nanoseconds,
            loop=None if loop is None else loop.report(),
        )

    # ------------------------------------------------------------ the process

    def request_stop(self) -> None:
        """Begin the ramp to zero effort at once; the signal thread calls this."""
        self._stopping.set()
        loop = self._loop
        if loop is not None:
            loop.request_stop()

    def close(self) -> None:
        """End the loop; the last command is zero effort."""
        self._clean_up()

    def callback_failed(self, error: Exception) -> None:
        """Go through a safe stop: what the callback should have done is unknown."""
        self._failure = f'a callback failed: {type(error).__name__}: {error}; see the log'
        if self._session is not None and self._loop is not None:
            self._session.controller.fail(self._failure)


def main() -> int:
    """Run the dynamics node; return the exit code."""
    return run(DynamicsNode)


if __name__ == '__main__':
    raise SystemExit(main())
