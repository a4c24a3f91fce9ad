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

"""N1 to N7: whole nodes in processes of their own, over the middleware."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from form import Form
import numpy as np
from numpy.typing import NDArray
from round_trip import dynamics, echo_loop, echo_spin, several_arms, Subject, travel, Trip
from rows import Row

Say = Callable[[str], None]

_ARMS = ('/one', '/two', '/three', '/four')
_QUANTILES = np.concatenate([np.linspace(0.0, 0.99, 100), np.linspace(0.99, 1.0, 21)[1:]])


def measure(form: Form, say: Say) -> tuple[list[Row], dict[str, Any]]:
    """
    Measure N1 to N7.

    Returns
    -------
    list of Row
        The results.
    dict
        The distributions of the round trips by name, for the figure.

    """
    subjects = [dynamics(), echo_spin(), echo_loop()]
    say('round trips at 1 kHz')
    free = _side_by_side(subjects, form)
    say('round trips at 1 kHz, driver and node on one processor')
    pinned = _side_by_side(subjects, form, processor=0)
    ours, spin, loop = (free[subject.name] for subject in subjects)
    spoiled = sum(
        trip.spoiled for group in (free, pinned) for trips in group.values() for trip in trips
    )
    rows = [
        _latency('N1', 'round trip against an rclpy.spin echo', ours, spin),
        _latency(
            'N1 pinned',
            'the same, driver and node on one processor',
            pinned[subjects[0].name],
            pinned[subjects[1].name],
        ),
        Row.ratio(
            'N1 floor pinned',
            'the best empty loop against the rclpy.spin echo, on one processor',
            _medians(pinned[subjects[2].name]),
            _medians(pinned[subjects[1].name]),
            unit='µs',
        ),
        _latency('N2', 'round trip against the best empty loop', ours, loop),
        Row.ratio(
            'N2 pinned',
            'the same, driver and node on one processor',
            _medians(pinned[subjects[0].name]),
            _medians(pinned[subjects[2].name]),
            unit='µs',
        ),
        Row.ratio(
            'N3',
            'processor share against the rclpy.spin echo',
            [100.0 * trip.processor_share for trip in ours],
            [100.0 * trip.processor_share for trip in spin],
            unit='%',
        ),
        Row.ratio(
            'N3 floor',
            'the same of the best empty loop',
            [100.0 * trip.processor_share for trip in loop],
            [100.0 * trip.processor_share for trip in spin],
            unit='%',
        ),
        _latency('N4', 'p99 of the round trip against that of the echo', ours, spin, 99.0),
        _latency('N4 p99.9', 'p99.9 of the round trip', ours, spin, 99.9),
        _latency('N4 maximum', 'longest round trip', ours, spin, 100.0),
    ]
    for kilohertz in (1, 2):
        say(f'lost commands at {kilohertz} kHz')
        rows.append(_losses(kilohertz, form))
    say('messages lost at 8 kHz')
    rows.append(_flood(form))
    say('four arms in one process')
    rows.append(_four_arms(form))
    if spoiled:
        note = f'{spoiled} runs repeated, since the machine held a node up until it stopped safely'
        rows[0] = replace(rows[0], note=note)
    pictures = {
        kind: {
            name: _distribution(np.concatenate([trip.answers.latencies for trip in trips]))
            for name, trips in group.items()
        }
        for kind, group in (('free', free), ('pinned', pinned))
    }
    return rows, pictures


def _side_by_side(
    subjects: Sequence[Subject], form: Form, processor: int | None = None
) -> dict[str, list[Trip]]:
    """Measure each in turn, then again: what slows the machine for a while slows all of them."""
    trips: dict[str, list[Trip]] = {subject.name: [] for subject in subjects}
    for _ in range(form.repeats):
        for subject in subjects:
            trips[subject.name].append(travel(subject, seconds=form.seconds, processor=processor))
    return trips


def _medians(trips: Sequence[Trip], percentile: float = 50.0) -> list[float]:
    return [1e6 * float(np.percentile(trip.answers.latencies, percentile)) for trip in trips]


def _latency(
    key: str, measure: str, ours: Sequence[Trip], base: Sequence[Trip], percentile: float = 50.0
) -> Row:
    return Row.ratio(
        key, measure, _medians(ours, percentile), _medians(base, percentile), unit='µs'
    )


def _losses(kilohertz: int, form: Form) -> Row:
    """Count what the node sent and the driver did not hear, and what came out of order."""
    trip = travel(dynamics(), rate=1e3 * kilohertz, seconds=form.endurance, counts=True)
    lost = trip.counts['commands'] - trip.commands_heard
    late = trip.answers.out_of_order + trip.counts['states dropped as old']
    return Row.number(
        f'N5 {kilohertz} kHz',
        f'commands lost or out of order in {form.endurance:g} s at {kilohertz} kHz',
        [float(abs(lost) + late)],
        note=f'{trip.answers.sent} states sent, {trip.answers.unanswered} of them not answered: '
        f'{trip.counts["states overtaken"]} overtaken by a newer one since the start',
    )


def _flood(form: Form) -> Row:
    """Compare losses at 8 kHz: a state that a newer one has overtaken is not lost."""
    ours = travel(dynamics(), rate=8e3, seconds=form.fast, counts=True)
    echo = travel(echo_spin(), rate=8e3, seconds=form.fast)
    # what was sent before the flood, at a low rate, has arrived
    overtaken = ours.counts['states overtaken']
    lost = max(0, ours.answers.unanswered - overtaken)
    return Row.ratio(
        'N6',
        f'messages lost in {form.fast:g} s at 8 kHz against the echo',
        [float(lost)],
        [float(echo.answers.unanswered)],
        unit='messages',
        note=f'{ours.answers.sent} states sent; {overtaken} overtaken by a newer one',
    )


def _four_arms(form: Form) -> Row:
    ours, base = [], []
    for _ in range(form.repeats):
        four = travel(several_arms(_ARMS), seconds=form.seconds, namespaces=_ARMS)
        ours.append(100.0 * four.processor_share)
        base.append(100.0 * len(_ARMS) * travel(dynamics(), seconds=form.seconds).processor_share)
    return Row.ratio(
        'N7', 'four arms in one process against four times one arm', ours, base, unit='%'
    )


def _distribution(latencies: NDArray[np.float64]) -> dict[str, list[float]]:
    """Return quantiles of the latencies [µs], enough for a curve."""
    values = 1e6 * np.quantile(latencies, _QUANTILES)
    return {
        'share': [round(float(share), 5) for share in _QUANTILES],
        'microseconds': [round(float(value), 2) for value in values],
    }
