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

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.control.command import Command, WholeCommand
from robot_dynamics.control.controller_settings import ControllerSettings, ControllerSetup
from robot_dynamics.control.differentiator import Differentiator
from robot_dynamics.control.effort_output import EffortOutput
from robot_dynamics.control.following import Bounds, Follower, Transition
from robot_dynamics.control.law_settings import Mode
from robot_dynamics.control.limits import is_finite
from robot_dynamics.control.loads import Loads
from robot_dynamics.control.reference_point import ReferencePoint
from robot_dynamics.control.state_checks import JumpCheck, start_problem, state_problem
from robot_dynamics.control.steady_step import SteadyStep
from robot_dynamics.control.supervisor import State, Supervisor
from robot_dynamics.errors import RobotDynamicsError, StateError

Array = NDArray[np.float64]


class _Given(NamedTuple):
    """What the law has been given beside the position, and what came from the wrench."""

    v: Array | None
    reference: ReferencePoint | None
    bristles: Array | None
    wrench: Array | None


class ControlCycle:
    """
    The part of a controller that belongs to one thread.

    Parameters
    ----------
    setup : ControllerSetup
        Model and settings.
    loads : Loads
        Payload, gravity and external wrench.

    """

    def __init__(self, setup: ControllerSetup, loads: Loads) -> None:
        """Wait for states."""
        self.setup = setup
        self.loads = loads
        self.supervisor = Supervisor(setup.settings.supervision)
        self.follower: Follower | None = None
        self.output = EffortOutput(setup.model.n_commanded)
        self.dropped_states = 0
        self.fault_count = 0
        self.last_fault = ''
        self.drop_reason = ''
        # the shorter way, while nothing unusual happens
        self.steady: SteadyStep | None = None
        self._loads_known = (setup, -1)
        self._n = setup.model.n_commanded
        self._q, self._v = np.zeros(setup.model.nv), np.zeros(setup.model.nv)
        # what the law has been given last, beside the position
        self._computed: _Given | None = None
        self._differentiator = _differentiator(setup)
        self._jumps = JumpCheck(setup.model.nv)
        self._bristles, self._bristles_at = np.zeros(setup.model.nv), -math.inf
        self._none_saturated = np.zeros(self._n, dtype=np.bool_)
        self._none_saturated.setflags(write=False)

    def update(
        self, now: float, q: Array, v: Array | None, measured_effort: Array | None
    ) -> Command | None:
        """Take a measured state; see ``Controller.update``."""
        self._leave_steady()
        supervisor, setup = self.supervisor, self.setup
        q = np.asarray(q, dtype=np.float64)
        v = None if v is None else np.asarray(v, dtype=np.float64)
        if supervisor.state is State.STOPPED:
            return self._stopping(now)
        if self._differentiator is not None and is_finite(q):
            v = self._differentiator.update(now, q)
        problem = state_problem(q, v, setup)
        if not problem:
            problem = self._jumps.problem(now, q, setup, supervisor.state.is_running)
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
            self._put_loads(now)
            bristles = self._bristles if setup.law.has_bristles else None
            tau = setup.law.effort(self._q, rate, point, bristles)
            wrench = self._wrench_effort(now)
            if wrench is not None:
                tau = tau + wrench
            if not is_finite(tau):
                raise StateError(
                    f'{setup.settings.law.mode.value} gives {tau.tolist()}',
                    where='effort',
                    expected='finite numbers',
                    remedy='look at state, gains and inertias',
                )
            self._computed = _Given(rate, point, bristles, wrench)
            if bristles is not None and rate is not None and point is not None:
                self._move_bristles(now, rate, point)
            if not supervisor.state.is_running:
                self._count_state(now, tau, measured_effort)
            else:
                supervisor.accept(now)
                supervisor.track(tracking)
            if not supervisor.state.is_running:
                return self._stopping(now)
            share = supervisor.law_share(now)
            effort, saturated = self.output.limited(now, tau, share, setup)
        except RobotDynamicsError as problem_:
            self.fail(now, str(problem_))
            return self._stopping(now)
        if setup.steady_step is not None and share == 1.0:
            self._begin_steady(now, setup.steady_step)
        error = None if point is None else setup.law.position_error(self._q, point)
        return WholeCommand(
            effort, supervisor.state, saturated, point, error, self._output(effort, rate)
        )

    def watch(self, now: float) -> Command | None:
        """Look at the age of the last good state; return what to send in a safe stop."""
        self.settle()
        self._watch(now)
        return self._stopping(now)

    def settle(self) -> None:
        """Take over what the steady step has done since the last whole cycle."""
        step = self.steady
        if step is None or self.follower is None:
            return
        now = step.now
        self._q[:], self._v[:] = step.q, step.v
        self._jumps.moved(now, self._q)
        self.supervisor.accept(now)
        self.output.sent(now, step.effort)
        self._computed = _Given(self._v, self.follower.sampled(now), None, None)

    def _leave_steady(self) -> None:
        self.settle()
        self.steady = None

    def _begin_steady(self, now: float, step: SteadyStep) -> None:
        """Let the next states be answered by the shorter way, if nothing is under way."""
        ahead = None if self.follower is None else self.follower.piece(now)
        if ahead is None or not self.loads.is_steady(now):
            return
        known = (self.setup, self.loads.changes)
        if known != self._loads_known:
            step.load()
            self._loads_known = known
        piece, tracking = ahead
        step.begin(now, self._q, self._v, self.output.effort, piece, self.supervisor.state)
        self.steady = step

    def adopt(self, setup: ControllerSetup, now: float) -> None:
        """Put another setup in force; the command goes on without a step."""
        self._leave_steady()
        before, self.setup = self.setup, setup
        self.supervisor.supervision = setup.settings.supervision
        self.loads.payload_ramp = setup.settings.payload_ramp
        self.loads.wrench_timeout = setup.settings.wrench_timeout
        self._computed = None
        kept = ('velocity_source', 'velocity_cutoff')
        if any(getattr(setup.settings, name) != getattr(before.settings, name) for name in kept):
            self._differentiator = _differentiator(setup)
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
        self._leave_steady()
        if self.supervisor.fail(reason):
            self._note_fault(now)

    def stop(self, now: float) -> None:
        """Go to STOPPED and begin the ramp to zero."""
        self._leave_steady()
        self.supervisor.stop()
        self.follower = None
        self.output.begin_stop(now, self.setup, None)

    @property
    def last_position(self) -> Array | None:
        """Position (nv,) of the last good state, None before the first."""
        if self._computed is None:
            return None
        step = self.steady
        return (self._q if step is None else step.q).copy()

    def terms(self) -> dict[str, Array]:
        """Return the terms of the last good state; see ``Controller.terms``."""
        self.settle()
        if self._computed is None:
            raise StateError('no good state yet', where='terms')
        rate, point, bristles, wrench = self._computed
        terms = self.setup.law.terms(self._q, rate, point, bristles)
        terms['wrench'] = np.zeros(self._n) if wrench is None else wrench
        terms['total'] = terms['total'] + terms['wrench']
        terms['command'] = self.output.effort.copy()
        return terms

    def _put_loads(self, now: float) -> None:
        law = self.setup.law
        self.loads.advance(now, law.dynamics, with_gravity=law.settings.gravity_in_output)

    def _wrench_effort(self, now: float) -> Array | None:
        """Return what stands against the external wrench (n,); the PD baseline knows no model."""
        law = self.setup.law
        if law.settings.mode is Mode.PD:
            return None
        effort = self.loads.effort(now, law.dynamics, self._q)
        return None if effort is None else effort[: self._n]

    def _move_bristles(self, now: float, v: Array, point: ReferencePoint) -> None:
        """Integrate the LuGre deflections over the time since the last state."""
        dt = min(now - self._bristles_at, self.setup.settings.state_timeout)
        self._bristles_at = now
        self._bristles = self.setup.law.advance_bristles(v, point, self._bristles, dt)

    def _output(self, effort: Array, v: Array | None) -> Array:
        """Return what the drives are to be sent (n,)."""
        side = self.setup.motor_side
        if side is None:
            return effort
        motor = side.to_motor(effort, None if v is None else v[: self._n])
        if not is_finite(motor):
            raise StateError(
                f'is {motor.tolist()}',
                where='motor effort',
                expected='finite numbers',
                remedy='check the gear ratios',
            )
        return motor

    def _watch(self, now: float) -> None:
        if self.supervisor.watch(now, self.drop_reason):
            self._note_fault(now)

    def _reference(self, now: float) -> tuple[ReferencePoint | None, bool]:
        """Return the point to follow, and whether it belongs to a motion."""
        if not self.setup.law.needs_reference:
            return None, False
        if self.follower is None:
            return ReferencePoint.at_rest(self._q[: self._n]), False
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
            joint_names=model.commanded_names,
            lower=limits.lower[:n],
            upper=limits.upper[:n],
            velocity=limits.velocity[:n],
            continuous=model.is_continuous[:n],
        )
        return Follower(self._q[:n], bounds, _transition(self.setup.settings))

    def _begin_ramp(self, now: float) -> None:
        self.output.begin_ramp()
        self.supervisor.start_ramp(now)

    def _note_fault(self, now: float) -> None:
        """Count a new fault and begin the safe stop."""
        self.steady = None
        self.fault_count += 1
        self.last_fault = self.supervisor.reason
        self.follower = None
        support = (
            self.setup.law.gravity(self._q)
            if self.setup.settings.on_fault == 'hold_gravity'
            else None
        )
        self.output.begin_stop(now, self.setup, support)

    def _stopping(self, now: float) -> Command | None:
        """Return the next command of a safe stop, None when nothing must be sent."""
        effort = self.output.stopping(now)
        if effort is None:
            return None
        return WholeCommand(
            effort,
            self.supervisor.state,
            self._none_saturated,
            None,
            None,
            self._output(effort, None),
        )


def _differentiator(setup: ControllerSetup) -> Differentiator | None:
    settings = setup.settings
    if settings.velocity_source == 'measured':
        return None
    return Differentiator(
        setup.model.is_continuous, settings.velocity_cutoff, settings.state_timeout
    )


def _transition(settings: ControllerSettings) -> Transition:
    return Transition(
        blend_time=settings.blend_time,
        blend_velocity=settings.blend_velocity,
        setpoint_timeout=settings.setpoint_timeout,
    )
