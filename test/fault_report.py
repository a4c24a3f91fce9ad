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

"""Counts of injected faults: how many, and what was seen, written by the run itself."""

from collections.abc import Iterator
from datetime import date
import json
import os
from pathlib import Path
import platform

import pytest

ROOT = Path(__file__).resolve().parent.parent
LONG = os.environ.get('FAULTS') == 'long'

_HEAD = """\
# Reliability: faults injected, and what was seen

Written by `make test-faults` itself ({form} form, {day}, Python {python}, {machine}).
Each row is a test that fails when anything else is seen.

| fault | injected | seen |
|---|---:|---|
"""


class FaultReport:
    """Rows of the report, and how many faults this form of the run injects."""

    def __init__(self) -> None:
        self.rows: dict[str, tuple[int, str]] = {}

    @staticmethod
    def count(short: int, long: int) -> int:
        """Return how often to inject: few times in every test run, often in the long form."""
        return long if LONG else short

    def record(self, fault: str, injected: int, seen: str) -> None:
        """Note one kind of fault; called by a test after all its checks."""
        before, _ = self.rows.get(fault, (0, ''))
        self.rows[fault] = (before + injected, seen)

    def write(self, path: Path) -> None:
        """Write the rows as a table."""
        path.parent.mkdir(parents=True, exist_ok=True)
        text = _HEAD.format(
            form='long' if LONG else 'short',
            day=date.today().isoformat(),
            python=platform.python_version(),
            machine=f'{os.cpu_count()} cores',
        )
        for fault, (injected, seen) in self.rows.items():
            text += f'| {fault} | {injected:,} | {seen} |\n'
        path.write_text(text, encoding='utf-8')


@pytest.fixture(scope='session')
def faults() -> Iterator[FaultReport]:
    """Collect the counts; the variable FAULTS_REPORT names the file for them."""
    report = FaultReport()
    yield report
    target = os.environ.get('FAULTS_REPORT')
    if target and report.rows:
        path = ROOT / target
        report.write(path)
        path.with_suffix('.json').write_text(json.dumps(report.rows, indent=1) + '\n')
