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

"""Angles of joints that turn without end."""

from __future__ import annotations

from collections.abc import Sequence
import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

TURN = 2.0 * math.pi  # [rad]


def wrap(angle: float) -> float:
    """Return the same angle in (-pi, pi]; an angle already there is not changed."""
    if -math.pi < angle <= math.pi:
        return angle
    return math.pi - (math.pi - angle) % TURN


def wrap_joints(difference: Array, joints: Sequence[int]) -> Array:
    """Wrap the entries ``joints`` of ``difference`` (n,) [rad] in place and return it."""
    for joint in joints:
        difference[joint] = wrap(float(difference[joint]))
    return difference


def nearest_turn(q: Array, target: Array, continuous: NDArray[np.bool_] | None) -> Array:
    """
    Return positions ``q`` (n,), turned by whole turns to lie nearest to ``target`` (n,).

    Parameters
    ----------
    q, target : numpy.ndarray, shape (n,)
        Positions [rad or m].
    continuous : numpy.ndarray of bool, shape (n,), or None
        The joints to turn; others are left alone.

    """
    if continuous is None:
        return q
    turns = np.where(continuous, np.round((target - q) / TURN), 0.0)
    return q + turns * TURN


def without_turns(step: Array, joints: NDArray[np.intp]) -> Array:
    """
    Take whole turns off the entries ``joints`` of a step (n,) [rad], in place, and return it.

    The result may be longer than the shortest way by a rounding, unlike that of ``wrap``.
    """
    if joints.size:
        step[joints] -= TURN * np.round(step[joints] / TURN)
    return step
