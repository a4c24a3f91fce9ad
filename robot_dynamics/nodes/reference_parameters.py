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

"""The parameters of the reference node: name, default, meaning, bounds."""

from __future__ import annotations

from robot_dynamics.nodes.joint_vectors import joint_vector, ROBOT_SPECIFICATIONS
from robot_dynamics.nodes.parameter_kinds import choice, flag, Kind, number, string
from robot_dynamics.nodes.parameter_table import Specification, SPECIFICATIONS

KINDS = ('sine', 'rest_to_rest', 'file')


def _fixed(name: str, default: object, kind: Kind, description: str) -> Specification:
    return Specification(
        name=name, default=default, kind=kind, description=description, structural=True
    )


_REFERENCE = (
    _fixed('kind', 'sine', choice(KINDS), 'What to send.'),
    _fixed(
        'center',
        [],
        joint_vector('rad, m'),
        'sine: middle of the motion; empty: where the arm is at the start.',
    ),
    _fixed(
        'amplitude',
        [],
        joint_vector('rad, m'),
        'sine: amplitude; empty: 0.3 rad or 0.1 m, less where limits are near.',
    ),
    _fixed('angular_frequency', 2.0, joint_vector('rad/s'), 'sine: angular frequency.'),
    _fixed(
        'fade',
        1.0,
        number(0.0, 60.0, low_excluded=True, unit='s'),
        'sine: time in which the amplitude rises, and falls at the end.',
    ),
    _fixed(
        'lead',
        1.0,
        number(0.0, 60.0, low_excluded=True, unit='s'),
        'sine: time to reach the middle before the sine begins.',
    ),
    _fixed('point_rate', 100.0, number(1.0, 1000.0, unit='Hz'), 'sine: points a second.'),
    _fixed(
        'goal',
        [],
        joint_vector('rad, m'),
        'rest_to_rest: where to go; empty: as far as the amplitude of the sine.',
    ),
    _fixed(
        'duration',
        5.0,
        number(0.0, 3600.0, low_excluded=True, unit='s'),
        'sine, rest_to_rest: length of the motion.',
    ),
    _fixed(
        'trajectory_file',
        '',
        string('a YAML file with joint_names and points, or empty'),
        'file: what to read.',
    ),
    _fixed(
        'start_delay',
        1.0,
        number(0.0, 3600.0, unit='s'),
        'Time to wait once the arm is heard and the dynamics node listens.',
    ),
    _fixed('repeat', False, flag(), 'Send again, start_delay after each end.'),
)

REFERENCE_SPECIFICATIONS = {
    item.name: item
    for item in (*ROBOT_SPECIFICATIONS, SPECIFICATIONS['joint_prefix'], *_REFERENCE)
}
