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

"""The parameters of the simulator node: name, default, meaning, bounds."""

from __future__ import annotations

from robot_dynamics.nodes.effort_commands import COMMAND_READERS
from robot_dynamics.nodes.joint_vectors import joint_vector, ROBOT_SPECIFICATIONS
from robot_dynamics.nodes.parameter_kinds import choice, flag, integer, Kind, number
from robot_dynamics.nodes.parameter_table import Specification

PLANTS = ('pinocchio', 'mujoco')


def _fixed(name: str, default: object, kind: Kind, description: str) -> Specification:
    return Specification(
        name=name, default=default, kind=kind, description=description, structural=True
    )


def _changeable(name: str, default: object, kind: Kind, description: str) -> Specification:
    return Specification(name=name, default=default, kind=kind, description=description)


_SIMULATOR = (
    _fixed('plant', 'pinocchio', choice(PLANTS), 'The physics.'),
    _fixed(
        'command_format',
        'float64_multi_array',
        choice(tuple(COMMAND_READERS)),
        'Type of effort_command: an array in the order of joints, or a JointState.',
    ),
    _fixed('physics_step', 1e-3, number(1e-5, 1e-3, unit='s'), 'Length of a physics step.'),
    _fixed(
        'publish_rate',
        1000.0,
        number(1.0, 10_000.0, unit='Hz'),
        'Joint states a second; at most one for each physics step.',
    ),
    _fixed(
        'catch_up_limit',
        0.05,
        number(0.0, 1.0, unit='s'),
        'After a stop of the process so much time is made up for; what is older is lost.',
    ),
    _changeable(
        'start_position',
        [],
        joint_vector('rad, m', ('random',)),
        'Where the arm stands at the start and after ~/reset; empty: zero, or the middle '
        'of limits that exclude zero.',
    ),
    _changeable(
        'start_velocity',
        [],
        joint_vector('rad/s, m/s'),
        'Velocity once the brake is open; empty: zero.',
    ),
    _changeable('seed', 0, integer(0, 2**31 - 1), 'Seed of the random start, noise and dropout.'),
    _fixed(
        'command_timeout',
        0.08,
        number(2e-3, 60.0, unit='s'),
        'So long after the last command (in simulated time) the effort is zero; the default '
        'leaves 20 ms of 100 for the machine and for the next state.',
    ),
    _fixed(
        'brake_release',
        0.5,
        number(-1.0, 3600.0, unit='s'),
        'The brake holds the start position until commands have come for so long; negative: '
        'there is no brake.',
    ),
    _fixed(
        'mass_scale',
        1.0,
        number(0.0, 100.0, low_excluded=True),
        'Factor on all masses of the simulated arm: a deliberate model error.',
    ),
    _fixed(
        'inertia_scale',
        1.0,
        number(0.0, 100.0, low_excluded=True),
        'Factor on all inertias of the simulated arm: a deliberate model error.',
    ),
    _fixed(
        'plant_friction', True, flag(), 'Whether the joints have the friction of the description.'
    ),
    _fixed(
        'position_noise',
        0.0,
        number(0.0, 1.0, unit='rad or m'),
        'Standard deviation of noise on the published positions.',
    ),
    _fixed(
        'velocity_noise',
        0.0,
        number(0.0, 10.0, unit='rad/s or m/s'),
        'Standard deviation of noise on the published velocities.',
    ),
    _fixed(
        'state_delay',
        0.0,
        number(0.0, 10.0, unit='s'),
        'Age of a state when it is published, in whole periods of publish_rate.',
    ),
    _fixed('state_dropout', 0.0, number(0.0, 1.0), 'Share of states that are not published.'),
    _changeable(
        'push_duration',
        0.1,
        number(1e-3, 60.0, unit='s'),
        'How long the efforts of a message on ~/push act, in simulated time.',
    ),
)

SIMULATOR_SPECIFICATIONS = {item.name: item for item in (*ROBOT_SPECIFICATIONS, *_SIMULATOR)}
