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

"""A load that the robot carries at one of its frames."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.errors import ParameterError
from robot_dynamics.model.inertia import principal_moments, triangle_violation

Array = NDArray[np.float64]

_TOLERANCE = 1e-6  # relative; messages carry rounded tensors


@dataclass(frozen=True, eq=False, kw_only=True)
class Payload:
    """
    A rigid load at a link frame.

    Parameters
    ----------
    frame : str
        The link that carries it.
    mass : float
        [kg]; 0 means no load.
    com : array_like, shape (3,)
        Centre of mass in the link frame [m].
    inertia : array_like, shape (3, 3)
        About the centre of mass, link axes [kg m^2]; zero for a point mass.

    Raises
    ------
    ParameterError
        When a value is not finite or no body can have it.

    """

    frame: str
    mass: float
    com: Array = field(default_factory=lambda: np.zeros(3))
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))

    def __post_init__(self) -> None:
        """Copy in, check and make read-only."""
        for name, shape in (('com', (3,)), ('inertia', (3, 3))):
            array = np.array(getattr(self, name), dtype=np.float64)
            if array.shape != shape or not np.isfinite(array).all():
                raise ParameterError(
                    f'is {array.tolist()}',
                    where=f'payload {name}',
                    expected=f'finite numbers of shape {shape}',
                )
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        if not 0.0 <= self.mass < float('inf'):
            raise ParameterError(
                f'is {self.mass}', where='payload mass', expected='zero or more kg'
            )
        if self.mass == 0.0:
            if self.inertia.any():
                raise ParameterError(
                    'is not zero beside mass 0',
                    where='payload inertia',
                    expected='mass and inertia together',
                )
            return
        if not np.allclose(self.inertia, self.inertia.T, rtol=0.0, atol=1e-12):
            raise ParameterError('is not symmetric', where='payload inertia')
        moments = principal_moments(self.inertia)
        scale = float(np.abs(moments).max())
        if moments[0] < -_TOLERANCE * scale or (
            triangle_violation(self.inertia) > _TOLERANCE * scale
        ):
            raise ParameterError(
                f'has the principal moments {moments.tolist()}',
                where='payload inertia',
                expected='moments that a body can have (none above the sum of the others)',
            )
