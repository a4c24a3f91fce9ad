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

"""What an identification has found, and how well it predicts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class BaseParameter:
    """
    A combination of parameters that a recording determines.

    Parameters
    ----------
    name : str
        Such as 'upper m*cx + 0.5 fore m'. A link stands for all that is fixed to
        it; moments are about the origin of its joint, in its axes.
    unit : str
        Of the value.
    coefficients : numpy.ndarray, shape (p,)
        value = coefficients @ parameters.
    prior, value : float
        By the prior model, and by the recording alone.
    deviation : float
        Standard deviation of the value for white noise; too small where the
        noise is correlated or something is not modelled.
    certain : bool
        Whether the recording says more about it than the prior does.

    """

    name: str
    unit: str
    coefficients: Array
    prior: float
    value: float
    deviation: float
    certain: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class PredictionError:
    """
    Root mean square of measured less predicted effort, for n commanded joints.

    Parameters
    ----------
    fit : numpy.ndarray, shape (n,)
        Over the samples that were fitted [N m or N].
    hold_out : numpy.ndarray, shape (n,), or None
        Over samples that were not; None when there are too few for that.

    """

    fit: Array
    hold_out: Array | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Identification:
    """
    Parameters of the bodies of a robot from a recording.

    n commanded joints, p parameters: ten for each moving body, in the order of
    ``RobotModel.dynamic_parameters`` without the rotor inertias.

    Parameters
    ----------
    robot : str
        Name of the robot.
    joint_names : tuple of str
        The n commanded joints.
    effort_units : tuple of str
        Theirs.
    samples, hold_out_samples : int
        All, and those kept out of the fit.
    columns : int
        p.
    rank, structural_rank : int
        Combinations that this recording determines, and that any motion could.
    condition : float
        Of the determined part of the stacked regressor of all samples: by how
        much noise may be amplified.
    base_parameters : tuple of BaseParameter
        The determined combinations, ``rank`` of them.
    undetermined : tuple of str
        Combinations that another motion would determine.
    prior : numpy.ndarray, shape (p,)
        Parameters of the model that was given.
    parameters : numpy.ndarray, shape (p,)
        Possible bodies that predict the recording, as near to the prior as it
        allows. Single numbers in it are results only where ``base_parameters``
        has them alone: all else is the prior's.
    base_prediction : numpy.ndarray, shape (p,)
        A vector with the values of ``base_parameters``, to predict efforts with;
        its bodies may be impossible.
    consistent : bool
        Whether each body of ``parameters`` has positive mass and a positive
        definite pseudo-inertia; ``massless`` ones are not counted.
    bounded : tuple of str
        Links for which the data alone would have given an impossible body.
    thickened : tuple of str
        Links without extent in the prior, such as point masses, taken as 1 cm thick.
    massless : tuple of str
        Links without mass in the prior; they stay as they are.
    prior_kept : bool
        Whether ``parameters`` is the prior, since a fit predicted the hold-out
        part no better.
    prior_error, base_error, error : PredictionError
        Of the prior, of ``base_prediction`` and of ``parameters``.
    warnings, notes : tuple of str
        What should be looked at, and how the data were understood.

    """

    robot: str
    joint_names: tuple[str, ...]
    effort_units: tuple[str, ...]
    samples: int
    hold_out_samples: int
    columns: int
    rank: int
    structural_rank: int
    condition: float
    base_parameters: tuple[BaseParameter, ...]
    undetermined: tuple[str, ...]
    prior: Array
    parameters: Array
    base_prediction: Array
    consistent: bool
    bounded: tuple[str, ...]
    thickened: tuple[str, ...]
    massless: tuple[str, ...]
    prior_kept: bool
    prior_error: PredictionError
    base_error: PredictionError
    error: PredictionError
    warnings: tuple[str, ...]
    notes: tuple[str, ...]

    def __post_init__(self) -> None:
        """Make the vectors read-only."""
        for name in ('prior', 'parameters', 'base_prediction'):
            vector = np.array(getattr(self, name), dtype=np.float64)
            vector.setflags(write=False)
            object.__setattr__(self, name, vector)
