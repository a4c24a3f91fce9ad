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

"""Findings that need more than one element: units, worst poses, gravity, all at once."""

import golden
import numpy as np
import pytest
from robot_dynamics import load_robot, RobotModel
from robot_dynamics.model import FrictionModel, Payload, Severity
from robot_dynamics.model.inspection import inspect_model, inspect_robot
from robot_dynamics.model.plausibility import check_plausibility
from robot_dynamics.model.worst_pose import worst_gravity_poses


def arm(**changes):
    """Return the 2R arm as a mapping with changes of its first link."""
    mapping = golden.robot('arm_2r')
    mapping['links'][0].update(changes)
    return mapping


def codes(findings, least=Severity.WARNING):
    """Return the codes of findings of at least a severity."""
    return {finding.code for finding in findings if finding.severity >= least}


@pytest.mark.parametrize('name', ['rp_arm', 'arm_2r', 'arm_2r_point', 'vertical_mass'])
def test_shipped_arms_pass_strictly(name):
    report = inspect_robot(name)
    assert report.passes(strict=True), report.findings
    assert report.model.name == name


def test_errors_are_reported_not_raised(tmp_path):
    path = tmp_path / 'arm.urdf'
    path.write_text(load_robot('arm_2r').urdf.replace('mass value="3.0"', 'mass value="3,0"'))
    report = inspect_robot(path)
    assert report.model is None and not report.passes()
    assert report.findings[0].severity is Severity.ERROR
    assert 'link1' in report.findings[0].element and report.findings[0].value == '3,0'


def test_unreadable_yaml_becomes_one_finding():
    report = inspect_robot('robot_dynamics: 1\nname: x\njoints: 010\n')
    (finding,) = report.findings
    assert finding.severity is Severity.ERROR and 'joints' in finding.element


@pytest.mark.parametrize(
    'changes, words',
    [
        ({'mass': 3000.0}, 'grams'),
        ({'inertia': {'ixx': 150.0, 'iyy': 62500.0, 'izz': 62500.0}}, 'kg mm'),
        ({'inertia': {'ixx': 0.0, 'iyy': 62.5, 'izz': 62.5}}, 'grams'),
        ({'com': [250.0, 0.0, 0.0]}, 'millimetres'),
    ],
)
def test_wrong_units_name_their_factor(changes, words):
    findings = check_plausibility(RobotModel.from_yaml(arm(**changes)).description)
    assert len(findings) == 1 and 'link1' in findings[0].element
    assert words in findings[0].remedy and '10' in findings[0].remedy.replace('e+0', '10')


def test_worst_pose_of_the_2r_arm_is_stretched_out():
    model = load_robot('arm_2r')
    shoulder, elbow = worst_gravity_poses(model)
    assert abs(shoulder.effort) == pytest.approx(21.0915, abs=1e-9)
    assert abs(elbow.effort) == pytest.approx(3.924, abs=1e-9)
    assert abs(model.gravity(shoulder.q)[0]) == pytest.approx(abs(shoulder.effort))


def test_worst_pose_stays_within_limits_and_beats_random_poses():
    mapping = golden.robot('arm_2r')
    for joint, (lower, upper) in zip(mapping['joints'], [(0.6, 1.2), (0.3, 0.9)], strict=False):
        joint['limits'].update(lower=lower, upper=upper)
    model = RobotModel.from_yaml(mapping)
    worst = worst_gravity_poses(model)
    rng = np.random.default_rng(4)
    poses = rng.uniform([0.6, 0.3], [1.2, 0.9], size=(2000, 2))
    best = np.max([np.abs(model.gravity(q)) for q in poses], axis=0)
    for index, found in enumerate(worst):
        assert ((found.q >= [0.6, 0.3]) & (found.q <= [1.2, 0.9])).all()
        assert abs(found.effort) >= best[index]


def test_effort_limit_below_gravity_is_found_with_its_pose():
    mapping = golden.robot('arm_2r')
    mapping['joints'][0]['limits']['effort'] = 20.0
    (finding,) = inspect_model(RobotModel.from_yaml(mapping))
    assert finding.code == 'gravity_limit' and 'joint1' in finding.element
    assert '21.09 N·m' in finding.what and 'joint2=' in finding.what
    loaded = load_robot('arm_2r').with_payload(Payload(frame='tip', mass=40.0))
    assert 'gravity_limit' in codes(inspect_model(loaded))


@pytest.mark.parametrize(
    'gravity, words',
    [((0.0, 0.0, 9.81), 'points up'), ((0.0, 0.0, 0.0), 'zero'), ((0.0, 0.0, -981.0), 'size')],
)
def test_odd_gravity_is_said(gravity, words):
    findings = inspect_model(load_robot('arm_2r').with_gravity(gravity))
    assert any(finding.code == 'gravity' and words in finding.what for finding in findings)


@pytest.mark.parametrize('gravity', [(0.0, 0.0, -9.81), (9.81, 0.0, 0.0), (0.0, -9.8, 0.0)])
def test_gravity_of_a_mounted_arm_is_no_finding(gravity):
    assert not inspect_model(load_robot('arm_2r').with_gravity(gravity))


def test_strict_turns_warnings_into_refusal():
    report = inspect_robot(load_robot('arm_2r').urdf.replace('effort="150.0"', 'effort="0.0"'))
    assert report.passes() and not report.passes(strict=True)
    assert codes(report.findings) == {'effort_limit'}


def test_friction_does_not_change_the_findings():
    model = load_robot('arm_2r').with_friction(FrictionModel.none(2))
    assert inspect_model(model) == ()
