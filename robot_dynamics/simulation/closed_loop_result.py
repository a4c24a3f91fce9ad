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

"""What a closed-loop simulation hands back."""

from __future__ import annotations

from dataclasses import dataclass
import os

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.errors import SimulationError
from robot_dynamics.model import JointInfo

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class ClosedLoopResult:
    """
    Samples of a closed loop and how well it tracked.

    k samples, nv joints, n commanded joints (the first n of ``joints``).

    Parameters
    ----------
    joints : tuple of JointInfo
        All joints.
    t : numpy.ndarray, shape (k,)
        Time [s].
    q, v : numpy.ndarray, shape (k, nv)
        Position and velocity [rad or m, per s].
    q_ref, v_ref : numpy.ndarray, shape (k, n)
        Reference.
    e : numpy.ndarray, shape (k, n)
        q_ref - q, wrapped to (-pi, pi] for continuous joints.
    tau : numpy.ndarray, shape (k, n)
        Effort that the law asks for at t, limited [N m or N].
    terms : dict of str to numpy.ndarray, shape (k, n)
        Terms of tau by name; empty unless asked for.
    rms_error, rms_effort : numpy.ndarray, shape (n,)
        Root of the mean square of e and tau over the run. In continuous time
        integrated with the motion, else over the samples, both ends included.

    """

    joints: tuple[JointInfo, ...]
    t: Array
    q: Array
    v: Array
    q_ref: Array
    v_ref: Array
    e: Array
    tau: Array
    terms: dict[str, Array]
    rms_error: Array
    rms_effort: Array

    @property
    def n_commanded(self) -> int:
        """How many joints are commanded, n."""
        return int(self.e.shape[1])

    @property
    def max_abs_error(self) -> Array:
        """Largest magnitude of e among the samples, shape (n,)."""
        return np.asarray(np.abs(self.e).max(axis=0))

    @property
    def beyond_limits(self) -> tuple[str, ...]:
        """Joints that left their position limits."""
        return tuple(
            joint.name
            for joint, q in zip(self.joints, self.q.T)
            if not (joint.lower <= q.min() and q.max() <= joint.upper)
        )

    def sampled_rms_error(self, start: float = 0.0, end: float = np.inf) -> Array:
        """
        Return the root of the mean square of e over the samples of a window.

        Parameters
        ----------
        start, end : float
            Window, both ends included [s].

        Returns
        -------
        numpy.ndarray, shape (n,)

        Raises
        ------
        SimulationError
            When no sample lies in it.

        """
        # samples carry the rounding of k * period
        inside = (self.t >= start - 1e-9) & (self.t <= end + 1e-9)
        if not inside.any():
            raise SimulationError(
                f'has no sample from {start} s to {end} s',
                where='result',
                expected=f'times from {self.t[0]:g} s to {self.t[-1]:g} s',
            )
        return root_mean_square(self.e[inside])

    def write_csv(self, path: str | os.PathLike[str]) -> None:
        """
        Write the samples as a table, one row for each, with names and units on top.

        Parameters
        ----------
        path : str or path
            The file; it is replaced.

        Raises
        ------
        SimulationError
            When it cannot be written.

        """
        names, columns = self._table()
        try:
            with open(path, 'w', encoding='utf-8', newline='') as file:
                file.write(','.join(names) + '\n')
                np.savetxt(file, np.column_stack(columns), fmt='%.12g', delimiter=',')
        except OSError as error:
            raise SimulationError(
                f'cannot be written: {error.strerror}',
                where=str(path),
                remedy='choose another path',
            ) from error

    def _table(self) -> tuple[list[str], list[Array]]:
        blocks = [
            ('q', self.q, '{0}'),
            ('v', self.v, '{0}/s'),
            ('q_ref', self.q_ref, '{0}'),
            ('v_ref', self.v_ref, '{0}/s'),
            ('e', self.e, '{0}'),
            ('tau', self.tau, '{1}'),
        ]
        blocks += [(f'tau_{name}', values, '{1}') for name, values in self.terms.items()]
        names, columns = ['t [s]'], [self.t]
        for name, values, unit in blocks:
            for joint, column in zip(self.joints, values.T):
                names.append(f'{name} {joint.name} [{unit.format(joint.unit, joint.effort_unit)}]')
                columns.append(column)
        return names, columns


def root_mean_square(samples: Array) -> Array:
    """Return the root of the mean square along the first axis of ``samples`` (k, n)."""
    return np.asarray(np.sqrt(np.mean(samples**2, axis=0)))
