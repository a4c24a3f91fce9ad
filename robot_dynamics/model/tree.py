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


"""The tree of a robot as plain numbers: what the Newton-Euler recursion runs over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.model.rigid_body import RigidBody

Array = NDArray[np.float64]
Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]

ROUNDING = 1e-15  # an entry of a rotation closer than that to 0 or 1 is meant to be it


@dataclass(frozen=True)
class Branch:
    """
    One moving joint and how its frame lies in that of its parent.

    All frames are turned so that a joint moves about, or along, its own z axis.

    Parameters
    ----------
    parent : int
        Number of the parent branch, -1 for the root.
    slides : bool
        Whether the joint is prismatic.
    rotation : tuple of tuple of float, (3, 3)
        From this frame to the parent's, at joint position 0.
    translation : tuple of float, (3,)
        Origin in the parent's frame, at joint position 0 [m].
    turn : tuple of tuple of float, (3, 3)
        From this frame to Pinocchio's, in which the bodies are given.
    coordinate : int
        Which of our joints moves it.
    multiplier, offset : float
        position = multiplier * q[coordinate] + offset.

    """

    parent: int
    slides: bool
    rotation: Matrix
    translation: Vector
    turn: Matrix
    coordinate: int
    multiplier: float
    offset: float


@dataclass(frozen=True)
class Tree:
    """
    All branches of a robot, parents first, without masses and gravity.

    Parameters
    ----------
    branches : tuple of Branch
        By Pinocchio's joint order.
    nv : int
        Number of our joints.

    """

    branches: tuple[Branch, ...]
    nv: int

    @classmethod
    def of(cls, body: RigidBody, nv: int) -> Tree:
        """
        Return the tree of a rigid-body model.

        Parameters
        ----------
        body : RigidBody
            The Pinocchio model and the map from our joints to its own.
        nv : int
            Number of our joints.

        """
        model = body.model
        data = model.createData()
        turns = [np.eye(3)]
        branches = []
        selection = np.eye(nv) if body.selection is None else body.selection
        for number in range(1, model.njoints):
            subspace = np.array(data.joints[number].S).reshape(6)
            slides = bool(subspace[:3].any())
            turn = _turn_to(subspace[:3] if slides else subspace[3:])
            parent = int(model.parents[number])
            placement = model.jointPlacements[number]
            row = selection[number - 1]
            coordinate = int(np.flatnonzero(row)[0]) if row.any() else 0
            branches.append(
                Branch(
                    parent=parent - 1,
                    slides=slides,
                    rotation=_matrix(turns[parent].T @ placement.rotation @ turn),
                    translation=_vector(turns[parent].T @ placement.translation),
                    turn=_matrix(turn),
                    coordinate=coordinate,
                    multiplier=float(row[coordinate]),
                    offset=float(body.offset[number - 1]),
                )
            )
            turns.append(turn)
        return cls(tuple(branches), nv)


def _turn_to(axis: Array) -> Array:
    """Return a rotation that takes z to the axis; a permutation for a coordinate axis."""
    x, y, z = (np.eye(3)[row] for row in range(3))
    for columns in ((x, y, z), (y, z, x), (z, x, y)):
        if np.array_equal(columns[2], axis):
            return np.column_stack(columns)
        if np.array_equal(-columns[2], axis):
            return np.column_stack((columns[0], -columns[1], -columns[2]))
    axis = axis / np.linalg.norm(axis)
    first = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    first /= np.linalg.norm(first)
    return np.column_stack((first, np.cross(axis, first), axis))


def _matrix(rotation: Array) -> Matrix:
    meant = np.round(rotation)
    tidy = np.where(np.abs(rotation - meant) < ROUNDING, meant, rotation)
    first, second, third = (_vector(row) for row in tidy)
    return first, second, third


def _vector(values: Iterable[float]) -> Vector:
    x, y, z = (float(value) + 0.0 for value in values)  # + 0.0 makes -0.0 a plain zero
    return x, y, z
