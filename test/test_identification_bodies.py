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

"""Identified bodies are possible ones, and predict no worse than the prior."""

from dataclasses import replace
import json

import golden
import numpy as np
import pytest
from recorded_motions import (
    BASE_VALUES,
    efforts,
    moving,
    RANK_CASE,
    recorded,
    regressor,
    SIGN_CASE,
)
from robot_dynamics.identification import (
    identify,
    is_possible,
    predict_effort,
    pseudo_inertia,
)
from robot_dynamics.identification.estimation import fit_possible, SMALLEST_SHARE
from robot_dynamics.identification.pseudo_inertia import (
    body_parameters,
    change_coordinates,
    change_matrix,
    PriorBody,
)
from robot_dynamics.identification.stacking import body_prior, Equations
from robot_dynamics.model import FrictionModel, load_robot
from scipy.linalg import block_diag

SIGN = json.loads((SIGN_CASE / 'expect.json').read_text(encoding='utf-8'))


@pytest.fixture(scope='module')
def arm():
    """Return the 2R arm of both cases."""
    return load_robot(RANK_CASE / 'arm.urdf')


def test_noise_gives_possible_bodies_and_no_worse_prediction(arm):
    motion = recorded(arm, 'a_noise.csv', SIGN_CASE)
    result = identify(arm, motion)
    assert result.consistent and is_possible(result.parameters)
    assert result.hold_out_samples == 100
    assert (result.error.hold_out <= result.prior_error.hold_out).all()
    values = {entry.name: entry for entry in result.base_parameters}
    for name, key in (('fore m*cx', 'm2c2x'), ('fore Iyy', 'I2yy_joint')):
        assert values[name].value == pytest.approx(SIGN['true'][key], abs=2e-3)
        assert abs(values[name].value - SIGN['true'][key]) < 3.0 * values[name].deviation
    # what plain least squares gives for the same data is no body
    plain = np.linalg.lstsq(regressor(arm, motion), motion.tau.ravel(), rcond=None)[0]
    assert not is_possible(plain)


@pytest.mark.parametrize('factors', [(1.4, 0.7), (0.6, 1.2), (3.0, 3.0)])
def test_noise_and_a_wrong_prior_predict_better_than_the_prior(arm, factors):
    motion = recorded(arm, 'a_noise.csv', SIGN_CASE)
    prior = arm.with_scaled(mass=factors[0], inertia=factors[1])
    result = identify(prior, motion)
    assert result.consistent and not result.prior_kept
    assert (result.error.hold_out < result.prior_error.hold_out).all()
    assert result.error.hold_out == pytest.approx([0.3, 0.3], rel=0.1)  # [N m], the noise


def test_deviations_describe_the_scatter(arm):
    motion = recorded(arm, 'a_rich.csv')
    random = np.random.default_rng(3)
    scores = []
    for _ in range(30):
        noisy = replace(motion, tau=motion.tau + 0.3 * random.normal(size=motion.tau.shape))
        scores += [
            (e.value - value) / e.deviation
            for e, value in zip(identify(arm, noisy).base_parameters, BASE_VALUES)
        ]
    assert 0.8 < np.sqrt(np.mean(np.square(scores))) < 1.2


def test_impossible_efforts_are_bounded(arm):
    motion = recorded(arm, 'a_rich.csv')
    impossible = body_prior(arm).copy()
    impossible[16] = 0.01  # [kg m^2] Iyy of the fore arm, less than its first moment allows
    assert not is_possible(impossible)
    result = identify(arm, replace(motion, tau=predict_effort(arm, motion, impossible)))
    assert result.bounded and result.consistent and is_possible(result.parameters)
    assert any('impossible body' in text for text in result.warnings)
    assert (result.error.hold_out <= result.prior_error.hold_out).all()
    smallest = [
        1.0 + np.linalg.eigvalsh(change_matrix(np.linalg.solve(body.transform, part)))[0]
        for body, part in zip(
            map(PriorBody.of, result.prior.reshape(-1, 10)),
            (result.parameters - result.prior).reshape(-1, 10),
        )
    ]
    assert min(smallest) >= SMALLEST_SHARE - 1e-9


