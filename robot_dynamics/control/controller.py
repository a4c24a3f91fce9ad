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

"""Controller: from a measured state to the one effort that may be sent."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.control.command import Command
from robot_dynamics.control.controller_settings import ControllerSettings, ControllerSetup
from robot_dynamics.control.controller_view import ControllerView
from robot_dynamics.control.cycle import ControlCycle
from robot_dynamics.control.external_wrench import ExternalWrench
from robot_dynamics.control.following import Follower
from robot_dynamics.control.limits import is_finite
from robot_dynamics.control.loads import Loads
from robot_dynamics.control.reference_point import Reference, ReferencePoint
from robot_dynamics.control.supervisor import State
from robot_dynamics.control.trajectory import Trajectory
from robot_dynamics.errors import ParameterError, StateError, TrajectoryError
from robot_dynamics.model import Payload, RobotModel
from robot_dynamics.model.compiled import Backend

Array = NDArray[np.float64]

__all__ = ['Command', 'Controller']


class Controller(ControllerView):
    """
    A law, a reference, limits and a supervisor as one object.

    ``update`` takes each measured state, ``tick`` watches over silence; both give the effort to
    send, or None when nothing must be sent, and belong to one thread. The other methods may be
    called from another thread: each checks what it is given, then hands over one immutable object
    by an assignment, which the next ``update`` or ``tick`` takes up. Times are of a steady clock
    [s], given by the caller.

    Nothing is sent before ``fresh_states`` good states. Whatever begins, begins with a ramp from
    the effort sent last (zero at first): the start, the return from a fault, and a change of
    settings or model. In a fault the effort goes to exactly zero as ``on_fault`` says, zero is
    sent once more, then nothing; the old reference is forgotten, and after ``fresh_states`` good
    states the controller holds where the robot then is.

    Parameters
    ----------
    model : RobotModel
        The robot; not to be used elsewhere, since it has scratch memory.
    settings : ControllerSettings
        The choices.
    payload : Payload, optional
        What the robot carries from the start.

    Raises
    ------
    ParameterError
        When settings and model do not fit.
    ModelError
        When the robot has no frame of the payload's name.

    """

    def __init__(
        self, model: RobotModel, settings: ControllerSettings, payload: Payload | None = None
    ) -> None:
        """Check that all fits, and wait."""
        self._wanted = ControllerSetup(model, settings)
        model.payload_parameters(payload)
        self._loads = Loads(payload, settings.payload_ramp, settings.wrench_timeout)
        self.reset()

    def reset(self) -> None:
        """Forget everything but model and settings; only while nobody calls ``update``."""
        self._loads.reset()
        self._cycle = ControlCycle(self._wanted, self._loads)
        self._now = -math.inf
        self._failure = ''
        self._stop_at = math.inf
        self._ordered = True

    # ------------------------------------------------- orders, from any thread

    def set_trajectory(
        self, trajectory: Trajectory, now: float, start: float | None = None
    ) -> None:
        """
        Follow a trajectory of the commanded joints, in any order of theirs.

        Parameters
        ----------
        trajectory : Trajectory
            A single point with time 0 is taken as a set-point.
        now : float
            Steady time [s].
        start : float, optional
            Steady time of its time zero; now unless given. In the future the present reference
            stays until then, in the past it is entered on its way.

        Raises
        ------
        TrajectoryError
            When it cannot be followed now, naming what is wrong; nothing changes then.

        """
        self._require_follower().follow_trajectory(trajectory, now, start)
        self._ordered = True

    def set_reference(self, reference: Reference, now: float) -> None:
        """Follow any reference of the commanded joints; limits are not checked."""
        self._require_follower().follow_reference(reference, now)
        self._ordered = True

    def set_setpoint(self, point: ReferencePoint, now: float) -> None:
        """
        Go to a streamed set-point, held when no other comes within ``setpoint_timeout``.

        Raises
        ------
        TrajectoryError
            When it is not finite, outside the limits, or cannot be followed now.

        """
        self._require_follower().follow_setpoint(point, now)
        self._ordered = True

    def hold(self, now: float) -> None:
        """
        Come to rest and hold, whatever is being followed.

        Raises
        ------
        TrajectoryError
            When the mode has no reference, or the law is not in command.

        """
        self._require_follower().stop(now)
        self._ordered = True

    def configure(self, settings: ControllerSettings) -> None:
        """
        Change the settings, all or nothing; the new law comes in by a ramp.

        Raises
        ------
        ParameterError
            When they do not fit the model; nothing changes then.

        """
        self._wanted = ControllerSetup(self._wanted.model, settings)
        self._ordered = True

    def prepare_backend(self) -> Backend:
        """
        Compile the law, which takes seconds; the next ``configure`` puts it in force.

        May be called from a thread of its own while the controller runs.

        Returns
        -------
        Backend
            What there is now, and why it is not Numba.

        """
        wanted = self._wanted
        backend = wanted.model.accelerate()
        # what has been compiled for this one is there for the next one
        ControllerSetup(wanted.model, wanted.settings)
        return backend

    def set_model(self, model: RobotModel) -> None:
        """
        Change the model, for one with the same joints; it comes in by a ramp.

        Raises
        ------
        ParameterError
            When the joints differ, or the settings do not fit; nothing changes then.

        """
        present = self._wanted.model
        if (model.joint_names, model.n_commanded) != (present.joint_names, present.n_commanded):
            raise ParameterError(
                f'has the joints {", ".join(model.joint_names)}',
                where='model',
                expected=', '.join(present.joint_names) + ', as before',
            )
        self._wanted = ControllerSetup(model, self._wanted.settings)
        self._ordered = True

    def set_payload(self, payload: Payload | None) -> None:
        """
        Carry a payload in place of any other, from now on by a ramp; None removes it.

        Raises
        ------
        ModelError
            When the robot has no such frame; nothing changes then.

        """
        self._wanted.model.payload_parameters(payload)
        self._loads.order_payload(payload)
        self._ordered = True

    def set_gravity(self, gravity: Array) -> None:
        """
        Use another gravity (3,), root link frame [m/s^2], as a moving base has.

        Raises
        ------
        ParameterError
            When it is no finite vector; nothing changes then.

        """
        vector = np.asarray(gravity, dtype=np.float64)
        if vector.shape != (3,) or not is_finite(vector):
            raise ParameterError(
                f'is {vector.tolist()}', where='gravity', expected='three finite numbers'
            )
        self._loads.order_gravity(vector)
        self._ordered = True

    def set_external_wrench(self, wrench: ExternalWrench | None, now: float) -> None:
        """
        Stand against a wrench until it is ``wrench_timeout`` old; None ends it at once.

        Raises
        ------
        ModelError
            When the robot has no such frame; nothing changes then.

        """
        if wrench is not None:
            for frame in (wrench.frame, wrench.axes or wrench.frame):
                self._wanted.model.require_frame(frame)
        self._loads.order_wrench(wrench, now)
        self._ordered = True

    def fail(self, reason: str) -> None:
        """Go to FAULT at the next ``update`` or ``tick``, for a reason from outside."""
        self._failure = reason
        self._ordered = True

    def shutdown(self, now: float) -> None:
        """
        Ramp to zero and stop, from ``now`` [s] on; only ``reset`` ends that.

        Call ``tick`` until ``is_finished`` or None; states are not needed.
        """
        self._stop_at = now
        self._ordered = True

    def _require_follower(self) -> Follower:
        mode = self._wanted.settings.law.mode.value
        if not self._wanted.law.needs_reference:
            raise TrajectoryError(
                f'mode {mode} follows no reference',
                where='controller',
                expected='a mode that does, such as computed_torque',
            )
        follower = self._cycle.follower
        if follower is None and self.state.is_running:
            raise TrajectoryError(
                f'mode {mode} has not begun yet',
                where='controller',
                remedy='send it again after the next state',
            )
        if follower is None or not self.state.is_running:
            raise TrajectoryError(
                f'state is {self.state.value}',
                where='controller',
                expected='holding or tracking',
                remedy=self.reason or 'send it again',
            )
        return follower

    # ----------------------------------------------------- the loop, one thread

    def update(
        self,
        now: float,
        q: Array,
        v: Array | None = None,
        *,
        measured_effort: Array | None = None,
    ) -> Command | None:
        """
        Take a measured state and return what to send.

        Parameters
        ----------
        now : float
            Steady time of receipt, not falling [s].
        q : numpy.ndarray, shape (nv,)
            Positions of all joints of the model [rad or m].
        v : numpy.ndarray, shape (nv,), optional
            Velocities; gravity compensation does not look at them.
        measured_effort : numpy.ndarray, shape (n,), optional
            Of the commanded joints, for the check at the start.

        Returns
        -------
        Command or None
            None: nothing must be sent. A state that is not usable is dropped, and counted, as if
            it had not come.

        Raises
        ------
        StateError
            When ``now`` is not finite or falls.

        """
        step = self._cycle.steady
        if step is not None and not self._ordered:
            command = step.run(now, q, v)
            if command is not None:
                return command
        self._take_orders(now)
        return self._cycle.update(now, q, v, measured_effort)

    def tick(self, now: float) -> Command | None:
        """
        Watch over silence: call it regularly when no state comes.

        Returns
        -------
        Command or None
            The next effort of a safe stop, or None when nothing must be sent.

        Raises
        ------
        StateError
            When ``now`` is not finite or falls.

        """
        self._take_orders(now)
        return self._cycle.watch(now)

    def terms(self) -> dict[str, Array]:
        """
        Return what the effort of the last good state consists of; from the thread of the loop.

        Returns
        -------
        dict of str to numpy.ndarray, shape (n,)
            The terms of ``Law.terms``, and 'command', the effort sent last [N m or N].

        Raises
        ------
        StateError
            When there has been no good state yet.

        """
        return self._cycle.terms()

    def _take_orders(self, now: float) -> None:
        """Take up what has been ordered since the last call."""
        step = self._cycle.steady
        if step is not None:
            self._now = step.now
        if not self._now <= now < math.inf:
            raise StateError(
                f'is {now} s after {self._now} s',
                where='time',
                expected='steady time that does not fall',
            )
        self._now = now
        # before they are looked at, so that one that comes meanwhile is seen at the next call
        self._ordered = self._stop_at < math.inf
        cycle, wanted = self._cycle, self._wanted
        if wanted is not cycle.setup:
            cycle.adopt(wanted, now)
        if self._failure:
            reason, self._failure = self._failure, ''
            cycle.fail(now, reason)
        if now >= self._stop_at and self.state is not State.STOPPED:
            cycle.stop(now)
