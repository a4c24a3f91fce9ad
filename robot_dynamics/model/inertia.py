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

"""Rotational inertia: solids, parallel axis, principal moments, possibility."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def cuboid(mass: float, size: tuple[float, float, float]) -> Array:
    """
    Return the inertia of a homogeneous cuboid about its centre.

    Parameters
    ----------
    mass : float
        [kg].
    size : tuple of float
        Edges along x, y, z [m].

    Returns
    -------
    numpy.ndarray, shape (3, 3)
        [kg m^2], axes along the edges.

    """
    x2, y2, z2 = (edge * edge for edge in size)
    return np.diag([y2 + z2, x2 + z2, x2 + y2]) * (mass / 12.0)


def about_point(inertia: Array, mass: float, com: Array) -> Array:
    """
    Move an inertia from the centre of mass to a point (parallel axis).

    Parameters
    ----------
    inertia : numpy.ndarray, shape (3, 3)
        About the centre of mass [kg m^2].
    mass : float
        [kg].
    com : numpy.ndarray, shape (3,)
        Centre of mass seen from the point, same axes [m].

    Returns
    -------
    numpy.ndarray, shape (3, 3)
        About the point, I + m (p.p 1 - p p^T) [kg m^2].

    """
    p = np.asarray(com, dtype=np.float64)
    return inertia + mass * (p @ p * np.eye(3) - np.outer(p, p))


def rotated(inertia: Array, rotation: Array) -> Array:
    """
    Express an inertia in other axes.

    Parameters
    ----------
    inertia : numpy.ndarray, shape (3, 3)
        In body axes [kg m^2].
    rotation : numpy.ndarray, shape (3, 3)
        Columns are the body axes in the new ones.

    Returns
    -------
    numpy.ndarray, shape (3, 3)
        R I R^T.

    """
    return rotation @ inertia @ rotation.T


def principal_moments(inertia: Array) -> Array:
    """
    Return the principal moments of an inertia.

    Parameters
    ----------
    inertia : numpy.ndarray, shape (3, 3)
        A symmetric tensor [kg m^2].

    Returns
    -------
    numpy.ndarray, shape (3,)
        Ascending; may be negative when the tensor is impossible.

    """
    return np.asarray(np.linalg.eigvalsh(inertia), dtype=np.float64)


def triangle_violation(inertia: Array) -> float:
    """
    Return by how much the largest principal moment exceeds the sum of the others.

    No body can do that, since I_z <= I_x + I_y for any mass distribution.

    Parameters
    ----------
    inertia : numpy.ndarray, shape (3, 3)
        About the centre of mass [kg m^2].

    Returns
    -------
    float
        Zero or negative when possible [kg m^2].

    """
    small, middle, large = principal_moments(inertia)
    return float(large - small - middle)
