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

"""What the control loop tells about itself."""

from __future__ import annotations

from typing import NamedTuple

from robot_dynamics.control import State


class LoopReport(NamedTuple):
    """
    What the loop has seen since it was started; a copy that does not change any more.

    Attributes
    ----------
    state, reason
        The controller's state, and why it is waiting or in fault.
    age, stamp
        Seconds since the last usable state by the steady clock, infinite before the first; and
        the stamp in its header in seconds, 0 for none.
    received, overtaken, old, unusable
        Counts of messages: all; usable but not used, as a newer one had come; stamped before one
        already used; not usable.
    unusable_reason, unusable_age
        Why the last unusable message was so, and how long ago that was (infinite for never).
    clock_resets
        How often the stamps jumped back by more than a late message explains.
    commands
        Commands sent.
    saturated
        Number of commands in which each joint (n,) was held back by a limit.
    failure
        The exception that ended the loop, or ''.

    """

    state: State
    reason: str
    age: float
    stamp: float
    received: int
    overtaken: int
    old: int
    unusable: int
    unusable_reason: str
    unusable_age: float
    clock_resets: int
    commands: int
    saturated: tuple[int, ...]
    failure: str
