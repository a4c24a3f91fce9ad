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

"""The verb demo: two simulated arms, over real ROS 2 nodes in processes of their own."""

from __future__ import annotations

import argparse
from pathlib import Path
import tempfile
from typing import Any, TYPE_CHECKING

from robot_dynamics.cli.values import percentage, positive_number, UsageError

if TYPE_CHECKING:
    from robot_dynamics.cli.demo_result import DemoResult

HELP = 'two simulated arms hold themselves and follow a sine, over ROS 2'
DESCRIPTION = (
    'Run an RP arm and a 2R arm in turn: a simulator, the dynamics node and a reference node,\n'
    'each a process of its own, over ROS 2 on this machine only. First gravity compensation,\n'
    'then a sine by computed torque, by feedforward + PD, and by PD alone with the same gains.\n'
    'At the end the tracking errors are printed and a picture is written.'
)
EXAMPLES = """
  robot_dynamics demo                        writes robot_dynamics_demo.png here
  robot_dynamics demo --output results       writes the picture there
  robot_dynamics demo --mass-error 5%        the arms are 5 % heavier than their models
  robot_dynamics demo --plant mujoco         with the physics of MuJoCo
"""

SHORTEST = 4.0  # [s] in less, the motion would need more than the arms can give
PICTURE = 'robot_dynamics_demo.png'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb."""
    parser.add_argument(
        '--seconds',
        type=positive_number,
        default=10.0,
        metavar='S',
        help='length of each run; a shorter one moves faster (default: 10)',
    )
    parser.add_argument(
        '--mass-error',
        type=percentage,
        default=0.0,
        metavar='5%',
        help='how much heavier the simulated arms are than their models',
    )
    parser.add_argument(
        '--plant',
        choices=('pinocchio', 'mujoco'),
        default='pinocchio',
        help='physics of the simulated arms (default: pinocchio)',
    )
    parser.add_argument(
        '--output',
        type=Path,
        metavar='DIR',
        help='folder for the picture; it is made if necessary (default: this one)',
    )


def run(arguments: argparse.Namespace) -> int:
    """Play the demo; return the exit code."""
    if not arguments.seconds >= SHORTEST:
        raise UsageError(
            f'is {arguments.seconds:g}', where='--seconds', expected=f'{SHORTEST:g} or more'
        )
    _check_ros()
    from robot_dynamics.cli.demo_processes import interruptible, private_domain
    from robot_dynamics.cli.output_folder import prepare

    folder = prepare(arguments.output)
    with interruptible(), private_domain(), tempfile.TemporaryDirectory() as logs:
        results = _play(arguments, Path(logs))
    _write(results, folder, arguments)
    return 0


def _check_ros() -> None:
    try:
        import rclpy  # noqa: F401
    except ImportError as error:
        from robot_dynamics.cli.demo_processes import DemoError

        raise DemoError(
            f'rclpy cannot be imported ({error})',
            expected='ROS 2',
            remedy="source a ROS 2 distribution, or install it by pip: 'robot_dynamics[ros]'",
        ) from error


def _play(arguments: argparse.Namespace, logs: Path) -> list[DemoResult]:
    from robot_dynamics.cli.demo_run import DemoRun
    from robot_dynamics.cli.demo_scenes import DemoOptions, SCENES
    from robot_dynamics.cli.demo_view import make_view
    from robot_dynamics.cli.render import output

    options = DemoOptions(
        seconds=arguments.seconds, mass_error=arguments.mass_error, plant=arguments.plant
    )
    console = output()
    results = []
    for scene in SCENES:
        with make_view(console) as view:
            results.append(DemoRun(scene, options, logs, view).play())
        console.print(
            f'[green]✓[/green] [bold]{scene.title}[/bold]: {options.seconds:g} s, '
            f'{results[-1].rate:.0f} effort commands a second, longest gap '
            f'{1e3 * results[-1].longest_gap:.0f} ms'
        )
    return results


def _write(results: list[DemoResult], folder: Path, arguments: argparse.Namespace) -> None:
    """Print the errors, draw the picture and name the files."""
    from robot_dynamics.cli import figures
    from robot_dynamics.cli.demo_result import print_results
    from robot_dynamics.cli.output_folder import writing
    from robot_dynamics.cli.render import output

    console: Any = output()
    print_results(console, results, arguments.mass_error)
    path = folder / PICTURE
    with writing(path):
        figures.save(
            figures.comparison_figure(
                [result.recording for result in results],
                'robot_dynamics demo: simulated arms, controlled over ROS 2',
                [result.errors for result in results],
            ),
            path,
        )
    console.print(f'wrote {path}', soft_wrap=True, markup=False)
