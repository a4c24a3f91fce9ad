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

"""What a reference is: position, velocity and acceleration as a function of time."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class ReferencePoint(NamedTuple):
    """
    Where the commanded joints should be at one moment.

    Attributes
    ----------
    q : numpy.ndarray, shape (n,)
        Position [rad or m].
    v : numpy.ndarray, shape (n,)
        Velocity [rad/s or m/s].
    a : numpy.ndarray, shape (n,)
        Acceleration [rad/s^2 or m/s^2].

    """

    q: Array
    v: Array
    a: Array

    @classmethod
    def at_rest(cls, q: Array) -> ReferencePoint:
        """Return the point at rest in a copy of ``q`` (n,), read-only."""
        position = np.array(q, dtype=np.float64)
        zero = np.zeros_like(position)
        position.setflags(write=False)
        zero.setflags(write=False)
        return cls(position, zero, zero)

    @property
    def is_at_rest(self) -> bool:
        """Whether velocity and acceleration are exactly zero."""
        return not (self.v.any() or self.a.any())


class Reference(Protocol):
    """Anything that can be followed."""

    @property
    def duration(self) -> float:
        """Time after which the reference holds its last position [s], may be infinite."""

    def sample(self, t: float) -> ReferencePoint:
        """
        Return the point ``t`` seconds after the start.

        Before the start it is the first position and after the end the last one, at rest.
        """
