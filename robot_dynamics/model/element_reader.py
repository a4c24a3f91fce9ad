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

"""Attributes of XML elements read strictly, collecting what is wrong with them."""

from __future__ import annotations

from dataclasses import dataclass, field
import unicodedata
from xml.etree.ElementTree import Element

from robot_dynamics.model.findings import Finding, Severity
from robot_dynamics.model.strict_numbers import parse_number


@dataclass
class ElementReader:
    """
    Reads elements and collects what is wrong with them.

    Parameters
    ----------
    findings : list of Finding
        Grows while reading; an unreadable value is replaced by a neutral one,
        so that one pass reports everything.

    """

    findings: list[Finding] = field(default_factory=list)

    def error(self, code: str, element: str, what: str, **parts: str) -> None:
        """Add a finding that stops loading."""
        self.findings.append(
            Finding(severity=Severity.ERROR, code=code, element=element, what=what, **parts)
        )

    def warn(self, code: str, element: str, what: str, **parts: str) -> None:
        """Add a finding that is reported and kept."""
        self.findings.append(
            Finding(severity=Severity.WARNING, code=code, element=element, what=what, **parts)
        )

    def number(
        self, element: Element, attribute: str, where: str, default: float | None
    ) -> float | None:
        """Read one attribute as a number; ``default`` when it is not there."""
        text = element.get(attribute)
        if text is None:
            return default
        if text != text.strip() and text.strip():
            self.warn(
                'number',
                where,
                f'{attribute} has blanks around the number',
                value=text,
                why='other readers take such a number for missing',
                remedy='remove the blanks',
            )
        return self.parse(text, attribute, where, 0.0 if default is None else default)

    def parse(self, text: str, attribute: str, where: str, default: float) -> float:
        try:
            return parse_number(text)
        except ValueError as error:
            self.error(
                'number',
                where,
                f'{attribute} is {error}',
                value=text[:80],
                why='a value that is skipped drops the arm',
                remedy='write a plain SI number',
            )
            return default

    def triple(
        self,
        element: Element,
        attribute: str,
        where: str,
        default: tuple[float, float, float],
    ) -> tuple[float, float, float]:
        """Read one attribute as three numbers separated by blanks."""
        text = element.get(attribute)
        if text is None:
            return default
        parts = text.split()
        if len(parts) != 3:
            self.error(
                'number',
                where,
                f'{attribute} has {len(parts)} numbers',
                value=text[:80],
                remedy='write three numbers separated by blanks',
            )
            return default
        x, y, z = (self.parse(part, attribute, where, 0.0) for part in parts)
        return x, y, z

    def required(self, element: Element, attribute: str, where: str) -> str:
        """Read a name, in Unicode's composed form; an absent or empty one is an error."""
        text = unicodedata.normalize('NFC', element.get(attribute, '').strip())
        if not text:
            self.error('structure', where, f'has no {attribute}', remedy='give it one')
        return text
