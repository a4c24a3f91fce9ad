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

"""What the demo has found, and how it is printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from robot_dynamics.cli.demo_scenes import COMPUTED_TORQUE, FEEDFORWARD, NATURAL_FREQUENCY, PD
from robot_dynamics.cli.recording import Recording
from robot_dynamics.cli.render import scaled, table

Array = NDArray[np.float64]

LONG_GAP = 0.03  # [s] between two commands, from where on the errors tell of the machine


class DemoResult(NamedTuple):
    """What a run gives: its recording, and RMS errors by label of the act, (n,) [rad, m]."""

    recording: Recording
    errors: dict[str, Array]
    rate: float  # commands a second over the whole run
    longest_gap: float  # [s] between two commands


def print_results(console: Console, results: Sequence[DemoResult], mass_error: float) -> None:
    """Print the tracking errors of all runs, and what was compared with what."""
    made = table(
        'Tracking error, RMS over one period of the sine',
        'arm',
        'joint',
        'PD alone',
        'same PD + model',
        'ratio',
        'computed torque',
        left=2,
    )
    for result in results:
        recording, errors = result.recording, result.errors
        for index, joint in enumerate(recording.joint_names):
            without, same, computed = (
                errors[act.label][index] for act in (PD, FEEDFORWARD, COMPUTED_TORQUE)
            )
            unit = recording.units[index]
            made.add_row(
                recording.title if index == 0 else '',
                joint,
                f'[red]{scaled(without, unit)}[/]',
                f'[green]{scaled(same, unit)}[/]',
                f'{without / same:.{0 if without > 9.9 * same else 1}f}×',
                f'[green]{scaled(computed, unit)}[/]',
            )
    console.print()
    console.print(made)
    masses = (
        'have exactly the masses of the model'
        if mass_error == 0.0
        else f'have masses and inertias {100.0 * mass_error:+g} % off the model'
    )
    for line in (
        'PD alone and PD + model (desired-state feedforward) have the same effort gains;',
        f'computed torque has gains of the same natural frequency, {NATURAL_FREQUENCY:g} rad/s.',
        f'The simulated arms {masses}.\n',
    ):
        console.print(line, style='dim', soft_wrap=True)
    gap = max(result.longest_gap for result in results)
    if gap > LONG_GAP:
        console.print(
            f'This machine was busy: for {1e3 * gap:.0f} ms no command was sent.\n'
            'On an idle one the model gains more.\n',
            style='yellow',
            soft_wrap=True,
        )
