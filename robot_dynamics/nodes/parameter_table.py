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

"""The parameters of the dynamics node: name, default, meaning, bounds."""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import Any

from robot_dynamics.control import Mode
from robot_dynamics.nodes.messages import COMMAND_WRITERS
from robot_dynamics.nodes.parameter_kinds import (
    assignments,
    choice,
    flag,
    integer,
    integers,
    Kind,
    number,
    per_joint,
    string,
    strings,
    vector,
)
from robot_dynamics.nodes.state_source import STATE_SOURCES


@dataclass(frozen=True, kw_only=True)
class Specification:
    """
    One parameter.

    Attributes
    ----------
    name, default, kind, description
        What they say; `default` is the value as declared, before conversion.
    structural
        Whether it is read when the node is configured only, so that a change is refused while
        the node is active.

    """

    name: str
    default: Any
    kind: Kind
    description: str
    structural: bool = False


def _structure(name: str, default: Any, kind: Kind, description: str) -> Specification:
    return Specification(
        name=name, default=default, kind=kind, description=description, structural=True
    )


def _setting(name: str, default: Any, kind: Kind, description: str) -> Specification:
    return Specification(name=name, default=default, kind=kind, description=description)


_ROBOT = (
    _structure(
        'robot',
        '',
        string('a file (URDF, xacro, YAML), a shipped robot or URDF text'),
        'The robot; empty: wait for the topic robot_description.',
    ),
    _structure(
        'overlay',
        '',
        string('a YAML overlay file, or empty'),
        'What a URDF cannot say: friction, motors, effort limits, mounting.',
    ),
    _structure(
        'joints',
        [],
        strings('a list of joint names, or []'),
        'The commanded joints in the order of the efforts; []: all that move.',
    ),
    _structure(
        'locked_joints',
        [],
        assignments(),
        'Joints that are held at a position and neither measured nor commanded.',
    ),
    _structure(
        'accept_findings',
        [],
        strings('a list of codes of findings, or []'),
        'Errors found in the description that are meant and shall not stop the node.',
    ),
    _structure(
        'gravity',
        [],
        vector(3, 'm/s^2'),
        "Gravity in the robot's root link frame; []: as the files say, else [0.0, 0.0, -9.81].",
    ),
    _structure(
        'mount_rpy',
        [],
        vector(3, 'rad'),
        'Roll, pitch, yaw of the root link in the world, instead of gravity.',
    ),
)

_TOPICS = (
    _structure(
        'joint_prefix',
        '',
        string('a string'),
        'What the driver writes before each joint name, on all topics of this node.',
    ),
    _structure(
        'command_format',
        'float64_multi_array',
        choice(tuple(COMMAND_WRITERS)),
        'Type of ~/effort_command: an array in the order of joints, or a JointState.',
    ),
    _structure(
        'control_loop',
        'auto',
        choice(('auto', *STATE_SOURCES)),
        'How the loop waits: its own wait set, or an executor of its own (public API '
        'only); auto: the first that works.',
    ),
    _structure(
        'autostart',
        True,
        flag(),
        'Configure and activate without a lifecycle manager. Read at the start.',
    ),
    _structure(
        'dry_run', False, flag(), 'Compute and publish everything except the effort command.'
    ),
    _setting(
        'max_trajectory_points',
        10_000,
        integer(1, 1_000_000),
        'Longer trajectories are refused before they are converted.',
    ),
)

_LAW = (
    _setting(
        'mode',
        Mode.GRAVITY_COMPENSATION.value,
        choice(tuple(m.value for m in Mode)),
        'The control law.',
    ),
    _setting(
        'acceleration_gains.natural_frequency',
        10.0,
        per_joint(0.0, low_excluded=True, unit='rad/s'),
        'computed_torque: natural frequency w of the error, Kp = w^2.',
    ),
    _setting(
        'acceleration_gains.damping_ratio',
        1.0,
        per_joint(0.0),
        'computed_torque: damping ratio z of the error, Kd = 2 z w.',
    ),
    _setting(
        'acceleration_gains.kp',
        [],
        per_joint(0.0, optional=True, unit='1/s^2'),
        'computed_torque: Kp itself, instead of w^2.',
    ),
    _setting(
        'acceleration_gains.kd',
        [],
        per_joint(0.0, optional=True, unit='1/s'),
        'computed_torque: Kd itself, instead of 2 z w.',
    ),
    _setting(
        'effort_gains.kp',
        0.0,
        per_joint(0.0, unit='N·m/rad or N/m'),
        'feedforward, pd, pd_gravity: effort for each unit of position error.',
    ),
    _setting(
        'effort_gains.kd',
        0.0,
        per_joint(0.0, unit='N·m·s/rad or N·s/m'),
        'feedforward, pd, pd_gravity: effort for each unit of velocity error.',
    ),
    _setting(
        'friction',
        False,
        flag(),
        'Add the friction of the model (feedforward and computed_torque).',
    ),
    _setting(
        'friction_velocity',
        'reference',
        choice(('reference', 'measured')),
        'The velocity that friction is computed from.',
    ),
    _setting(
        'gravity_in_output',
        True,
        flag(),
        'false for robots whose drives compensate gravity themselves.',
    ),
)

