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

"""What a user should know about an identification, in words."""

from __future__ import annotations

from collections.abc import Sequence

from robot_dynamics.identification.data_checks import HOW_TO_MOVE
from robot_dynamics.identification.result import Identification
from robot_dynamics.identification.stacking import Equations
from scipy.optimize import nnls

LARGEST_CONDITION = 300.0  # noise amplified by more makes single combinations doubtful
_EQUATIONS_EACH = 10  # for each unknown
_WORSE = 1.05  # of the rms; less than that is chance
_FRICTION_SHARE = 0.3  # of the squared residual


def remarks(
    result: Identification, parts: Sequence[Equations], resting: Sequence[str]
) -> list[str]:
    """
    Return warnings about an identification.

    Parameters
    ----------
    result : Identification
        What was found.
    parts : sequence of Equations
        The fitted equations of each commanded joint.
    resting : sequence of str
        Joints that do not move in the recording.

    Returns
    -------
    list of str
        One sentence or two each.

    """
    return [*_on_motion(result, resting), *_on_fit(result), *_on_friction(result, parts)]


def _on_motion(result: Identification, resting: Sequence[str]) -> list[str]:
    """Return what the motion leaves to be wished for."""
    found = []
    if resting:
        found.append(f'Joints that do not move: {", ".join(resting)}.')
    if result.condition > LARGEST_CONDITION:
        found.append(
            f'The condition number is {result.condition:.3g} (up to {LARGEST_CONDITION:g} is '
            f'good): small errors of the efforts become large ones of the parameters; '
            f'{HOW_TO_MOVE}.'
        )
    if result.undetermined:
        found.append(
            f'Not determined by this motion, the prior stays: {"; ".join(result.undetermined)}. '
            f'To determine them {HOW_TO_MOVE}.'
        )
    rows = result.samples * len(result.joint_names)
    if rows < _EQUATIONS_EACH * result.rank:
        found.append(
            f'There are only {result.samples} samples, {rows} equations for '
            f'{result.rank} unknown combinations.'
        )
    if not result.hold_out_samples:
        found.append(
            'No samples are left to judge the result by: nothing shows that it predicts '
            'better than the prior.'
        )
    doubtful = [entry.name for entry in result.base_parameters if not entry.certain]
    if doubtful:
        found.append(f'The recording says little beyond the prior about: {"; ".join(doubtful)}.')
    return found


def _on_fit(result: Identification) -> list[str]:
    """Return what is remarkable about the bodies found."""
    found = []
    if result.thickened:
        found.append(
            f'Without extent in the prior, taken as 1 cm thick: {", ".join(result.thickened)}.'
        )
    if result.massless:
        found.append(
            'Without mass in the prior, so nothing is changed there: '
            f'{", ".join(result.massless)}; a rough inertial element would do.'
        )
    if result.prior_kept:
        found.append(
            'The fit does not predict the hold-out part better than the prior: '
            'the parameters stay those of the prior.'
        )
    elif result.bounded:
        found.append(
            'Least squares alone gives an impossible body for '
            f'{", ".join(result.bounded)}: kept possible by a bound; friction or motors '
            'that the model does not have are a common cause.'
        )
    if result.error.hold_out is not None and result.prior_error.hold_out is not None:
        worse = result.error.hold_out > _WORSE * result.prior_error.hold_out
        names = [name for name, flag in zip(result.joint_names, worse) if flag]
        if names:
            found.append(
                f'Better on the whole, but predicted worse than by the prior: {", ".join(names)}.'
            )
    return found


def _on_friction(result: Identification, parts: Sequence[Equations]) -> list[str]:
    """Return which residuals look like friction that the model does not have."""
    found = []
    for index, part in enumerate(parts):
        rest = part.residual(result.base_prediction)
        (coulomb, viscous), left = nnls(part.friction, rest)
        square = float(rest @ rest)
        noticeable = square > 1e-6 * float(part.effort @ part.effort)
        if noticeable and square - left**2 > _FRICTION_SHARE * square:
            name, unit = result.joint_names[index], result.effort_units[index]
            found.append(
                f"Much of what remains at joint '{name}' looks like friction, about "
                f'{coulomb:.2g} sgn(v) + {viscous:.2g} v [{unit}]: state it in the robot file or '
                'an overlay, and identify again.'
            )
    return found
