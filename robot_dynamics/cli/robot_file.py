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

"""The arguments that say which robot is meant, shared by the verbs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, TYPE_CHECKING

from robot_dynamics.cli.values import vector3
from robot_dynamics.errors import ModelError

if TYPE_CHECKING:
    from robot_dynamics.model import RobotModel


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add FILE and the choices that every verb with a model offers."""
    parser.add_argument(
        'file',
        metavar='FILE',
        help='URDF, xacro or YAML robot, or a shipped name such as rp_arm or arm_2r',
    )
    parser.add_argument(
        '--joints', metavar='A,B', help='commanded joints in the order wanted (default: all)'
    )
    parser.add_argument(
        '--overlay', metavar='YAML', help='friction, motors, limits and mount beside a URDF'
    )
    parser.add_argument(
        '--gravity',
        metavar='X,Y,Z',
        help='gravity in the root link frame [m/s²] (default: as in the file, or 0,0,-9.81)',
    )


def choices(arguments: argparse.Namespace) -> tuple[Path, dict[str, Any]]:
    """
    Return the file that the arguments name, and the options for ``load_robot``.

    Raises
    ------
    UsageError
        When an option is unreadable.
    ModelError
        When there is no such file.

    """
    from robot_dynamics.model import find_robot, shipped_robots

    options: dict[str, Any] = {}
    if arguments.joints is not None:
        options['joints'] = [name.strip() for name in arguments.joints.split(',')]
    if arguments.gravity is not None:
        options['gravity'] = vector3(arguments.gravity, '--gravity')
    if arguments.overlay is not None:
        options['overlay'] = arguments.overlay
    path = find_robot(arguments.file)
    if not path.exists():
        raise ModelError(
            'there is no such file',
            where=str(path),
            expected=f'a robot file or one of the shipped robots {", ".join(shipped_robots())}',
        )
    return path, options


def load(arguments: argparse.Namespace) -> RobotModel:
    """
    Load the robot that the arguments name.

    Raises
    ------
    UsageError
        When an option is unreadable.
    ModelError
        When there is no such robot, or it cannot be used.

    """
    from robot_dynamics.model import load_robot

    path, options = choices(arguments)
    return load_robot(path, **options)
