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

"""Identification: rank, condition number and the combinations that a motion determines."""

import json

import golden
import numpy as np
import pytest
from recorded_motions import BASE_VALUES, efforts, moving, RANK_CASE, recorded, regressor
from robot_dynamics.errors import StateError
from robot_dynamics.identification import (
    body_links,
    identify,
    MeasuredMotion,
    predict_effort,
)
from robot_dynamics.identification.observability import observability, structural_observability
from robot_dynamics.identification.pseudo_inertia import PriorBody
from robot_dynamics.identification.stacking import body_prior, joined, stack
from robot_dynamics.model import load_robot

RANK = json.loads((RANK_CASE / 'expect.json').read_text(encoding='utf-8'))
BASE_NAMES = [
    'upper m*cx + 0.5 fore m',
    'upper m*cz',
    'upper Iyy + 0.25 fore m',
    'fore m*cx',
    'fore m*cz',
    'fore Iyy',
]


@pytest.fixture(scope='module')
def arm():
    """Return the 2R arm of both cases."""
    return load_robot(RANK_CASE / 'arm.urdf')


@pytest.mark.parametrize('name', ['a_rich.csv', 'b_one_joint.csv', 'd_five.csv'])
def test_rank_condition_and_prediction_of_the_case(arm, name):
    motion = recorded(arm, name)
    result = identify(arm, motion)
    assert (result.rank, result.columns) == (RANK['rank'][name], RANK['columns'])
    assert result.condition == pytest.approx(RANK['condition'][name], rel=0.01)
    assert [entry.name for entry in result.base_parameters] == BASE_NAMES
    assert result.undetermined == ()
    for parameters in (result.base_prediction, result.parameters):
        error = np.abs(predict_effort(arm, motion, parameters) - motion.tau).max()
        assert error <= RANK['prediction_error_max']
    assert result.consistent


@pytest.mark.parametrize('name', RANK['rank'])
def test_observability_is_that_of_the_stacked_regressor(arm, name):
    motion = recorded(arm, name)
    matrix = regressor(arm, motion)
    equations = joined(stack(arm, motion))
    seen = observability(equations.matrix, equations.rows, structural_observability(arm))
    assert seen.rank == RANK['rank'][name] == np.linalg.matrix_rank(matrix)
    values = np.linalg.svd(matrix, compute_uv=False)[: seen.rank]
    assert seen.singular_values == pytest.approx(values, rel=1e-9)


def test_standing_still_is_refused_with_what_is_missing_and_how_to_move(arm):
    with pytest.raises(StateError) as caught:
        identify(arm, recorded(arm, *RANK['refuse_files']))
    text = str(caught.value)
    assert 'only 2 combination(s)' in text
    assert all(name in text for name in BASE_NAMES)
    assert 'shoulder, elbow' in text and 'sums of sines' in text


@pytest.mark.parametrize('name', RANK['warn_files'])
def test_poor_motion_warns_of_the_condition_number(arm, name):
    warnings = identify(arm, recorded(arm, name)).warnings
    assert any('condition number' in text for text in warnings)
    assert any('5 samples' in text or 'do not move: elbow' in text for text in warnings)


def test_rich_motion_gives_no_warning(arm):
    assert identify(arm, recorded(arm, 'a_rich.csv')).warnings == ()


@pytest.mark.parametrize('name', ['a_rich.csv', 'b_one_joint.csv', 'd_five.csv'])
def test_a_wrong_prior_is_corrected_where_the_motion_says_something(arm, name):
    motion = recorded(arm, name)
    prior = arm.with_scaled(mass=1.4, inertia=0.7)
    result = identify(prior, motion)
    assert [e.value for e in result.base_parameters] == pytest.approx(BASE_VALUES, abs=2e-6)
    found = [e.coefficients @ result.parameters for e in result.base_parameters]
    assert found == pytest.approx(BASE_VALUES, abs=2e-6)
    assert np.abs(predict_effort(prior, motion, result.parameters) - motion.tau).max() <= 1e-6
    assert result.consistent and not result.prior_kept and result.bounded == ()


