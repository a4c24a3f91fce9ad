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

"""What is timed within one process: a whole controller at work, and one bare call of Pinocchio."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
import gc
import statistics
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray
import pinocchio
from robot_dynamics import RobotModel
from robot_dynamics.control import (
    AccelerationGains,
    Controller,
    ControllerSettings,
    LawSettings,
    Mode,
    State,
    Trajectory,
)

Array = NDArray[np.float64]

PERIOD = 1e-3  # [s] of the states
_SEGMENT = 1.5  # [s] between two points of the trajectory
_NOISE = 2e-4  # [rad] and, tenfold, [rad/s] on the states
_CHUNK = 100  # calls timed together
_WARM_UP = 1000  # updates, in which ramp and blending end


class ControllerAtWork:
    """
    A controller with all checks, limits and friction, fed with fresh states.

    Parameters
    ----------
    model
        The robot.
    start, goal
        It moves to and fro between them, or holds the first one when `goal` is None.
    longest
        Number of updates that will be asked for.

    """

    def __init__(
        self, model: RobotModel, start: Array, goal: Array | None = None, longest: int = 0
    ) -> None:
        law = LawSettings(
            mode=Mode.COMPUTED_TORQUE,
            acceleration_gains=AccelerationGains.from_natural_frequency(10.0),
            friction=True,
        )
        settings = ControllerSettings(law=law, allow_unlimited_effort=True)
        self._controller = Controller(model, settings)
        self._rng = np.random.default_rng(2)
        self._start = start
        self._now = 0.0
        self._trajectory: Trajectory | None = None
        for now, q, v in self._states(settings.fresh_states):
            self._controller.update(now, q, v)
        self.run(_WARM_UP)
        if goal is not None:
            count = 2 + int((longest + 2 * _WARM_UP) * PERIOD / _SEGMENT)
            points = np.array([(start, goal)[k % 2] for k in range(count)])
            times = _SEGMENT * np.arange(count)
            self._trajectory = Trajectory(times, points, joint_names=model.commanded_names)
            self._began = self._now
            self._controller.set_trajectory(self._trajectory, self._now)
            self.run(_WARM_UP)
        wanted = State.HOLDING if goal is None else State.TRACKING
        if self._controller.state is not wanted:
            raise RuntimeError(f'{self._controller.state}: {self._controller.reason}')

    def run(self, count: int) -> float:
        """Answer so many states; return the microseconds of one answer."""
        states = list(self._states(count))
        update = self._controller.update
        durations = []
        with no_collection():
            for chunk in _chunks(states):
                begin = time.perf_counter()
                for now, q, v in chunk:
                    # made on demand by some backends, and always wanted
                    output = update(now, q, v).output
                durations.append((time.perf_counter() - begin) / len(chunk))
        if not np.isfinite(output).all():
            raise RuntimeError(f'no command: {self._controller.reason}')
        return 1e6 * statistics.median(durations)

    def _states(self, count: int) -> Iterator[tuple[float, Array, Array]]:
        n = len(self._start)
        for _ in range(count):
            self._now += PERIOD
            q, v = self._start, np.zeros(n)
            if self._trajectory is not None:
                q, v, _ = self._trajectory.sample(self._now - self._began)
            noise = self._rng.normal(0.0, _NOISE, (2, n))
            yield self._now, q + noise[0], v + 10.0 * noise[1]


class BareCall:
    """One call of ``pinocchio.rnea`` for each state of a list, prepared beforehand."""

    def __init__(self, model: RobotModel, states: tuple[Array, Array, Array]) -> None:
        self._model = pinocchio.buildModelFromXML(model.urdf)
        self._data = self._model.createData()
        self._rows = [tuple(map(np.ascontiguousarray, row)) for row in zip(*states)]
        if self._model.nv != model.nv:
            raise RuntimeError(f'{self._model.nv} joints instead of {model.nv}')

    def run(self) -> float:
        """Return the microseconds of one call."""
        model, data, rnea = self._model, self._data, pinocchio.rnea
        durations = []
        with no_collection():
            for chunk in _chunks(self._rows):
                begin = time.perf_counter()
                for q, v, a in chunk:
                    rnea(model, data, q, v, a)
                durations.append((time.perf_counter() - begin) / len(chunk))
        return 1e6 * statistics.median(durations)


def _chunks(items: list[Any]) -> Iterator[list[Any]]:
    """Cut a list into short parts: the median of theirs leaves out when others computed."""
    for begin in range(0, len(items), _CHUNK):
        end = begin + _CHUNK
        yield items[begin:end]


def timed(function: Callable[[], Any]) -> float:
    """Return the milliseconds of one call."""
    with no_collection():
        begin = time.perf_counter()
        function()
        return 1e3 * (time.perf_counter() - begin)


@contextmanager
def no_collection() -> Iterator[None]:
    """Keep the garbage collector out of what is timed."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
