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

"""Taking a managed node to the active state when no lifecycle manager does it."""

from __future__ import annotations

from typing import Any, Callable

from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.lifecycle import TransitionCallbackReturn

_PERIOD = 0.1  # [s] between looks at what is awaited
_REMIND = 5.0  # [s] between reminders of what is awaited


class Autostart:
    """
    Configures and activates a node from inside, once what it waits for is there.

    A failed configuration is not repeated until :meth:`retry`.

    Parameters
    ----------
    node
        The rclpy lifecycle node.
    awaited
        Returns what has to be waited for, in one line, or ''.

    """

    def __init__(self, node: Any, awaited: Callable[[], str]) -> None:
        self._node = node
        self._awaited = awaited
        self._waits = 0
        self._timer = node.create_timer(
            _PERIOD, self._step, clock=Clock(clock_type=ClockType.STEADY_TIME)
        )
        # the first look is taken as soon as the node is being spun
        self._first = node.create_guard_condition(self._begin)
        self._first.trigger()

    def retry(self) -> None:
        """Try again, as something has changed."""
        self._timer.reset()

    def give_up(self) -> None:
        """Leave the transitions to somebody else."""
        self._timer.cancel()

    def _begin(self) -> None:
        if not self._timer.is_canceled():
            self._step()

    def _step(self) -> None:
        awaited = self._awaited()
        if awaited:
            if self._waits % round(_REMIND / _PERIOD) == 0:
                self._node.get_logger().info(awaited)
            self._waits += 1
            return
        self._timer.cancel()
        if self._node.trigger_configure() == TransitionCallbackReturn.SUCCESS:
            self._node.trigger_activate()
