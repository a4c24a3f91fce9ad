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


"""Moments at which the machine itself stood still, whatever the program under test did."""

import os
import subprocess
import sys
import time

LATE = 0.03  # [s] after which a process that asked to wake up counts as held up

_SLEEPER = f"""
import os, sys, time
os.sched_setaffinity(0, [int(sys.argv[1])])
while True:
    before = time.time()
    time.sleep(0.005)
    after = time.time()
    if after - before - 0.005 > {LATE}:
        print(before, after, flush=True)
"""


class StallWatch:
    """
    Processes that only sleep, one on each processor, and tell when they were woken up late.

    A virtual machine loses its processors now and then. Whoever sleeps at that time on the same
    processor sees it too, so that it is not taken for a fault of the program under test.
    """

    def __enter__(self):
        self._stalls = []
        self._sleepers = [
            subprocess.Popen(
                [sys.executable, '-S', '-c', _SLEEPER, str(processor)], stdout=subprocess.PIPE
            )
            for processor in sorted(os.sched_getaffinity(0))
        ]
        for sleeper in self._sleepers:
            os.set_blocking(sleeper.stdout.fileno(), False)
        return self

    def __exit__(self, *_):
        for sleeper in self._sleepers:
            sleeper.kill()
            sleeper.wait()
            sleeper.stdout.close()

    def longest(self, begin, end):
        """Return the longest time [s] that a sleeper was late between two times of the clock."""
        time.sleep(2.0 * LATE)  # for one that is late just now
        for sleeper in self._sleepers:
            # None when nothing has been written
            for line in (sleeper.stdout.read() or b'').splitlines():
                since, until = map(float, line.split())
                self._stalls.append((since, until))
        return max(
            (until - since for since, until in self._stalls if until >= begin and since <= end),
            default=0.0,
        )
