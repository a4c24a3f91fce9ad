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

"""Put tables and figures of docs/performance.json into docs/performance.md."""

from __future__ import annotations

from collections.abc import Sequence
import json
import re
from typing import Any

from arm import ROOT
from figures import draw_costs, draw_latencies
from result_table import busy_line, machine_line, number

_PARTS = {'nodes': 'N', 'core': 'K', 'batches': 'B', 'starts': 'S'}
_HEAD = """\
| | measure | ours | against | ratio (quartiles) | goal | |
|---|---|---:|---:|---:|---:|---|
"""


def main() -> int:
    """Write what the last full run has measured; return the exit code."""
    folder = ROOT / 'docs'
    result = json.loads((folder / 'performance.json').read_text(encoding='utf-8'))
    page = folder / 'performance.md'
    text = page.read_text(encoding='utf-8')
    page.write_text(filled(text, result), encoding='utf-8')
    if 'latencies' in result:
        draw_latencies(result['latencies'], folder / 'performance_latency.png')
    if 'costs' in result:
        draw_costs(result['costs'], folder / 'performance_joints.png')
    print(f'{page} written')
    return 0


def filled(text: str, result: dict[str, Any]) -> str:
    """Return a page with what stands between its markers made anew."""
    text = _between(text, 'machine', _machine(result))
    for name, letter in _PARTS.items():
        rows = [row for row in result['rows'] if row['key'].startswith(letter)]
        if rows:
            text = _between(text, name, table(rows))
    return text


def table(rows: Sequence[dict[str, Any]]) -> str:
    """Return rows as a table in Markdown, with notes below."""
    lines = [
        f'| {row["key"]} | {row["measure"]} | {_quantity(row["ours"], row["unit"])} '
        f'| {_quantity(row["base"], row["unit"])} | {_spread(row["value"])} | {row["goal"]} '
        f'| {_verdict(row["verdict"])} |\n'
        for row in rows
    ]
    notes = [
        f'- {row["key"]}: {row["missing"] or row["note"]}\n'
        for row in rows
        if row['missing'] or row['note']
    ]
    return _HEAD + ''.join(lines) + ('\n' + ''.join(notes) if notes else '')


def _between(text: str, name: str, content: str) -> str:
    """Put `content` between the two comments of that name."""
    begin, end = f'<!-- {name} -->', f'<!-- /{name} -->'
    pattern = re.compile(f'{re.escape(begin)}.*?{re.escape(end)}', re.DOTALL)
    if not pattern.search(text):
        raise ValueError(f"the page has no place '{begin} … {end}'")
    return pattern.sub(lambda _: f'{begin}\n{content}{end}', text)


def _machine(result: dict[str, Any]) -> str:
    lines = [
        f'{result["form"].capitalize()} form, {result["date"]}, {result["minutes"]} minutes. '
        + machine_line(result['machine'])
        + '.'
    ]
    load = result['load']
    lines.append(
        f'**{busy_line(load)}**'
        if load['busy']
        else f'Others used {load["others"]:.0%} of the processors during the run.'
    )
    return '\n\n'.join(lines) + '\n'


def _quantity(summary: dict[str, Any] | None, unit: str) -> str:
    return '' if summary is None else f'{_number(summary["median"])} {unit}'.strip()


def _spread(summary: dict[str, Any] | None) -> str:
    if summary is None:
        return ''
    text = _number(summary['median'])
    if summary['count'] == 1:
        return text
    return f'{text} ({_number(summary["low"])} – {_number(summary["high"])})'


def _number(value: float | None) -> str:
    return '∞' if value is None else number(value)


def _verdict(verdict: str) -> str:
    return f'**{verdict}**' if verdict in ('missed', 'missing') else verdict


if __name__ == '__main__':
    raise SystemExit(main())
