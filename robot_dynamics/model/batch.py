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


"""Inverse dynamics of many states at once, without a compiler."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
import pinocchio as pin
from robot_dynamics.model.newton_euler import inverse_dynamics
from robot_dynamics.model.tree import Tree

Array = NDArray[np.float64]

ROWS = 4096  # in one pass of arrays, whose intermediate values still fit the cache
FEWEST = 2000  # below that the cost of a NumPy call outweighs the arithmetic
PINOCCHIO_ROWS = 512  # in one call, which holds up the other threads


def batch_by_arrays(
    tree: Tree, q: Array, v: Array, a: Array, parameters: Array, gravity: Array
) -> Array:
    """
    Return the efforts (k, nv) by the Newton-Euler recursion over NumPy arrays.

    Parameters
    ----------
    tree : Tree
        The robot without its masses.
    q, v, a : numpy.ndarray, shape (k, nv)
        Position, velocity, acceleration.
    parameters : numpy.ndarray, shape (11 nfull,)
        As ``RobotModel.dynamic_parameters``.
    gravity : numpy.ndarray, shape (3,)
        In the root link's frame [m/s^2].

    """
    efforts = np.empty(q.shape)
    bodies, pull = parameters.tolist(), gravity.tolist()
    for rows in _blocks(len(q), ROWS):
        columns = [list(np.ascontiguousarray(x[rows].T)) for x in (q, v, a)]
        result = inverse_dynamics(
            tree, columns[0], columns[1], columns[2], bodies, pull, sin=np.sin, cos=np.cos
        )
        for joint, effort in enumerate(result):
            efforts[rows, joint] = effort
    return efforts


def batch_by_pinocchio(model: Any, q: Array, v: Array, a: Array) -> Array:
    """
    Return the efforts (k, nfull) of a Pinocchio model on one thread.

    Parameters
    ----------
    model : pinocchio.Model
        One coordinate for each joint.
    q, v, a : numpy.ndarray, shape (k, nfull)
        Position, velocity, acceleration.

    """
    efforts = np.empty(q.shape)
    pool = pin.ModelPool(model, 1)
    for rows in _blocks(len(q), PINOCCHIO_ROWS):
        pin.rneaInParallel(1, pool, q[rows].T, v[rows].T, a[rows].T, efforts[rows].T)
    # a joint of another branch would not hear of NaN
    return np.asarray(efforts + 0.0 * (q + v + a).sum(axis=1, keepdims=True))


def _blocks(rows: int, largest: int) -> list[slice]:
    """Return slices of nearly equal size."""
    count = math.ceil(rows / largest)
    edges = [rows * i // count for i in range(count + 1)] if count else [0]
    return [slice(first, last) for first, last in zip(edges, edges[1:])]
