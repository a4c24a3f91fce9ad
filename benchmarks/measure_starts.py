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

"""S1 and S2: from process start to the first command, and memory."""

from __future__ import annotations

from collections.abc import Callable
import time

from form import Form
from processes import PEERS, Process
from round_trip import dynamics, travel, Trip, watch_memory
from rows import Row
from summary import straight_line

Say = Callable[[str], None]

_SETTLING = 120.0  # [s] in which memory may still grow


def measure(form: Form, say: Say) -> list[Row]:
    """Measure S1 and S2, in the full form with the growth of memory."""
    say('starts and memory')
    subjects = {'': dynamics(backend='numpy'), ' accelerated': dynamics()}
    trips: dict[str, list[Trip]] = {suffix: [] for suffix in subjects}
    bare_starts, bare_memory = [], []
    for _ in range(form.starts):
        for suffix, subject in subjects.items():
            trips[suffix].append(travel(subject, seconds=0.2))
        with Process([PEERS / 'bare_process.py']) as bare:
            created = int(bare.hear().split()[0])
            bare_starts.append((created - bare.started) * 1e-9)
            time.sleep(0.5)
            bare_memory.append(bare.resident())
    rows = []
    for suffix, seen in trips.items():
        how = 'compiling aside' if suffix else 'base dependencies'
        rows += [
            Row.ratio(
                f'S1{suffix}',
                f'process start to first command against a bare process, {how}',
                [trip.start for trip in seen],
                bare_starts,
                unit='s',
            ),
            Row.ratio(
                f'S2{suffix}',
                f'memory (RSS) against a bare process, {how}',
                [trip.resident for trip in seen],
                bare_memory,
                unit='MB',
            ),
        ]
    rows.sort(key=lambda row: row.key)
    if form.growth:
        say(f'memory over {form.growth / 60.0:g} minutes')
        times, sizes = watch_memory(dynamics(), form.growth)
        late = [k for k, moment in enumerate(times) if moment >= _SETTLING]
        _, slope = straight_line([times[k] for k in late], [sizes[k] for k in late])
        rows.append(
            Row.number(
                'S2 growth',
                f'growth of memory from minute 2 to {form.growth / 60.0:g} at 1 kHz',
                [3600.0 * slope],
                unit='MB/h',
                note=f'{sizes[0]:.1f} MB at first, {sizes[-1]:.1f} MB at the end',
            )
        )
    return rows
