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

"""What was found about a robot description, in words a user can act on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from robot_dynamics.errors import ModelError


class Severity(IntEnum):
    """How bad a finding is; larger is worse."""

    NOTE = 0
    WARNING = 1
    ERROR = 2


@dataclass(frozen=True, kw_only=True)
class Finding:
    """
    One thing found about a description.

    Parameters
    ----------
    severity : Severity
        An ERROR stops loading, a WARNING or NOTE is kept with the model.
    code : str
        Short name of the kind, stable across versions, such as 'inertia'.
    element : str
        The element concerned, such as "link 'forearm'".
    value : str
        The offending value as written, or empty.
    what : str
        What is wrong.
    why : str
        Why it matters on a real arm.
    remedy : str
        What to do.

    """

    severity: Severity
    code: str
    element: str
    what: str
    value: str = ''
    why: str = ''
    remedy: str = ''

    def to_dict(self) -> dict[str, str]:
        """Return all parts as texts, the severity in small letters."""
        return {
            'severity': self.severity.name.lower(),
            'code': self.code,
            'element': self.element,
            'value': self.value,
            'what': self.what,
            'why': self.why,
            'remedy': self.remedy,
        }

    def __str__(self) -> str:
        """Return the finding in one line."""
        text = f'{self.severity.name.lower()}: {self.element}: {self.what}'
        if self.value:
            text += f" ('{self.value}')"
        for part in (self.why, self.remedy):
            if part:
                text += f'; {part}'
        return text


def refuse_errors(findings: Iterable[Finding], where: str) -> tuple[Finding, ...]:
    """
    Sort findings, worst first, and raise if one is an error.

    Parameters
    ----------
    findings : iterable of Finding
        All findings about one description.
    where : str
        The source of the description, for the message.

    Raises
    ------
    ModelError
        When at least one finding is an error; it carries all findings.

    """
    ordered = tuple(sorted(findings, key=lambda finding: -finding.severity))
    errors = [finding for finding in ordered if finding.severity is Severity.ERROR]
    if errors:
        text = '; '.join(str(finding).removeprefix('error: ') for finding in errors[:3])
        if len(errors) > 3:
            text += f'; and {len(errors) - 3} more'
        raise ModelError(text, where=where, findings=ordered)
    return ordered
