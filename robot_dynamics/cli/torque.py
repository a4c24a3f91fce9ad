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

"""The verb torque: the effort of one state, split into its terms."""

from __future__ import annotations

import argparse
from typing import Any, TYPE_CHECKING

from robot_dynamics.cli import robot_file
from robot_dynamics.cli.values import joint_vector

if TYPE_CHECKING:
    from robot_dynamics.model import RobotModel

HELP = 'the effort of one state, split into inertia, Coriolis, gravity and friction'
DESCRIPTION = (
    'Show the effort tau = M(q) a + C(q, v) v + G(q) that a motion needs, term by term.\n'
    'Positions are in rad or m, efforts in N·m or N. Values come in joint order, separated by\n'
    'commas, or by name; joints that are not named are at 0.'
)
EXAMPLES = """
  robot_dynamics torque arm_2r --q 0,0                         held still, stretched out
  robot_dynamics torque arm_2r --q joint2=0.5                  by name
  robot_dynamics torque rp_arm --q 0.3,0.5 --v 1,0.2 --a 0,-1  in motion
  robot_dynamics torque arm_2r --q -0.5,1 --gravity 0,0,9.81   hanging upside down
  robot_dynamics torque puma560 --q 0,0,0,0,0,0 --v 1,0,0,0,0,0 --friction --json
"""

TERMS = ('inertia', 'coriolis', 'gravity', 'friction', 'total')


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb."""
    robot_file.add_arguments(parser)
    for name, text in (
        ('q', 'positions [rad, m]'),
        ('v', 'velocities [rad/s, m/s]'),
        ('a', 'accelerations [rad/s², m/s²]'),
    ):
        parser.add_argument(
            f'--{name}',
            nargs='+',
            metavar='VALUES',
            required=name == 'q',
            help=f'{text}: 0.1,0.2 or joint1=0.1 joint2=0.2',
        )
    parser.add_argument(
        '--friction',
        action='store_true',
        help="add the file's friction, that the actuator must overcome",
    )
    parser.add_argument('--json', action='store_true', help='print JSON in place of a table')


def run(arguments: argparse.Namespace) -> int:
    """Print the terms of the effort; return the exit code."""
    from robot_dynamics.cli.render import print_json

    model = robot_file.load(arguments)
    q, v, a = (
        joint_vector(getattr(arguments, name), f'--{name}', model.joint_names) for name in 'qva'
    )
    terms = effort_terms(model, q, v, a, friction=arguments.friction)
    if arguments.json:
        print_json(
            {
                'robot': model.name,
                'joint_names': model.joint_names,
                'units': [joint.unit for joint in model.joints],
                'effort_units': [joint.effort_unit for joint in model.joints],
                'gravity_vector': model.gravity_vector,
                'q': q,
                'v': v,
                'a': a,
                **terms,
            }
        )
    else:
        _print(
            model,
            q,
            v,
            a,
            terms
            if arguments.friction
            else {name: values for name, values in terms.items() if name != 'friction'},
        )
    return 0


def effort_terms(model: RobotModel, q: Any, v: Any, a: Any, *, friction: bool) -> dict[str, Any]:
    """
    Split the effort of one state into its terms.

    Parameters
    ----------
    model : RobotModel
        The robot.
    q, v, a : array_like, shape (nv,)
        Position, velocity, acceleration.
    friction : bool
        Whether the friction of the model is part of the total; 0 otherwise.

    Returns
    -------
    dict of str to numpy.ndarray, shape (nv,)
        The entries of ``TERMS`` [N m or N]: M a, C v, G, friction, and their sum.

    """
    import numpy as np

    gravity = model.gravity(q)
    terms = {
        'inertia': model.mass_matrix(q) @ np.asarray(a, dtype=np.float64),
        'coriolis': model.coriolis_matrix(q, v) @ np.asarray(v, dtype=np.float64),
        'gravity': gravity,
        'friction': model.friction(v) if friction else np.zeros(model.nv),
    }
    terms['total'] = model.inverse_dynamics(q, v, a) + terms['friction']
    return terms


def _print(model: RobotModel, q: Any, v: Any, a: Any, terms: dict[str, Any]) -> None:
    from rich.markup import escape
    from rich.text import Text
    from robot_dynamics.cli.render import fixed, output, short, table

    console = output()
    gravity = ', '.join(short(value) for value in model.gravity_vector)
    friction = ' + friction' if 'friction' in terms else ''
    console.print(f'[bold]{escape(model.name)}[/bold]  tau = M(q) a + C(q, v) v + G(q){friction}')
    for name, values, per in (('q', q, ''), ('v', v, '/s'), ('a', a, '/s²')):
        entries = (
            f'{short(value)} {joint.unit}{per}' for value, joint in zip(values, model.joints)
        )
        console.print(f'{name} = ({", ".join(entries)})')
    console.print(f'gravity ({gravity}) m/s² in {escape(model.description.root)}\n')
    made = table('', 'joint', *terms, 'unit')
    for index, joint in enumerate(model.joints):
        made.add_row(
            Text(joint.name),
            *(fixed(values[index]) for values in terms.values()),
            joint.effort_unit,
        )
    console.print(made)
    if not friction and not model.friction_model.is_zero:
        console.print('The friction in the file is left out; --friction adds it.', style='dim')