@pytest.mark.parametrize('seed', range(4))
def test_the_bounded_minimum_is_the_convex_one(arm, seed):
    random = np.random.default_rng(seed)
    bodies = [PriorBody.of(body) for body in body_prior(arm).reshape(-1, 10)]
    prior = np.concatenate([body.parameters for body in bodies])
    transform = block_diag(*(body.transform for body in bodies))
    matrix = random.normal(size=(12, 20))
    target = matrix @ (1.5 * random.normal(size=20))
    rows = matrix @ np.linalg.inv(transform)
    part = Equations(np.column_stack([rows, np.zeros((12, 2)), target + rows @ prior]), 12)
    found = fit_possible([part], np.ones(1), bodies)
    change = np.linalg.solve(transform, found.parameters - prior)

    def cost(s):
        return np.sum((matrix @ s - target) ** 2) + s @ s

    best = projected_gradient(matrix, target)
    assert found.bounded
    assert cost(change) <= cost(best) * (1.0 + 1e-4)


def projected_gradient(matrix, target, steps=3000):
    """Minimise |matrix s - target|^2 + |s|^2 over possible bodies in another way."""
    matrix = np.vstack([matrix, np.eye(matrix.shape[1])])
    target = np.concatenate([target, np.zeros(matrix.shape[1])])
    step = 1.0 / np.linalg.norm(matrix, 2) ** 2
    s = ahead = np.zeros(matrix.shape[1])
    t = 1.0
    for _ in range(steps):
        moved = ahead - step * matrix.T @ (matrix @ ahead - target)
        parts = []
        for part in moved.reshape(-1, 10):
            values, axes = np.linalg.eigh(change_matrix(part))
            values = np.maximum(values, SMALLEST_SHARE - 1.0)
            parts.append(change_coordinates(axes @ np.diag(values) @ axes.T))
        new = np.concatenate(parts)
        t, before = 0.5 + np.sqrt(0.25 + t * t), t
        ahead, s = new + (before - 1.0) / t * (new - s), new
    return s


def test_pseudo_inertia_tells_possible_bodies():
    ball = np.array([2.0, 0.2, 0.0, 0.0, 0.01, 0.0, 0.03, 0.0, 0.0, 0.03])
    assert body_parameters(pseudo_inertia(ball)) == pytest.approx(ball, abs=1e-15)
    assert is_possible(ball)
    for index, value in ((0, -2.0), (4, -0.01), (6, 0.05), (1, 0.5)):
        wrong = ball.copy()
        wrong[index] = value  # no mass, negative, against the triangle, centre too far out
        assert not is_possible(wrong)


def test_point_masses_of_the_prior_are_given_some_extent():
    model = load_robot(golden.ROBOTS / 'arm_2r_point.yaml')
    result = identify(model.with_scaled(mass=1.2), efforts(model, moving(model), noise=0.01))
    assert result.thickened == ('link1', 'link2') and result.consistent
    assert (result.error.hold_out < result.prior_error.hold_out).all()


def test_friction_that_the_model_lacks_is_named(arm):
    friction = FrictionModel([1.0, 0.5], [1.0, 0.5], [0.3, 0.2], [0.0, 0.0])
    motion = efforts(arm.with_friction(friction), moving(arm), noise=0.001)
    texts = [text for text in identify(arm, motion).warnings if 'friction, about' in text]
    assert len(texts) == 2 and "'shoulder'" in texts[0] and "'elbow'" in texts[1]
    known = identify(arm.with_friction(friction), motion)
    assert not any('friction' in text for text in known.warnings)
    assert known.error.hold_out.max() < 0.05  # [N m]
