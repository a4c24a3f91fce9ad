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

"""Everything that can be found about a robot file, in one report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from robot_dynamics.errors import ModelError
from robot_dynamics.model.findings import Finding, Severity
from robot_dynamics.model.loading import load_robot, Readable
from robot_dynamics.model.plausibility import check_plausibility
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.model.worst_pose import check_effort_limits


@dataclass(frozen=True)
class Report:
    """
    What inspection found.

    Parameters
    ----------
    findings : tuple of Finding
        Worst first.
    model : RobotModel or None
        The loaded robot, if no finding is an error.

    """

    findings: tuple[Finding, ...]
    model: RobotModel | None

    def passes(self, *, strict: bool = False) -> bool:
        """Return whether no finding is an error or, if ``strict``, a warning."""
        limit = Severity.WARNING if strict else Severity.ERROR
        return all(finding.severity < limit for finding in self.findings)


def inspect_robot(source: Readable, **options: Any) -> Report:
    """
    Load a robot and collect all findings instead of stopping at an error.

    Parameters
    ----------
    source : str, path or bytes
        As for ``load_robot``.
    **options
        As for ``load_robot``.

    Returns
    -------
    Report

    """
    try:
        model = load_robot(source, **options)
    except ModelError as error:
        return Report(error.findings or (_as_finding(error),), None)
    return Report(inspect_model(model), model)


def inspect_model(model: RobotModel) -> tuple[Finding, ...]:
    """
    Return the findings of a loaded model, with those that need the dynamics.

    Parameters
    ----------
    model : RobotModel
        The robot.

    Returns
    -------
    tuple of Finding
        Worst first.

    """
    findings = [
        *model.findings,
        *check_plausibility(model.description),
        *_check_gravity(model),
        *check_effort_limits(model),
    ]
    return tuple(sorted(findings, key=lambda finding: -finding.severity))


def _as_finding(error: ModelError) -> Finding:
    return Finding(
        severity=Severity.ERROR,
        code='unreadable',
        element=error.where or 'robot',
        what=error.what,
        why=f'expected {error.expected}' if error.expected else '',
        remedy=error.remedy or 'write it as expected',
    )


def _check_gravity(model: RobotModel) -> list[Finding]:
    """Say when gravity is missing, has an odd size or points up."""
    x, y, z = (float(value) for value in model.gravity_vector)
    size = (x * x + y * y + z * z) ** 0.5
    text = f'({x:.4g}, {y:.4g}, {z:.4g})'
    what = ''
    if size == 0.0:
        what, remedy = 'is zero', 'meant for a robot in free fall or one that compensates itself'
    elif not 9.7 <= size <= 9.9:
        what, remedy = f'has the size {size:.4g} m/s^2', 'write it in m/s^2'
    elif z > 0.9 * size:
        what, remedy = (
            'points up along z of the root link',
            ('right for a robot that hangs from a ceiling, else change the sign'),
        )
    if not what:
        return []
    return [
        Finding(
            severity=Severity.WARNING,
            code='gravity',
            element='gravity',
            what=what,
            value=text,
            why='every effort depends on it',
            remedy=remedy,
        )
    ]
