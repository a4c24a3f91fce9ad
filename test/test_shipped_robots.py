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

"""The robot files that come with the package."""

import golden
import numpy as np
import pytest
from robot_dynamics.model import find_robot, load_robot, RobotModel, Severity, shipped_robots

ROBOTS = ('arm_2r', 'arm_2r_point', 'puma560', 'rp_arm', 'vertical_mass')
TWICE = ('arm_2r', 'rp_arm')  # as YAML and as hand-written URDF
SAME = 1e-12


def test_all_are_found_by_name():
    assert shipped_robots() == ROBOTS
    for name in ROBOTS:
        assert find_robot(name).name == f'{name}.yaml'
        assert load_robot(name).name == name


@pytest.mark.parametrize('path', sorted(golden.ROBOTS.iterdir()), ids=lambda path: path.name)
def test_each_file_loads_without_errors_and_is_complete(path):
    model = load_robot(path)
    assert model.name == path.stem
    assert all(finding.severity is not Severity.ERROR for finding in model.findings)
    expected = {'puma560': {'massless_inertia', 'triangle'}}.get(path.stem, set())
    assert {finding.code for finding in model.findings} == expected
    assert model.limits.effort_stated.all()
    for values in (model.limits.lower, model.limits.upper, model.limits.velocity):
        assert np.isfinite(values).all()
    assert (model.limits.lower < model.limits.upper).all()
    np.testing.assert_array_equal(model.gravity_vector, [0.0, 0.0, -9.81])
    middle = 0.5 * (model.limits.lower + model.limits.upper)
    assert np.linalg.eigvalsh(model.mass_matrix(middle))[0] > 0.0


@pytest.mark.parametrize('name', ROBOTS)
def test_the_actuators_can_hold_every_pose(name):
    model = load_robot(name)
    generator = np.random.default_rng(7)
    for _ in range(200):
        q = generator.uniform(model.limits.lower, model.limits.upper)
        assert (np.abs(model.gravity(q)) < model.limits.effort).all()


@pytest.mark.parametrize('name', TWICE)
def test_urdf_and_yaml_are_the_same_arm(name):
    yaml_arm = RobotModel.from_yaml(golden.ROBOTS / f'{name}.yaml')
    urdf_arm = RobotModel.from_urdf(golden.ROBOTS / f'{name}.urdf')
    assert yaml_arm.joint_names == urdf_arm.joint_names
    assert yaml_arm.joints == urdf_arm.joints
    assert set(yaml_arm.link_names) == set(urdf_arm.link_names)
    assert yaml_arm.link_masses == urdf_arm.link_masses
    np.testing.assert_array_equal(yaml_arm.gravity_vector, urdf_arm.gravity_vector)
    np.testing.assert_array_equal(yaml_arm.armature, urdf_arm.armature)
    generator = np.random.default_rng(11)
    for _ in range(50):
        q, v, a = (generator.uniform(-3.0, 3.0, 2) for _ in range(3))
        pairs = [
            (getattr(arm, method)(*arguments) for arm in (yaml_arm, urdf_arm))
            for method, arguments in (
                ('inverse_dynamics', (q, v, a)),
                ('mass_matrix', (q,)),
                ('coriolis_matrix', (q, v)),
                ('gravity', (q,)),
                ('friction', (v,)),
                ('jacobian', (q, 'tip')),
                ('potential_energy', (q,)),
                ('forward_dynamics', (q, v, a)),
            )
        ]
        for one, other in pairs:
            golden.assert_close(one, other, SAME)


@pytest.mark.parametrize('name', TWICE)
def test_bodies_of_urdf_and_yaml_are_equal_also_out_of_the_plane(name):
    yaml_arm, urdf_arm = (
        load_robot(golden.ROBOTS / f'{name}.{suffix}') for suffix in ('yaml', 'urdf')
    )
    golden.assert_close(yaml_arm.dynamic_parameters, urdf_arm.dynamic_parameters, SAME)


@pytest.mark.parametrize('name', ROBOTS)
def test_written_urdf_is_the_same_robot(name):
    model = load_robot(name)
    accept = ['massless_inertia'] if name == 'puma560' else []
    again = RobotModel.from_urdf(model.urdf, accept=accept)
    assert again.joint_names == model.joint_names
    bodies = model.without_motors()
    generator = np.random.default_rng(13)
    for _ in range(20):
        q, v, a = (generator.uniform(-2.0, 2.0, model.nv) for _ in range(3))
        golden.assert_close(
            again.inverse_dynamics(q, v, a), bodies.inverse_dynamics(q, v, a), SAME
        )
