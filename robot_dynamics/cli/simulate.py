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

"""The verb simulate: a closed loop without ROS, its errors, a table and a picture."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
import re
from typing import TYPE_CHECKING

from robot_dynamics.cli import robot_file
from robot_dynamics.cli.values import number, percentage, positive_number

if TYPE_CHECKING:
    from robot_dynamics.cli.recording import Recording
    from robot_dynamics.model import RobotModel
    from robot_dynamics.simulation import ClosedLoopResult

HELP = 'an arm and a control law in closed loop, without ROS'
DESCRIPTION = (
    'Simulate an arm under a control law, faster than real time; print how well it tracks and\n'
    'write the samples (CSV) and a picture (PNG). The arm starts on the reference.'
)
EXAMPLES = """
  robot_dynamics simulate arm_2r                                    computed torque, a sine
  robot_dynamics simulate arm_2r --mode pd                          without the model
  robot_dynamics simulate arm_2r --mode feedforward --mass-error 5% an arm 5 % too heavy
  robot_dynamics simulate rp_arm --reference rest_to_rest --goal 1,0.7 --duration 3
  robot_dynamics simulate rp_arm --reference my_points.yaml --rate 500 --output results
  robot_dynamics simulate puma560 --friction --plant mujoco --natural-frequency 20
"""

MODES = ('gravity_compensation', 'feedforward', 'computed_torque', 'pd', 'pd_gravity')
SHAPES = ('sine', 'rest_to_rest', 'hold')

USUAL_DURATION = 5.0  # [s] of references without an end


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb."""
    robot_file.add_arguments(parser)
    parser.add_argument(
        '--mode',
        choices=MODES,
        default='computed_torque',
        help='the control law (default: computed_torque)',
    )
    parser.add_argument(
        '--reference',
        metavar='SHAPE|FILE',
        help='sine, rest_to_rest, hold, or a YAML file with joint_names and points (default: '
        'sine; hold for gravity_compensation)',
    )
    parser.add_argument(
        '--duration',
        type=positive_number,
        metavar='S',
        help=f'length [s] (default: {USUAL_DURATION:g}, or that of the file)',
    )
    parser.add_argument(
        '--rate',
        type=positive_number,
        default=1000.0,
        metavar='HZ',
        help='rate of the control loop; efforts are held between (default: 1000)',
    )
    parser.add_argument(
        '--plant',
        choices=('pinocchio', 'mujoco'),
        default='pinocchio',
        help='physics of the arm (default: pinocchio)',
    )
    parser.add_argument(
        '--mass-error',
        type=percentage,
        default=0.0,
        metavar='5%',
        help='how much heavier the arm is than the model, inertias as well',
    )
    parser.add_argument(
        '--friction',
        action='store_true',
        help='the law adds the friction of the model; the arm always has it',
    )
    parser.add_argument(
        '--output',
        type=Path,
        metavar='DIR',
        help='folder for CSV and PNG; it is made if necessary (default: this one)',
    )
    gains = parser.add_argument_group('gains')
    gains.add_argument(
        '--natural-frequency',
        type=positive_number,
        default=10.0,
        metavar='W',
        help='of the error [rad/s] (default: 10): kp = w², kd = 2 z w in computed torque; other '
        'laws multiply them by the inertia of each joint at the start',
    )
    gains.add_argument(
        '--damping-ratio', type=number, default=1.0, metavar='Z', help='of the error (default: 1)'
    )
    gains.add_argument(
        '--kp',
        nargs='+',
        metavar='VALUES',
        help='effort for each unit of error [N·m/rad, N/m], in place of the above',
    )
    gains.add_argument(
        '--kd',
        nargs='+',
        metavar='VALUES',
        help='effort for each unit of velocity error [N·m·s/rad, N·s/m]',
    )
    shape = parser.add_argument_group('shape of the reference, by joint order or by name')
    shape.add_argument(
        '--center',
        nargs='+',
        metavar='VALUES',
        help='middle of the sine, or start (default: 0, or the middle of limits that exclude it)',
    )
    shape.add_argument(
        '--amplitude', nargs='+', metavar='VALUES', help='of the sine (default: 0.3 rad, 0.1 m)'
    )
    shape.add_argument(
        '--angular-frequency',
        type=positive_number,
        default=2.0,
        metavar='W',
        help='of the sine [rad/s] (default: 2)',
    )
    shape.add_argument(
        '--goal',
        nargs='+',
        metavar='VALUES',
        help='end of rest_to_rest (default: center + amplitude)',
    )


