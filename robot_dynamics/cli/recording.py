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

"""What a run has recorded, the same for offline runs and for the demo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Phase(NamedTuple):
    """A part of a run: its label, and when it starts and ends [s]."""

    label: str
    start: float
    end: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Recording:
    """
    The motion and the efforts of n joints at k moments.

    Parameters
    ----------
    title : str
        What was run, for headings.
    joint_names, units, effort_units : tuple of str
        n names, units of position and of effort.
    time : numpy.ndarray, shape (k,)
        Seconds since the start, rising.
    position, reference, error : numpy.ndarray, shape (k, n)
        Error is reference - position [rad or m]; NaN while there is no reference.
    terms : dict of str to numpy.ndarray, shape (k, n)
        Efforts by the name of their term [N m or N].
    command : numpy.ndarray, shape (k, n)
        The effort sent [N m or N].
    phases : tuple of Phase
        In order of time; empty when the run has no parts.

    """

    title: str
    joint_names: tuple[str, ...]
    units: tuple[str, ...]
    effort_units: tuple[str, ...]
    time: Array
    position: Array
    reference: Array
    error: Array
    terms: dict[str, Array]
    command: Array
    phases: tuple[Phase, ...] = ()

    def within(self, start: float, end: float) -> NDArray[np.bool_]:
        """Return which moments lie in a span of time, shape (k,)."""
        return (self.time >= start) & (self.time <= end)

    def rms_error(self, start: float, end: float) -> Array:
        """
        Return the root mean square of the error between two moments.

        Parameters
        ----------
        start, end : float
            Span of time [s].

        Returns
        -------
        numpy.ndarray, shape (n,)
            [rad or m]; NaN when the span holds no error.

        """
        errors = self.error[self.within(start, end)]
        errors = errors[np.isfinite(errors).all(axis=1)]
        if not len(errors):
            return np.full(len(self.joint_names), np.nan)
        return np.asarray(np.sqrt(np.mean(errors**2, axis=0)))
