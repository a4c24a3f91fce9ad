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

"""Transitions of a running node by the thousand, and robots loaded anew."""

import numpy as np
import pytest

pytest.importorskip('rclpy', reason="needs rclpy: source ROS 2, or pip install '.[ros]'")

from dynamics_bench import Bench  # noqa: E402, I100
from fault_bench import private_memory  # noqa: E402
from std_srvs.srv import Trigger  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('ros_domain_id')]

GAINS = {'mode': 'pd_gravity', 'effort_gains': {'kp': 100.0, 'kd': 10.0}}


def test_lifecycle_cycles(faults):
    count = faults.count(6, 1000)
    with Bench('arm_2r', start_ramp=0.05, fault_ramp=0.05, **GAINS) as bench:
        client = bench.client
        goal = [list(bench.position + 0.3)]
        for k in range(count):
            bench.commands.clear()
            bench.wait_for_effort(bench.gravity(), 'the effort of holding, not of the old goal')
            offset = np.abs(bench.efforts() - bench.gravity()).max(axis=0)
            assert (np.abs(bench.efforts()) <= np.abs(bench.gravity()) + 1e-9).all(), offset
            bench.send(times=(1.0,), positions=goal)
            bench.wait(lambda: bench.efforts()[-1][0] > bench.gravity()[0] + 1e-3, 'motion')
            assert client.change_state('dynamics', 'deactivate')
            bench.wait(lambda: not bench.efforts()[-1].any(), 'zero effort')
            if k % 2:
                assert client.change_state('dynamics', 'cleanup')
                assert client.change_state('dynamics', 'configure')
            if k % 5 == 0:
                output = bench.node.output().count('the node is not active')
                bench.send(times=(1.0,), positions=goal)
                text = 'the node is not active'
                bench.wait(lambda: bench.node.output().count(text) > output, 'the refusal')
            assert not bench.efforts()[-1].any()
            assert client.change_state('dynamics', 'activate')
        bench.wait_for_effort(bench.gravity())
        assert 'Traceback' not in bench.end()
    faults.record(
        'deactivate (cleanup, configure) activate in the middle of a trajectory',
        count,
        'zeros last, every time; afterwards hold: no old goal survives; trajectories to an '
        'inactive node refused',
    )


def test_model_reloads(faults):
    count, warm_up = faults.count(30, 1000), 20
    with Bench('arm_2r') as bench:
        client, name = bench.client, '/dynamics/reload_model'
        bench.wait_for_effort(bench.gravity())
        refused = client.call(Trigger, name)
        assert not refused.success and 'deactivate' in refused.message
        assert client.change_state('dynamics', 'deactivate')
        bench.driver.stop()
        for k in range(warm_up + count):
            if k == warm_up:
                before = private_memory(bench.node.process.pid)
            assert client.call(Trigger, name).success
        growth = private_memory(bench.node.process.pid) - before
        bench.driver.start()
        bench.commands.clear()
        assert client.change_state('dynamics', 'activate')
        bench.wait_for_effort(bench.gravity())
        bench.end()
    assert growth < 5.0
    faults.record(
        'model reloads',
        count,
        f'refused while active; inactive: memory growth {growth:+.2f} MB (limit 5 MB)',
    )
