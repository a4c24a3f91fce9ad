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

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
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

Written by `make test-faults` itself (Python {python}, {machine}); `FAULTS=long` injects more.
Each row is a test that fails when anything else is seen; a test that failed in its last run has
no row.

| fault | injected | seen | run |
|---|---:|---|---|
"""


@dataclass
class Row:
    """
    One kind of fault.

    Attributes
    ----------
    test
        Its file and function.
    fault, seen
        What was injected, and what followed.
    injected
        How often.
    run
        Form and day of the run.

    """

    test: str
    fault: str
    injected: int
    seen: str
    run: str


class FaultReport:
    """Rows of this run, and the tests that they come from."""

    def __init__(self) -> None:
        self.rows: dict[str, Row] = {}
        self.tests: set[str] = set()

    def merged(self, before: list[Row]) -> list[Row]:
        """Return rows of earlier runs that still hold, and those of this run, by their tests."""
        rows = {row.fault: row for row in before if row.test not in self.tests}
        rows |= self.rows
        places = {row.test: _place(row.test) for row in rows.values()}
        kept = [row for row in rows.values() if places[row.test] is not None]
        return sorted(kept, key=lambda row: places[row.test])

    def write(self, path: Path) -> None:
        """Write the table, and the rows beside it for the next run that does only a part."""
        store = path.with_suffix('.json')
        before = json.loads(store.read_text(encoding='utf-8')) if store.exists() else []
        rows = self.merged([Row(**row) for row in before])
        text = _HEAD.format(
            python=platform.python_version(),
            machine=f'{os.cpu_count()} cores',
        )
        for row in rows:
            text += f'| {row.fault} | {row.injected:,} | {row.seen} | {row.run} |\n'
        path.write_text(text, encoding='utf-8')
        lines = json.dumps([asdict(row) for row in rows], indent=1, ensure_ascii=False)
        store.write_text(lines + '\n', encoding='utf-8')


def _place(test: str) -> tuple[str, int] | None:
    """Return where a test stands, None when there is no such test any more."""
    file, _, function = test.partition('::')
    path = ROOT / file
    found = path.read_text(encoding='utf-8').find(f'def {function}(') if path.exists() else -1
    return None if found < 0 else (file, found)


class Faults:
    """How many faults a test injects, and its rows."""

    def __init__(self, report: FaultReport, test: str) -> None:
        self._report, self._test = report, test

    @staticmethod
    def count(short: int, long: int) -> int:
        """Return how often to inject: few times in every test run, often in the long form."""
        return long if LONG else short

    def record(self, fault: str, injected: int, seen: str) -> None:
        """Note one kind of fault; called by a test after all its checks."""
        before = self._report.rows.get(fault)
        total = injected + (before.injected if before else 0)
        run = f'{"long" if LONG else "short"}, {date.today().isoformat()}'
        self._report.rows[fault] = Row(self._test, fault, total, seen, run)


@pytest.fixture(scope='session')
def fault_report() -> Iterator[FaultReport]:
    """Collect the rows; the variable FAULTS_REPORT names the file for them."""
    report = FaultReport()
    yield report
    target = os.environ.get('FAULTS_REPORT')
    if target and report.tests:
        report.write(ROOT / target)


@pytest.fixture
def faults(fault_report: FaultReport, request: pytest.FixtureRequest) -> Faults:
    """Return what counts the faults of one test."""
    file = Path(request.path).relative_to(ROOT).as_posix()
    test = f'{file}::{request.node.originalname}'
    fault_report.tests.add(test)
    return Faults(fault_report, test)
