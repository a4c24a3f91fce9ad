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

"""A law, a reference and a limit as one function of time and state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.control import Law, Reference, ReferencePoint
from robot_dynamics.errors import SimulationError
from robot_dynamics.model import JointInfo
from robot_dynamics.simulation.closed_loop_result import ClosedLoopResult, root_mean_square

Array = NDArray[np.float64]


class Moment(NamedTuple):
    """Reference, error and effort at one time, each of the n commanded joints."""

    reference: ReferencePoint
    e: Array
    tau: Array


@dataclass(frozen=True, kw_only=True, eq=False)
class LoopControl:
    """
    What closes the loop.

    Parameters
    ----------
    law : Law
        With the controller's own model.
    reference : Reference
        Of the n commanded joints.
    joints : tuple of JointInfo
        All joints, commanded ones first.
    limit : numpy.ndarray, shape (n,)
        Largest magnitude of effort [N m or N]; infinite for none.

    """

    law: Law
    reference: Reference
    joints: tuple[JointInfo, ...]
    limit: Array

    def at(self, t: float, q: Array, v: Array) -> Moment:
        """
        Return what the law answers.

        Parameters
        ----------
        t : float
            Time since the start of the reference [s].
        q, v : numpy.ndarray, shape (nv,)
            State.

        Raises
        ------
        SimulationError
            When the effort is not finite.

        """
        point = self.reference.sample(t)
        tau = self.law.effort(q, v, point)
        if not np.isfinite(tau).all():
            raise SimulationError(
                f'the law asks for {tau.tolist()} at q = {q.tolist()}, v = {v.tolist()}',
                where=f'simulation at {t:.6g} s',
                remedy='lower the gains',
            )
        tau = np.clip(tau, -self.limit, self.limit)
        return Moment(point, self.law.position_error(q, point), tau)

    def result(
        self,
        t: Array,
        q: Array,
        v: Array,
        *,
        with_terms: bool,
        rms_error: Array | None = None,
        rms_effort: Array | None = None,
    ) -> ClosedLoopResult:
        """
        Evaluate the law at samples and return everything.

        Parameters
        ----------
        t : numpy.ndarray, shape (k,)
            Times [s].
        q, v : numpy.ndarray, shape (k, nv)
            States.
        with_terms : bool
            Whether the terms of the law are wanted.
        rms_error, rms_effort : numpy.ndarray, shape (n,), optional
            If known better than from the samples.

        """
        moments = [self.at(*sample) for sample in zip(t.tolist(), q, v)]
        e = np.array([moment.e for moment in moments])
        tau = np.array([moment.tau for moment in moments])
        terms: dict[str, Array] = {}
        if with_terms:
            rows = [
                self.law.terms(q_k, v_k, moment.reference)
                for q_k, v_k, moment in zip(q, v, moments)
            ]
            terms = {name: np.array([row[name] for row in rows]) for name in rows[0]}
        return ClosedLoopResult(
            joints=self.joints,
            t=t,
            q=q,
            v=v,
            q_ref=np.array([moment.reference.q for moment in moments]),
            v_ref=np.array([moment.reference.v for moment in moments]),
            e=e,
            tau=tau,
            terms=terms,
            rms_error=root_mean_square(e) if rms_error is None else rms_error,
            rms_effort=root_mean_square(tau) if rms_effort is None else rms_effort,
        )
