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

"""A controller with a perfect robot in simulated time, for fault injections by the thousand."""

import numpy as np
from robot_dynamics import load_robot
from robot_dynamics.control import (
    AccelerationGains,
    Controller,
    ControllerSettings,
    EffortGains,
    LawSettings,
    Mode,
    SineReference,
    State,
)

T = 1e-3  # [s] loop period
TIMEOUT = 0.05  # [s]
Q = np.array([0.3, -0.8])
NAMES = ('joint1', 'joint2')


class Rig:
    """A controller that tracks a sine with a perfect robot, in simulated time."""

    def __init__(self, mode=Mode.COMPUTED_TORQUE, model=None, friction=False, **more):
        law = LawSettings(
            mode=mode,
            acceleration_gains=AccelerationGains(kp=100.0, kd=20.0),
            effort_gains=EffortGains(kp=50.0, kd=5.0),
            friction=friction,
        )
        settings = ControllerSettings(law=law, state_timeout=TIMEOUT, **more)
        self.model = model or load_robot('arm_2r')
        self.controller = Controller(self.model, settings)
        self.reference = SineReference(Q, [0.2, 0.3], [2.0, 1.5])
        self.now = 0.0
        self.sent = []

    def run(self, steps):
        """Feed good states and return the last command."""
        command = None
        for _ in range(steps):
            point = self.reference.sample(self.now)
            command = self.feed(point.q, point.v)
            holding = command is not None and command.state is State.HOLDING
            if holding and command.reference is not None:
                self.controller.set_reference(self.reference, self.now)
        return command

    def feed(self, q, v):
        """Feed one state a period later."""
        self.now += T
        return self._note(self.controller.update(self.now, np.array(q), np.array(v)))

    def tick(self):
        """Let a period pass in silence."""
        self.now += T
        return self._note(self.controller.tick(self.now))

    def _note(self, command):
        if command is not None:
            assert np.isfinite(command.output).all()
            assert (np.abs(command.effort) <= 150.0).all()
            self.sent.append(command)
        return command