def test_undetermined_directions_keep_the_prior(arm):
    prior = arm.with_scaled(mass=1.4, inertia=0.7)
    motion = recorded(arm, 'a_rich.csv')
    result = identify(prior, motion)
    # in units of each body's own prior the change has no part that the motion does not show
    bodies = [PriorBody.of(body) for body in result.prior.reshape(-1, 10)]
    difference = (result.parameters - result.prior).reshape(-1, 10)
    change = np.concatenate(
        [np.linalg.solve(body.transform, part) for body, part in zip(bodies, difference)]
    )
    matrix = regressor(prior, motion)
    shown = np.hstack(
        [block @ body.transform for block, body in zip(np.split(matrix, 2, axis=1), bodies)]
    )
    hidden = np.linalg.svd(shown)[2][6:]
    assert np.linalg.norm(change) > 0.1
    assert np.abs(hidden @ change).max() < 1e-6
    # the plain minimum-norm solution has masses 0 and 0.46
    assert result.parameters[[0, 10]].min() > 0.5


def test_the_model_is_not_changed(arm):
    prior = arm.with_scaled(mass=1.4)
    before = prior.dynamic_parameters
    identify(prior, recorded(arm, 'a_rich.csv'))
    assert np.array_equal(prior.dynamic_parameters, before)


def test_poses_without_motion_show_gravity_only(arm):
    random = np.random.default_rng(4)
    q, zero = random.uniform(-1.0, 1.0, (60, 2)), np.zeros((60, 2))
    motion = MeasuredMotion(
        joint_names=arm.joint_names, q=q, v=zero, a=zero, tau=np.array([arm.gravity(x) for x in q])
    )
    prior = arm.with_scaled(mass=1.2, inertia=1.5)
    result = identify(prior, motion)
    assert (result.rank, result.structural_rank) == (4, 6)
    assert result.undetermined == ('upper Iyy + 0.25 fore m', 'fore Iyy')
    assert any('the prior stays: upper Iyy' in text for text in result.warnings)
    assert [e.value for e in result.base_parameters] == pytest.approx(
        [1.0, 0.0, 0.2, 0.0], abs=1e-9
    )


@pytest.mark.parametrize(
    ('robot', 'rank', 'columns'),
    [('vertical_mass', 1, 10), ('rp_arm', 6, 20), ('arm_2r', 6, 20), ('puma560', 36, 60)],
)
def test_shipped_robots(robot, rank, columns):
    model = load_robot(golden.ROBOTS / f'{robot}.yaml')
    prior = model.with_scaled(mass=1.15, inertia=1.3)
    motion = efforts(model, moving(model))
    result = identify(prior, motion)
    assert (result.rank, result.structural_rank, result.columns) == (rank, rank, columns)
    scale = np.abs(motion.tau).max()
    assert (
        np.abs(predict_effort(prior, motion, result.base_prediction) - motion.tau).max()
        < 1e-9 * scale
    )
    assert result.error.hold_out.max() < 1e-6 * scale
    assert result.consistent
    true = body_prior(model)
    for entry in result.base_parameters:
        assert entry.value == pytest.approx(entry.coefficients @ true, abs=1e-8)


def test_a_mass_is_a_result_only_where_it_is_determined():
    model = load_robot(golden.ROBOTS / 'rp_arm.yaml')
    result = identify(model, efforts(model, moving(model)))
    names = [entry.name for entry in result.base_parameters]
    assert 'link2 m' in names  # the slide accelerates it
    assert 'link1 m' not in names


def test_massless_links_of_the_prior_stay():
    model = load_robot(golden.ROBOTS / 'puma560.yaml')
    result = identify(model.with_scaled(mass=1.1), efforts(model, moving(model), noise=0.01))
    assert result.massless == ('link1',)
    assert np.array_equal(result.parameters[:10], result.prior[:10])


def test_only_commanded_joints_need_efforts():
    model = load_robot(RANK_CASE / 'arm.urdf', joints=['elbow'])
    assert body_links(model) == ('upper', 'fore')
    result = identify(model.with_scaled(mass=1.2), efforts(model, moving(model)))
    assert [entry.name for entry in result.base_parameters] == [
        'fore m*cx',
        'fore m*cz',
        'fore Iyy',
    ]
    assert [entry.value for entry in result.base_parameters] == pytest.approx(
        [0.2, 0.0, 0.055], abs=1e-9
    )
