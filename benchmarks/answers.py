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

"""Which command answers which state: latency, and what was lost, overtaken or out of order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LEVELS = 256  # a state's number modulo this is written into the last joint's position
STEP = 1e-7  # [rad] from one level to the next; too little to move anything
_SURE = 0.25  # of a step: a value farther from all levels is no answer to a numbered state


@dataclass(frozen=True)
class Scale:
    """The last effort of a command as a straight line over the level: offset + slope level."""

    offset: float
    slope: float

    def numbers(self, efforts: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the level in each command, -1 where there is none."""
        level = (efforts - self.offset) / self.slope
        nearest = np.rint(level)
        good = (np.abs(level - nearest) < _SURE) & (nearest >= 0) & (nearest < LEVELS)
        return np.where(good, nearest, -1).astype(np.int64)


def learn_scale(
    sent: NDArray[np.int64], heard: NDArray[np.int64], efforts: NDArray[np.float64]
) -> Scale:
    """
    Learn from a slow phase, in which nearly each command answers the newest state.

    Parameters
    ----------
    sent, heard
        Times of the states, which are numbered from 0, and of the commands [ns].
    efforts
        The last effort of each command.

    """
    newest = np.searchsorted(sent, heard, side='right') - 1
    level = newest % LEVELS
    same_round = np.diff(newest) == 1
    same_round &= np.diff(level) == 1
    if not same_round.any():
        raise ValueError('no two commands follow each other: the node does not answer')
    slope = float(np.median(np.diff(efforts)[same_round]))
    return Scale(float(np.median(efforts - slope * level)), slope)


@dataclass(frozen=True)
class Answers:
    """
    What became of the states of one run.

    Attributes
    ----------
    latencies
        From just before a state was sent until its command was there [s], one for each command.
    sent, commands
        How many states were sent and commands heard.
    unanswered
        States without a command of their own: lost, or overtaken by a newer one.
    out_of_order
        Commands that answer an older state than the command before, or the same once more.
    unknown
        Commands that answer no numbered state, such as those of a ramp.

    """

    latencies: NDArray[np.float64]
    sent: int
    commands: int
    unanswered: int
    out_of_order: int
    unknown: int


def match(
    sent: NDArray[np.int64],
    heard: NDArray[np.int64],
    efforts: NDArray[np.float64],
    scale: Scale,
) -> Answers:
    """
    Find the state that each command answers.

    It is the newest one of the command's level that had been sent by then, so a command may be
    late by up to :data:`LEVELS` periods.
    """
    level = scale.numbers(efforts)
    newest = np.searchsorted(sent, heard, side='right') - 1
    state = newest - (newest - level) % LEVELS
    # a negative number is that of a state sent before the run began
    known = (level >= 0) & (state >= 0)
    answered = state[known]
    return Answers(
        latencies=(heard[known] - sent[answered]) * 1e-9,
        sent=len(sent),
        commands=len(heard),
        unanswered=len(sent) - len(np.unique(answered)),
        out_of_order=int((np.diff(answered) <= 0).sum()),
        unknown=int((level < 0).sum()),
    )
