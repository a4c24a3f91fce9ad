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

"""One cycle of control: state in, effort out, by law, reference, limits and supervisor."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.control.controller_settings import ControllerSettings, ControllerSetup
from robot_dynamics.control.effort_output import EffortOutput
from robot_dynamics.control.following import Bounds, Follower, Transition
from robot_dynamics.control.limits import is_finite
from robot_dynamics.control.reference_point import ReferencePoint
from robot_dynamics.control.state_checks import start_problem, state_problem
from robot_dynamics.control.supervisor import State, Supervisor
from robot_dynamics.errors import RobotDynamicsError, StateError

Array = NDArray[np.float64]


class Command(NamedTuple):
    """
    What is to be sent, and why.

    Attributes
    ----------
    effort : numpy.ndarray, shape (n,)
        Of the commanded joints [N m or N].
    state : State
        What the controller is doing.
    saturated : numpy.ndarray of bool, shape (n,)
        Where the effort or rate limit has changed the effort.
    reference : ReferencePoint or None
        What is being followed; None where the law has no reference or is not in command.
    error : numpy.ndarray, shape (n,), or None
        q_ref - q [rad or m], the short way round for continuous joints.
    """

    effort: Array
    state: State
    saturated: NDArray[np.bool_]
    reference: ReferencePoint | None
    error: Array | None


class ControlCycle:
    """
    The part of a controller that belongs to one thread.

    Parameters
    ----------
    setup : ControllerSetup
        Model and settings.
    """

    def __init__(self, setup: ControllerSetup) -> None:
        """Wait for states."""
        self.setup = setup
        self.supervisor = Supervisor(setup.settings.supervision)
        self.follower: Follower | None = None
        self.output = EffortOutput(setup.model.n_commanded)
        self.dropped_states = 0
        self.fault_count = 0
        self.last_fault = ''
        self.drop_reason = ''
        self._n = setup.model.n_commanded
        self._q, self._v = np.zeros(setup.model.nv), np.zeros(setup.model.nv)
        # what the law has been given last, beside the position
        self._computed: tuple[Array | None, ReferencePoint | None] | None = None
        self._none_saturated = np.zeros(self._n, dtype=np.bool_)
        self._none_saturated.setflags(write=False)

    def update(
        self, now: float, q: Array, v: Array | None, measured_effort: Array | None
    ) -> Command | None:
        """Take a measured state; see ``Controller.update``."""
        supervisor, setup = self.supervisor, self.setup
        q = np.asarray(q, dtype=np.float64)
        v = None if v is None else np.asarray(v, dtype=np.float64)
        if supervisor.state is State.STOPPED:
            return self._stopping(now)
        problem = state_problem(q, v, setup)
        if problem:
            self.dropped_states += 1
            self.drop_reason = problem
            command = self.watch(now)
            supervisor.refuse(f'joint_states: {problem}')
            return command
        self._watch(now)
        self.drop_reason = ''
        self._q[:] = q
        rate = None
        if v is not None and setup.law.needs_velocity:
            self._v[:] = v
            rate = self._v
        point, tracking = self._reference(now)
        try:
            tau = setup.law.effort(self._q, rate, point)
            if not is_finite(tau):
                raise StateError(f'{setup.settings.law.mode.value} gives {tau.tolist()}',
                                 where='effort', expected='finite numbers',
                                 remedy='look at state, gains and inertias')
            self._computed = (rate, point)
            if not supervisor.state.is_running:
                self._count_state(now, tau, measured_effort)
            else:
                supervisor.accept(now)
                supervisor.track(tracking)
            if not supervisor.state.is_running:
                return self._stopping(now)
            effort, saturated = self.output.limited(now, tau, supervisor.law_share(now), setup)
        except RobotDynamicsError as error:
            self.fail(now, str(error))
            return self._stopping(now)
        error_ = None if point is None else setup.law.position_error(self._q, point)
        return Command(effort, supervisor.state, saturated, point, error_)

    def watch(self, now: float) -> Command | None:
        """Look at the age of the last good state; return what to send in a safe stop."""
        self._watch(now)
        return self._stopping(now)

    def adopt(self, setup: ControllerSetup, now: float) -> None:
        """Put another setup in force; the command goes on without a step."""
        before, self.setup = self.setup, setup
        self.supervisor.supervision = setup.settings.supervision
        self._computed = None
        if not self.supervisor.state.is_running:
            return
        if setup.model is not before.model or setup.settings.law != before.settings.law:
            self._begin_ramp(now)
        if not setup.law.needs_reference:
            self.follower = None
        elif self.follower is None:
            self.follower = self._holding_here()
        else:
            self.follower.transition = _transition(setup.settings)

    def fail(self, now: float, reason: str) -> None:
        """Go to FAULT and begin a safe stop, unless it is one already."""
        if self.supervisor.fail(reason):
            self._note_fault(now)

    def stop(self, now: float) -> None:
        """Go to STOPPED and begin the ramp to zero."""
        self.supervisor.stop()
        self.follower = None
        self.output.begin_stop(now, self.setup, None)

    def terms(self) -> dict[str, Array]:
        """Return the terms of the last good state; see ``Controller.terms``."""
        if self._computed is None:
            raise StateError('no good state yet', where='terms')
        rate, point = self._computed
        terms = self.setup.law.terms(self._q, rate, point)
        terms['command'] = self.output.effort.copy()
        return terms

    def _watch(self, now: float) -> None:
        if self.supervisor.watch(now, self.drop_reason):
            self._note_fault(now)

    def _reference(self, now: float) -> tuple[ReferencePoint | None, bool]:
        """Return the point to follow, and whether it belongs to a motion."""
        if not self.setup.law.needs_reference:
            return None, False
        if self.follower is None:
            return ReferencePoint.at_rest(self._q[:self._n]), False
        return self.follower.sample(now)

    def _count_state(self, now: float, tau: Array, measured_effort: Array | None) -> None:
        """Count a good state, with which the law may take command, holding where the robot is."""
        problem = start_problem(tau, measured_effort, self.setup)
        if problem:
            self.supervisor.refuse(problem)
        elif self.supervisor.accept(now):
            self._begin_ramp(now)
            self.follower = self._holding_here() if self.setup.law.needs_reference else None

    def _holding_here(self) -> Follower:
        model, n = self.setup.model, self._n
        limits = model.limits
        bounds = Bounds(
            joint_names=model.commanded_names, lower=limits.lower[:n], upper=limits.upper[:n],
            velocity=limits.velocity[:n], continuous=model.is_continuous[:n])
        return Follower(self._q[:n], bounds, _transition(self.setup.settings))

    def _begin_ramp(self, now: float) -> None:
        self.output.begin_ramp()
        self.supervisor.start_ramp(now)

    def _note_fault(self, now: float) -> None:
        """Count a new fault and begin the safe stop."""
        self.fault_count += 1
        self.last_fault = self.supervisor.reason
        self.follower = None
        support = (self.setup.law.gravity(self._q)
                   if self.setup.settings.on_fault == 'hold_gravity' else None)
        self.output.begin_stop(now, self.setup, support)

    def _stopping(self, now: float) -> Command | None:
        """Return the next command of a safe stop, None when nothing must be sent."""
        effort = self.output.stopping(now)
        if effort is None:
            return None
        return Command(effort, self.supervisor.state, self._none_saturated, None, None)


def _transition(settings: ControllerSettings) -> Transition:
    return Transition(blend_time=settings.blend_time, blend_velocity=settings.blend_velocity,
                      setpoint_timeout=settings.setpoint_timeout)
