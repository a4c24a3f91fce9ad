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

"""What the robot carries and what pushes it, changed while it runs and without a step."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.control.external_wrench import ExternalWrench
from robot_dynamics.model import Payload, RobotModel

Array = NDArray[np.float64]

WRENCH_FADE = 0.2  # [s] in which a wrench that is no longer confirmed goes to zero


class _WrenchOrder(NamedTuple):
    """A wrench and when it came [s, steady]."""

    wrench: ExternalWrench
    received: float


class Loads:
    """
    Payload, gravity and external wrench of a running controller.

    The ``order_`` methods may be called from any thread: each hands over one
    object by an assignment. ``advance`` and ``effort`` belong to the loop.

    Parameters
    ----------
    payload : Payload or None
        What is carried from the start, without a ramp.
    payload_ramp : float
        Time in which a change of payload takes effect [s].
    wrench_timeout : float
        Age after which a wrench fades out [s].

    Attributes
    ----------
    changes : int
        How often payload or gravity of the model have been set.

    """

    def __init__(
        self, payload: Payload | None, payload_ramp: float, wrench_timeout: float
    ) -> None:
        """Begin with a payload and without a wrench."""
        self.payload_ramp, self.wrench_timeout = payload_ramp, wrench_timeout
        self._ordered_payload = payload
        self._gravity: Array | None = None
        self.reset()

    def reset(self) -> None:
        """Forget the wrench and any ramp; the payload stays."""
        self._payload = self._ordered_payload
        self._wrench: _WrenchOrder | None = None
        self._model: RobotModel | None = None
        self._before: dict[int, Array] = {}
        self._target: dict[int, Array] = {}
        self._began = -math.inf
        self._settled = False
        self._felt: Array | None = None
        self.changes = 0

    @property
    def payload(self) -> Payload | None:
        """Return the payload in force, or about to be."""
        return self._ordered_payload

    @property
    def gravity(self) -> Array | None:
        """Return the gravity ordered last (3,), None when the model's holds."""
        return self._gravity

    def order_payload(self, payload: Payload | None) -> None:
        """Carry a payload in place of any other; None or mass 0 removes it."""
        self._ordered_payload = payload

    def order_gravity(self, gravity: Array) -> None:
        """Use another gravity (3,), root link frame [m/s^2]."""
        self._gravity = np.array(gravity, dtype=np.float64)

    def order_wrench(self, wrench: ExternalWrench | None, now: float) -> None:
        """Stand against a wrench, until it is ``wrench_timeout`` old; None ends it at once."""
        self._wrench = None if wrench is None else _WrenchOrder(wrench, now)

    def advance(self, now: float, model: RobotModel, *, with_gravity: bool) -> None:
        """
        Put the present payload and gravity on the model of the law.

        Parameters
        ----------
        now : float
            Steady time [s].
        model : RobotModel
            Changed in place.
        with_gravity : bool
            Whether the model is to feel gravity; the weightless one is not.

        """
        payload = self._ordered_payload
        if model is not self._model:
            # the law has been built anew: the same loads, at once
            self._model, self._settled, self._felt = model, False, None
            self._target = model.payload_parameters(self._payload)
        if payload is not self._payload:
            self._before = self._present(now)
            self._payload, self._began, self._settled = payload, now, False
            self._target = model.payload_parameters(payload)
        if not self._settled:
            model.set_payload_parameters(self._present(now))
            self._settled = now >= self._began + self.payload_ramp
            self.changes += 1
        if self._gravity is not self._felt and self._gravity is not None and with_gravity:
            self._felt = self._gravity
            model.set_gravity(self._gravity)
            self.changes += 1

    def is_steady(self, now: float) -> bool:
        """Return whether nothing of them changes after ``now`` [s] until the next order."""
        order = self._wrench
        gone = order is None or now - order.received - self.wrench_timeout >= WRENCH_FADE
        return self._settled and gone

    def _present(self, now: float) -> dict[int, Array]:
        """Return the bodies' additions on the way from the old to the new payload."""
        share = (now - self._began) / self.payload_ramp if self.payload_ramp > 0.0 else 1.0
        if not share < 1.0:
            return self._target
        zero = np.zeros(10)
        return {
            number: (1.0 - share) * self._before.get(number, zero)
            + share * self._target.get(number, zero)
            for number in {*self._before, *self._target}
        }

    def effort(self, now: float, model: RobotModel, q: Array) -> Array | None:
        """
        Return what the actuators must supply against the wrench.

        Parameters
        ----------
        now : float
            Steady time [s].
        model : RobotModel
            The robot.
        q : numpy.ndarray, shape (nv,)
            Position.

        Returns
        -------
        numpy.ndarray, shape (nv,), or None
            -J^T F [N m or N], None without a wrench.

        """
        order = self._wrench
        if order is None:
            return None
        late = now - order.received - self.wrench_timeout
        if late >= WRENCH_FADE:
            return None
        share = 1.0 if late <= 0.0 else 1.0 - late / WRENCH_FADE
        return -share * order.wrench.joint_load(model, q)
