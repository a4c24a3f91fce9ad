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

"""What can go wrong: one root class and its few children."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from robot_dynamics.model.findings import Finding


class RobotDynamicsError(Exception):
    """
    Root of all errors that this package raises on purpose.

    Parameters
    ----------
    what : str
        What was wrong.
    where : str
        The file, element, joint or parameter where it was seen.
    expected : str
        What would have been right.
    remedy : str
        What the reader can do now.

    """

    def __init__(
        self, what: str, *, where: str = '', expected: str = '', remedy: str = ''
    ) -> None:
        """Keep the four parts and join them to one line."""
        self.what = what
        self.where = where
        self.expected = expected
        self.remedy = remedy
        text = f'{where}: {what}' if where else what
        if expected:
            text += f'; expected {expected}'
        if remedy:
            text += f'; {remedy}'
        super().__init__(text)


class ModelError(RobotDynamicsError):
    """
    A robot description that cannot be used.

    Parameters
    ----------
    findings : tuple of Finding
        Everything found wrong with the description, worst first.

    """

    def __init__(
        self,
        what: str,
        *,
        where: str = '',
        expected: str = '',
        remedy: str = '',
        findings: tuple[Finding, ...] = (),
    ) -> None:
        """Keep the findings beside the four parts of the text."""
        super().__init__(what, where=where, expected=expected, remedy=remedy)
        self.findings = findings


class StateError(RobotDynamicsError):
    """A measured state or a joint vector that cannot be used."""


class TrajectoryError(RobotDynamicsError):
    """A trajectory that cannot be followed."""


class ParameterError(RobotDynamicsError):
    """A setting outside what is allowed."""


class SimulationError(RobotDynamicsError):
    """A simulation that cannot be started or has left the finite numbers."""