_SAFETY = (
    _setting(
        'effort_limit',
        [],
        per_joint(0.0, low_excluded=True, optional=True, unit='N·m or N'),
        'Largest effort; []: the limits of the robot description.',
    ),
    _setting('allow_unlimited_effort', False, flag(), 'Accept joints without any effort limit.'),
    _setting(
        'effort_rate_limit',
        math.inf,
        per_joint(0.0, low_excluded=True, infinity=True, unit='N·m/s or N/s'),
        'Fastest change of the effort.',
    ),
    _setting(
        'state_timeout',
        0.05,
        number(1e-3, 10.0, unit='s'),
        'Age of the newest joint state, by the steady clock, that counts as a fault.',
    ),
    _setting(
        'fresh_states',
        5,
        integer(1, 1000),
        'Usable joint states in a row before the first command, and after a fault.',
    ),
    _setting(
        'start_ramp',
        0.2,
        number(0.0, 60.0, unit='s'),
        'Duration of the ramp into the first command, also after a fault.',
    ),
    _setting(
        'on_fault',
        'ramp_to_zero',
        choice(('ramp_to_zero', 'hold_gravity')),
        'What is sent in a fault.',
    ),
    _setting(
        'fault_ramp',
        0.2,
        number(0.0, 0.2, unit='s'),
        'Duration of the ramp to zero effort, in a fault and at the end.',
    ),
    _setting(
        'hold_gravity_time',
        2.0,
        number(0.0, 60.0, unit='s'),
        'on_fault: hold_gravity: how long gravity at the last position is sent.',
    ),
    _setting(
        'start_jump_limit',
        math.inf,
        per_joint(0.0, low_excluded=True, infinity=True, unit='N·m or N'),
        'Largest difference between the first effort and the measured one, where the driver '
        'measures it.',
    ),
    _setting(
        'jump_velocity',
        10.0,
        number(1e-3, 1e6, unit='rad/s or m/s'),
        'A position that changes faster is dropped as that of a second publisher; for joints '
        'with a velocity limit twice that limit counts instead.',
    ),
    _setting(
        'blend_time',
        0.2,
        number(1e-3, 10.0, unit='s'),
        'Time in which a new reference takes over from the old one, or a motion stops.',
    ),
    _setting(
        'setpoint_timeout',
        0.1,
        number(1e-3, 10.0, unit='s'),
        'After that time without a new set-point the last one is held.',
    ),
)

_LOADS = (
    _setting(
        'payload.frame', '', string('the name of a link, or empty'), 'The link that carries it.'
    ),
    _setting(
        'payload.mass', 0.0, number(0.0, unit='kg'), 'A load that the robot carries; 0: none.'
    ),
    _setting(
        'payload.com', [], vector(3, 'm'), 'Its centre of mass in the link frame; []: the origin.'
    ),
    _setting(
        'payload.inertia',
        [],
        vector(6, 'kg m^2'),
        'ixx, ixy, ixz, iyy, iyz, izz about its centre of mass, link axes; []: a point mass.',
    ),
    _setting(
        'payload_ramp',
        1.0,
        number(0.0, 60.0, unit='s'),
        'Time in which a change of payload takes effect.',
    ),
    _setting(
        'wrench_frame',
        '',
        string('the name of a link, or empty'),
        'The link at whose origin ~/external_wrench acts; empty: that of its header.',
    ),
    _setting(
        'wrench_timeout',
        0.1,
        number(1e-3, 10.0, unit='s'),
        'Age after which an external wrench fades out.',
    ),
    _structure(
        'gravity_from_imu',
        False,
        flag(),
        'For a moving base: take the direction of gravity from the topic imu.',
    ),
    _setting(
        'imu_filter_time',
        0.1,
        number(0.0, 60.0, unit='s'),
        'Time constant of the low pass on that direction.',
    ),
)

_DRIVES = (
    _setting(
        'velocity_source',
        'measured',
        choice(('measured', 'differentiated')),
        'differentiated: velocity from positions, for drivers that send none or a noisy one.',
    ),
    _setting(
        'velocity_cutoff',
        30.0,
        number(0.1, 1e4, unit='Hz'),
        'Frequency of the filter of differentiated velocities.',
    ),
    _structure(
        'effort_side',
        'joint',
        choice(('joint', 'motor')),
        'motor: efforts are divided by the gear ratios and losses of the description.',
    ),
    _setting(
        'backend',
        'auto',
        choice(('auto', 'numpy', 'plain')),
        'auto: computed torque by compiled code where Numba is installed, else by NumPy; plain: '
        'one step after the other.',
    ),
)

_REALTIME = (
    _structure(
        'realtime.priority',
        0,
        integer(0, 99),
        'Priority of the control loop under SCHED_FIFO; 0: as any thread. Needs rights.',
    ),
    _structure(
        'realtime.processors',
        [],
        integers(0, 4095),
        'Processors that the whole process runs on; []: all.',
    ),
    _structure(
        'realtime.lock_memory',
        False,
        flag(),
        'Keep the memory of the process from being swapped out. Needs rights.',
    ),
)

SPECIFICATIONS = {
    item.name: item for item in (*_ROBOT, *_TOPICS, *_LAW, *_SAFETY, *_LOADS, *_DRIVES, *_REALTIME)
}
