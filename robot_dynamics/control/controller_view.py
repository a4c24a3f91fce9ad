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


"""What can be seen of a controller, from any thread."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.control.controller_settings import ControllerSettings, ControllerSetup
from robot_dynamics.control.cycle import ControlCycle
from robot_dynamics.control.loads import Loads
from robot_dynamics.control.steady_step import is_steady_law
from robot_dynamics.control.supervisor import State
from robot_dynamics.model import Payload, RobotModel

Array = NDArray[np.float64]


class ControllerView:
    """The read-only side of a controller."""

    _wanted: ControllerSetup
    _cycle: ControlCycle
    _loads: Loads

    @property
    def settings(self) -> ControllerSettings:
        """Return the settings in force, or about to be."""
        return self._wanted.settings

    @property
    def model(self) -> RobotModel:
        """Return the model in force, or about to be."""
        return self._wanted.model

    @property
    def backend(self) -> str:
        """
        Return what answers a usual state.

        'numba', compiled code; 'numpy'; or 'plain', the whole cycle, for laws without a shorter
        way too.
        """
        step = self._wanted.steady_step
        return 'plain' if step is None else step.backend

    @property
    def has_short_way(self) -> bool:
        """Whether a usual state can be answered without the whole cycle; see ``SteadyStep``."""
        return is_steady_law(self._wanted)

    @property
    def state(self) -> State:
        """Return what the controller is doing."""
        return self._cycle.supervisor.state

    @property
    def reason(self) -> str:
        """Why the law is not in command, cause and cure in one line; empty when it is."""
        return self._cycle.supervisor.reason

    @property
    def fault_reason(self) -> str:
        """Return the reason while in FAULT, else empty; ``last_fault`` keeps it."""
        return self.reason if self.state is State.FAULT else ''

    @property
    def drop_reason(self) -> str:
        """Why the last state was dropped; empty when it was used."""
        return self._cycle.drop_reason

    @property
    def is_finished(self) -> bool:
        """Whether a shutdown has sent all it has to send."""
        return self.state is State.STOPPED and self._cycle.output.is_silent

    @property
    def last_fault(self) -> str:
        """Reason of the last fault since ``reset``, also after the return from it."""
        return self._cycle.last_fault

    @property
    def fault_count(self) -> int:
        """Faults since ``reset``."""
        return self._cycle.fault_count

    @property
    def dropped_states(self) -> int:
        """States since ``reset`` that could not be used."""
        return self._cycle.dropped_states

    @property
    def last_position(self) -> Array | None:
        """Position (nv,) of the last good state, None before the first."""
        return self._cycle.last_position

    @property
    def gravity(self) -> Array:
        """Gravity (3,) in force, or about to be, root link frame [m/s^2]."""
        ordered = self._loads.gravity
        return self._wanted.model.gravity_vector if ordered is None else ordered

    @property
    def payload(self) -> Payload | None:
        """Return the payload in force, or about to be."""
        return self._loads.payload
