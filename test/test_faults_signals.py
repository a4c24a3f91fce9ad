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

"""SIGINT and SIGTERM to a running node, at rest and in the middle of a trajectory."""

import signal

import numpy as np
import pytest

pytest.importorskip('rclpy', reason="needs rclpy: source ROS 2, or pip install '.[ros]'")

from fault_bench import check_fall, DrivenBench  # noqa: E402, I100

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('ros_domain_id')]

T = 0.002  # [s] between states
RAMP = 0.2  # [s] out of the last command
MODES = ('gravity_compensation', 'computed_torque')  # at rest, in motion


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_signals(faults, number):
    count, slowest = faults.count(2, 100), 0.0
    with DrivenBench(mode=MODES[0]) as bench, bench.start_driver(1.0 / T):
        for k in range(count):
            moving = k % 2 == 1
            if k > 0:
                bench.commands.clear()
                bench.restart_node(mode=MODES[moving])
            bench.wait_for_effort(bench.gravity())
            if moving:
                bench.send(times=(5.0,), positions=[list(bench.position + 0.3)])
                gravity = bench.gravity()
                bench.wait(
                    lambda: not np.allclose(bench.commands[-1][1].effort, gravity, atol=1e-3),
                    'motion',
                )
            code, seconds = bench.node.end(number)
            slowest = max(slowest, seconds)
            assert (code, seconds < 1.0) == (0, True)
            bench.wait(lambda: not any(bench.commands[-1][1].effort), 'zero effort')
            bench.client.handle_for(0.05)
            assert 'Traceback' not in bench.node.output()
            stamps, efforts = bench.stamped()
            check_fall(efforts[stamps > stamps[-1] - 0.7 * RAMP])
    faults.record(
        f'{number.name}, every second one in the middle of a trajectory',
        count,
        f'ramp, zeros last, exit code 0 within {slowest:.2f} s, no traceback',
    )
