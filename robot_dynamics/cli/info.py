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

"""The verb info: what is in a robot file."""

from __future__ import annotations

import argparse
from typing import Any, TYPE_CHECKING

from robot_dynamics.cli import robot_file

if TYPE_CHECKING:
    from robot_dynamics.model import RobotModel
    from robot_dynamics.model.joints import JointInfo

HELP = 'what is in a robot file'
DESCRIPTION = 'Show joints, limits, masses, gravity, the tree and what was found about a robot.'
EXAMPLES = """
  robot_dynamics info rp_arm                       a shipped robot
  robot_dynamics info my_arm.urdf                  URDF or xacro
  robot_dynamics info my_arm.urdf --joints j2,j1   which joints are commanded, in which order
  robot_dynamics info puma560 --json               for other programs
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb."""
    robot_file.add_arguments(parser)
    parser.add_argument('--json', action='store_true', help='print JSON in place of tables')


def run(arguments: argparse.Namespace) -> int:
    """Print what is known about a robot; return the exit code."""
    from robot_dynamics.cli.render import print_json

    model = robot_file.load(arguments)
    if arguments.json:
        print_json(summary(model))
    else:
        _print(model)
    return 0


def summary(model: RobotModel) -> dict[str, Any]:
    """
    Return what is known about a robot as plain data.

    Parameters
    ----------
    model : RobotModel
        The robot.

    Returns
    -------
    dict
        SI units; limits that do not exist are infinite.

    """
    friction = model.friction_model
    joints = [
        {
            'name': joint.name,
            'type': joint.type,
            'role': _role(model, joint),
            'parent': joint.parent,
            'child': joint.child,
            'unit': joint.unit,
            'effort_unit': joint.effort_unit,
            'lower': joint.lower,
            'upper': joint.upper,
            'velocity': joint.velocity,
            'effort': joint.effort,
            'effort_stated': joint.effort_stated,
            'motor_inertia': joint.armature,
            'friction': {
                'coulomb_positive': friction.coulomb_positive[index],
                'coulomb_negative': friction.coulomb_negative[index],
                'viscous': friction.viscous[index],
                'smoothing': friction.smoothing[index],
            },
        }
        for index, joint in enumerate(model.joints)
    ]
    return {
        'name': model.name,
        'joints': joints,
        'followers': model.follower_names,
        'locked': model.locked,
        'links': model.link_masses,
        'total_mass': model.total_mass,
        'gravity': model.gravity_vector,
        'root': model.description.root,
        'findings': [finding.to_dict() for finding in model.findings],
    }


def _role(model: RobotModel, joint: JointInfo) -> str:
    return 'commanded' if joint.name in model.commanded_names else 'measured'


def _print(model: RobotModel) -> None:
    from rich.markup import escape
    from rich.text import Text
    from robot_dynamics.cli.render import output, SEVERITY_STYLES, short

    console = output()
    gravity = ', '.join(short(value) for value in model.gravity_vector)
    console.print(
        f'[bold]{escape(model.name)}[/bold]  {model.nv} {"joint" if model.nv == 1 else "joints"}, '
        f'{len(model.link_names)} links, {short(model.total_mass)} kg'
    )
    console.print(f'gravity ({gravity}) m/s² in {escape(model.description.root)}\n')
    console.print(_joint_table(model))
    if model.armature.any() or not model.friction_model.is_zero:
        console.print(_drive_table(model))
    console.print(_link_table(model))
    console.print('[bold]Tree[/bold]')
    console.print(Text(model.tree_text() + '\n'))
    if model.findings:
        console.print('[bold]Findings[/bold]')
        for finding in model.findings:
            style = SEVERITY_STYLES[finding.severity.name.lower()]
            console.print(Text(str(finding), style=style), soft_wrap=True)
    else:
        console.print('[green]Nothing to remark.[/green]')


def _joint_table(model: RobotModel) -> Any:
    from rich.text import Text
    from robot_dynamics.cli.render import short, table

    made = table('Joints', 'joint', 'type', 'role', 'position', 'velocity', 'effort', left=3)
    for info in model.joints:
        bounds = f'{short(info.lower)} … {short(info.upper)} {info.unit}'
        velocity = f'{short(info.velocity)} {info.unit}/s'
        effort = f'{short(info.effort)} {info.effort_unit}'
        made.add_row(
            Text(info.name),
            info.type,
            _role(model, info),
            bounds,
            velocity,
            effort if info.effort_stated else f'not stated ({info.effort_unit})',
        )
    for name in model.follower_names:
        joint = model.description.joints[name]
        mimic, rule = joint.mimic, ''
        if mimic is not None:
            rule = f'= {short(mimic.multiplier)} × {mimic.master}'
            rule += f' + {short(mimic.offset)}' if mimic.offset else ''
        made.add_row(Text(name), joint.type, 'follower', Text(rule), '', '')
    for name, position in model.locked.items():
        made.add_row(name, 'fixed', 'locked', f'at {short(position)}', '', '')
    return made


def _drive_table(model: RobotModel) -> Any:
    from rich.text import Text
    from robot_dynamics.cli.render import short, table

    made = table(
        'Motors and friction, applied',
        'joint',
        'motor inertia at the joint',
        'Coulomb + / -',
        'viscous',
    )
    friction = model.friction_model
    for index, joint in enumerate(model.joints):
        linear = joint.unit == 'm'
        coulomb = (
            f'{short(friction.coulomb_positive[index])} / '
            f'{short(friction.coulomb_negative[index])} {joint.effort_unit}'
        )
        made.add_row(
            Text(joint.name),
            f'{short(joint.armature)} {"kg" if linear else "kg·m²"}',
            coulomb,
            f'{short(friction.viscous[index])} {joint.effort_unit}·s/{joint.unit}',
        )
    return made


def _link_table(model: RobotModel) -> Any:
    from rich.text import Text
    from robot_dynamics.cli.render import short, table

    made = table('Links', 'link', 'mass [kg]')
    for name, mass in model.link_masses.items():
        made.add_row(Text(name), short(mass))
    made.add_section()
    made.add_row('total', short(model.total_mass))
    return made
