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

"""What happens to a measured state on its way: noise, delay, loss."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.errors import ParameterError

Array = NDArray[np.float64]


class Measurement(NamedTuple):
    """
    A measured state.

    Attributes
    ----------
    t : float
        When it was measured [s].
    q, v : numpy.ndarray, shape (nv,)
        Position [rad or m] and velocity [rad/s or m/s].

    """

    t: float
    q: Array
    v: Array


@dataclass(frozen=True, kw_only=True)
class FaultSettings:
    """
    How bad the measurement is; by default perfect.

    Parameters
    ----------
    position_noise, velocity_noise : float
        Standard deviation of Gaussian noise [rad or m, per s].
    delay : float
        Age of a state when it arrives [s].
    dropout : float
        Share of states that never arrive, 0 to 1.

    Raises
    ------
    ParameterError
        When a value is out of its range.

    """

    position_noise: float = 0.0
    velocity_noise: float = 0.0
    delay: float = 0.0
    dropout: float = 0.0

    def __post_init__(self) -> None:
        """Check the ranges."""
        for name, most in (
            ('position_noise', math.inf),
            ('velocity_noise', math.inf),
            ('delay', math.inf),
            ('dropout', 1.0),
        ):
            value = getattr(self, name)
            if not (0.0 <= value <= most and math.isfinite(value)):
                expected = '0 or more' if most == math.inf else f'0 to {most:g}'
                raise ParameterError(f'is {value}', where=name, expected=expected)


class MeasurementFaults:
    """
    A line on which measured states get noisy, late and lost.

    Parameters
    ----------
    settings : FaultSettings
        How bad it is.
    generator : numpy.random.Generator
        The source of chance; the same seed gives the same faults.

    """

    def __init__(self, settings: FaultSettings, generator: np.random.Generator) -> None:
        """Start with an empty line."""
        self._settings, self._generator = settings, generator
        self._line: deque[Measurement] = deque()

    def pass_on(self, t: float, q: Array, v: Array) -> Measurement | None:
        """
        Take the true state and return the measurement that arrives at this time.

        Parameters
        ----------
        t : float
            Now, never less than before [s].
        q, v : numpy.ndarray, shape (nv,)
            True state; copied.

        Returns
        -------
        Measurement or None
            The newest that has been on its way for ``delay``; None when none has
            arrived since the last call, or the one that did was lost.

        """
        settings, chance = self._settings, self._generator
        self._line.append(
            Measurement(
                t,
                q + settings.position_noise * chance.standard_normal(q.shape),
                v + settings.velocity_noise * chance.standard_normal(v.shape),
            )
        )
        arrived = None
        # k * period - delay carries rounding
        while self._line and self._line[0].t <= t - settings.delay + 1e-9:
            arrived = self._line.popleft()
        lost = chance.random() < settings.dropout
        return None if lost else arrived
