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

"""Publishes diagnostics once a second and on every change of state, and logs what changed."""

from __future__ import annotations

import dataclasses
import time
from typing import Any, Callable

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from robot_dynamics.control import State
from robot_dynamics.nodes.control_loop import LoopReport
from robot_dynamics.nodes.diagnostics import details, ERROR, judge, Judgement, OK, Rates, Snapshot

PERIOD = 1.0  # [s]

# Simulated time may stand still: whatever must go on uses the steady clock.
STEADY_CLOCK = Clock(clock_type=ClockType.STEADY_TIME)


class RateMeter:
    """
    Turns the counts of a loop into rates, over the time between regular reports.

    Attributes
    ----------
    state_rate, command_rate
        Messages a second.
    saturated
        For each joint, in how many commands a limit held it back.
    unusable
        States that could not be used.

    """

    def __init__(self) -> None:
        self._before: LoopReport | None = None
        self._when = 0.0
        self.state_rate = 0.0
        self.command_rate = 0.0
        # Lists: CPython 3.11 keeps the memory of up to 2000 tuples that were made by iteration.
        self.saturated: list[int] = []
        self.unusable = 0

    def update(self, loop: LoopReport | None, now: float) -> None:
        """Take the next report at the steady time `now` in seconds."""
        before, span = self._before, now - self._when
        self._before, self._when = loop, now
        if loop is None or before is None or span <= 0.0 or loop.received < before.received:
            self.state_rate = self.command_rate = 0.0
            self.saturated, self.unusable = [], 0
            return
        self.state_rate = (loop.received - before.received) / span
        self.command_rate = (loop.commands - before.commands) / span
        earlier = before.saturated or (0,) * len(loop.saturated)
        self.saturated = [a - b for a, b in zip(loop.saturated, earlier)]
        self.unusable = loop.unusable - before.unusable


class DiagnosticsReporter:
    """
    Publishes on /diagnostics and logs what is new.

    Parameters
    ----------
    node
        The rclpy node.
    observe
        Returns a snapshot of the node, without rates.

    """

    def __init__(self, node: Any, observe: Callable[[], Snapshot]) -> None:
        self._node = node
        self._observe = observe
        self._rates = RateMeter()
        self._publisher = node.create_publisher(DiagnosticArray, '/diagnostics', 10)
        self._last = Judgement(OK, '')
        self._state: State | None = None
        node.create_timer(PERIOD, self._report_regularly, clock=STEADY_CLOCK)
        self.changed = node.create_guard_condition(self.report)

    def _report_regularly(self) -> None:
        snapshot = self._observe()
        loop, rates = snapshot.loop, self._rates
        rates.update(loop, time.monotonic())
        self._publish(snapshot)
        if loop is not None and rates.unusable:
            self._node.get_logger().warning(
                f'{rates.unusable} joint states not usable in the last second: '
                f'{loop.unusable_reason}'
            )

    def report(self) -> None:
        """Publish the present state of the node, and log it where it is new."""
        self._publish(self._observe())

    def _publish(self, snapshot: Snapshot) -> None:
        rates = self._rates
        saturated = [name for name, n in zip(snapshot.joints, rates.saturated) if n]
        snapshot = dataclasses.replace(
            snapshot, rates=Rates(rates.state_rate, rates.command_rate, saturated)
        )
        judgement = judge(snapshot)
        self._log(snapshot, judgement)
        status = DiagnosticStatus(
            level=judgement.level,
            name=f'{self._node.get_fully_qualified_name().lstrip("/")}: control',
            message=judgement.message,
            hardware_id=snapshot.robot,
            values=[KeyValue(key=key, value=value) for key, value in details(snapshot).items()],
        )
        message = DiagnosticArray(status=[status])
        message.header.stamp = self._node.get_clock().now().to_msg()
        self._publisher.publish(message)

    def _log(self, snapshot: Snapshot, judgement: Judgement) -> None:
        """Log a change of the controller's state, and each new kind of trouble."""
        state = snapshot.loop.state if snapshot.loop is not None else None
        changed = state is not self._state
        worse = judgement.level != OK and judgement.level != self._last.level
        self._state, self._last = state, judgement
        logger = self._node.get_logger()
        # What is awaited, and why a transition failed, is said by those who wait and try.
        said = snapshot.awaited or (snapshot.failure and state is None)
        if said or not (changed or worse):
            return
        prefix = f'{state.value}: ' if state is not None else ''
        if judgement.level == OK:
            logger.info(judgement.message)
        elif judgement.level == ERROR:
            logger.error(prefix + judgement.message)
        else:
            logger.warning(prefix + judgement.message)
