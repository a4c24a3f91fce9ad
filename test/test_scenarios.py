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

"""The end-to-end scenarios as plain processes over DDS."""

import contextlib
import signal

import pytest

pytest.importorskip('rclpy', reason="needs rclpy: source ROS 2, or pip install '.[ros]'")

from scenario_observer import Observer  # noqa: E402
from scenario_processes import check_clean_end, start_run, started  # noqa: E402
from scenarios import all_scenarios, sine_run  # noqa: E402

pytestmark = pytest.mark.slow


@pytest.mark.parametrize('scenario', all_scenarios(), ids=str)
def test_scenario(scenario, ros_domain_id):
    if scenario.missing():
        pytest.skip(scenario.missing())
    with Observer(scenario.runs, ros_domain_id) as observer, started(scenario):
        scenario.check(observer)


def test_every_node_ends_within_a_second_in_motion(ros_domain_id):
    run = sine_run('rp_arm', 'computed_torque')
    signals = {'interrupt': signal.SIGINT, 'terminate': signal.SIGTERM}
    with contextlib.ExitStack() as stack:
        observer = stack.enter_context(Observer(signals, ros_domain_id))
        nodes = {namespace: start_run(namespace, run) for namespace in signals}
        for processes in nodes.values():
            for node in processes.values():
                stack.enter_context(node)
        observer.wait_for(lambda: all(map(observer.is_moving, signals)), 60.0, 'motion')
        for namespace, number in signals.items():
            for name in ('dynamics', 'reference', 'simulator'):
                code, seconds = nodes[namespace][name].end(number)
                check_clean_end(nodes[namespace][name], code)
                assert seconds < 1.0, f'{name} took {seconds:.2f} s after {number.name}'
            # The dynamics node ended first, while the arm was moving: it ramped down to zero.
            commands = observer.messages(namespace, 'dynamics/effort_command')
            observer.wait_for(
                lambda: list(commands[-1].data) == [0.0, 0.0], 5.0, 'zero as the last command'
            )
