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

"""The closed loop with a law that runs at a fixed rate and holds its effort between."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.errors import ParameterError
from robot_dynamics.simulation.closed_loop_result import ClosedLoopResult
from robot_dynamics.simulation.loop_control import LoopControl
from robot_dynamics.simulation.plant import Plant

Array = NDArray[np.float64]


def run_sampled(
    plant: Plant,
    control: LoopControl,
    duration: float,
    *,
    control_period: float,
    delay: float,
    with_terms: bool,
    progress: Callable[[float], None],
) -> ClosedLoopResult:
    """
    Step a plant between the samples of a law.

    Parameters
    ----------
    plant : Plant
        In its start state.
    control : LoopControl
        Evaluated at t = 0, control_period, ...
    duration : float
        A number of control periods [s].
    control_period : float
        A number of the plant's steps [s].
    delay : float
        From a sample to the moment its effort acts, a number of the plant's steps up
        to the control period [s]; until then the effort before stays.
    with_terms : bool
        Whether the result has the terms of the law.
    progress : callable
        Told the fraction done.

    Raises
    ------
    ParameterError
        When a time is not a whole number of steps.
    SimulationError
        When a value is no longer finite.

    """
    periods = whole_steps('duration', duration, control_period, 1)
    steps = whole_steps('control_period', control_period, plant.dt, 1)
    late = whole_steps('delay', delay, plant.dt, 0)
    if late > steps:
        raise ParameterError(
            f'is {delay} s',
            where='delay',
            expected=f'not more than the control period, {control_period} s',
        )
    times = np.asarray(control_period * np.arange(periods + 1), dtype=np.float64)
    q, v = np.empty((periods + 1, plant.nv)), np.empty((periods + 1, plant.nv))
    q[0], v[0] = plant.state
    before: Array | None = None
    for k in range(periods):
        tau = control.at(float(times[k]), q[k], v[k]).tau
        before = tau if before is None else before
        for step in range(steps):
            plant.step(before if step < late else tau)
        before = tau
        q[k + 1], v[k + 1] = plant.state
        progress((k + 1) / periods)
    return control.result(times, q, v, with_terms=with_terms)


def whole_steps(name: str, time: float, step: float, least: int) -> int:
    """
    Return how many steps make up a time.

    Parameters
    ----------
    name : str
        Of the time, for the message.
    time, step : float
        [s].
    least : int
        Smallest number allowed.

    Raises
    ------
    ParameterError
        When it is not a whole number, or too small.

    """
    count = round(time / step) if np.isfinite(time) else -1
    if not (count >= least and abs(count * step - time) <= 1e-9 * max(step, time)):
        raise ParameterError(
            f'is {time} s', where=name, expected=f'a whole number of {step} s, at least {least}'
        )
    return count
