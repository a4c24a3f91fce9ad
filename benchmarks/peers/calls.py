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

"""How a peer in another environment is asked for timings: one line in, one line out."""

import gc
import statistics
import sys
import time

import numpy as np

CHUNK = 100  # calls timed together; their median leaves out when others computed


def load_states():
    """Return positions, velocities and accelerations as lists of rows, from the last argument."""
    with np.load(sys.argv[-1]) as states:
        return [[np.ascontiguousarray(row) for row in states[key]] for key in 'qva']


def serve(version, run, states):
    """Say the version, then for each line on stdin the microseconds of one call."""
    rows = list(zip(*states))
    run(rows)
    gc.collect()
    gc.disable()
    print(version, flush=True)
    for _ in sys.stdin:
        durations = []
        for k in range(0, len(rows), CHUNK):
            end = k + CHUNK
            chunk = rows[k:end]
            begin = time.perf_counter()
            run(chunk)
            durations.append((time.perf_counter() - begin) / len(chunk))
        print(1e6 * statistics.median(durations), flush=True)
