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

"""The verb derive: the equations of motion in closed form."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from robot_dynamics.cli import robot_file

HELP = 'the equations of motion in closed form'
DESCRIPTION = (
    'Derive M(q) a + C(q, v) v + G(q) = tau from kinetic and potential energy by the\n'
    'Euler-Lagrange equations, with SymPy. Masses, lengths, inertias and gravity are symbols\n'
    'such as m1, l1, J1 and g, or the numbers of the file.'
)
EXAMPLES = """
  robot_dynamics derive rp_arm --names theta,d     with the names of a textbook
  robot_dynamics derive arm_2r --numbers           with the numbers of the file
  robot_dynamics derive arm_2r --format latex      for a paper
  robot_dynamics derive puma560 --format python --output puma560_equations.py
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb."""
    robot_file.add_arguments(parser)
    parser.add_argument(
        '--numbers', action='store_true', help='the numbers of the file in place of symbols'
    )
    parser.add_argument(
        '--names',
        nargs='+',
        metavar='NAME',
        help='names of the joint positions in joint order, such as theta d (default: q1 q2 …)',
    )
    parser.add_argument(
        '--format',
        choices=('text', 'latex', 'python'),
        default='text',
        help='text, LaTeX with amsmath, or a Python module that needs NumPy (default: text)',
    )
    parser.add_argument(
        '--output', type=Path, metavar='PATH', help='write to this file, not to the terminal'
    )
    parser.add_argument(
        '--no-simplify',
        action='store_true',
        help='leave the terms as they come: just as exact, but longer',
    )


def run(arguments: argparse.Namespace) -> int:
    """Derive, print or write the equations; return the exit code."""
    from robot_dynamics.cli.output_folder import prepare, writing
    from robot_dynamics.symbolic.derivation import derive, require_sympy

    require_sympy()
    if arguments.output is not None:
        prepare(arguments.output.parent)
    model = robot_file.load(arguments)
    names = None
    if arguments.names is not None:
        names = [name.strip() for text in arguments.names for name in text.split(',')]
    with _progress_bar(f'{model.name}') as progress:
        derivation = derive(
            model,
            named=not arguments.numbers,
            names=names,
            simplify=not arguments.no_simplify,
            progress=progress,
        )
        progress(f'printing {arguments.format}', 0, 1)
        text = {
            'text': derivation.text,
            'latex': derivation.latex,
            'python': derivation.python,
        }[arguments.format]()
    if arguments.output is None:
        print(text, end='')
    else:
        with writing(arguments.output):
            arguments.output.write_text(text, encoding='utf-8')
        print(f'wrote {arguments.output}')
    return 0


@contextmanager
def _progress_bar(robot: str) -> Iterator[Callable[[str, int, int], None]]:
    """Show what is being done on stderr, nothing where stderr is no terminal."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
    from robot_dynamics.cli.render import progress

    console = progress()
    with Progress(
        TextColumn('{task.description}', markup=False),
        BarColumn(),
        TextColumn('{task.completed:.0f} of {task.total:.0f}'),
        TimeElapsedColumn(),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    ) as bar:
        task = bar.add_task(robot, total=1.0)
        yield lambda what, done, total: bar.update(
            task, description=f'{robot}: {what}', completed=done, total=total
        )
