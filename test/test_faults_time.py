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

"""Faults injected into the time of a running node: jumps, and a clock that never starts."""

from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticStatus
import numpy as np
import pytest

pytest.importorskip('rclpy', reason="needs rclpy: source ROS 2, or pip install '.[ros]'")

from dynamics_bench import Bench  # noqa: E402, I100
from fault_bench import SLACK  # noqa: E402
from rosgraph_msgs.msg import Clock  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('ros_domain_id')]

GAINS = {'mode': 'pd_gravity', 'effort_gains': {'kp': 100.0, 'kd': 10.0}}
OK = DiagnosticStatus.OK


class SimulatedTime:
    """A /clock of the test, and a driver whose stamps are of it."""

    def __init__(self, bench):
        self._publisher = bench.client.node.create_publisher(Clock, 'clock', 10)
        self.seconds = 1000.0
        bench.client.node.create_timer(0.01, self._advance)
        bench.driver._node = self

    def _advance(self):
        self.seconds += 0.01
        self._publisher.publish(Clock(clock=self.to_msg()))

    def get_clock(self):
        return self

    def now(self):
        return self

    def to_msg(self):
        return Time(sec=int(self.seconds), nanosec=int(self.seconds % 1.0 * 1e9))


def check_rate(bench, rate):
    """Require that no effort changes faster than a rate, but for the jitter of the receipt."""
    times = np.array([when for when, _ in bench.commands])
    allowed = (np.diff(times)[:, np.newaxis] + 0.5 * SLACK) * rate
    assert (np.abs(np.diff(bench.efforts(), axis=0)) <= allowed).all()


def test_ros_time_jumps(faults):
    rounds, rate, jumps = faults.count(1, 10), 100.0, 0
    with Bench('arm_2r', use_sim_time=True, effort_rate_limit=rate, start=False, **GAINS) as bench:
        time = SimulatedTime(bench)
        bench.driver.start()
        bench.wait_for_effort(bench.gravity())
        for change in rounds * (3600.0, -3600.0, None):
            bench.send(times=(3.0,), positions=[list(bench.position + 0.3)])
            bench.wait_for_status('tracking', OK)
            bench.wait(lambda: not np.allclose(bench.efforts()[-1], bench.gravity()), 'motion')
            time.seconds = 0.0 if change is None else time.seconds + change
            jumps += 1
            text = 'ROS time jumped by'
            bench.wait(lambda: bench.node.output().count(text) == jumps, 'the jump')
            bench.wait_for_status('holding', OK)
            check_rate(bench, rate)
            # A set-point brings it back; the commands of the next round begin there.
            bench.send(times=(0.3,))
            bench.wait_for_effort(bench.gravity())
            bench.commands.clear()
            bench.wait(lambda: bench.commands, 'commands')
            time.seconds += 1000.0
            jumps += 1
            bench.wait(lambda: bench.node.output().count(text) == jumps, 'the way back')
        bench.driver.stop()
        bench.wait(lambda: not bench.efforts()[-1].any(), 'the watchdog')
        check_rate(bench, max(rate, np.abs(bench.gravity()).max() / 0.2))
        assert 'Traceback' not in bench.end()
    faults.record(
        'ROS time jumps by ±1 h or to 0 in the middle of a trajectory',
        3 * rounds,
        'the trajectory is dropped, then hold; no effort changes faster than effort_rate_limit; '
        'the watchdog works',
    )


def test_ros_time_that_never_starts(faults):
    with Bench('arm_2r', use_sim_time=True, state_timeout=0.3, **GAINS) as bench:
        bench.wait_for_effort(bench.gravity())
        bench.wait_for_status('no time has come on /clock', DiagnosticStatus.WARN)
        goal = bench.position + 0.1
        bench.send(times=(0.5,), positions=[list(goal)])
        bench.wait_for_effort(bench.model.gravity(bench.position) + 0.1 * 100.0, 'the goal')
        bench.driver.stop()
        bench.wait(lambda: not bench.efforts()[-1].any(), 'the watchdog')
        assert bench.commands[-1][0] - bench.driver.last_sent < 0.3 + 0.2 + 2.0 * SLACK
        assert 'Traceback' not in bench.end()
    faults.record(
        'ROS time never starts',
        1,
        'said in diagnostics; efforts, trajectories and the watchdog go on by the steady clock',
    )
