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

"""The equations of motion of a robot in closed form, derived by Lagrange's way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
import keyword
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from robot_dynamics.errors import ModelError, ParameterError, RobotDynamicsError
from robot_dynamics.model import RobotModel
from robot_dynamics.model.description import Description

Array = NDArray[np.float64]
Progress = Callable[[str, int, int], None]

# what the printed Python code uses itself
_RESERVED = frozenset({'q', 'v', 'a', 'M', 'C', 'G', 'np', 'cos', 'sin', 'sqrt', 'constants'})


@dataclass(frozen=True)
class Parameter:
    """
    A constant of the robot that has a name in the equations.

    Parameters
    ----------
    symbol : sympy.Symbol
        Its name.
    value : float
        What the robot file says.
    unit, meaning : str
        For the reader.

    """

    symbol: Any
    value: float
    unit: str
    meaning: str


@dataclass(frozen=True)
class Derivation:
    """
    M(q) qdd + C(q, qd) qd + G(q) = tau in closed form.

    Matrices are immutable SymPy matrices. Positions are [rad] or [m], efforts
    [N m] or [N]; friction is not part of it, rotor inertia is part of M.

    Parameters
    ----------
    name : str
        The robot.
    joint_names : tuple of str
        The joints, in the model's order.
    q, qd, qdd : tuple of sympy.Symbol
        Position, velocity and acceleration of each joint.
    M, C : sympy matrix, shape (n, n)
        Mass matrix, and the Coriolis matrix of Christoffel symbols of the first
        kind, so that M' - 2 C is skew.
    V, G, tau : sympy matrix, shape (n, 1)
        C qd; gravity dU/dq; and d/dt dL/dqd - dL/dq with L = K - U.
    K, U : sympy.Expr
        Kinetic and potential energy [J]; U is zero where masses lie in the root's
        origin.
    parameters : tuple of Parameter
        The named constants; none when it was derived with numbers.

    """

    name: str
    joint_names: tuple[str, ...]
    q: tuple[Any, ...]
    qd: tuple[Any, ...]
    qdd: tuple[Any, ...]
    M: Any
    C: Any
    V: Any
    G: Any
    tau: Any
    K: Any
    U: Any
    parameters: tuple[Parameter, ...]

    def text(self) -> str:
        """Return the equations as lines of text."""
        from robot_dynamics.symbolic.printing import to_text

        return to_text(self)

    def latex(self) -> str:
        """Return the equations as LaTeX for a document with amsmath."""
        from robot_dynamics.symbolic.printing import to_latex

        return to_latex(self)

    def python(self) -> str:
        """Return a Python module that computes the equations with NumPy alone."""
        from robot_dynamics.symbolic.python_code import to_python

        return to_python(self)

    def functions(self) -> dict[str, Any]:
        """
        Return the functions of ``python()``, ready to be called.

        Returns
        -------
        dict of str to callable
            'equations_of_motion', (q, v) to (M, C, G), and 'inverse_dynamics',
            (q, v, a) to tau; named constants are keyword arguments whose defaults
            are the robot's values.

        """
        namespace: dict[str, Any] = {}
        # our own print; names from the robot file have been made harmless in it
        exec(compile(self.python(), f'<equations of {self.name}>', 'exec'), namespace)
        return {key: namespace[key] for key in ('equations_of_motion', 'inverse_dynamics')}

    def evaluate(self, q: ArrayLike, v: ArrayLike) -> tuple[Array, Array, Array]:
        """Return M (n, n), C (n, n) and G (n,) at a state q (n,), v (n,)."""
        mass, coriolis, gravity = self.functions()['equations_of_motion'](q, v)
        return np.asarray(mass), np.asarray(coriolis), np.asarray(gravity)


def derive(
    robot: RobotModel | Description,
    *,
    named: bool = True,
    names: Sequence[str] | None = None,
    simplify: bool = True,
    progress: Progress | None = None,
) -> Derivation:
    """
    Derive the equations of motion of a robot from its energies.

    Parameters
    ----------
    robot : RobotModel or Description
        The robot; a model brings its motors, gravity, order and locked joints.
    named : bool
        Whether masses, lengths, inertias and gravity become symbols such as m1,
        l1, J1 and g. Otherwise they are the robot's numbers.
    names : sequence of str, optional
        A name for each joint's position, in joint order, such as 'theta', 'd'.
        Velocities are 'theta_dot', accelerations 'theta_ddot'. Without it they
        are q1, qd1, qdd1 and so on.
    simplify : bool
        Whether to look for the shortest form of each entry; it is exact anyway.
    progress : callable, optional
        Called with what is being done, how much is done, and of how much.

    Returns
    -------
    Derivation

    Raises
    ------
    RobotDynamicsError
        When SymPy is not installed.
    ModelError
        When the closed form would be too large, with what to do; when the model
        carries a payload, which no description contains.
    ParameterError
        When a name cannot be used.

    """
    require_sympy()
    from robot_dynamics.symbolic.assembly import assemble

    model = robot if isinstance(robot, RobotModel) else RobotModel(robot)
    refuse_payload(model)
    return assemble(
        model,
        named=named,
        coordinates=coordinate_names(model, names),
        simplify=simplify,
        progress=progress,
    )


def refuse_payload(model: RobotModel) -> None:
    """Raise ModelError when a payload has been added to what the description says."""
    bare = model.with_payload(None).dynamic_parameters
    if not np.array_equal(model.dynamic_parameters, bare):
        raise ModelError(
            'carries a payload, which its description does not contain',
            where=f"robot '{model.name}'",
            remedy='write it into the robot file, or take model.with_payload(None)',
        )


def require_sympy() -> None:
    """Raise RobotDynamicsError when SymPy is not installed."""
    try:
        import sympy  # noqa: F401
    except ImportError as error:
        raise RobotDynamicsError(
            'SymPy is not installed',
            where='symbolic derivation',
            remedy="install it with pip install 'robot_dynamics[symbolic]'",
        ) from error


def coordinate_names(model: RobotModel, names: Sequence[str] | None) -> list[tuple[str, str, str]]:
    """
    Return the names of position, velocity and acceleration of each joint.

    Raises
    ------
    ParameterError
        When there are too few or too many, or one is no name or there twice.

    """
    if names is None:
        return [(f'q{number}', f'qd{number}', f'qdd{number}') for number in range(1, model.nv + 1)]
    if len(names) != model.nv:
        raise ParameterError(
            f'has {len(names)} names',
            where='names',
            expected=f'{model.nv}, for the joints {", ".join(model.joint_names)}',
        )
    triples = [(name, f'{name}_dot', f'{name}_ddot') for name in names]
    every = [name for triple in triples for name in triple]
    for name in names:
        if not name.isidentifier() or keyword.iskeyword(name):
            raise ParameterError(
                f"'{name}' is no name for a variable",
                where='names',
                expected='letters and digits, such as theta or d',
            )
        if name in _RESERVED:
            raise ParameterError(
                f"'{name}' has a meaning of its own", where='names', expected='another name'
            )
        if every.count(name) > 1:
            raise ParameterError(f"'{name}' is there twice", where='names')
    return triples


def printable(text: str) -> str:
    """Return a name from a robot file without what could end a comment or a string."""
    return ''.join(
        letter if letter.isprintable() and letter not in '"\\' else '_' for letter in text
    )
