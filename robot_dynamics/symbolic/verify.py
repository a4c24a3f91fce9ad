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

"""Is Pinocchio's dynamics Lagrange's? A comparison at random states."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
import importlib.util
import math
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.errors import ParameterError
from robot_dynamics.model import RobotModel
from robot_dynamics.symbolic.derivation import derive, refuse_payload
from robot_dynamics.symbolic.energies import EnergyLagrangian, Terms

Array = NDArray[np.float64]
Evaluate = Callable[[Array, Array, Array], Terms]

LIMIT = 1e-8  # relative difference above which the two do not agree
CLOSED_FORM = 'closed form by SymPy'
BY_NUMBERS = 'complex steps of the energies'
METHODS = ('auto', 'closed_form', 'numbers')

MAX_CLOSED_FORM = 4  # joints; more take seconds to derive

_UNBOUNDED = {'rad': math.pi, 'm': 1.0}  # range of positions where there is no limit
_FASTEST = 10.0  # [rad/s or m/s] where there is no limit of velocity, or a larger one
_ACCELERATION = 10.0  # [rad/s^2 or m/s^2]


@dataclass(frozen=True)
class Verification:
    """
    How far Lagrange's equations and Pinocchio are apart.

    Parameters
    ----------
    robot : str
        Its name.
    method : str
        How Lagrange's equations were evaluated.
    states : int
        Number of random states.
    differences : mapping of str to float
        Largest relative difference of 'M', 'C v', 'G' and 'tau'. An entry of M is
        measured against sqrt(M_ii M_jj), the others against the largest effort
        of their joint among the states.

    """

    robot: str
    method: str
    states: int
    differences: Mapping[str, float]

    @property
    def largest(self) -> float:
        """Largest relative difference of all; NaN if any is."""
        return float(np.max(list(self.differences.values())))

    @property
    def passed(self) -> bool:
        """Whether all agree to 1e-8."""
        return self.largest <= LIMIT

    def __str__(self) -> str:
        """Return one line for the reader."""
        parts = ', '.join(f'{name} {value:.1e}' for name, value in self.differences.items())
        verdict = 'agrees' if self.passed else 'DOES NOT AGREE'
        return (
            f"{self.robot}: Pinocchio {verdict} with Lagrange's equations, {self.method}, at "
            f'{self.states} random states; largest relative differences: {parts}'
        )


def verify(
    model: RobotModel,
    *,
    states: int = 50,
    seed: int = 1,
    method: str = 'auto',
) -> Verification:
    """
    Compare a model with Lagrange's equations at random states within its limits.

    Parameters
    ----------
    model : RobotModel
        The robot.
    states : int
        How many states, 1 or more.
    seed : int
        Of the random numbers; the same seed gives the same states.
    method : str
        'closed_form' derives with SymPy, 'numbers' differentiates the energies by
        complex steps and works for any size. 'auto' takes the closed form up to
        four joints if SymPy is installed.

    Returns
    -------
    Verification

    Raises
    ------
    ParameterError
        When a setting is unusable.
    ModelError
        When the model carries a payload, which no description contains.
    RobotDynamicsError
        When the closed form is asked for and SymPy is not installed.

    """
    if method not in METHODS:
        raise ParameterError(
            f"is '{method}'", where='method', expected=f'one of: {", ".join(METHODS)}'
        )
    if not states >= 1:
        raise ParameterError(f'is {states}', where='states', expected='1 or more')
    refuse_payload(model)
    closed = method == 'closed_form' or (
        method == 'auto'
        and model.nv <= MAX_CLOSED_FORM
        and importlib.util.find_spec('sympy') is not None
    )
    evaluate = _closed_form(model) if closed else EnergyLagrangian(model).terms
    rows = [_both(model, evaluate, *state) for state in _random_states(model, states, seed)]
    lagrange, pinocchio = ([row[side] for row in rows] for side in (0, 1))
    return Verification(
        model.name,
        CLOSED_FORM if closed else BY_NUMBERS,
        states,
        MappingProxyType(_differences(lagrange, pinocchio)),
    )


def _closed_form(model: RobotModel) -> Evaluate:
    """Return the terms of a derivation with the robot's numbers."""
    functions = derive(model, named=False, simplify=False).functions()
    equations, inverse = functions['equations_of_motion'], functions['inverse_dynamics']

    def evaluate(q: Array, v: Array, a: Array) -> Terms:
        mass, coriolis, gravity = equations(q, v)
        return Terms(mass, coriolis @ v, gravity, inverse(q, v, a))

    return evaluate


def _random_states(model: RobotModel, states: int, seed: int) -> list[tuple[Array, Array, Array]]:
    """Return positions and velocities within the limits, and accelerations."""
    generator = np.random.default_rng(seed)
    free = np.array([_UNBOUNDED[joint.unit] for joint in model.joints])
    lower = np.where(np.isfinite(model.limits.lower), model.limits.lower, -free)
    upper = np.where(np.isfinite(model.limits.upper), model.limits.upper, free)
    upper = np.maximum(lower, upper)
    fastest = np.minimum(model.limits.velocity, _FASTEST)
    hardest = np.full(model.nv, _ACCELERATION)
    return [
        (
            generator.uniform(lower, upper),
            generator.uniform(-fastest, fastest),
            generator.uniform(-hardest, hardest),
        )
        for _ in range(states)
    ]


def _both(
    model: RobotModel, evaluate: Evaluate, q: Array, v: Array, a: Array
) -> tuple[Terms, Terms]:
    """Return the terms of Lagrange and of the model at one state."""
    own = Terms(
        model.mass_matrix(q),
        model.coriolis_matrix(q, v) @ v,
        model.gravity(q),
        model.inverse_dynamics(q, v, a),
    )
    return evaluate(q, v, a), own


def _differences(lagrange: list[Terms], pinocchio: list[Terms]) -> dict[str, float]:
    """Return the largest relative difference of each term."""
    effort = np.max([np.abs(terms.tau) for terms in pinocchio], axis=0)
    found = {'M': 0.0}
    for one, other in zip(lagrange, pinocchio):
        diagonal = np.sqrt(np.abs(np.diag(other.M)))
        found['M'] = max(found['M'], _ratio(one.M - other.M, np.outer(diagonal, diagonal)))
    for name, key in (('C v', 'V'), ('G', 'G'), ('tau', 'tau')):
        found[name] = float(
            np.max(
                [
                    _ratio(getattr(one, key) - getattr(other, key), effort)
                    for one, other in zip(lagrange, pinocchio)
                ]
            )
        )
    return found


def _ratio(difference: Array, scale: Array) -> float:
    """Return the largest |difference| / scale; without a scale the difference itself."""
    return float(np.max(np.abs(difference) / np.where(scale > 0.0, scale, 1.0)))
