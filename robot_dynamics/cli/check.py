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

"""The verb check: what is wrong with a robot file, before the arm moves."""

from __future__ import annotations

import argparse
from typing import Any, TYPE_CHECKING

from robot_dynamics.cli import robot_file

if TYPE_CHECKING:
    from robot_dynamics.model import RobotModel
    from robot_dynamics.model.inspection import Report

HELP = 'what is wrong with a robot file'
DESCRIPTION = (
    'Look for everything in a robot file that would give a wrong effort, and say what to do.\n'
    'The exit code is 1 when an error is found, with --strict also for a warning.'
)
EXAMPLES = """
  robot_dynamics check my_arm.urdf
  robot_dynamics check my_arm.urdf --overlay my_arm.yaml --strict
  robot_dynamics check my_arm.urdf --verify     compare the dynamics with Lagrange's equations
  robot_dynamics check my_arm.urdf --json       for other programs
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb."""
    robot_file.add_arguments(parser)
    parser.add_argument('--strict', action='store_true', help='take warnings for errors')
    parser.add_argument(
        '--verify',
        action='store_true',
        help="compare mass matrix, Coriolis, gravity and effort with Lagrange's equations",
    )
    parser.add_argument('--json', action='store_true', help='print JSON in place of text')


def run(arguments: argparse.Namespace) -> int:
    """Print the findings; return the exit code."""
    from robot_dynamics.cli.render import print_json
    from robot_dynamics.model.inspection import inspect_robot

    path, options = robot_file.choices(arguments)
    report = inspect_robot(path, **options)
    passed = report.passes(strict=arguments.strict)
    verified: dict[str, Any] | None = None
    if arguments.verify and report.model is not None:
        verified = _verify(report.model)
        passed = passed and verified['agrees']
    if arguments.json:
        print_json(
            {
                'file': str(path),
                'passed': passed,
                'verified': verified,
                'findings': [finding.to_dict() for finding in report.findings],
            }
        )
    else:
        _print(report, passed, verified)
    return 0 if passed else 1


def _verify(model: RobotModel) -> dict[str, Any]:
    """Compare the model with Lagrange's equations at random states."""
    from robot_dynamics.symbolic import verify

    found = verify(model)
    return {
        'method': found.method,
        'states': found.states,
        'difference': found.largest,
        'agrees': found.passed,
    }


def _print(report: Report, passed: bool, verified: dict[str, Any] | None) -> None:
    from rich.text import Text
    from robot_dynamics.cli.render import output, SEVERITY_STYLES

    console = output()
    for finding in report.findings:
        style = SEVERITY_STYLES[finding.severity.name.lower()]
        console.print(
            Text(f'{finding.severity.name.lower():8}{finding.element}', style=style),
            soft_wrap=True,
        )
        value = f' ({finding.value})' if finding.value else ''
        console.print(f'        {finding.what}{value}', markup=False, soft_wrap=True)
        for label, text in (('why', finding.why), ('do', finding.remedy)):
            if text:
                console.print(f'        {label}: {text}', markup=False, soft_wrap=True)
    if verified is not None:
        console.print(
            f"Lagrange's equations ({verified['method']}) and the model differ by "
            f'{verified["difference"]:.1e} at most, relative, at {verified["states"]} '
            'random states.',
            soft_wrap=True,
        )
    counts = {
        name: sum(finding.severity.name.lower() == name for finding in report.findings)
        for name in SEVERITY_STYLES
    }
    summary = ', '.join(
        f'{count} {name}{"" if count == 1 else "s"}' for name, count in counts.items()
    )
    console.print(
        f'[{"green" if passed else "bold red"}]{"passed" if passed else "failed"}[/]: {summary}'
    )
