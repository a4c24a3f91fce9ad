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

"""The simulated drives: what stands between an effort command and the plant."""

from __future__ import annotations

from dataclasses import dataclass
import math

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.errors import StateError
from robot_dynamics.model import RobotModel
from robot_dynamics.simulation import Plant

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class DriveSettings:
    """
    What the drives of the simulated arm do by themselves.

    Attributes
    ----------
    command_timeout
        Age of the newest command [s] at which the effort is zero already: the step that ends then
        is made without. More than a physics step.
    brake_release
        Simulated time of unbroken commands after which the brake opens [s]; negative: there is
        no brake.

    """

    command_timeout: float = 0.08
    brake_release: float = 0.5


class SimulatedDrives:
    """
    Brake, effort limits, command watchdog and external push in front of a plant.

    Time is simulated time: a process that was stopped, and heard nothing meanwhile, does not find
    its drives timed out. While the brake holds, the plant stands still and the effort shown is
    the one needed to hold it.

    Parameters
    ----------
    plant
        The arm, of ``model.nv`` joints.
    model
        Model of the same arm (with the same model error), for the effort at the brake and the
        effort limits [N·m, N]; used by the calling thread only.
    settings
        Times.

    """

    def __init__(self, plant: Plant, model: RobotModel, settings: DriveSettings) -> None:
        self._plant = plant
        self._model = model
        self._settings = settings
        self._n = model.n_commanded
        self._limit: Array = model.limits.effort[: self._n].copy()
        self._command: Array = np.zeros(self._n)
        self._silence = math.inf  # simulated time since the newest command [s]
        self._push_left = 0.0  # simulated time [s]
        self._until_release = math.inf  # simulated time left of the brake [s]
        self.timed_out = False
        self.reset(*plant.state)

    def reset(self, q: Array, v: Array) -> None:
        """Put the arm at `q` [rad, m] and, once released, `v` [rad/s, m/s]; shut the brake."""
        q = self._model.check_vector('position', q)
        v = self._model.check_vector('velocity', v)
        self._plant.reset(q, v)
        self._until_release = math.inf if self._settings.brake_release >= 0.0 else 0.0
        self._silence = math.inf
        self.timed_out = False
        self._push_left = 0.0
        self._q, self._v = q, v if self.released else np.zeros_like(v)
        self._applied: Array = self._model.gravity(q)[: self._n]

    @property
    def released(self) -> bool:
        """Whether the brake is open."""
        return self._until_release <= 0.0

    @property
    def position(self) -> Array:
        """Positions (nv,) [rad, m]."""
        return self._q

    @property
    def velocity(self) -> Array:
        """Velocities (nv,) [rad/s, m/s], zero while the brake holds."""
        return self._v

    @property
    def effort(self) -> Array:
        """Efforts that act on the commanded joints (n_commanded,) [N·m, N]."""
        return self._applied

    def command(self, effort: Array) -> None:
        """
        Put an effort into force.

        Parameters
        ----------
        effort
            By commanded joint, (n_commanded,) [N·m, N]; limited here.

        Raises
        ------
        StateError
            A value is not finite; the command before stays in force.

        """
        if not np.isfinite(effort).all():
            raise StateError(
                'an effort is not finite', where='effort command', expected='finite numbers'
            )
        np.clip(effort, -self._limit, self._limit, out=self._command)
        if self._until_release == math.inf:
            self._until_release = self._settings.brake_release
        self._silence = 0.0
        self.timed_out = False

    def push(self, effort: Array, duration: float) -> None:
        """Let `effort` (nv,) [N·m, N] act from outside for `duration` of simulated time [s]."""
        self._plant.set_push(effort)
        self._push_left = duration

    def step(self) -> None:
        """
        Advance the arm by one physics step.

        Raises
        ------
        SimulationError
            The state is no longer finite; the position and velocity shown stay the last good
            ones.

        """
        self._silence += self._plant.dt
        # The end of this step counts; the margin is for sums of steps that are rounded down.
        silent = self._silence > self._settings.command_timeout - 1e-9
        if not self.released:
            # Only an unbroken stream of commands opens the brake.
            self._until_release = math.inf if silent else self._until_release - self._plant.dt
            return
        if silent:
            self.timed_out = self._silence < math.inf
            self._applied = np.zeros(self._n)
        else:
            self._applied = self._command.copy()
        self._plant.step(self._applied)
        self._q, self._v = self._plant.state
        if self._push_left > 0.0:
            self._push_left -= self._plant.dt
            if self._push_left <= 0.0:
                self._plant.set_push(None)
