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

"""A running node keeps its memory and its file descriptors."""

import time

import numpy as np
import pytest

pytest.importorskip('rclpy', reason="needs rclpy: source ROS 2, or pip install '.[ros]'")

from fault_bench import DrivenBench, open_files, private_memory  # noqa: E402, I100
from fault_report import LONG  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('ros_domain_id')]

RATE = 1000.0  # [Hz]


def slope_of(times, values, blocks):
    """Return the slope of a line through means of blocks, and its standard error."""
    size = len(times) // blocks
    used = size * blocks
    t = np.reshape(times[:used], (blocks, size)).mean(axis=1)
    y = np.reshape(values[:used], (blocks, size)).mean(axis=1)
    (slope, _), covariance = np.polyfit(t, y, 1, cov=True)
    return slope, np.sqrt(covariance[0, 0])


def test_long_run(faults):
    # CPython keeps up to 4096 names of attributes in its cache, some 0.3 MB. The conversion of
    # messages fills it in the first minutes; this is no leak, but would look like one.
    warm_up, seconds = (240, 360) if LONG else (2, 3)
    with DrivenBench(state_timeout=1.0) as bench, bench.start_driver(RATE):
        bench.wait_for_effort(bench.gravity())
        pid = bench.node.process.pid
        files, samples, begin = open_files(pid), [], time.monotonic()
        while time.monotonic() < begin + warm_up + seconds:
            time.sleep(0.5)
            samples.append((time.monotonic() - begin, private_memory(pid)))
            assert open_files(pid) == files
        bench.client.handle_for(0.5)  # what has come meanwhile
        values = bench.wait_for_status('holding', b'\0')
        bench.end()
    assert int(values['commands']) > 0.5 * RATE * (warm_up + seconds), 'all the time'
    t, memory = np.array([sample for sample in samples if sample[0] > warm_up]).T
    growth = f'memory {memory[-1] - memory[0]:+.3f} MB'
    assert memory[-1] - memory[0] < 0.3
    if LONG:
        slope, error = slope_of(t / 3600.0, memory, 18)
        growth += f', {round(slope, 2) + 0.0:+.2f} MB/h (standard error {error:.2f}; limit 1 MB/h)'
        assert slope + 2.0 * error < 1.0
    faults.record(
        'long run, states at 1 kHz [s]',
        warm_up + seconds,
        f'{growth}, in the last {seconds} s; {files} file descriptors throughout',
    )
