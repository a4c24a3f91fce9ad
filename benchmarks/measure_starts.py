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
from round_trip import dynamics, travel, watch_memory
from rows import Row
from summary import straight_line

Say = Callable[[str], None]

_SETTLING = 120.0  # [s] in which memory may still grow


def measure(form: Form, say: Say) -> list[Row]:
    """Measure S1 and S2, in the full form with the growth of memory."""
    say('starts and memory')
    starts, memory, bare_starts, bare_memory = [], [], [], []
    for _ in range(form.starts):
        trip = travel(dynamics(), seconds=0.2)
        starts.append(trip.start)
        memory.append(trip.resident)
        with Process([PEERS / 'bare_process.py']) as bare:
            created = int(bare.hear().split()[0])
            bare_starts.append((created - bare.started) * 1e-9)
            time.sleep(0.5)
            bare_memory.append(bare.resident())
    rows = [
        Row.ratio(
            'S1',
            'process start to first command, against rclpy, Pinocchio and a node',
            starts,
            bare_starts,
            unit='s',
        ),
        Row.ratio('S2', 'memory (RSS) against the same', memory, bare_memory, unit='MB'),
    ]
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
