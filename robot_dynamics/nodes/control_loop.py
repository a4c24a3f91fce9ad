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

"""The fast path: wait for a joint state, take the newest, compute the effort, publish it."""

from __future__ import annotations

from math import inf
import threading
import time
import traceback
from typing import Any, Callable, Protocol, Sequence

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.control import Command, Controller
from robot_dynamics.nodes.loop_report import LoopReport
from robot_dynamics.nodes.messages import MeasuredState
from robot_dynamics.nodes.state_selector import StateSelector
from robot_dynamics.nodes.state_source import StateSource

__all__ = ['ControlLoop', 'LoopReport', 'Outputs']

RAMP_PERIOD = 0.004  # [s] between commands when no state sets the pace
IDLE_PERIOD = 0.1  # [s] longest wait when nothing is due
REPEATED = 'joint_states: the stamp does not move; does the driver repeat an old state?'
MARGIN = 1e-4  # [s] after a deadline, to look whether it has passed
LONGEST_END = 0.5  # [s] for the last ramp, so that the process can end within a second


class Outputs(Protocol):
    """Where the loop sends what it has computed; called by its thread only."""

    def send(self, effort: NDArray[np.float64]) -> None:
        """Publish the effort command (n,)."""

    def observe(self, state: MeasuredState, command: Command) -> None:
        """Publish what is being looked at: terms, reference, tracking error."""

    def flush(self) -> None:
        """Wait shortly until the last command has arrived."""


