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

"""One run over DDS: a driver sends states, a node in another process answers with efforts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
import json
from pathlib import Path
import tempfile
import time
from typing import Any

from answers import Answers, learn_scale, LEVELS, match, STEP
from arm import JOINTS, overlay_file, START
import numpy as np
from processes import change_domain, parameters_file, PEERS, Process, ProcessFailed

_TRIES = 3  # a machine that stalls for longer than state_timeout spoils a run
_COMPILED = 'control law:'  # in the node's log
_LONGEST_COMPILATION = 20.0  # [s]
_LOOK = 5.0  # [s] between looks at the memory
_DIAGNOSTICS = 15.0  # [s] in which the counts of the node must come


@dataclass(frozen=True, kw_only=True)
class Subject:
    """
    What answers the states.

    Parameters
    ----------
    name
        As it stands in tables.
    command
        Arguments of the interpreter.
    values
        ROS parameters.
    is_ours
        Whether it follows trajectories and reports counts.
    compilations
        How often it says by which code it computes, once that has been compiled.

    """

    name: str
    command: tuple[str, ...]
    values: dict[str, Any]
    is_ours: bool = False
    compilations: int = 0


@dataclass(frozen=True, kw_only=True)
class Trip:
    """
    What one run has shown.

    Attributes
    ----------
    answers
        Of the first arm.
    processor_share
        Of one processor, used by the node's process.
    start
        From the start of the process to its first command [s].
    resident
        Memory of the node's process at the end [MB].
    counts
        What the node itself has counted, by the names of its diagnostics; empty for others.
    commands_heard
        Since the start, by the driver.
    spoiled
        How many runs before this one are not used: the machine held the node up until it went
        to its safe stop.

    """

    answers: Answers
    processor_share: float
    start: float
    resident: float
    counts: dict[str, int]
    commands_heard: int
    spoiled: int = 0


def echo_spin() -> Subject:
    """Return the do-nothing node."""
    return Subject(
        name='rclpy.spin echo', command=(str(PEERS / 'echo_spin.py'),), values={'unused': 0}
    )


def echo_loop() -> Subject:
    """Return the best do-nothing loop."""
    return Subject(
        name='best empty loop', command=(str(PEERS / 'echo_loop.py'),), values={'unused': 0}
    )


def dynamics(**parameters: Any) -> Subject:
    """Return our node with computed torque and friction, all else as by default."""
    return Subject(
        name='robot_dynamics',
        command=('-m', 'robot_dynamics.nodes.dynamics_node'),
        values={
            'robot': str(overlay_file()),
            'mode': 'computed_torque',
            'friction': True,
            **parameters,
        },
        is_ours=True,
        compilations=1 if parameters.get('backend', 'auto') == 'auto' else 0,
    )


def several_arms(namespaces: Sequence[str]) -> Subject:
    """Return our node several times in one process."""
    one = dynamics()
    return Subject(
        name=f'{len(namespaces)} arms in one process',
        command=(str(PEERS / 'four_arms.py'), *namespaces),
        values=one.values,
        is_ours=True,
        compilations=len(namespaces),
    )


def travel(
    subject: Subject,
    *,
    rate: float = 1000.0,
    seconds: float = 2.0,
    processor: int | None = None,
    namespaces: Sequence[str] = ('',),
    counts: bool = False,
) -> Trip:
    """
    Measure once; again when the machine held the node up so long that it went to its safe stop.

    Parameters
    ----------
    subject
        The node.
    rate, seconds
        Of the states [Hz, s].
    processor
        Both processes are bound to this one; None for all.
    namespaces
        Of the arms.
    counts
        Whether to wait for the node's own counts.

    """
    for attempt in range(_TRIES):
        try:
            trip = _travel(subject, rate, seconds, processor, namespaces, counts)
        except ValueError:
            if attempt == _TRIES - 1:
                raise
            continue
        if trip.answers.unknown == 0:
            break
    return replace(trip, spoiled=attempt)


def watch_memory(subject: Subject, seconds: float) -> tuple[list[float], list[float]]:
    """Serve states at 1 kHz for a long time; return times [s] and memory of the node [MB]."""
    times: list[float] = []
    sizes: list[float] = []
    with _running(subject, 1000.0, seconds) as (driver, node, _output):
        driver.hear()
        _begin(driver, node, subject)
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            time.sleep(_LOOK)
            times.append(time.monotonic() - began)
            sizes.append(node.resident())
        driver.hear()
        driver.tell('')
    return times, sizes


@contextmanager
def _running(
    subject: Subject,
    rate: float,
    seconds: float,
    processor: int | None = None,
    namespaces: Sequence[str] = ('',),
) -> Iterator[tuple[Process, Process, Path]]:
    """Start a driver, then the node; the driver's recording is there after its answer."""
    change_domain()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        output = folder / 'recording.npz'
        driver_command = [
            str(PEERS / 'driver.py'),
            f'--rate={rate}',
            f'--seconds={seconds}',
            f'--joints={",".join(JOINTS)}',
            f'--position={",".join(map(str, START))}',
            f'--namespaces={",".join(namespaces)}',
            f'--levels={LEVELS}',
            f'--step={STEP}',
            f'--output={output}',
            *(['--trajectory'] if subject.is_ours else []),
        ]
        file = parameters_file(folder, subject.values)
        command = [*subject.command, '--ros-args', '--params-file', str(file)]
        with Process(driver_command, processor=processor) as driver:
            driver.hear()
            with Process(command, processor=processor) as node:
                driver.tell(str(node.pid))
                yield driver, node, output


