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

"""The way from a recording to parameters: check, see what it shows, fit, judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.errors import StateError
from robot_dynamics.identification.data_checks import (
    check_efforts,
    check_rates,
    refuse_rest,
    resting_joints,
)
from robot_dynamics.identification.estimation import (
    DeterminedPart,
    fit_determined,
    fit_possible,
    PRIOR_CHANGE,
)
from robot_dynamics.identification.observability import (
    Combinations,
    combinations,
    Observability,
    observability,
    structural_observability,
)
from robot_dynamics.identification.pseudo_inertia import is_possible, PriorBody
from robot_dynamics.identification.recording import MeasuredMotion
from robot_dynamics.identification.remarks import remarks
from robot_dynamics.identification.result import BaseParameter, Identification, PredictionError
from robot_dynamics.identification.stacking import body_prior, Equations, joined, stack
from robot_dynamics.model import RobotModel

Array = NDArray[np.float64]

_BLOCKS, _HOLD_OUT_EVERY = 16, 4  # blocks, so that neighbours in time are not on both sides
_SAMPLES_FOR_HOLD_OUT = 50


def identify(model: RobotModel, motion: MeasuredMotion) -> Identification:
    """
    Identify the inertial parameters of a robot from a recorded motion.

    Motors and friction are taken from the model. Every fourth of sixteen blocks
    of samples is kept out of the fit and judges it.

    Parameters
    ----------
    model : RobotModel
        The prior; it is not changed.
    motion : MeasuredMotion
        For the joints of this model.

    Returns
    -------
    Identification

    Raises
    ------
    StateError
        When the recording is of other joints, stands still, has too few
        samples, or an effort has the wrong sign or unit.

    """
    _check_joints(model, motion)
    links, prior = body_links(model), body_prior(model)
    bodies = [PriorBody.of(body) for body in prior.reshape(-1, 10)]
    warnings = [*check_rates(model, motion), *check_efforts(model, motion)]
    structure = structural_observability(model)
    parts, judges, seen = _split(model, motion, structure)
    undetermined = _undetermined(structure, seen, links)
    refuse_rest(model, motion, seen.rank, undetermined)
    if len(motion) * model.n_commanded <= seen.rank:
        raise StateError(
            f'has {len(motion)} samples for {seen.rank} unknown combinations',
            where=motion.where,
            expected='several hundred samples',
            remedy='record for longer',
        )
    named = combinations(seen, links)
    base = fit_determined(parts, seen, named, prior)
    possible = fit_possible(parts, base.noise, bodies)
    kept = _misfit(judges, possible.parameters, base.noise) > _misfit(judges, prior, base.noise)
    parameters = prior if kept else possible.parameters
    result = Identification(
        robot=model.name,
        joint_names=model.commanded_names,
        effort_units=tuple(joint.effort_unit for joint in model.joints[: model.n_commanded]),
        samples=len(motion),
        hold_out_samples=judges[0].rows if judges else 0,
        columns=prior.size,
        rank=seen.rank,
        structural_rank=structure.rank,
        condition=seen.condition,
        undetermined=undetermined,
        base_parameters=_base_parameters(named, base, prior, bodies),
        prior=prior,
        parameters=parameters,
        base_prediction=base.parameters,
        consistent=all(
            is_possible(found)
            for found, body in zip(parameters.reshape(-1, 10), bodies)
            if not body.massless
        ),
        bounded=tuple(links[index] for index in possible.bounded),
        prior_kept=kept,
        thickened=tuple(link for link, body in zip(links, bodies) if body.thickened),
        massless=tuple(link for link, body in zip(links, bodies) if body.massless),
        prior_error=_error(parts, judges, prior),
        base_error=_error(parts, judges, base.parameters),
        error=_error(parts, judges, parameters),
        warnings=(),
        notes=motion.notes,
    )
    warnings += remarks(result, parts, resting_joints(model, motion))
    return replace(result, warnings=tuple(warnings))


def body_links(model: RobotModel) -> tuple[str, ...]:
    """Return the link that each body of ``model.dynamic_parameters`` is named after."""
    return tuple(model.description.joints[name].child for name in model.body_joints)


def _check_joints(model: RobotModel, motion: MeasuredMotion) -> None:
    if motion.joint_names != model.joint_names or motion.tau.shape[1] != model.n_commanded:
        raise StateError(
            f'is of joints {", ".join(motion.joint_names)} with {motion.tau.shape[1]} efforts',
            where=motion.where,
            expected=f'{", ".join(model.joint_names)} with {model.n_commanded} efforts',
        )


def _split(
    model: RobotModel, motion: MeasuredMotion, structure: Observability
) -> tuple[list[Equations], list[Equations], Observability]:
    """Return the equations to fit, those to judge by, and what all of them show."""
    block = np.arange(len(motion)) * _BLOCKS // len(motion)
    chosen = block % _HOLD_OUT_EVERY != _HOLD_OUT_EVERY - 1
    if len(motion) < _SAMPLES_FOR_HOLD_OUT:
        parts = stack(model, motion)
        return parts, [], _observed(parts, structure)
    parts, judges = stack(model, motion.part(chosen)), stack(model, motion.part(~chosen))
    whole = [joined(pair) for pair in zip(parts, judges)]
    seen = _observed(whole, structure)
    if _observed(parts, structure).rank < seen.rank:
        return whole, [], seen
    return parts, judges, seen


def _observed(parts: Sequence[Equations], structure: Observability) -> Observability:
    equations = joined(parts)
    return observability(equations.matrix, equations.rows, structure)


def _undetermined(
    structure: Observability, seen: Observability, links: Sequence[str]
) -> tuple[str, ...]:
    """Return the names of what another motion would determine."""
    if seen.rank == structure.rank:
        return ()
    possible = combinations(structure, links)
    return tuple(
        name
        for name, row in zip(possible.names, possible.coefficients)
        if not seen.determines(row)
    )


def _base_parameters(
    named: Combinations, base: DeterminedPart, prior: Array, bodies: Sequence[PriorBody]
) -> tuple[BaseParameter, ...]:
    found = []
    for index, row in enumerate(named.coefficients):
        # how far the prior alone may be wrong, as the fit of possible bodies assumes
        doubt = PRIOR_CHANGE * float(
            np.linalg.norm(
                np.concatenate(
                    [part @ body.transform for part, body in zip(row.reshape(-1, 10), bodies)]
                )
            )
        )
        deviation = float(base.deviations[index])
        found.append(
            BaseParameter(
                name=named.names[index],
                unit=named.units[index],
                coefficients=row,
                prior=float(row @ prior),
                value=float(base.values[index]),
                deviation=deviation,
                certain=deviation < 0.5 * doubt,
            )
        )
    return tuple(found)


def _misfit(judges: Sequence[Equations], parameters: Array, noise: Array) -> float:
    """Return the sum of squares over the hold-out part, each joint by its noise."""
    return sum(
        judge.rows * (judge.rms(parameters) / float(sigma)) ** 2
        for judge, sigma in zip(judges, noise)
    )


def _error(
    parts: Sequence[Equations], judges: Sequence[Equations], parameters: Array
) -> PredictionError:
    return PredictionError(
        fit=np.array([part.rms(parameters) for part in parts]),
        hold_out=np.array([judge.rms(parameters) for judge in judges]) if judges else None,
    )
