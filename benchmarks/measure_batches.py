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

"""B1 and B2: inverse dynamics of many samples at once."""

from __future__ import annotations

from collections.abc import Callable

from arm import arm, random_states, REACH, START
from form import Form
from kernels import timed
from measure_core import accelerated
import numpy as np
import pinocchio
from robot_dynamics import RobotModel
from robot_dynamics.control import Trajectory
from robot_dynamics.control.trajectory_efforts import trajectory_efforts
from rows import Row

Say = Callable[[str], None]

_SAMPLES = 100_000
_POINTS = 10_000
_POINT_PERIOD = 0.01  # [s]


def measure(form: Form, say: Say) -> list[Row]:
    """Measure B1 and B2, on one thread."""
    say('inverse dynamics of many samples')
    model = arm()
    fast, reason = accelerated(model)
    samples = random_states(model, _SAMPLES)
    points = _points(model)
    states = tuple(part[:_POINTS] for part in samples)
    runs: dict[str, Callable[[], object]] = {
        'loop': lambda: _loop(model, samples),
        'short loop': lambda: _loop(model, states),
    }
    for name, robot in (('numpy', model), ('accelerated', fast)):
        if robot is not None:
            runs[name] = lambda robot=robot: robot.inverse_dynamics_batch(*samples)
            runs[f'{name} trajectory'] = lambda robot=robot: _efforts(robot, points)
    times: dict[str, list[float]] = {name: [] for name in runs}
    for run in runs.values():
        run()
    for _ in range(form.repeats + 2):
        for name, run in runs.items():
            times[name].append(timed(run))
    rows = []
    for key, name in (('B1', 'numpy'), ('B1 accelerated', 'accelerated')):
        text = f'inverse dynamics of {_SAMPLES:,} samples, times as fast as a loop of pin.rnea'
        text += ', compiled' if name == 'accelerated' else ''
        if name in times:
            rows.append(Row.ratio(key, text, times[name], times['loop'], unit='ms', inverse=True))
        else:
            rows.append(Row(key=key, measure=text, missing=reason))
    for key, name in (('B2', 'numpy'), ('B2 accelerated', 'accelerated')):
        text = f'efforts of a trajectory of {_POINTS:,} points, against a loop of pin.rnea'
        text += ', compiled' if name == 'accelerated' else ''
        if name in times:
            ours = times[f'{name} trajectory']
            rows.append(Row.ratio(key, text, ours, times['short loop'], unit='ms'))
        else:
            rows.append(Row(key=key, measure=text, missing=reason))
    return rows


def _loop(model: RobotModel, states: tuple[np.ndarray, ...]) -> None:
    """Compute row by row, as one does with Pinocchio alone."""
    own = pinocchio.buildModelFromXML(model.urdf)
    data = own.createData()
    rnea = pinocchio.rnea
    for q, v, a in zip(*states):
        rnea(own, data, q, v, a)


def _points(model: RobotModel) -> tuple[np.ndarray, np.ndarray]:
    """Return times and positions of a slow motion within the limits."""
    times = _POINT_PERIOD * np.arange(_POINTS)
    share = 0.5 - 0.5 * np.cos(2.0 * np.pi * times / 10.0)
    start, goal = np.array(START), np.array(REACH)
    return times, start + share[:, None] * (goal - start)


def _efforts(model: RobotModel, points: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Do what a node does with the points of a trajectory: check, join, compute."""
    trajectory = Trajectory(*points, joint_names=model.commanded_names)
    limits = model.limits
    trajectory.check_limits(lower=limits.lower, upper=limits.upper, velocity=limits.velocity)
    return trajectory_efforts(model, trajectory, friction=True)
