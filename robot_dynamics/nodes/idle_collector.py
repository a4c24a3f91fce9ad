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

"""Garbage collection while a control loop runs: in the executor's thread, when it is idle."""

from __future__ import annotations

import gc

_ROUNDS_TO_FULL = 40  # looks at young objects for each look at all


class IdleCollector:
    """
    Keeps the automatic collection, which halts all threads, away from control loops.

    What exists when a loop starts lives on while it runs and is not looked at again; what is made
    later is looked at when the owner of this object has time. All calls come from one thread.
    """

    # of this process: the collector is shared by all nodes in it
    _loops = 0
    _has_begun = False

    def __init__(self) -> None:
        self._is_active = self._is_paused = False
        self._rounds = 0

    def begin(self) -> None:
        """Stop the automatic collection; a loop is about to start."""
        if self._is_active:
            return
        if IdleCollector._loops == 0 and IdleCollector._has_begun:
            # what was frozen for an earlier loop may be garbage by now
            gc.unfreeze()
        gc.collect()
        gc.freeze()
        gc.disable()
        self._is_active = True
        IdleCollector._loops += 1
        IdleCollector._has_begun = True

    def pause(self) -> None:
        """Leave everything alone until ``keep``: many lasting objects are being made."""
        self._is_paused = True

    def keep(self) -> None:
        """Take what exists now, garbage among it, for lasting: no look at it is worth a halt."""
        self._is_paused = False
        if self._is_active:
            gc.freeze()

    def collect(self) -> None:
        """Collect what has been made lately, and now and then all that is not frozen."""
        if self._is_active and not self._is_paused:
            self._rounds = (self._rounds + 1) % _ROUNDS_TO_FULL
            gc.collect(1 if self._rounds else 2)

    def end(self) -> None:
        """Let the automatic collection go on, once no loop runs any more."""
        if self._is_active:
            self._is_active = False
            IdleCollector._loops -= 1
            if IdleCollector._loops == 0:
                gc.enable()
