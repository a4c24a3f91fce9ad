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

"""Starting the nodes of the demo as processes of their own, and ending them for certain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
import os
from pathlib import Path
import random
import signal
import subprocess
import sys
import time
from types import FrameType
from typing import Any, NoReturn

from robot_dynamics.cli.demo_nodes import NodeSpec
from robot_dynamics.errors import RobotDynamicsError

# ROS_DOMAIN_ID values whose ports lie below the ephemeral ones on every system; 0 is left out
# since it is what everybody else uses.
_DOMAINS = range(1, 102)

_STOP_TIME = 3.0  # [s] for a node to end by itself after SIGINT, before it is killed
_LOG_LINES = 5  # of a node that failed, shown to the user


class DemoError(RobotDynamicsError):
    """The demo cannot go on."""


@contextmanager
def private_domain() -> Iterator[None]:
    """
    Give this process and its children a ROS domain of their own, on this machine only.

    A robot that listens in the domain of the user's shell must never hear the demo.
    """
    changes = {
        'ROS_DOMAIN_ID': str(random.choice(_DOMAINS)),
        'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
    }
    if os.environ.get('ROS_DISTRO') == 'humble':  # which does not know the variable above
        changes['ROS_LOCALHOST_ONLY'] = '1'
    before = {name: os.environ.get(name) for name in (*changes, 'ROS_STATIC_PEERS')}
    os.environ.pop('ROS_STATIC_PEERS', None)
    os.environ.update(changes)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def interruptible() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the demo as Ctrl-C does, so that no node is left behind."""

    def interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    before = {
        number: signal.signal(number, interrupt)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class NodeProcess:
    """
    One node, started as 'python -m robot_dynamics.nodes.<module>'.

    Parameters
    ----------
    spec : NodeSpec
        The node.
    namespace : str
        ROS namespace that its relative names live in.
    folder : path
        Where its output is kept while it runs.

    """

    def __init__(self, spec: NodeSpec, namespace: str, folder: Path) -> None:
        """Start the process."""
        self.module = spec.module
        self._log = folder / f'{namespace.strip("/").replace("/", "_")}_{spec.module}.log'
        command = [sys.executable, '-m', f'robot_dynamics.nodes.{spec.module}', '--ros-args']
        with open(self._log, 'wb') as log:
            # A session of its own: Ctrl-C in the terminal reaches the demo alone, which then
            # ends the nodes in the right order.
            self._process = subprocess.Popen(
                [*command, *spec.arguments(namespace)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={**os.environ, 'PYTHONUNBUFFERED': '1'},
            )

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    def check(self) -> None:
        """
        Make sure that the node runs.

        Raises
        ------
        DemoError
            When it has ended; the end of its output is shown.

        """
        code = self._process.poll()
        if code is not None:
            raise DemoError(
                f'has ended with exit code {code}', where=self.module, remedy=self.last_words()
            )

    def last_words(self) -> str:
        """Return the end of the node's output in one line for a message, may be empty."""
        text = self._log.read_text(encoding='utf-8', errors='replace')
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        return f'it said: {" | ".join(lines[-_LOG_LINES:])}' if lines else ''

    def request_stop(self) -> None:
        """Ask the node to end; returns at once."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)

    def stop(self) -> int:
        """End the node, by force if it does not end by itself; return its exit code."""
        self.request_stop()
        try:
            return self._process.wait(_STOP_TIME)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()


@contextmanager
def running(processes: list[NodeProcess]) -> Iterator[list[NodeProcess]]:
    """
    End processes when the block ends, however it ends, the last started first.

    Parameters
    ----------
    processes : list of NodeProcess
        May grow while the block runs.

    """
    try:
        yield processes
    finally:
        # The controller goes before the arm that it holds, all within one span of time.
        for process in reversed(processes):
            process.request_stop()
        for process in reversed(processes):
            process.stop()


def wait_until(
    condition: Any, processes: Sequence[NodeProcess], seconds: float, what: str, spin: Any
) -> None:
    """
    Handle messages until a condition holds.

    Parameters
    ----------
    condition : callable
        Returns whether the wait is over.
    processes : sequence of NodeProcess
        Must stay alive.
    seconds : float
        Patience [s].
    what : str
        What is waited for, for the message.
    spin : callable
        Handles messages for a short time.

    Raises
    ------
    DemoError
        When a node ends or the time is over.

    """
    deadline = time.monotonic() + seconds
    while not condition():
        for process in processes:
            process.check()
        if time.monotonic() > deadline:
            said = '; '.join(
                f'{process.module}: {words}'
                for process in processes
                if (words := process.last_words())
            )
            raise DemoError(
                f'{what} did not come within {seconds:g} s', where='nodes', remedy=said
            )
        spin()