class ControlLoop:
    """
    Runs one controller in a thread of its own, at the pace of the joint states.

    All samples that have come are taken and the newest usable one is used. When none comes in
    time, the watchdog of the controller decides, by the steady clock. Where this thread itself was
    held up, the times of receipt decide whether states were missing. An exception ends the loop by
    a ramp to zero effort; the process goes on.

    Parameters
    ----------
    source
        Where the states come from; the loop closes it at its end.
    selector
        Chooses the state to use.
    controller
        Owned by the loop while it runs, but for its setters.
    outputs
        Where to send to.
    logger
        An rclpy logger.
    on_change
        Called by the loop's thread when the controller's state changes and at the end.
    prepare
        Called by the loop's thread before all else, such as to raise its priority.
    clock
        The steady clock in seconds.

    """

    def __init__(
        self,
        source: StateSource,
        selector: StateSelector,
        controller: Controller,
        outputs: Outputs,
        *,
        logger: Any,
        on_change: Callable[[], None],
        prepare: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._source = source
        self._selector = selector
        self._controller = controller
        self._outputs = outputs
        self._logger = logger
        self._on_change = on_change
        self._prepare = prepare
        self._clock = clock
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name='control', daemon=True)
        self._state = controller.state
        self._is_running = self._state.is_running
        self._n = controller.model.n_commanded
        self._now = -inf
        self._deadline = inf  # of the next good state, while the law is in command
        self._last_good = -inf
        self._stamp = 0.0
        self._stamped = -inf
        self._last_unusable = -inf
        self._unusable_reason = ''
        self._received = self._overtaken = self._old = self._unusable = 0
        self._clock_resets = self._commands = 0
        self._last_effort: NDArray[np.float64] | None = None
        self._saturated = np.zeros(self._n, dtype=np.int64)
        self._unsaturated = bytes(self._n)
        self._failure = ''

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def request_stop(self) -> None:
        """Begin the last ramp to zero effort; thread safe, returns at once."""
        if not self._stop.is_set():
            self._stop.set()
            self._source.wake()

    def stop(self) -> None:
        """End the loop: ramp to zero effort, last command exactly zero; wait for it."""
        self.request_stop()
        self._thread.join(2.0 * LONGEST_END)
        if self._thread.is_alive():
            self._logger.error('the control loop does not end; its last command may not be zero')
            return
        self._source.close()

    def report(self) -> LoopReport:
        """Return what has been seen so far; callable from any thread."""
        now = self._clock()
        return LoopReport(
            state=self._controller.state,
            reason=self._controller.reason,
            age=now - self._last_good,
            stamp=self._stamp,
            received=self._received,
            overtaken=self._overtaken,
            old=self._old,
            unusable=self._unusable,
            unusable_reason=self._unusable_reason,
            unusable_age=now - self._last_unusable,
            clock_resets=self._clock_resets,
            commands=self._commands,
            saturated=tuple(self._saturated.tolist()),
            failure=self._failure,
        )

    def _run(self) -> None:
        try:
            self._prepare()
            # values beyond all measure are found by their result, not told by NumPy
            with np.errstate(over='ignore', invalid='ignore'):
                self._serve()
        except Exception as error:
            self._failure = f'{type(error).__name__}: {error}'
            self._logger.error(
                'the control loop failed; ramp to zero effort:\n'
                + ''.join(traceback.format_exception(type(error), error, error.__traceback__))
            )
        try:
            self._ramp_down()
        except Exception as error:
            self._failure = self._failure or f'{type(error).__name__}: {error}'
            self._logger.error(f'the last ramp failed, zero effort at once: {error!r}')
        self._send_last_zero()
        self._on_change()

    def _serve(self) -> None:
        wait, clock, stopped = self._source.wait, self._clock, self._stop.is_set
        timeout = IDLE_PERIOD
        while not stopped():
            messages = wait(timeout)
            now = clock()
            if messages and now > self._deadline:
                timeout = self._catch_up(messages, now)
            else:
                timeout = self._step(messages, now)

    def _catch_up(self, messages: Sequence[Any], now: float) -> float:
        """
        Answer states that came in time although this thread could not look in time.

        The take of a message of many megabytes, by another thread, holds the interpreter. The
        states that came meanwhile are shown to the controller as if at their times of receipt,
        so that it sees a silence where there was one and none where there was not; only what
        it answers to the newest is sent. Return how long to wait for the next message at most.
        """
        timeout = self._controller.settings.state_timeout
        begin, came = 0, self._now
        for end, age in enumerate(self._source.ages(), 1):
            came = min(max(now - age, self._now), now)
            if end < len(messages) and came - self._now > 0.5 * timeout:
                self._step(messages[begin:end], came, send=False)
                begin = end
        self._step(messages[begin:], came, send=now - came <= timeout)
        return _wait_until(self._deadline, self._clock())

    def _step(self, messages: Sequence[Any], now: float, send: bool = True) -> float:
        """Do what is due at `now`; return how long to wait for the next message at most."""
        self._now = now
        controller = self._controller
        state = self._newest(messages, now) if messages else None
        command = controller.tick(now) if state is None else self._answer(state, now)
        reached = controller.state
        changed = reached is not self._state
        if changed:
            self._state, self._is_running = reached, reached.is_running
        if command is not None and send:
            self._send(command)
            if state is not None and self._is_running:
                self._outputs.observe(state, command)
        if changed:
            self._on_change()
        if not self._is_running:
            self._deadline = inf
            return IDLE_PERIOD if command is None else RAMP_PERIOD
        self._deadline = self._last_good + controller.settings.state_timeout
        return _wait_until(self._deadline, now)

    def _newest(self, messages: Sequence[Any], now: float) -> MeasuredState | None:
        """Return the newest usable state, and count the others."""
        state, overtaken, old, unusable, reason, clock_reset = self._selector.select(messages)
        self._received += len(messages)
        if overtaken or old or unusable or clock_reset:
            self._overtaken += overtaken
            self._old += old
            self._clock_resets += clock_reset
            if unusable:
                self._note_unusable(unusable, reason, now)
        return state

    def _answer(self, state: MeasuredState, now: float) -> Command | None:
        """Let the controller answer a state, which it may drop for reasons of its own."""
        controller = self._controller
        stamp = state.stamp
        if stamp != self._stamp:
            self._stamped = now
        elif stamp and not now - self._stamped <= controller.settings.state_timeout:
            self._note_unusable(1, REPEATED, now)
            return controller.tick(now)
        dropped = controller.dropped_states
        effort = state.effort
        if effort is not None:
            effort = effort[: self._n]
        command = controller.update(now, state.q, state.v, measured_effort=effort)
        if controller.dropped_states == dropped:
            self._last_good, self._stamp = now, stamp
        else:
            self._note_unusable(1, f'joint_states: {controller.drop_reason}', now)
        return command

    def _note_unusable(self, count: int, reason: str, now: float) -> None:
        self._unusable += count
        self._unusable_reason = reason
        self._last_unusable = now

    def _send(self, command: Command) -> None:
        self._outputs.send(command.output)
        self._last_effort = command.output
        self._commands += 1
        # ten times as fast as .any()
        if command.saturated.tobytes() != self._unsaturated:
            self._saturated += command.saturated

    def _ramp_down(self) -> None:
        """Let the controller go down to zero effort."""
        now = self._clock()
        deadline = now + LONGEST_END
        self._controller.shutdown(now)
        while now < deadline:
            command = self._controller.tick(now)
            if command is None:
                return
            self._send(command)
            time.sleep(RAMP_PERIOD)
            now = self._clock()

    def _send_last_zero(self) -> None:
        """Make sure that whatever was sent, the last command is exactly zero."""
        try:
            if self._last_effort is not None:
                if self._last_effort.any():
                    self._last_effort = np.zeros(len(self._last_effort))
                    self._outputs.send(self._last_effort)
                self._outputs.flush()
        except Exception as error:
            self._failure = self._failure or f'{type(error).__name__}: {error}'
            self._logger.error(f'the last command could not be sent: {error!r}')


def _wait_until(deadline: float, now: float) -> float:
    """Return how long to wait so that the watchdog of the controller sees a deadline passed."""
    left = deadline - now
    return MARGIN if left < 0.0 else left + MARGIN if left < IDLE_PERIOD else IDLE_PERIOD
