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

"""Wrong connections and stuck drivers beside a running node, and what diagnostics make of them."""

import math
import time

from diagnostic_msgs.msg import DiagnosticStatus
import numpy as np
import pytest

pytest.importorskip('rclpy', reason="needs rclpy: source ROS 2, or pip install '.[ros]'")

from dynamics_bench import Bench  # noqa: E402, I100
from rclpy.duration import Duration  # noqa: E402
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy  # noqa: E402
from robot_dynamics import _share  # noqa: E402
from sensor_msgs.msg import JointState  # noqa: E402
from std_msgs.msg import Float64MultiArray, String  # noqa: E402
from trajectory_msgs.msg import JointTrajectory  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('ros_domain_id')]

OK, WARN, ERROR = DiagnosticStatus.OK, DiagnosticStatus.WARN, DiagnosticStatus.ERROR
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
CARELESS = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
PROMISE = 2.0  # [s] until diagnostics say what is wrong


def test_connections_that_do_not_fit(faults):
    count, slowest = faults.count(1, 15), 0.0
    with Bench('arm_2r') as bench:
        node = bench.client.node
        wrong = {
            'hears nothing on /dynamics/effort_command: it asks for transient local': (
                lambda: node.create_subscription(
                    Float64MultiArray, 'dynamics/effort_command', lambda _: None, LATCHED
                ),
                node.destroy_subscription,
            ),
            'is not heard on /dynamics/joint_trajectory: it does not publish reliable': (
                lambda: node.create_publisher(
                    JointTrajectory, 'dynamics/joint_trajectory', CARELESS
                ),
                node.destroy_publisher,
            ),
            'joint_states: two publishers': (
                lambda: node.create_publisher(JointState, 'joint_states', 10),
                node.destroy_publisher,
            ),
        }
        bench.wait_for_effort(bench.gravity())
        for _ in range(count):
            for text, (make, destroy) in wrong.items():
                begin = time.monotonic()
                entity = make()
                bench.wait_for_status(text, WARN)
                slowest = max(slowest, time.monotonic() - begin)
                destroy(entity)
                bench.wait_for_status('holding', OK)
        bench.commands.clear()
        limit = 0.5 * np.abs(bench.gravity())
        begin = time.monotonic()
        assert bench.client.set_parameters('dynamics', effort_limit=limit.tolist()).successful
        bench.wait_for_status('held back by a limit: joint1, joint2', WARN)
        slowest = max(slowest, time.monotonic() - begin)
        assert (np.abs(bench.efforts()[-1]) <= limit).all()
        bench.end()
    assert slowest <= PROMISE
    faults.record(
        'qualities of service that do not match; two publishers of joint_states',
        len(wrong) * count,
        f'said in diagnostics with cause and cure after {slowest:.1f} s at most '
        f'(limit {PROMISE:g} s); saturated joints are named as soon',
    )


class WrongClock:
    """A clock for the stamps of a driver, that can be ahead, behind, or stopped."""

    def __init__(self, clock):
        self._clock, self._stopped_at, self.offset = clock, None, 0.0

    def get_clock(self):
        return self

    def now(self):
        now = self._clock.now() + Duration(seconds=self.offset)
        return now if self._stopped_at is None else self._stopped_at

    def stop(self):
        self._stopped_at = self._clock.now() - Duration(seconds=0.5)

    def go(self):
        self._stopped_at = None


def test_driver_that_repeats_an_old_state(faults):
    count = faults.count(2, 50)
    with Bench('arm_2r', start=False, state_timeout=0.2) as bench:
        clock = bench.driver._node = WrongClock(bench.client.node.get_clock())
        bench.driver.start()
        for _ in range(count):
            bench.wait_for_effort(bench.gravity())
            clock.stop()
            bench.wait(lambda: not bench.efforts()[-1].any(), 'zero effort')
            values = bench.wait_for_status('joint_states: no', ERROR)
            assert int(values['states dropped as old']) > 0
            bench.commands.clear()
            clock.go()
        bench.wait_for_effort(bench.gravity())
        assert 'Traceback' not in bench.end()
    faults.record(
        'driver that repeats an old state',
        count,
        'dropped and counted; the age goes on: safe stop, and the return by a ramp',
    )


def test_driver_with_another_clock(faults):
    rounds = faults.count(1, 10)
    with Bench('arm_2r', start=False) as bench:
        clock = bench.driver._node = WrongClock(bench.client.node.get_clock())
        bench.driver.start()
        bench.wait_for_effort(bench.gravity())
        bench.commands.clear()
        for _ in range(rounds):
            for offset, text in (
                (3600.0, 's ahead of the clock'),
                (-3600.0, 's behind the clock'),
            ):
                clock.offset = offset
                bench.wait_for_status(f'joint_states: stamps are 3600.0 {text}', WARN)
                clock.offset = 0.0
                bench.wait_for_status('holding', OK)
        efforts = bench.efforts()
        np.testing.assert_allclose(efforts, np.tile(bench.gravity(), (len(efforts), 1)), atol=1e-9)
        assert 'Traceback' not in bench.end()
    faults.record(
        'clock of the driver an hour ahead, an hour behind, and set right again',
        2 * rounds,
        f'said in diagnostics; {len(efforts):,} commands meanwhile, all unchanged',
    )


def test_nothing_is_sent_before_there_is_a_robot(faults):
    with Bench('arm_2r', robot='', start=False) as bench:
        node = bench.client.node
        bench.driver.start()
        bench.wait_for_status('waiting for a robot description', WARN)
        bench.send(times=(1.0,))
        bench.wait_for_refusal(1)
        assert not bench.commands
        bench.driver.stop()
        publisher = node.create_publisher(String, 'robot_description', LATCHED)
        urdf = _share.share_path('config', 'robots', 'arm_2r.urdf').read_text(encoding='utf-8')
        publisher.publish(String(data=urdf))
        bench.wait_for_status('joint_states: no message yet', WARN)
        for _ in range(4):  # fresh_states are 5
            bench.driver.send_once()
        bench.client.handle_for(0.3)
        assert not bench.commands
        bench.driver.message.position[0] = math.nan
        bench.driver.send_once()
        bench.client.handle_for(0.3)
        assert not bench.commands
        bench.driver.message.position[0] = bench.position[0]
        bench.driver.start()
        bench.wait_for_effort(bench.gravity())
        assert np.abs(bench.efforts()[0][0]) < 0.3 * np.abs(bench.gravity()[0]), 'by a ramp'
        bench.end()
    faults.record(
        'start without a robot, then with too few and with bad states',
        1,
        'nothing sent until all is there; first command by a ramp; what is missing is said',
    )
