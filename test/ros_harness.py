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

"""Real processes and real topics for tests: start a node, hear it, call it, end it."""

from __future__ import annotations

import math
import os
from pathlib import Path
import signal
import subprocess
import sys
import tempfile
import threading
import time

from lifecycle_msgs.srv import ChangeState
from rcl_interfaces.srv import GetParameters, SetParametersAtomically
import rclpy
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter, parameter_value_to_python
import robot_dynamics
from sensor_msgs.msg import JointState
import yaml

ROOT = Path(robot_dynamics.__file__).resolve().parent.parent
DEADLINE = 20.0  # [s] for anything that should come; machines that run tests may be busy


class NodeProcess:
    """
    A node in a process of its own, in the ROS domain of the environment.

    Parameters
    ----------
    module
        Such as 'robot_dynamics.nodes.dynamics_node', or the text of a program.
    values
        ROS parameters by name; passed in a file, as a user would.
    arguments
        Further arguments after ``--ros-args``, such as ``['-r', '__ns:=/left']``.

    """

    def __init__(
        self, module: str, values: dict | None = None, arguments: list[str] | None = None
    ) -> None:
        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        file = folder / 'parameters.yaml'
        file.write_text(yaml.safe_dump({'/**': {'ros__parameters': values or {'unused': 0}}}))
        self._output = folder / 'output'
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get('PYTHONPATH', ''))))
        with self._output.open('wb') as stream:
            self.process = subprocess.Popen(
                [
                    sys.executable,
                    '-u',
                    '-c' if '\n' in module else '-m',
                    module,
                    '--ros-args',
                    '--params-file',
                    str(file),
                    *(arguments or []),
                ],
                stdout=stream,
                stderr=subprocess.STDOUT,
                env={**os.environ, 'PYTHONPATH': path},
            )

    def output(self) -> str:
        """Return all that has been printed so far."""
        return self._output.read_text(errors='replace')

    def end(self, number: int = signal.SIGINT, timeout: float = DEADLINE) -> tuple[int, float]:
        """Send a signal and wait; return the exit code and the seconds that it took."""
        begin = time.monotonic()
        self.process.send_signal(number)
        code = self.process.wait(timeout)
        return code, time.monotonic() - begin

    def __enter__(self) -> NodeProcess:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if kind is not None:
            print(f'output of the node:\n{self.output()}')
        self._folder.cleanup()


class Client:
    """
    A ROS node in the test's process, in a context of its own.

    Everything waits for events with a deadline; nothing sleeps and hopes.
    """

    def __init__(self, name: str = 'test_client', domain_id: int | None = None) -> None:
        self.context = Context()
        rclpy.init(args=[], context=self.context, domain_id=domain_id)
        self.node = rclpy.create_node(name, context=self.context)
        self._executor = SingleThreadedExecutor(context=self.context)
        self._executor.add_node(self.node)
        self._clients: dict[str, object] = {}

    def subscribe(self, kind: type, topic: str, qos: object = 10) -> list:
        """Return a list that grows by (steady time, message) with each message."""
        heard: list = []
        self.node.create_subscription(
            kind, topic, lambda message: heard.append((time.monotonic(), message)), qos
        )
        return heard

    def wait_until(self, condition: object, what: str, timeout: float = DEADLINE) -> None:
        """Handle events until `condition()` is true; fail naming `what` after `timeout`."""
        deadline = time.monotonic() + timeout
        while not condition():
            left = deadline - time.monotonic()
            assert left > 0.0, f'waited {timeout} s in vain for: {what}'
            self._executor.spin_once(timeout_sec=min(left, 0.05))

    def handle_for(self, seconds: float) -> None:
        """Handle events for a time, to see what does not come."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self._executor.spin_once(timeout_sec=max(0.0, deadline - time.monotonic()))

    def call(self, kind: type, name: str, request: object = None) -> object:
        """Call a service and return its response."""
        if name not in self._clients:
            self._clients[name] = self.node.create_client(kind, name)
        client = self._clients[name]
        self.wait_until(client.service_is_ready, f'service {name}')
        future = client.call_async(request or kind.Request())
        self.wait_until(future.done, f'response of {name}')
        return future.result()

    def set_parameters(self, node: str, **values: object) -> object:
        """Set parameters of a node in one batch; '__' in a name stands for '.'."""
        request = SetParametersAtomically.Request(
            parameters=[
                Parameter(name.replace('__', '.'), value=value).to_parameter_msg()
                for name, value in values.items()
            ]
        )
        return self.call(
            SetParametersAtomically, f'/{node}/set_parameters_atomically', request
        ).result

    def get_parameters(self, node: str, *names: str) -> list:
        """Return values of parameters of a node."""
        response = self.call(
            GetParameters, f'/{node}/get_parameters', GetParameters.Request(names=list(names))
        )
        return [parameter_value_to_python(value) for value in response.values]

    def change_state(self, node: str, transition: str) -> bool:
        """Ask a managed node for a transition such as 'configure'; return its success."""
        request = ChangeState.Request()
        request.transition.label = transition
        return self.call(ChangeState, f'/{node}/change_state', request).success

    def close(self) -> None:
        """Leave the graph."""
        self._executor.shutdown()
        self.node.destroy_node()
        self.context.try_shutdown()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class FakeDriver:
    """
    Publishes joint states at a steady rate from a thread, as a robot that does not move.

    Parameters
    ----------
    client
        The node to publish from.
    names, position
        Joints and where they are [rad or m]; velocities are zero.
    rate
        Messages a second.

    """

    def __init__(
        self, client: Client, names: tuple[str, ...], position: list[float], rate: float = 500.0
    ) -> None:
        self._publisher = client.node.create_publisher(JointState, 'joint_states', 10)
        self._node = client.node
        self.message = JointState(
            name=list(names),
            position=list(position),
            velocity=[0.0] * len(names),
            effort=[math.nan] * len(names),
        )
        self._period = 1.0 / rate
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.last_sent = -math.inf
        self.sent = 0

    @property
    def is_heard(self) -> bool:
        """Whether anybody has subscribed."""
        return self._publisher.get_subscription_count() > 0

    def send_once(self) -> None:
        """Publish one message, stamped now."""
        self.message.header.stamp = self._node.get_clock().now().to_msg()
        self._publisher.publish(self.message)
        self.last_sent = time.monotonic()
        self.sent += 1

    def start(self) -> None:
        """Publish regularly from now on."""
        self._stop.clear()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        due = time.monotonic()
        while not self._stop.is_set():
            self.send_once()
            due = max(due + self._period, time.monotonic() - self._period)
            self._stop.wait(max(0.0, due - time.monotonic()))

    def stop(self) -> None:
        """Fall silent; the publisher stays."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def leave(self) -> None:
        """Fall silent and take the publisher back, to make room for another driver."""
        self.stop()
        self._node.destroy_publisher(self._publisher)

    def __enter__(self) -> FakeDriver:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
