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

"""The user's choices when a robot is loaded, and the gravity that follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.errors import ModelError
from robot_dynamics.model.description import rotation_from_rpy
from robot_dynamics.model.overlay import Overlay

Array = NDArray[np.float64]

STANDARD_GRAVITY = (0.0, 0.0, -9.81)  # [m/s^2]


@dataclass(frozen=True, kw_only=True)
class ModelOptions:
    """
    Choices made by the user when a robot is loaded.

    Parameters
    ----------
    joints : tuple of str or None
        Commanded joints in the order wanted; None for all that move freely.
    locked : mapping of str to float
        Joints held at a position [rad or m].
    gravity : tuple of float or None
        In the root link's frame [m/s^2]; None leaves it to the overlay.
    mount_rpy : tuple of float or None
        Orientation of the root link in the world [rad], in place of ``gravity``.
    accept : tuple of str
        Codes of error findings that are meant.

    """

    joints: tuple[str, ...] | None = None
    locked: Mapping[str, float] | None = None
    gravity: tuple[float, float, float] | None = None
    mount_rpy: tuple[float, float, float] | None = None
    accept: tuple[str, ...] = ()


def vector3(values: Sequence[float], name: str) -> Array:
    """Return three finite numbers as an array, or raise ModelError naming ``name``."""
    if not all(isinstance(value, Real) for value in values):
        raise ModelError(f'is {values}', where=name, expected='three numbers, not texts')
    vector = np.array(values, dtype=np.float64)
    if vector.shape != (3,) or not np.isfinite(vector).all():
        raise ModelError(
            f'is {values}',
            where=name,
            expected='three finite numbers such as (0.0, 0.0, -9.81) [m/s^2]',
        )
    return vector


def root_gravity(overlay: Overlay, options: ModelOptions) -> Array:
    """Return gravity in the root frame; the user's choice goes before the file's."""
    if options.gravity is not None and options.mount_rpy is not None:
        raise ModelError(
            'gravity and mount_rpy are both given',
            expected='one of the two',
            remedy='gravity is in the root link frame; the mount turns the default',
        )
    if options.gravity is not None:
        return vector3(options.gravity, 'gravity')
    mount = options.mount_rpy
    if mount is None:
        if overlay.gravity is not None:
            return vector3(overlay.gravity, 'gravity')
        mount = overlay.mount_rpy
    if mount is None:
        return np.array(STANDARD_GRAVITY)
    roll, pitch, yaw = vector3(mount, 'mount_rpy')
    return np.asarray(rotation_from_rpy((roll, pitch, yaw)).T @ np.array(STANDARD_GRAVITY))
