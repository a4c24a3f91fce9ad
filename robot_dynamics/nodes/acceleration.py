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


"""Has the law of a robot compiled aside, and used as soon as it is ready."""

from __future__ import annotations

import threading
from typing import Any, Callable

from robot_dynamics.control import Controller
from robot_dynamics.errors import RobotDynamicsError
from robot_dynamics.nodes.idle_collector import IdleCollector


class Acceleration:
    """
    Compiles in a thread of its own, and hands over in the executor's.

    Until then, and without Numba, the same law is computed with NumPy and Pinocchio. What runs is
    logged once for each controller.

    Parameters
    ----------
    node
        The rclpy node, for its log and its executor.
    present
        Returns the controller in use, or None.
    collector
        Of the process's garbage; a compiler makes much that lasts.

    """

    def __init__(
        self, node: Any, present: Callable[[], Controller | None], collector: IdleCollector
    ) -> None:
        self._collector = collector
        self._logger = node.get_logger()
        self._present = present
        self._ready = node.create_guard_condition(self._hand_over)
        self._done: tuple[Controller, str] | None = None
        self._begun: Controller | None = None

    def begin(self, controller: Controller) -> None:
        """Compile the law of a controller, unless it gains nothing by it or it has been begun."""
        if controller is self._begun or controller.settings.backend != 'auto':
            return
        if not controller.has_short_way:
            return
        self._begun = controller
        self._collector.pause()
        threading.Thread(
            target=self._compile, args=(controller,), name='compiler', daemon=True
        ).start()

    def _compile(self, controller: Controller) -> None:
        try:
            reason = controller.prepare_backend().reason
        except RobotDynamicsError as error:
            reason = str(error)
        except Exception as error:
            # compilers fail in ways of their own; the law does not need them
            reason = f'the compiler failed: {type(error).__name__}: {error}'
        self._done = controller, reason
        self._ready.trigger()

    def _hand_over(self) -> None:
        """Let the controller take up what has been compiled for it."""
        self._collector.keep()
        done, self._done = self._done, None
        if done is None or done[0] is not self._present():
            return
        controller, reason = done
        if not reason:
            controller.configure(controller.settings)
        self._logger.info(
            f'control law: {controller.backend}' + (f' ({reason})' if reason else '')
        )
