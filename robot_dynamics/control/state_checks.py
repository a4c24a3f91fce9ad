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

"""Whether a measured state can be used, and whether the law may begin with it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.control.angles import without_turns
from robot_dynamics.control.controller_settings import ControllerSetup
from robot_dynamics.control.limits import is_finite
from robot_dynamics.control.supervisor import JITTER

Array = NDArray[np.float64]


def state_problem(q: Array, v: Array | None, setup: ControllerSetup) -> str:
    """
    Return why a state cannot be used, in one line, or an empty text.

    Parameters
    ----------
    q : numpy.ndarray, shape (nv,)
        Position [rad or m].
    v : numpy.ndarray, shape (nv,), or None
        Velocity; not looked at when the law needs none.
    setup : ControllerSetup
        Law and model.

    """
    problem = _vector_problem('position', q, setup.model.joint_names)
    if problem or not setup.law.needs_velocity:
        return problem
    if v is None:
        return f'velocity is missing, {setup.settings.law.mode.value} needs it'
    return _vector_problem('velocity', v, setup.model.joint_names)


class JumpCheck:
    """
    Whether positions move as one robot can, or as two publishers would make it seem.

    A position may change by the joint's jump velocity over the time since the last one, and
    ``JITTER`` more. While the law is in command, positions are compared with the last good
    one; before, with the last one seen, so that a robot that was moved by hand can begin.

    Parameters
    ----------
    nv : int
        Number of joints.

    """

    def __init__(self, nv: int) -> None:
        """Begin without a position."""
        self._q = np.zeros(nv)
        self._at = -np.inf

    def moved(self, now: float, q: Array) -> None:
        """Take note of a position (nv,) that was a continuation of the last one."""
        self._q[:], self._at = q, now

    def problem(self, now: float, q: Array, setup: ControllerSetup, running: bool) -> str:
        """
        Return why a position is no continuation of the last one, or an empty text.

        Parameters
        ----------
        now : float
            Steady time [s].
        q : numpy.ndarray, shape (nv,)
            A finite position [rad or m].
        setup : ControllerSetup
            Has the largest velocities.
        running : bool
            Whether the law is in command.

        """
        step = without_turns(q - self._q, setup.turning)
        allowed = setup.jump_velocity * (now - self._at + JITTER)
        far = np.abs(step) > allowed
        if not far.any():
            self._q[:], self._at = q, now
            return ''
        i = int(np.flatnonzero(far)[0])
        before = self._q[i]
        if not running:
            self._q[:], self._at = q, now
        return (
            f"joint '{setup.model.joint_names[i]}' jumps from {before:.4g} to {q[i]:.4g}; "
            'is there a second publisher of joint_states?'
        )


def start_problem(tau: Array, measured: Array | None, setup: ControllerSetup) -> str:
    """
    Return why the law must not begin beside what the drives measure, or an empty text.

    Parameters
    ----------
    tau, measured : numpy.ndarray, shape (n,)
        First effort of the law, and the measured one, None where there is none [N m or N].
    setup : ControllerSetup
        Has the limit of their difference.

    """
    if measured is None or not setup.checks_start_jump:
        return ''
    limit = setup.start_jump_limit
    # written so that NaN is a jump
    far = np.flatnonzero(~(np.abs(tau - measured) <= limit))
    if far.size == 0:
        return ''
    i = int(far[0])
    return (
        f"joint '{setup.model.joint_names[i]}': first effort would be {tau[i]:.4g}, measured "
        f'is {measured[i]:.4g}, start_jump_limit is {limit[i]:g}; check model and payload'
    )


def _vector_problem(name: str, x: Array, joint_names: tuple[str, ...]) -> str:
    if x.shape != (len(joint_names),):
        return f'{name} has shape {x.shape}, expected {len(joint_names)} joints'
    if is_finite(x):
        return ''
    bad = next(i for i, value in enumerate(x) if not is_finite(np.atleast_1d(value)))
    return f"{name} of joint '{joint_names[bad]}' is {x[bad]}"
