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

"""The verb identify: what a recorded motion says about the bodies of a robot."""

from __future__ import annotations

import argparse
from typing import Any, TYPE_CHECKING

from robot_dynamics.cli import robot_file

if TYPE_CHECKING:
    from robot_dynamics.identification import Identification

HELP = 'what a recorded motion with efforts says about masses and inertias'
DESCRIPTION = (
    'Compare a recorded motion with a robot and identify the combinations of masses, first\n'
    'moments and inertias that it determines. RECORDING is a CSV table in SI units with a row of\n'
    'headings: t, and for each joint position, velocity, acceleration and effort at the joint,\n'
    'by name (q_elbow, v_elbow, a_elbow, tau_elbow) or by number in joint order (q1, v1, ...).\n'
    'The robot file is the prior: motors and friction are taken from it, it is not changed, and\n'
    'what the motion does not determine is not shown.'
)
EXAMPLES = """
  robot_dynamics identify my_arm.urdf motion.csv
  robot_dynamics identify my_arm.urdf motion.csv --overlay friction.yaml
  robot_dynamics identify my_arm.urdf motion.csv --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb."""
    robot_file.add_arguments(parser)
    parser.add_argument('recording', metavar='RECORDING', help='CSV table of a motion')
    parser.add_argument('--json', action='store_true', help='print JSON in place of tables')


def run(arguments: argparse.Namespace) -> int:
    """Identify and print what was found; return the exit code."""
    from robot_dynamics.cli.render import print_json
    from robot_dynamics.identification import identify, read_recording

    model = robot_file.load(arguments)
    result = identify(model, read_recording(arguments.recording, model))
    if arguments.json:
        print_json(summary(result))
    else:
        _print(result)
    return 0


def summary(result: Identification) -> dict[str, Any]:
    """
    Return what was found as plain data.

    Parameters
    ----------
    result : Identification
        What was found.

    Returns
    -------
    dict
        SI units; without single parameters that the motion does not determine.

    """
    return {
        'robot': result.robot,
        'joint_names': result.joint_names,
        'effort_units': result.effort_units,
        'samples': result.samples,
        'hold_out_samples': result.hold_out_samples,
        'columns': result.columns,
        'rank': result.rank,
        'structural_rank': result.structural_rank,
        'condition': result.condition,
        'base_parameters': [
            {
                'name': entry.name,
                'unit': entry.unit,
                'prior': entry.prior,
                'value': entry.value,
                'standard_deviation': entry.deviation,
                'certain': entry.certain,
            }
            for entry in result.base_parameters
        ],
        'undetermined': result.undetermined,
        'rms_error': {
            name: {'fit': error.fit, 'hold_out': error.hold_out}
            for name, error in (
                ('prior', result.prior_error),
                ('base_parameters', result.base_error),
                ('bodies', result.error),
            )
        },
        'physically_consistent': result.consistent,
        'bounded': result.bounded,
        'prior_kept': result.prior_kept,
        'warnings': result.warnings,
        'notes': result.notes,
    }


def _print(result: Identification) -> None:
    from rich.markup import escape
    from rich.text import Text
    from robot_dynamics.cli.render import output

    console = output()
    console.print(
        f'[bold]{escape(result.robot)}[/bold]  {result.samples} samples, '
        f'{result.hold_out_samples} of them kept out of the fit'
    )
    console.print(
        f'rank {result.rank} of {result.columns} columns (any motion: '
        f'{result.structural_rank}), condition number {result.condition:.3g}\n'
    )
    console.print(_parameter_table(result))
    console.print(_error_table(result))
    console.print(Text(_verdict(result), style='green' if result.consistent else 'yellow'))
    for text in result.warnings:
        console.print(Text(f'warning: {text}', style='yellow'))
    for text in result.notes:
        console.print(Text(text, style='dim'))


def _parameter_table(result: Identification) -> Any:
    from robot_dynamics.cli.render import short, table

    made = table(
        'What the motion determines', 'combination', 'unit', 'prior', 'value', '±', left=2
    )
    made.columns[0].no_wrap = False
    for entry in result.base_parameters:
        made.add_row(
            entry.name,
            entry.unit,
            short(entry.prior),
            short(entry.value),
            f'{entry.deviation:.2g}' + ('' if entry.certain else ' ?'),
        )
    return made


def _error_table(result: Identification) -> Any:
    from robot_dynamics.cli.render import short, table

    made = table(
        'Measured less predicted effort, rms', 'joint', 'unit', 'by', 'fit', 'hold-out', left=3
    )
    rows = (
        ('prior', result.prior_error),
        ('combinations', result.base_error),
        ('bodies', result.error),
    )
    for index, name in enumerate(result.joint_names):
        for by, error in rows:
            hold_out = '–' if error.hold_out is None else short(error.hold_out[index])
            made.add_row(
                name if by == 'prior' else '',
                result.effort_units[index] if by == 'prior' else '',
                by,
                short(error.fit[index]),
                hold_out,
            )
    return made


def _verdict(result: Identification) -> str:
    """Say whether the bodies behind the last rows are possible ones."""
    if not result.consistent:
        return (
            'The prior is kept, and not every body of it has positive mass and a positive '
            'definite pseudo-inertia.'
        )
    text = 'All bodies are possible: positive mass and positive definite pseudo-inertia.'
    if result.prior_kept:
        return f'{text} They are those of the prior.'
    if result.bounded:
        return f'{text} A bound holds {", ".join(result.bounded)}.'
    return f'{text} No bound was needed.'
