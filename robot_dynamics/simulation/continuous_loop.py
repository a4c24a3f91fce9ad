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

"""The closed loop in continuous time, as one ordinary differential equation."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.errors import SimulationError
from robot_dynamics.model import RobotModel
from robot_dynamics.simulation.closed_loop_result import ClosedLoopResult
from robot_dynamics.simulation.loop_control import LoopControl
from robot_dynamics.simulation.plant_friction import PlantFriction

Array = NDArray[np.float64]

_STIFF = 2e4  # friction rate from which an implicit method is cheaper [1/s]


def run_continuous(
    model: RobotModel,
    friction: PlantFriction,
    control: LoopControl,
    q0: Array,
    v0: Array,
    times: Array,
    *,
    tolerance: float,
    with_terms: bool,
    progress: Callable[[float], None],
) -> ClosedLoopResult:
    """
    Integrate q, v and the integrals of e^2 and tau^2 together.

    Parameters
    ----------
    model : RobotModel
        The arm; position limits are not modelled here.
    friction : PlantFriction
        What it feels.
    control : LoopControl
        Evaluated at every evaluation of the right-hand side.
    q0, v0 : numpy.ndarray, shape (nv,)
        Start.
    times : numpy.ndarray, shape (k,)
        Samples wanted, from 0 to the end [s].
    tolerance : float
        Relative tolerance of the integrator; a hundredth of it is the absolute one.
    with_terms : bool
        Whether the result has the terms of the law.
    progress : callable
        Told the fraction done.

    Raises
    ------
    SimulationError
        When the integrator gives up or a value is no longer finite.

    """
    # imported here, as nodes import this room but do not need it
    from scipy.integrate import solve_ivp

    nv, n, end = model.nv, model.n_commanded, float(times[-1])
    if friction.has_state:
        raise SimulationError(
            'LuGre friction has a state of its own',
            where='continuous time',
            remedy='simulate with a control period',
        )
    derivative = _derivative(model, friction, control, end, progress)
    method = 'LSODA' if friction.rate(model.mass_matrix(q0)) > _STIFF else 'DOP853'
    y = np.concatenate([q0, v0, np.zeros(2 * n)])
    # a reference may end with a step in velocity, which no integrator step may span
    last = min(control.reference.duration, end)
    samples = [y[: 2 * nv]]
    for start, stop in pairwise(dict.fromkeys((0.0, last, end))):
        solution: Any = solve_ivp(
            derivative(start, stop),
            (start, stop),
            y,
            method=method,
            rtol=tolerance,
            atol=1e-2 * tolerance,
            dense_output=True,
        )
        if not solution.success:
            raise SimulationError(
                solution.message,
                where=f'simulation at {solution.t[-1]:.6g} s',
                remedy='simulate with a control period',
            )
        y = solution.y[:, -1]
        wanted = times[(times > start) & (times <= stop)]
        samples.extend(solution.sol(wanted)[: 2 * nv].T if wanted.size else ())
    states = np.array(samples)
    _, squares = np.split(y, [2 * nv])
    mean_square = np.maximum(squares, 0.0) / end
    return control.result(
        times,
        states[:, :nv],
        states[:, nv:],
        with_terms=with_terms,
        rms_error=np.sqrt(mean_square[:n]),
        rms_effort=np.sqrt(mean_square[n:]),
    )


def _derivative(
    model: RobotModel,
    friction: PlantFriction,
    control: LoopControl,
    end: float,
    progress: Callable[[float], None],
) -> Callable[[float, float], Callable[[float, Array], Array]]:
    """Return a maker of right-hand sides for pieces of the time."""
    nv, n = model.nv, model.n_commanded
    effort = np.zeros(nv)
    frictionless = friction.is_zero
    no_bristles = np.zeros(nv)

    def piece(start: float, stop: float) -> Callable[[float, Array], Array]:
        # the value from the left, where the reference jumps at the end of the piece
        before = float(np.nextafter(stop, start))

        def derivative(t: float, y: Array) -> Array:
            if not math.isfinite(y.sum()):
                raise SimulationError(
                    'the state is no longer finite',
                    where=f'simulation at {t:.6g} s',
                    remedy='lower the gains',
                )
            q, v, _ = np.split(y, [nv, 2 * nv])
            moment = control.at(min(t, before), q, v)
            effort[:n] = moment.tau
            net = effort if frictionless else effort - friction.effort(v, no_bristles)
            a = model.forward_dynamics(q, v, net)
            progress(t / end)
            return np.concatenate([v, a, moment.e**2, moment.tau**2])

        return derivative

    return piece
