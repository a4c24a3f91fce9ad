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

"""Starting what is measured as processes of their own, away from any robot, and ending it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
import os
from pathlib import Path
import random
import signal
import subprocess
import sys
import tempfile
import time
from typing import Any

from arm import ROOT
import yaml

PEERS = Path(__file__).resolve().parent / 'peers'

_DOMAINS = 101  # whose ports are free on every system
_END = 5.0  # [s] for a process to end by itself
_LINES = 8  # of a failed process, shown


class ProcessFailed(Exception):
    """A process ended or fell silent before the measurement was over."""


@contextmanager
def private_domain() -> Iterator[None]:
    """Give all processes a ROS domain of their own: no robot must hear these efforts."""
    before = dict(os.environ)
    os.environ.update(
        ROS_DOMAIN_ID=str(random.randint(1, _DOMAINS)),
        ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST',
        PYTHONPATH=os.pathsep.join(filter(None, (str(ROOT), before.get('PYTHONPATH', '')))),
    )
    os.environ.setdefault('ROS_LOG_DIR', str(ROOT / '.cache' / 'ros_log'))
    os.environ.pop('ROS_STATIC_PEERS', None)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def change_domain() -> None:
    """Go to a ROS domain in which nobody remembers the processes of the run before."""
    domain = int(os.environ['ROS_DOMAIN_ID'])
    os.environ['ROS_DOMAIN_ID'] = str(domain % _DOMAINS + 1)


class Process:
    """
    A Python program with its lines of output, ended when the context is left.

    Parameters
    ----------
    arguments
        After the name of the interpreter.
    processor
        The only processor it may use; None for all.
    python
        The interpreter, such as that of another environment.
    environment
        In place of this process's own.

    """

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        processor: int | None = None,
        python: str | Path = sys.executable,
        environment: dict[str, str] | None = None,
    ) -> None:
        pin = [] if processor is None else ['taskset', '-c', str(processor)]
        self._errors = tempfile.TemporaryFile('w+')
        self.started = time.monotonic_ns()
        self._process = subprocess.Popen(
            [*pin, str(python), *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            env=environment,
        )

    @property
    def pid(self) -> int:
        """Return the number of the process."""
        return self._process.pid

    def tell(self, line: str) -> None:
        """Write a line to its input."""
        try:
            self._process.stdin.write(line + '\n')
            self._process.stdin.flush()
        except BrokenPipeError:
            raise ProcessFailed(self._report()) from None

    def hear(self) -> str:
        """Return its next line of output."""
        line = self._process.stdout.readline()
        if not line:
            raise ProcessFailed(self._report())
        return line.strip()

    def wait_for_log(self, text: str, times: int, timeout: float) -> None:
        """Wait until a text has been logged so often, or for a time."""
        deadline = time.monotonic() + timeout
        while self._logged().count(text) < times and time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise ProcessFailed(self._report())
            time.sleep(0.1)

    def _logged(self) -> str:
        # not by the file object, whose place is the place of the process as well
        size = os.fstat(self._errors.fileno()).st_size
        return os.pread(self._errors.fileno(), size, 0).decode(errors='replace')

    def resident(self) -> float:
        """Return its memory, shared libraries included [MB]."""
        for line in Path(f'/proc/{self.pid}/status').read_text().splitlines():
            if line.startswith('VmRSS'):
                return int(line.split()[1]) / 1024.0
        raise ProcessFailed(self._report())

    def _report(self) -> str:
        self._process.poll()
        last = self._logged().strip().splitlines()[-_LINES:]
        return '\n'.join([f'{self._process.args[-1]} ended too soon:', *last])

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()
        self._errors.close()


def parameters_file(folder: Path, values: dict[str, Any]) -> Path:
    """Write ROS parameters for every node to a file."""
    file = folder / 'parameters.yaml'
    file.write_text(yaml.safe_dump({'/**': {'ros__parameters': values}}), encoding='utf-8')
    return file
