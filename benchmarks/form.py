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

"""How long and how often: the quick form for every day, the full one for the record."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, kw_only=True)
class Form:
    """
    Repeats and durations.

    Attributes
    ----------
    name
        'quick' or 'full'.
    repeats
        Of what is measured side by side.
    seconds
        Of one round trip measurement [s].
    endurance
        Of the runs that count lost commands [s].
    fast
        Of the run at 8 kHz [s].
    starts
        Of processes, for their start and memory.
    growth
        Of the look at growing memory [s]; 0 for none.
    kernel_repeats, kernel_calls
        Of what is measured within one process.
    chains
        Numbers of joints; for each, code is compiled.

    """

    name: str
    repeats: int
    seconds: float
    endurance: float
    fast: float
    starts: int
    growth: float
    kernel_repeats: int
    kernel_calls: int
    chains: tuple[int, ...]


QUICK = Form(
    name='quick',
    repeats=3,
    seconds=1.5,
    endurance=4.0,
    fast=2.0,
    starts=3,
    growth=0.0,
    kernel_repeats=7,
    kernel_calls=1000,
    chains=(2, 7, 17, 32),
)
# The quick form with fewer repeats, for limits at twice the goals.
CHECK = replace(
    QUICK,
    name='check',
    repeats=2,
    seconds=1.0,
    endurance=2.0,
    fast=1.5,
    starts=2,
    kernel_repeats=5,
    chains=(2, 7, 32),
)
FULL = Form(
    name='full',
    repeats=5,
    seconds=5.0,
    endurance=60.0,
    fast=10.0,
    starts=7,
    growth=600.0,
    kernel_repeats=15,
    kernel_calls=4000,
    chains=(2, 4, 7, 12, 17, 22, 27, 32),
)