def _begin(driver: Process, node: Process, subject: Subject) -> None:
    """Let the driver begin once the node is as it will be from then on."""
    if subject.compilations:
        node.wait_for_log(_COMPILED, subject.compilations, _LONGEST_COMPILATION)
    driver.tell('begin')


def _travel(
    subject: Subject,
    rate: float,
    seconds: float,
    processor: int | None,
    namespaces: Sequence[str],
    counts: bool,
) -> Trip:
    with _running(subject, rate, seconds, processor, namespaces) as (driver, node, output):
        first = int(driver.hear())
        _begin(driver, node, subject)
        seen = json.loads(driver.hear())
        resident = node.resident()
        counted = _counts() if counts and subject.is_ours else {}
        driver.tell('')
        with np.load(output) as recording:
            answers = _answers(recording)
    return Trip(
        answers=answers,
        processor_share=seen['processor_time'] / seen['seconds'],
        start=(first - node.started) * 1e-9,
        resident=resident,
        counts=counted,
        commands_heard=seen['commands_heard'],
    )


def _answers(recording: Any) -> Answers:
    scale = learn_scale(*(recording[f'learned_{key}'] for key in ('sent', 'heard', 'efforts')))
    return match(*(recording[f'{key}_0'] for key in ('sent', 'heard', 'efforts')), scale)


def _counts() -> dict[str, int]:
    """Return the counts in the second status of the node that comes from now on."""
    from diagnostic_msgs.msg import DiagnosticArray
    import rclpy
    from rclpy.context import Context
    from rclpy.executors import SingleThreadedExecutor

    context = Context()
    rclpy.init(args=[], context=context)
    node = rclpy.create_node('listener', context=context)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    heard: list[Any] = []
    node.create_subscription(DiagnosticArray, '/diagnostics', heard.append, 10)
    deadline = time.monotonic() + _DIAGNOSTICS
    # the first one may have been on its way before the last command was sent
    while len(heard) < 2 and time.monotonic() < deadline:
        executor.spin_once(timeout_sec=0.1)
    executor.shutdown()
    node.destroy_node()
    context.try_shutdown()
    if not heard:
        raise ProcessFailed('no diagnostics came from the node')
    values = {pair.key: pair.value for pair in heard[-1].status[0].values}
    wanted = ('states received', 'states overtaken', 'states dropped as old', 'states unusable')
    return {key: int(values[key]) for key in (*wanted, 'commands')}
