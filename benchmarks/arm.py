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

"""The robots that are measured: a 7-joint arm with friction, and chains of a humanoid."""

from __future__ import annotations

from pathlib import Path
import sysconfig

import numpy as np
from numpy.typing import NDArray
from robot_dynamics import load_robot, RobotModel

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / '.cache' / 'bench'

_ROBOTS = Path(
    sysconfig.get_path('purelib'), 'cmeel.prefix', 'share', 'example-robot-data', 'robots'
)
_PANDA = _ROBOTS / 'panda_description' / 'urdf' / 'panda.urdf'
_TALOS = _ROBOTS / 'talos_data' / 'robots' / 'talos_reduced.urdf'

JOINTS = tuple(f'panda_joint{number}' for number in range(1, 8))
START = (0.0, -0.785, 0.0, -2.356, 0.0, 1.571, 0.785)  # [rad]
REACH = (0.4, -0.5, 0.3, -2.0, 0.2, 1.8, 0.4)  # [rad]
_COULOMB = (0.54, 0.87, 0.64, 1.28, 0.84, 0.30, 0.56)  # [N m]
_VISCOUS = (0.08, 0.03, 0.06, 0.04, 0.10, 0.01, 0.05)  # [N m s/rad]


def overlay_file() -> Path:
    """Write the arm with friction and locked fingers to a file that a node can be given."""
    if not _PANDA.is_file():
        raise FileNotFoundError(f'{_PANDA} is missing: pip install example-robot-data')
    lines = ['robot_dynamics_overlay: 1', f'urdf: "{_PANDA}"', 'joints:']
    for name, coulomb, viscous in zip(JOINTS, _COULOMB, _VISCOUS):
        lines.append(f'  {name}: {{friction: {{coulomb: {coulomb}, viscous: {viscous}}}}}')
    for finger in (1, 2):
        lines.append(f'  panda_finger_joint{finger}: {{locked: 0.02}}')
    CACHE.mkdir(parents=True, exist_ok=True)
    file = CACHE / 'panda.yaml'
    file.write_text('\n'.join(lines) + '\n', encoding='utf-8')
    return file


def arm() -> RobotModel:
    """Return the arm."""
    return load_robot(overlay_file())


def urdf_file(model: RobotModel) -> Path:
    """Write what the model is made of to a URDF without meshes, for other libraries."""
    CACHE.mkdir(parents=True, exist_ok=True)
    file = CACHE / f'{model.name}_{model.nv}.urdf'
    file.write_text(model.urdf, encoding='utf-8')
    return file


def humanoid_chain(joints: int) -> RobotModel:
    """Return Talos on a stand with only so many joints free, from the torso outwards."""
    names = load_robot(_TALOS).joint_names
    return load_robot(_TALOS, locked=dict.fromkeys(names[joints:], 0.0))


def random_states(
    model: RobotModel, count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return positions, velocities and accelerations (count, nv) within the limits."""
    rng = np.random.default_rng(1)
    low = np.maximum(model.limits.lower, -3.0)
    high = np.minimum(model.limits.upper, 3.0)
    shape = (count, model.nv)
    return rng.uniform(low, high, shape), rng.normal(0.0, 0.5, shape), rng.normal(0.0, 2.0, shape)
