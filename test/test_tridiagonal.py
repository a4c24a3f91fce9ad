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

"""The tridiagonal solver against a dense one."""

from hypothesis import given, strategies as st
import numpy as np
import pytest
from robot_dynamics.control.tridiagonal import solve_tridiagonal


@given(size=st.integers(1, 40), seed=st.integers(0, 2**32 - 1), dominance=st.floats(1.01, 10.0))
def test_it_agrees_with_a_dense_solver(size, seed, dominance):
    random = np.random.default_rng(seed)
    lower, upper = random.normal(size=(2, size))
    lower[0] = upper[-1] = 0.0
    diagonal = dominance * (np.abs(lower) + np.abs(upper)) + 1e-3
    scale = 10.0 ** random.uniform(-6.0, 6.0, size)  # rows may be of very different size
    lower, diagonal, upper = lower * scale, diagonal * scale, upper * scale
    right = random.normal(size=(size, 3)) * scale[:, None]
    matrix = np.diag(diagonal) + np.diag(lower[1:], -1) + np.diag(upper[:-1], 1)
    expected = np.linalg.solve(matrix / scale[:, None], right / scale[:, None])
    x = solve_tridiagonal(lower, diagonal, upper, right)
    assert np.abs(x - expected).max() <= 1e-10 * np.abs(expected).max()


@pytest.mark.parametrize('size', [100, 10_000])
def test_long_systems_leave_no_residual(size):
    random = np.random.default_rng(1)
    h = 10.0 ** random.uniform(-4.0, 1.0, size + 1)
    lower, diagonal, upper = h[1:].copy(), 2.0 * (h[:-1] + h[1:]), h[:-1].copy()
    lower[0] = upper[-1] = 0.0
    right = random.normal(size=(size, 2)) * diagonal[:, None]
    given_ = (lower.copy(), diagonal.copy(), upper.copy(), right.copy())
    x = solve_tridiagonal(lower, diagonal, upper, right)
    residual = diagonal[:, None] * x - right
    residual[1:] += lower[1:, None] * x[:-1]
    residual[:-1] += upper[:-1, None] * x[1:]
    assert np.abs(residual / diagonal[:, None]).max() <= 1e-14
    for before, after in zip(given_, (lower, diagonal, upper, right)):
        assert (before == after).all()
