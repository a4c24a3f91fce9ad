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

"""Running one node as a process: signals, callback errors, exit code, clean end."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import traceback
from types import FrameType
from typing import Any, Callable, Sequence

import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.signals import SignalHandlerOptions
from robot_dynamics.errors import RobotDynamicsError

EXIT_OK = 0
EXIT_FAILURE = 1
EXIT_USAGE = 2

# A thread that wakes up while another one computes in Python gets the interpreter after this
# time; by default it is 5 ms, five periods of a control loop.
SWITCH_INTERVAL = 2e-4  # [s]

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class StopNode(Exception):
    """Raised in a callback to end the process, with exit code ``code``."""

    def __init__(self, code: int = EXIT_OK) -> None:
        super().__init__(f'stop with exit code {code}')
        self.code = code


class Runnable:
    """
    What :func:`run` asks of a node; mix it in before the rclpy node class.

    All three methods may be left as they are. While they run, the context is still valid, so
    publishing works.
    """

    def request_stop(self) -> None:
        """
        Hear at once that the process has been asked to end.

        Called from the signal thread, perhaps in the middle of a callback: it must be thread
        safe and return at once. Called at most once.
        """

    def close(self) -> None:
        """Send the last messages and stop own threads; called once, after the last callback."""

    def callback_failed(self, error: Exception) -> None:
        """
        Take note of an exception that left a callback; it has been logged by then.

        The process goes on. `error` is the exception itself.
        """


class _SignalWatch:
    """
    A thread that hears SIGINT and SIGTERM, although the main thread is waiting inside C code.

    A handler written in Python runs only when the main thread is back in Python; the wake-up
    file descriptor is written to at once. The handlers of rclpy are not used, since they shut
    the context down before the last safe command could be sent.
    """

    def __init__(self) -> None:
        self.stopped = threading.Event()
        self._callbacks: list[Callable[[], None]] = []
        self._lock = threading.Lock()
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._writer, False)
        self._previous = {number: signal.signal(number, self._ignore) for number in _SIGNALS}
        self._previous_fd = signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)
        self._thread = threading.Thread(target=self._read, name='signals', daemon=True)
        self._thread.start()

    @staticmethod
    def _ignore(_number: int, _frame: FrameType | None) -> None:
        """Leave the work to the thread."""

    def _read(self) -> None:
        while True:
            received = os.read(self._reader, 1)
            if not received or received == b'\0':
                return
            if received[0] in _SIGNALS and not self.stopped.is_set():
                with self._lock:
                    self.stopped.set()
                    for callback in self._callbacks:
                        callback()

    def call(self, callback: Callable[[], None]) -> None:
        """Call `callback` from the signal thread when a signal comes, or now if it has come."""
        with self._lock:
            self._callbacks.append(callback)
            stopped = self.stopped.is_set()
        if stopped:
            callback()

    def forget(self) -> None:
        """Call nobody any more: what would be called is about to be destroyed."""
        with self._lock:
            self._callbacks.clear()

    def close(self) -> None:
        """Give the signals back to whoever had them."""
        signal.set_wakeup_fd(self._previous_fd)
        for number, handler in self._previous.items():
            signal.signal(number, handler)
        os.write(self._writer, b'\0')
        self._thread.join()
        os.close(self._reader)
        os.close(self._writer)


class _ErrorLog:
    """Logs each kind of callback error once with its traceback, and counts the repeats."""

    def __init__(self, logger: Any) -> None:
        self._logger = logger
        self._counts: dict[tuple[Any, ...], int] = {}

    def __call__(self, error: Exception) -> None:
        """Log `error` unless the same type came by the same lines before."""
        frames = traceback.extract_tb(error.__traceback__)
        key = (type(error).__name__, *((frame.filename, frame.lineno) for frame in frames))
        self._counts[key] = self._counts.get(key, 0) + 1
        if self._counts[key] == 1:
            text = ''.join(traceback.format_exception(type(error), error, error.__traceback__))
            self._logger.error(f'a callback failed; the node goes on. Logged once:\n{text}')


def run(node_factory: Callable[[], Any], args: Sequence[str] | None = None) -> int:
    """
    Run one node until SIGINT, SIGTERM or :class:`StopNode`, and end it cleanly.

    Parameters
    ----------
    node_factory
        Makes the node, an rclpy node that is also a :class:`Runnable`; called after
        ``rclpy.init``.
    args
        Command line, ``sys.argv`` when None.

    Returns
    -------
    int
        Exit code: 0 after a signal, 1 when the node could not be made, 2 when the ROS arguments
        or a parameter file cannot be read; the reason is on stderr. Any other code comes from
        :class:`StopNode`.

    """
    watch = _SignalWatch()
    try:
        return _run(node_factory, args, watch)
    finally:
        rclpy.try_shutdown()
        watch.close()


def _run(node_factory: Callable[[], Any], args: Sequence[str] | None, watch: _SignalWatch) -> int:
    try:
        rclpy.init(
            args=None if args is None else list(args),
            signal_handler_options=SignalHandlerOptions.NO,
        )
    except RuntimeError as error:
        print(f'error: {_explain_init_error(str(error))}', file=sys.stderr)
        return EXIT_USAGE
    try:
        node = node_factory()
    except RobotDynamicsError as error:
        print(f'error: {error}', file=sys.stderr)
        return EXIT_FAILURE
    executor = SingleThreadedExecutor()
    wake = node.create_guard_condition(lambda: None)
    executor.add_node(node)
    watch.call(node.request_stop)
    watch.call(wake.trigger)
    sys.setswitchinterval(SWITCH_INTERVAL)
    # What exists now lives until the end: keep it out of every garbage collection. To look for
    # the little that imports left behind would take longer than many of them.
    gc.freeze()
    code = EXIT_OK
    try:
        code = _spin(node, executor, watch.stopped)
    finally:
        watch.forget()
        node.close()
        executor.shutdown()
        node.destroy_node()
    return code


def _spin(node: Any, executor: SingleThreadedExecutor, stopped: threading.Event) -> int:
    log = _ErrorLog(node.get_logger())
    while not stopped.is_set():
        try:
            executor.spin_once()
        except StopNode as stop:
            return stop.code
        except ExternalShutdownException:
            return EXIT_OK
        except Exception as error:
            log(error)
            node.callback_failed(error)
    return EXIT_OK


def _explain_init_error(text: str) -> str:
    """Return the message of rcl, without its source lines and with what to change."""
    what = text.split(', at /')[0]
    if 'Sequence should be of same type' in text:
        what += (
            '. Write all numbers of a list alike: [0.0, 0.0, -9.81], not [0, 0, -9.81];'
            ' lists of mappings belong into the YAML file of the robot, not into ROS'
            ' parameters'
        )
    return what
