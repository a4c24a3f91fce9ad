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

"""One run of the demo: start the nodes of an arm, play the acts, record, end the nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
import math
import os
from pathlib import Path
import time

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.cli.demo_listener import DemoListener, TERMS
from robot_dynamics.cli.demo_nodes import BRAKE_RELEASE, dynamics, NodeSpec, reference, simulator
from robot_dynamics.cli.demo_processes import DemoError, NodeProcess, running, wait_until
from robot_dynamics.cli.demo_result import DemoResult
from robot_dynamics.cli.demo_scenes import (
    Act,
    COMPUTED_TORQUE,
    DemoOptions,
    FEEDFORWARD,
    GRAVITY,
    PD,
    PERIOD,
    PUSH_AT,
    Scene,
)
from robot_dynamics.cli.demo_view import JointNow, Now, View
from robot_dynamics.cli.recording import Phase, Recording
from robot_dynamics.model import load_robot

Array = NDArray[np.float64]

_START_PATIENCE = 20.0  # [s] for nodes to appear on a busy machine
_ANSWER_PATIENCE = 5.0  # [s] for the answer of a service
_SILENCE = 5.0  # [s] without a state or a command after which the demo has failed
_HOLD = 0.05  # [s] that a value is shown after it was heard


class DemoRun:
    """
    One arm, from the start of its nodes to their end.

    Parameters
    ----------
    scene : Scene
        The arm.
    options : DemoOptions
        The user's choices.
    folder : path
        For the output of the nodes.
    view : View
        Shows the run.

    """

    def __init__(self, scene: Scene, options: DemoOptions, folder: Path, view: View) -> None:
        """Load the model; nothing is started yet."""
        self._scene, self._options, self._folder, self._view = scene, options, folder, view
        self._model = load_robot(scene.robot)
        self._namespace = f'/demo_{os.getpid()}/{scene.robot}'
        self._processes: list[NodeProcess] = []
        self._origin = math.inf  # stamp at which the run begins [s]
        self._phases: list[Phase] = []

    def play(self) -> DemoResult:
        """
        Play all acts.

        Raises
        ------
        DemoError
            When a node fails or falls silent. No process is left, whatever happens.

        """
        self._listener = DemoListener(self._namespace, self._model.joint_names)
        try:
            with running(self._processes):
                self._start()
                self._play_acts()
                return self._result()
        finally:
            self._listener.close()

    def _node(self, spec: NodeSpec) -> None:
        self._processes.append(NodeProcess(spec, self._namespace, self._folder))

    def _start(self) -> None:
        """Start the nodes, and wait until all are there and the brake of the arm is open."""
        listener = self._listener
        self._node(simulator(self._scene, self._options))
        self._node(dynamics(self._scene, self._model))
        self._node(reference(self._scene, self._options))
        self._wait(lambda: listener.newest_stamp > 0.0, 'the first joint state')
        commands = listener.series['command'].stamps
        self._wait(lambda: bool(commands), 'the first effort command')
        self._wait(lambda: listener.can_change_mode, 'the parameter service')
        self._wait(lambda: listener.has_reference_node, 'the reference node')
        open_at = commands[0] + BRAKE_RELEASE
        self._wait(lambda: listener.newest_stamp > open_at, 'the end of the brake')
        self._origin = listener.newest_stamp

    def _play_acts(self) -> None:
        seconds = self._options.seconds
        self._act(GRAVITY, PUSH_AT * GRAVITY.share * seconds)
        self._listener.push(self._scene.push)
        self._act(GRAVITY, GRAVITY.share * seconds)
        start = self._begin(COMPUTED_TORQUE)
        self._phases.append(Phase(GRAVITY.label, 0.0, start))
        self._listener.describe(self._model.urdf)
        self._act(COMPUTED_TORQUE, math.inf, until=lambda: self._listener.trajectories > 0)
        end = self._elapsed + COMPUTED_TORQUE.share * seconds
        self._act(COMPUTED_TORQUE, end)
        self._phases.append(Phase(COMPUTED_TORQUE.label, start, end))
        for act in (FEEDFORWARD, PD):
            start, end = self._begin(act), end + act.share * seconds
            self._act(act, end)
            self._phases.append(Phase(act.label, start, end))

    def _change_mode(self, act: Act) -> None:
        answer = self._listener.request_mode(act.mode)
        self._wait(answer.done, 'the answer to the change of mode', _ANSWER_PATIENCE, act)
        result = answer.result().results[0]
        if not result.successful:
            raise DemoError(
                f"refuses the mode '{act.mode}': {result.reason}", where='dynamics_node'
            )

    def _begin(self, act: Act) -> float:
        """Change to the law of an act; return the time of the run at which it is in force [s]."""
        self._change_mode(act)
        return self._elapsed

    def _act(self, act: Act, end: float, until: Callable[[], bool] | None = None) -> None:
        """Let an act go on up to a moment of the run [s], or until a condition holds."""
        begun = time.monotonic()
        while self._elapsed < end and not (until is not None and until()):
            self._step(act)
            if until is not None and time.monotonic() - begun > _START_PATIENCE:
                raise DemoError(
                    'no trajectory came',
                    where='reference_node',
                    remedy=self._words('reference_node'),
                )

    @property
    def _elapsed(self) -> float:
        """Time of the run [s], by the stamps of the joint states."""
        return max(self._listener.newest_stamp - self._origin, 0.0)

    def _step(self, act: Act | None) -> None:
        """Listen for a moment, show it, and make sure that all nodes are well."""
        before, began = self._listener.newest_stamp, time.monotonic()
        self._listener.spin()
        while self._listener.newest_stamp == before:
            self._check_processes()
            if time.monotonic() - began > _SILENCE:
                raise DemoError(
                    f'no joint state for {_SILENCE:g} s',
                    where='simulator_node',
                    remedy=self._words('simulator_node'),
                )
            self._listener.spin()
        self._check_processes()
        commands = self._listener.series['command'].stamps
        if commands and self._listener.newest_stamp - commands[-1] > _SILENCE:
            raise DemoError(
                f'no effort command for {_SILENCE:g} s',
                where='dynamics_node',
                remedy=self._words('dynamics_node'),
            )
        self._view.show(self._now(act))

    def _words(self, module: str) -> str:
        """Return what a node has said last, for a message."""
        return ''.join(
            process.last_words() for process in self._processes if process.module == module
        )

    def _check_processes(self) -> None:
        for process in self._processes:
            process.check()

    def _wait(
        self,
        condition: Callable[[], bool],
        what: str,
        seconds: float = _START_PATIENCE,
        act: Act | None = None,
    ) -> None:
        def spin() -> None:
            self._listener.spin()
            self._view.show(self._now(act))

        wait_until(condition, self._processes, seconds, what, spin)

    def _now(self, act: Act | None) -> Now:
        """Return the present moment for the view."""
        after = self._listener.newest_stamp - _HOLD
        newest = {name: series.newest(after) for name, series in self._listener.series.items()}
        joints: Sequence[JointNow] = [
            JointNow(
                joint.name,
                joint.unit,
                joint.effort_unit,
                *(
                    newest[name][index]
                    for name in ('position', 'reference', 'error', 'gravity', 'command')
                ),
            )
            for index, joint in enumerate(self._model.joints)
        ]
        return Now(
            self._scene.title,
            act,
            self._elapsed if act else 0.0,
            self._options.seconds,
            self._listener.rate,
            joints,
        )

    def _result(self) -> DemoResult:
        """Return the run as a recording, on the stamps of the joint states."""
        end = self._phases[-1].end
        stamps = np.array(self._listener.series['position'].stamps)
        stamps = stamps[(stamps >= self._origin) & (stamps <= self._origin + end)]
        values = {name: series.at(stamps, _HOLD) for name, series in self._listener.series.items()}
        recording = Recording(
            title=self._scene.title,
            joint_names=self._model.joint_names,
            units=tuple(joint.unit for joint in self._model.joints),
            effort_units=tuple(joint.effort_unit for joint in self._model.joints),
            time=stamps - self._origin,
            position=values['position'],
            reference=values['reference'],
            error=values['error'],
            terms={term: values[term] for term in TERMS},
            command=values['command'],
            phases=tuple(self._phases),
        )
        window = PERIOD * self._options.seconds
        errors = {}
        for phase in self._phases[1:]:
            start = phase.end - window
            errors[phase.label] = recording.rms_error(start, phase.end)
            self._check_motion(recording.reference[recording.within(start, phase.end)], phase)
        sent = np.array(self._listener.series['command'].stamps) - self._origin
        sent = sent[(sent >= 0.0) & (sent <= end)]
        return DemoResult(recording, errors, len(sent) / end, float(np.diff(sent).max()))

    def _check_motion(self, reference: Array, phase: Phase) -> None:
        """Make sure that the sine was followed in a phase: an error at rest proves nothing."""
        reference = reference[np.isfinite(reference).all(axis=1)]
        if not len(reference) or (np.ptp(reference, axis=0) < self._scene.amplitude).any():
            raise DemoError(
                f"the sine was not followed in '{phase.label}'",
                where='dynamics_node',
                remedy=self._words('dynamics_node'),
            )
