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


"""The efforts at the points of a whole trajectory."""

import golden
import numpy as np
import pytest
from robot_dynamics.control import Trajectory
from robot_dynamics.control.trajectory_efforts import trajectory_efforts
from robot_dynamics.model import RobotModel
import test_model_identities as identities

EXACT = 1e-12
FIELDS = ((), ('velocities',), ('velocities', 'accelerations'))
each_kind = pytest.mark.parametrize('fields', FIELDS, ids=('spline', 'cubic', 'quintic'))


def wave(names, count, fields=()):
    """Return a trajectory of sines that ends at rest, with the fields given at its points."""
    times = np.linspace(0.5, 4.0, count) if count > 1 else np.array([0.5])
    phase = 1.3 * times[:, None] + np.arange(len(names))
    given = {'velocities': 1.3 * np.cos(phase), 'accelerations': -1.69 * np.sin(phase)}
    given['velocities'][-1] = 0.0
    return Trajectory(
        times, np.sin(phase), joint_names=names, **{field: given[field] for field in fields}
    )


def one_by_one(model, trajectory, measured, friction):
    """Return what the efforts are, point by point."""
    n = model.n_commanded
    rows = []
    for time in trajectory.times:
        q, v, a = np.zeros((3, model.nv))
        q[n:] = measured
        q[:n], v[:n], a[:n] = trajectory.sample(float(time))
        effort = model.inverse_dynamics(q, v, a)
        rows.append((effort + model.friction(v) if friction else effort)[:n])
    return np.array(rows)


@each_kind
@pytest.mark.parametrize('count', (1, 2, 3, 40))
def test_all_points_at_once_are_what_sampling_gives(fields, count):
    trajectory = wave(('a', 'b', 'c'), count, fields)
    q, v, a = trajectory.sample_points()
    assert q.shape == v.shape == a.shape == (count, 3)
    for row, time in enumerate(trajectory.times):
        for all_points, one in zip((q, v, a), trajectory.sample(float(time))):
            golden.assert_close(all_points[row], one, EXACT)


@each_kind
@pytest.mark.parametrize('friction', (False, True))
@pytest.mark.parametrize('count', (1, 50, 2100))
def test_efforts_are_those_of_the_curve_at_its_points(fields, friction, count):
    model = identities.model_of('everything')
    trajectory = wave(model.commanded_names, count, fields)
    efforts = trajectory_efforts(model, trajectory, friction=friction)
    assert efforts.shape == (count, model.n_commanded)
    golden.assert_close(efforts, one_by_one(model, trajectory, [], friction), EXACT)


@pytest.mark.parametrize('measured', (None, (0.4, -0.7)))
def test_joints_that_are_only_measured_stay_where_they_are(measured):
    model = RobotModel.from_urdf(
        identities.EVERYTHING, overlay=identities.MOTORS, joints=('grip', 'lift')
    )
    trajectory = wave(model.commanded_names, 20)
    given = None if measured is None else np.array(measured)
    efforts = trajectory_efforts(model, trajectory, given, friction=True)
    expected = one_by_one(model, trajectory, measured or 0.0, True)
    golden.assert_close(efforts, expected, EXACT)
