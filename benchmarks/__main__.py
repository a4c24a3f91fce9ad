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

"""
Measure this package against others, side by side: ``python benchmarks``.

Times are medians of interleaved repeats, ratios those of neighbouring pairs.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
import json
from pathlib import Path
import sys
import time
from typing import Any

from arm import CACHE
from form import CHECK, Form, FULL, QUICK
from machine import describe, LoadWatch
from processes import private_domain, ProcessFailed
from result_table import print_result
from rows import Row

_PARTS = 'KBNS'


def main() -> int:
    """Run what is asked for; return the exit code."""
    arguments = _arguments()
    form = FULL if arguments.full else CHECK if arguments.check else QUICK
    began = time.monotonic()

    def say(text: str) -> None:
        print(f'[{time.monotonic() - began:4.0f} s] {text}', file=sys.stderr, flush=True)

    machine, watch = describe(), LoadWatch()
    install = arguments.full or arguments.peers
    try:
        with private_domain():
            rows, pictures = _measure(arguments.parts, form, say, install)
            if arguments.check:
                rows = _with_second_try(rows, form, say, install)
    except ProcessFailed as error:
        print(f'error: {error}', file=sys.stderr)
        return 1
    load = watch.as_json()
    print_result(rows, machine, load)
    output = arguments.output or CACHE / f'{form.name}.json'
    result = {
        'form': form.name,
        'date': time.strftime('%Y-%m-%d'),
        'minutes': round((time.monotonic() - began) / 60.0, 1),
        'machine': machine,
        'load': load,
        'rows': [row.as_json() for row in rows],
        **pictures,
    }
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps(result, indent=1, ensure_ascii=False) + '\n', encoding='utf-8')
    print(f'\n{output} written after {result["minutes"]} minutes')
    broken = [row for row in rows if row.is_broken]
    if arguments.check and broken:
        names = ', '.join(row.key for row in broken)
        print(f'error: beyond twice the goal: {names}', file=sys.stderr)
        return 1
    return 0


def _with_second_try(
    rows: Sequence[Row], form: Form, say: Callable[[str], None], install: bool
) -> list[Row]:
    """Measure parts with a broken bound again: others may have computed just then."""
    broken = {row.key for row in rows if row.is_broken}
    parts = ''.join(sorted({key[0] for key in broken}))
    if not parts:
        return list(rows)
    say(f'once more: {", ".join(sorted(broken))}')
    again = {row.key: row for row in _measure(parts, form, say, install)[0]}
    return [again.get(row.key, row) if row.is_broken else row for row in rows]


def _measure(
    parts: str, form: Form, say: Callable[[str], None], install: bool
) -> tuple[list[Row], dict[str, Any]]:
    """Measure parts; they are imported when needed, since not all of them need ROS."""
    rows: list[Row] = []
    pictures: dict[str, Any] = {}
    for part in parts:
        if part == 'K':
            import measure_core

            found, pictures['costs'] = measure_core.measure(form, say, install=install)
        elif part == 'B':
            import measure_batches

            found = measure_batches.measure(form, say)
        elif part == 'N':
            import measure_nodes

            found, pictures['latencies'] = measure_nodes.measure(form, say)
        else:
            import measure_starts

            found = measure_starts.measure(form, say)
        rows += found
    return rows, pictures


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog='python benchmarks', description=__doc__)
    parser.add_argument(
        '--full', action='store_true', help='long and often; takes about half an hour'
    )
    parser.add_argument(
        '--check',
        action='store_true',
        help='few repeats; exit code 1 when a number is beyond twice its goal',
    )
    parser.add_argument(
        '--peers', action='store_true', help='install other libraries that are not there yet'
    )
    parser.add_argument(
        '--parts',
        default=_PARTS,
        type=_parts,
        help=f'any of {_PARTS}: core, batches, nodes, starts and memory',
    )
    parser.add_argument('--output', type=Path, help='JSON file for the result')
    return parser.parse_args()


def _parts(text: str) -> str:
    if not text or set(text) - set(_PARTS):
        raise argparse.ArgumentTypeError(f'{text!r} is not some of the letters {_PARTS}')
    return text


if __name__ == '__main__':
    raise SystemExit(main())