def run(arguments: argparse.Namespace) -> int:
    """Simulate, print the errors and write the files; return the exit code."""
    from robot_dynamics.cli import simulate_setup as setup
    from robot_dynamics.cli.output_folder import prepare
    from robot_dynamics.simulation import MujocoPlant, PinocchioPlant, simulate

    model = robot_file.load(arguments)
    reference, duration = setup.make_reference(model, arguments)
    settings = setup.law_settings(model, arguments, reference)
    folder = prepare(arguments.output)
    factor = 1.0 + arguments.mass_error
    arm = model.with_scaled(mass=factor, inertia=factor)
    period = 1.0 / arguments.rate
    plant_type = {'pinocchio': PinocchioPlant, 'mujoco': MujocoPlant}[arguments.plant]
    with _progress_bar(f'{model.name}, {arguments.mode}') as progress:
        result = simulate(
            arm,
            model,
            settings,
            reference,
            duration=duration,
            control_period=period,
            plant=plant_type(arm, dt=setup.physics_step(period)),
            with_terms=True,
            effort_limit=model.limits.effort[: model.n_commanded],
            progress=progress,
        )
    _print(result, model, arguments)
    _write(result, model, arguments, folder)
    return 0


@contextmanager
def _progress_bar(text: str) -> Iterator[Callable[[float], None]]:
    """Show a bar on stderr, nothing where stderr is no terminal."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
    from robot_dynamics.cli.render import progress

    console = progress()
    with Progress(
        TextColumn('{task.description}', markup=False),
        BarColumn(),
        TextColumn('{task.percentage:3.0f} %'),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    ) as bar:
        task = bar.add_task(text, total=1.0)
        yield lambda fraction: bar.update(task, completed=fraction)


def _print(result: ClosedLoopResult, model: RobotModel, arguments: argparse.Namespace) -> None:
    from rich.markup import escape
    from rich.text import Text
    from robot_dynamics.cli.render import output, scaled, short, table

    console = output()
    percent = 100.0 * arguments.mass_error
    mass = f', masses {percent:+g} % off the model' if percent else ''
    console.print(
        f'[bold]{escape(model.name)}[/bold]  {arguments.mode}, {short(result.t[-1])} s at '
        f'{short(arguments.rate)} Hz, {arguments.plant}{mass}\n'
    )
    made = table('Tracking error', 'joint', 'RMS', 'largest', 'RMS effort')
    for index, joint in enumerate(model.joints[: model.n_commanded]):
        made.add_row(
            Text(joint.name),
            scaled(result.rms_error[index], joint.unit),
            scaled(result.max_abs_error[index], joint.unit),
            f'{short(result.rms_effort[index])} {joint.effort_unit}',
        )
    console.print(made)
    if result.beyond_limits:
        console.print(
            f'The position limits of {", ".join(result.beyond_limits)} were left.',
            style='yellow',
            markup=False,
        )


def _write(
    result: ClosedLoopResult, model: RobotModel, arguments: argparse.Namespace, folder: Path
) -> None:
    from robot_dynamics.cli import figures
    from robot_dynamics.cli.output_folder import writing
    from robot_dynamics.cli.render import output

    stem = re.sub(r'[^\w.-]+', '_', f'{model.name}_{arguments.mode}').lstrip('.')
    table, picture = folder / f'{stem}.csv', folder / f'{stem}.png'
    result.write_csv(table)
    with writing(picture):
        figures.save(
            figures.joint_figure(recording(result, f'{model.name}, {arguments.mode}')), picture
        )
    for path in (table, picture):
        output().print(f'wrote {path}', soft_wrap=True, markup=False)


def recording(result: ClosedLoopResult, title: str) -> Recording:
    """
    Return the commanded joints of a result as a recording.

    Parameters
    ----------
    result : ClosedLoopResult
        With the terms of the law.
    title : str
        Heading.

    """
    from robot_dynamics.cli.recording import Recording

    n = result.n_commanded
    joints = result.joints[:n]
    return Recording(
        title=title,
        joint_names=tuple(joint.name for joint in joints),
        units=tuple(joint.unit for joint in joints),
        effort_units=tuple(joint.effort_unit for joint in joints),
        time=result.t,
        position=result.q[:, :n],
        reference=result.q_ref,
        error=result.e,
        terms={name: values for name, values in result.terms.items() if name != 'total'},
        command=result.tau,
    )
