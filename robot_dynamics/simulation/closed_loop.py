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

"""A plant and a law without ROS, faster than real time."""

from __future__ import annotations

from collections.abc import Callable
import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from robot_dynamics.control import HoldReference, Law, LawSettings, Reference
from robot_dynamics.errors import ParameterError
from robot_dynamics.model import FrictionModel, RobotModel
from robot_dynamics.simulation.closed_loop_result import ClosedLoopResult
from robot_dynamics.simulation.continuous_loop import run_continuous
from robot_dynamics.simulation.loop_control import LoopControl
from robot_dynamics.simulation.pinocchio_plant import PinocchioPlant
from robot_dynamics.simulation.plant import Plant
from robot_dynamics.simulation.plant_friction import PlantFriction
from robot_dynamics.simulation.sampled_loop import run_sampled, whole_steps

Array = NDArray[np.float64]

_LONGEST_STEP = 1e-3  # of the plant between two samples of the law [s]


def simulate(
    model: RobotModel,
    controller_model: RobotModel,
    settings: LawSettings,
    reference: Reference | None = None,
    q0: ArrayLike | None = None,
    v0: ArrayLike | None = None,
    duration: float | None = None,
    *,
    control_period: float | None = None,
    delay: float = 0.0,
    plant: Plant | None = None,
    friction: bool = True,
    effort_limit: ArrayLike | None = None,
    sample_period: float = 1e-3,
    tolerance: float = 1e-9,
    with_terms: bool = False,
    progress: Callable[[float], None] | None = None,
) -> ClosedLoopResult:
    """
    Let a law control an arm and measure how well it tracks.

    Parameters
    ----------
    model : RobotModel
        The arm as it really is, with its friction.
    controller_model : RobotModel
        The arm as the law believes it to be, with the same joints.
    settings : LawSettings
        The law.
    reference : Reference, optional
        Of the n commanded joints, from t = 0; by default the start is held.
    q0, v0 : array_like, shape (nv,), optional
        Start; by default on the reference, joints that are not commanded at rest.
    duration : float, optional
        [s]; by default that of the reference.
    control_period : float, optional
        The law runs at t = 0, control_period, ... and its effort is held between
        (zero-order hold) [s]. By default it acts in continuous time.
    delay : float
        With a control period: from a sample to the moment its effort acts [s].
    plant : Plant, optional
        With a control period: the plant to use in place of a PinocchioPlant of
        ``model``; it is reset. Without a control period there are no position stops.
    friction : bool
        Whether the friction of ``model`` acts; a ``plant`` knows its own.
    effort_limit : array_like, shape (n,), optional
        Efforts are cut off there [N m or N]; by default they are not.
    sample_period : float
        In continuous time: distance of the samples in the result [s].
    tolerance : float
        In continuous time: relative tolerance of the integrator (DOP853, or LSODA
        where friction is stiff).
    with_terms : bool
        Whether the result has the terms of the law.
    progress : callable, optional
        Called with the fraction done, 100 times at most.

    Returns
    -------
    ClosedLoopResult

    Raises
    ------
    ParameterError
        When a time or limit is out of range, or the two models have other joints.
    SimulationError
        When the arm cannot be simulated, or a value is no longer finite; says when.
    StateError
        When the start has a value missing or not finite.

    """
    if model.joint_names != controller_model.joint_names or (
        model.n_commanded != controller_model.n_commanded
    ):
        raise ParameterError(
            f'has the joints {", ".join(controller_model.joint_names)}',
            where='controller model',
            expected=f'those of the arm: {", ".join(model.joint_names)}',
        )
    q, v = _start(model, reference, q0, v0)
    reference = HoldReference(q[: model.n_commanded]) if reference is None else reference
    duration = reference.duration if duration is None else duration
    if not 0.0 < duration < math.inf:
        raise ParameterError(
            f'is {duration} s',
            where='duration',
            expected='more than 0 s',
            remedy='give one where the reference has no end',
        )
    control = LoopControl(
        law=Law(controller_model, settings),
        reference=reference,
        joints=model.joints,
        limit=_limit(effort_limit, model.n_commanded),
    )
    report = _every_percent(progress)
    if control_period is not None:
        if plant is None:
            if not 0.0 < control_period < math.inf:
                raise ParameterError(
                    f'is {control_period} s', where='control_period', expected='more than 0 s'
                )
            parts = math.ceil(control_period / _LONGEST_STEP - 1e-9)
            plant = PinocchioPlant(model, dt=control_period / parts, friction=friction)
        plant.reset(q, v)
        return run_sampled(
            plant,
            control,
            duration,
            control_period=control_period,
            delay=delay,
            with_terms=with_terms,
            progress=report,
        )
    if plant is not None or delay:
        raise ParameterError(
            'is given without a control period', where='plant' if plant is not None else 'delay'
        )
    count = whole_steps('duration', duration, sample_period, 1)
    feels = PlantFriction(model.friction_model if friction else FrictionModel.none(model.nv))
    times = np.asarray(sample_period * np.arange(count + 1), dtype=np.float64)
    return run_continuous(
        model,
        feels,
        control,
        q,
        v,
        times,
        tolerance=tolerance,
        with_terms=with_terms,
        progress=report,
    )


def _start(
    model: RobotModel,
    reference: Reference | None,
    q0: ArrayLike | None,
    v0: ArrayLike | None,
) -> tuple[Array, Array]:
    """Return the start state (nv,), on the reference where nothing else is said."""
    n = model.n_commanded
    q = np.zeros(model.nv).clip(model.limits.lower, model.limits.upper)
    v = np.zeros(model.nv)
    if reference is not None:
        first = reference.sample(0.0)
        q[:n], v[:n] = first.q, first.v
    return (
        model.check_vector('start position', q if q0 is None else q0).copy(),
        model.check_vector('start velocity', v if v0 is None else v0).copy(),
    )


def _limit(effort_limit: ArrayLike | None, n: int) -> Array:
    limit = (
        np.full(n, math.inf)
        if effort_limit is None
        else (np.array(effort_limit, dtype=np.float64))
    )
    if limit.shape != (n,) or not (limit > 0.0).all():
        raise ParameterError(
            f'is {limit.tolist()}', where='effort_limit', expected=f'{n} values of more than 0'
        )
    return limit


def _every_percent(progress: Callable[[float], None] | None) -> Callable[[float], None]:
    """Return a callback that passes on each hundredth once."""
    told = 0

    def report(fraction: float) -> None:
        nonlocal told
        percent = int(100.0 * fraction + 1e-9)
        if progress is not None and percent > told:
            told = percent
            progress(min(percent / 100.0, 1.0))

    return report
