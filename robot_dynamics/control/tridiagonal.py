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

"""Solving a diagonally dominant tridiagonal system for many right-hand sides at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_NEGLIGIBLE = 1e-17  # of the diagonal; below the rounding of doubles


def solve_tridiagonal(lower: Array, diagonal: Array, upper: Array, right: Array) -> Array:
    """
    Return x (m, n) with ``lower[i] x[i-1] + diagonal[i] x[i] + upper[i] x[i+1] = right[i]``.

    Parallel cyclic reduction: each pass eliminates the two neighbours of every row, so that the
    new ones are twice as far away. Where the neighbours weigh half the diagonal, as in a spline,
    their weight is below rounding after six passes, however many rows there are. No pivoting:
    in each row the diagonal must outweigh the sum of both neighbours.

    Parameters
    ----------
    lower, diagonal, upper : numpy.ndarray, shape (m,)
        The matrix by rows; ``lower[0]`` and ``upper[-1]`` must be 0.
    right : numpy.ndarray, shape (m, n)
        Right-hand sides, one in each column.

    """
    stride = 1
    while stride < len(diagonal):
        above = lower[stride:] / diagonal[:-stride]
        below = upper[:-stride] / diagonal[stride:]
        reduced, right_ = diagonal.copy(), right.copy()
        reduced[stride:] -= above * upper[:-stride]
        reduced[:-stride] -= below * lower[stride:]
        right_[stride:] -= above[:, None] * right[:-stride]
        right_[:-stride] -= below[:, None] * right[stride:]
        farther_lower, farther_upper = np.zeros_like(lower), np.zeros_like(upper)
        farther_lower[stride:] = -above * lower[:-stride]
        farther_upper[:-stride] = -below * upper[stride:]
        lower, diagonal, upper, right = farther_lower, reduced, farther_upper, right_
        stride *= 2
        if np.all(np.abs(lower) + np.abs(upper) <= _NEGLIGIBLE * np.abs(diagonal)):
            break
    return right / diagonal[:, None]
