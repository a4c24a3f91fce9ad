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

"""The reference node as its users meet it: a process with topics and parameters."""

import signal

import numpy as np
import pytest

pytest.importorskip('rclpy', reason="needs rclpy: source ROS 2, or pip install '.[ros]'")

from rclpy.qos import DurabilityPolicy, QoSProfile  # noqa: E402
from robot_dynamics.model import find_robot  # noqa: E402
from ros_harness import Client, DEADLINE, FakeDriver, NodeProcess  # noqa: E402
from std_msgs.msg import String  # noqa: E402
from trajectory_msgs.msg import JointTrajectory  # noqa: E402

pytestmark = pytest.mark.usefixtures('ros_domain_id')

MODULE = 'robot_dynamics.nodes.reference_node'
Q = [0.3, -0.5]  # [rad]


def seconds(duration):
    return duration.sec + 1e-9 * duration.nanosec


def test_sine_is_sent_once_the_arm_is_there_and_somebody_listens():
    with (
        NodeProcess(
            MODULE, {'robot': 'arm_2r', 'start_delay': 0, 'duration': 3, 'amplitude': '0.2, 0.1'}
        ) as node,
        Client() as client,
    ):
        driver = FakeDriver(client, ('joint1', 'joint2'), Q, rate=100.0)
        with driver:
            client.wait_until(lambda: driver.is_heard, 'the node to listen to the arm')
            client.wait_until(lambda: not driver.is_heard, 'the node to know the arm')
        heard = client.subscribe(JointTrajectory, 'joint_trajectory')
        client.wait_until(lambda: heard, 'the trajectory')
        client.handle_for(0.3)
        code, took = node.end(signal.SIGINT)
        output = node.output()
    assert len(heard) == 1, 'sent once'
    message = heard[0][1]
    assert list(message.joint_names) == ['joint1', 'joint2']
    assert (message.header.stamp.sec, message.header.stamp.nanosec) == (0, 0), '0 means now'
    assert seconds(message.points[0].time_from_start) == 1.0
    assert seconds(message.points[-1].time_from_start) == 4.0
    np.testing.assert_allclose(message.points[0].positions, Q)
    np.testing.assert_allclose(message.points[-1].velocities, 0.0, atol=1e-12)
    reach = np.abs(np.array([point.positions for point in message.points]) - Q).max(axis=0)
    # A point need not lie at the very top of the sine.
    np.testing.assert_allclose(reach, [0.2, 0.1], rtol=0.05)
    assert len(message.points[100].accelerations) == 2
    assert (code, took < 1.0) == (0, True)
    assert 'sent sine: 301 points, 4 s' in output
    assert 'Traceback' not in output


def test_robot_from_the_topic_with_a_prefix_and_again_and_again():
    latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    with (
        NodeProcess(
            MODULE,
            {
                'kind': 'rest_to_rest',
                'goal': [0.4, -0.4],
                'duration': 0.2,
                'start_delay': 0.1,
                'repeat': True,
                'joint_prefix': 'left/',
            },
        ) as node,
        Client() as client,
    ):
        heard = client.subscribe(JointTrajectory, 'joint_trajectory')
        description = client.node.create_publisher(String, 'robot_description', latched)
        description.publish(String(data=find_robot('arm_2r.urdf').read_text()))
        with FakeDriver(client, ('left/joint1', 'left/joint2'), Q, rate=100.0):
            client.wait_until(lambda: len(heard) >= 3, 'three trajectories')
        code, _ = node.end(signal.SIGTERM)
    assert code == 0
    assert list(heard[0][1].joint_names) == ['left/joint1', 'left/joint2']
    (point,) = heard[0][1].points
    assert list(point.positions) == [0.4, -0.4]
    assert seconds(point.time_from_start) == pytest.approx(0.2)
    gaps = np.diff([when for when, _ in heard])
    assert gaps.min() > 0.2, 'one is over before the next comes'


def test_wrong_parameter_ends_it_with_one_clear_line():
    with NodeProcess(MODULE, {'robot': 'arm_2r', 'amplitude': 'big'}) as node:
        code = node.process.wait(DEADLINE)
        output = node.output()
    assert code == 1
    assert output.startswith("error: amplitude: is 'big'")
    assert len(output.splitlines()) == 1


def test_motion_outside_the_limits_ends_it_with_a_reason():
    with (
        NodeProcess(MODULE, {'robot': 'arm_2r', 'start_delay': 0, 'amplitude': 9.0}) as node,
        Client() as client,
    ):
        client.subscribe(JointTrajectory, 'joint_trajectory')
        with FakeDriver(client, ('joint1', 'joint2'), Q, rate=100.0):
            code = node.process.wait(DEADLINE)
        output = node.output()
    assert code == 1
    assert "joint 'joint1', positions" in output
    assert 'Traceback' not in output


def test_what_is_missing_is_said_after_a_while():
    with NodeProcess(MODULE, {'robot': 'arm_2r'}) as node, Client() as client:
        client.wait_until(
            lambda: 'waiting for a joint state on /joint_states, which has 0' in node.output(),
            'the warning',
        )
        with FakeDriver(client, ('joint1', 'joint2'), Q, rate=100.0):
            client.wait_until(
                lambda: 'is the dynamics node running' in node.output(), 'the next warning'
            )
        code, _ = node.end(signal.SIGINT)
    assert code == 0
