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

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('ros_domain_id')]

T = 0.002  # [s] between states


def test_long_run(faults):
    warm_up, seconds = 120.0, 600.0
    with DrivenBench(state_timeout=1.0) as bench, bench.start_driver(1.0 / T):
        bench.wait_for_effort(bench.gravity())
        pid, samples, begin = bench.node.process.pid, [], time.monotonic()
        files = open_files(pid)
        while time.monotonic() < begin + seconds:
            bench.client.handle_for(1.0)
            bench.commands.clear()
            bench.statuses.clear()
            samples.append((time.monotonic() - begin, resident_memory(pid)))
            assert open_files(pid) == files
        bench.wait(lambda: bench.commands, 'commands')
        bench.end()
    t, memory = np.array([sample for sample in samples if sample[0] > warm_up]).T
    slope, offset = np.polyfit(t / 3600.0, memory, 1)
    noise = np.std(memory - slope * t / 3600.0 - offset)
    error = noise / (np.std(t / 3600.0) * np.sqrt(len(t)))
    assert slope - 2.0 * error < 1.0
    faults.record(
        'long run, states at 500 Hz',
        1,
        f'{seconds:.0f} s, the first {warm_up:.0f} s left out: memory {slope:+.2f} MB/h '
        f'(standard error {error:.2f}; in this time 0.1 MB more would be +0.8 MB/h), '
        f'{files} file descriptors throughout',
    )
