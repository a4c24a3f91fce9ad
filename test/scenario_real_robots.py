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

"""Scenarios of robots that others have described: files of example-robot-data, in MuJoCo."""

from dataclasses import dataclass
import functools
from pathlib import Path
import sysconfig

import numpy as np
from scenario_checks import check_drift, GAP
from scenario_description import numbers_text, RATE, Run, Scenario
from scenario_observer import Observer

_ROBOTS = Path(
    sysconfig.get_paths()['purelib'], 'cmeel.prefix', 'share', 'example-robot-data', 'robots'
)


@dataclass(frozen=True, kw_only=True)
class RealRobot:
    """A robot of example-robot-data: its URDF, start and goal [rad], joints held still."""

    urdf: Path
    start: tuple[float, ...]
    goal: tuple[float, ...]
    locked: tuple[str, ...] = ()


REAL_ROBOTS = {
    'panda': RealRobot(
        urdf=_ROBOTS / 'panda_description' / 'urdf' / 'panda.urdf',
        start=(0.0, -0.785, 0.0, -2.356, 0.0, 1.571, 0.785),
        goal=(0.4, -0.5, 0.3, -2.0, 0.2, 1.8, 0.4),
        locked=('panda_finger_joint1=0.02', 'panda_finger_joint2=0.02'),
    ),
    'ur5': RealRobot(
        urdf=_ROBOTS / 'ur_description' / 'urdf' / 'ur5_robot.urdf',
        start=(0.0, -1.57, 1.57, -1.57, -1.57, 0.0),
        goal=(0.5, -1.2, 1.2, -1.2, -1.3, 0.4),
    ),
}


def _check_real_robot(goal: tuple[float, ...], observer: Observer) -> None:
    """Let one arm hold its pose while the other one moves to `goal`."""
    check_drift(3.0, ('hold',), observer, lambda: _check_motion(goal, observer))


def _check_motion(goal: tuple[float, ...], observer: Observer) -> None:
    """Require that the arm follows its reference and ends at `goal`."""
    motion = observer.only_motion('move')
    states = observer.messages('move', 'joint_states')

    def miss() -> float:
        return float(np.abs(np.array(states[-1].position) - goal).max())

    observer.wait_for(lambda: miss() < 1e-3, 5.0, 'arrival')
    print(
        f'rest to rest: RMS error {motion.rms.max():.2e} rad, at the goal {miss():.2e} rad, '
        f'longest gap {1e3 * motion.gap:.0f} ms'
    )
    # On the way it is behind after each stop of a busy machine.
    assert motion.rms.max() < 2e-3 or motion.gap > GAP


def real_robot(name: str) -> Scenario:
    """Return: a robot of example-robot-data in MuJoCo holds a pose and moves to a goal."""
    robot = REAL_ROBOTS[name]
    arguments = {
        'robot': str(robot.urdf),
        'plant': 'mujoco',
        'start_position': numbers_text(robot.start),
        'publish_rate': repr(RATE),
    }
    parameters = {'/**': {'locked_joints': list(robot.locked)}} if robot.locked else {}
    runs = {
        'hold': Run(
            arguments={**arguments, 'mode': 'gravity_compensation', 'reference': 'none'},
            parameters=parameters,
        ),
        'move': Run(
            arguments={
                **arguments,
                'mode': 'computed_torque',
                'duration': '2.5',
                'reference': 'rest_to_rest',
                'goal': numbers_text(robot.goal),
            },
            parameters=parameters,
        ),
    }
    return Scenario(
        name=f'real_robot-{name}',
        runs=runs,
        robot_file=robot.urdf,
        check=functools.partial(_check_real_robot, robot.goal),
    )
