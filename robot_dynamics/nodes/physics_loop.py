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

"""The simulated arm in real time: a thread that steps the physics on a steady schedule."""

from __future__ import annotations

import queue
import threading
import time
import traceback
from typing import Any, Callable, Protocol

from robot_dynamics.errors import SimulationError
from robot_dynamics.nodes.effort_commands import newest_usable
from robot_dynamics.nodes.simulated_drives import SimulatedDrives
from robot_dynamics.nodes.state_source import StateSource
from robot_dynamics.nodes.step_schedule import StepSchedule

_MOST_REASONS = 100  # different ones that are logged


class CommandReader(Protocol):
    """Turns one message into efforts, or raises StateError."""

    def read(self, message: Any) -> Any:
        """Return efforts (n,)."""


class PhysicsLoop:
    """
    Takes commands, steps the drives and their plant, publishes; all in one thread of its own.

    Of the commands that have come since the last wake-up the newest usable one counts. After a
    late wake-up the steps due are made up for with that command, and only the last state is
    published, since nobody could have answered the others in time.

    Parameters
    ----------
    drives
        The arm; used by this thread only once it runs.
    source, reader
        Where commands come from and how they are read.
    schedule
        When steps are due.
    step
        Length of a step [s].
    publish_rate
        States a second [Hz].
    publish
        Called in this thread when a state is due.
    logger
        An rclpy logger.

    """

    def __init__(
        self,
        drives: SimulatedDrives,
        source: StateSource,
        reader: CommandReader,
        schedule: StepSchedule,
        *,
        step: float,
        publish_rate: float,
        publish: Callable[[SimulatedDrives], None],
        logger: Any,
    ) -> None:
        self._drives = drives
        self._source = source
        self._reader = reader
        self._schedule = schedule
        self._states_per_step = step * publish_rate
        self._publish = publish
        self._logger = logger
        self._orders: queue.SimpleQueue[Callable[[SimulatedDrives], None]] = queue.SimpleQueue()
        self._stop = False
        self._thread = threading.Thread(target=self._run, name='physics', daemon=True)
        self._timed_out = False
        self._reasons: set[str] = set()
        self.steps = 0
        self.commands = 0
        self.dropped_commands = 0
        self.last_reason = ''
        self.halted = ''  # why no step is made, or ''
        self.failed = False  # whether the thread ended by an error nobody expected

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def order(self, action: Callable[[SimulatedDrives], None]) -> None:
        """Let `action` be called with the drives, between two steps, by this loop's thread."""
        self._orders.put(action)

    def resume(self) -> None:
        """Make steps again after a reset; called through :meth:`order`."""
        self.halted = ''
        self._timed_out = False  # as the drives see it: no command has come back

    def request_stop(self) -> None:
        """End the thread within one step; thread safe."""
        self._stop = True

    def close(self) -> None:
        """End the thread and give the subscription back."""
        self._stop = True
        if self._thread.is_alive():
            self._thread.join()
        self._source.close()

    def real_time_factor(self) -> float:
        """Return simulated time over real time since the start."""
        return self._schedule.real_time_factor(time.monotonic())

    @property
    def lost_steps(self) -> int:
        """Return how many steps were given up after long stops of the process."""
        return self._schedule.lost_steps

    def _run(self) -> None:
        try:
            self._schedule.start(time.monotonic())
            while not self._stop:
                delay = self._schedule.next_deadline - time.monotonic()
                if delay > 0.0:
                    time.sleep(delay)
                self._tick(time.monotonic())
        except Exception:  # the border of the thread: nothing above could report it
            self.failed = True
            self._logger.fatal(f'the physics thread failed:\n{traceback.format_exc()}')

    def _tick(self, now: float) -> None:
        self._take_commands()
        while not self._orders.empty():
            self._orders.get_nowait()(self._drives)
        due = self._schedule.take(now)
        if self.halted:
            return
        published = int(self.steps * self._states_per_step + 1e-9)
        try:
            for _ in range(due):
                self._drives.step()
                self.steps += 1
        except SimulationError as error:
            self.halted = str(error)
            self._logger.error(f'the simulation stops, call ~/reset to start again: {error}')
            return
        self._report_watchdog()
        if int(self.steps * self._states_per_step + 1e-9) > published:
            self._publish(self._drives)

    def _take_commands(self) -> None:
        messages = self._source.take()
        if not messages:
            return
        selection = newest_usable(self._reader, messages)
        self.commands += len(messages)
        if selection.effort is not None:
            self._drives.command(selection.effort)
        for reason in reversed(selection.reasons):
            self.dropped_commands += 1
            self.last_reason = reason
            if reason not in self._reasons and len(self._reasons) < _MOST_REASONS:
                self._reasons.add(reason)
                self._logger.warning(f'command dropped, said once: {reason}')

    def _report_watchdog(self) -> None:
        timed_out = self._drives.timed_out
        if timed_out == self._timed_out:
            return
        self._timed_out = timed_out
        if timed_out:
            self._logger.warning('no effort command any more: the effort is zero')
        else:
            self._logger.info('effort commands are back')
