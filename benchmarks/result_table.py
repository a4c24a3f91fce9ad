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

"""The result as a table on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rows import Row
from summary import Summary

_COLORS = {'met': 'green', 'missed': 'red', 'missing': 'yellow', 'reported': 'dim'}


def print_result(rows: Sequence[Row], machine: dict[str, Any], load: dict[str, Any]) -> None:
    """Print machine, rows and, on a busy machine, that it was one."""
    console = Console(width=None if Console().is_terminal else 150)
    console.print(machine_line(machine), highlight=False)
    table = Table(box=box.SIMPLE_HEAD, header_style='bold cyan', pad_edge=False)
    for name, justify in (
        ('', 'left'),
        ('measure', 'left'),
        ('ours', 'right'),
        ('against', 'right'),
        ('ratio (quartiles)', 'right'),
        ('goal', 'right'),
        ('', 'left'),
    ):
        table.add_column(name, justify=justify, no_wrap=name != 'measure')
    for row in rows:
        table.add_row(*cells(row)[:-1], f'[{_COLORS[row.verdict]}]{row.verdict}[/]')
    console.print(table)
    for row in rows:
        if row.note or row.missing:
            console.print(f'{row.key}: {row.missing or row.note}', highlight=False)
    if load['busy']:
        console.print(f'[bold yellow]{busy_line(load)}[/]', highlight=False)


def cells(row: Row) -> tuple[str, ...]:
    """Return the row's columns as texts."""
    return (
        row.key,
        row.measure,
        quantity(row.ours, row.unit),
        quantity(row.base, row.unit),
        spread(row.value),
        str(row.goal or ''),
        row.verdict,
    )


def quantity(summary: Summary | None, unit: str) -> str:
    """Return a median with its unit."""
    return '' if summary is None else f'{number(summary.median)} {unit}'.strip()


def spread(summary: Summary | None) -> str:
    """Return a median with its quartiles."""
    if summary is None:
        return ''
    text = number(summary.median)
    if summary.count == 1:
        return text
    return f'{text} ({number(summary.low)} – {number(summary.high)})'


def number(value: float) -> str:
    """Return three digits that count."""
    if value == 0.0:
        return '0'
    if abs(value) >= 100.0:
        return f'{value:.0f}'
    return f'{value:.3g}' if abs(value) >= 1.0 else f'{value:.2f}'


def machine_line(machine: dict[str, Any]) -> str:
    """Return the machine in one line."""
    versions = ', '.join(f'{name} {version}' for name, version in machine['versions'].items())
    return (
        f'{machine["processor"]}, {machine["processors"]} processors, {machine["memory"]}, '
        f'{machine["kernel"]}, governor {machine["governor"]}; Python {machine["python"]}, '
        f'ROS {machine["ros"]}; {versions}'
    )


def busy_line(load: dict[str, Any]) -> str:
    """Return what a busy machine means for the numbers."""
    return (
        f'This run was on a busy machine: others used {load["others"]:.0%} of its processors '
        f'(load average before the run {load["load_before"]:.2f}). Ratios may still hold, '
        'times do not.'
    )
