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

"""Payload, wrench, moving base and trajectory_with_effort of the node, over DDS."""

import math

from dynamics_bench import Bench
from geometry_msgs.msg import InertiaStamped, WrenchStamped
import numpy as np
import pytest
from robot_dynamics.control import ExternalWrench
from robot_dynamics.model import Payload
from sensor_msgs.msg import Imu
from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

pytestmark = pytest.mark.usefixtures('ros_domain_id')

TIP = Payload(frame='tip', mass=1.5, com=[0.1, 0.0, 0.0], inertia=np.diag([0.01, 0.02, 0.02]))


def publisher(bench, kind, topic):
    """Return a publisher that the node hears."""
    made = bench.client.node.create_publisher(kind, topic, 10)
    bench.wait(lambda: made.get_subscription_count() > 0, f'a subscriber of {topic}')
    return made


def payload_message(payload):
    """Return a payload as a message."""
    message = InertiaStamped()
    message.header.frame_id = payload.frame
    message.inertia.m = payload.mass
    message.inertia.com.x, message.inertia.com.y, message.inertia.com.z = map(float, payload.com)
    message.inertia.ixx, message.inertia.iyy, message.inertia.izz = map(
        float, np.diag(payload.inertia)
    )
    return message


def test_payload_by_parameter_and_by_topic_comes_by_a_ramp_and_goes():
    with Bench(
        'arm_2r',
        payload_ramp=0.3,
        **{'payload.frame': 'tip', 'payload.mass': 1, 'payload.com': [0.1, 0.0, 0.0]},
    ) as bench:
        model, q = bench.model, bench.position
        first = model.with_payload(Payload(frame='tip', mass=1.0, com=[0.1, 0.0, 0.0])).gravity(q)
        bench.wait_for_effort(first, 'the effort with the payload of the parameters')
        topic = publisher(bench, InertiaStamped, 'dynamics/payload')
        begin = len(bench.commands)
        topic.publish(payload_message(TIP))
        full = model.with_payload(TIP).gravity(q)
        bench.wait_for_effort(full, 'the effort with the payload of the topic')
        share = (bench.efforts()[begin:] - first)[:, 0] / (full - first)[0]
        assert ((share > 0.05) & (share < 0.95)).sum() > 5, 'no ramp'
        assert (np.diff(share) > -1e-9).all()
        for wrong in (payload_message(Payload(frame='tipp', mass=1.0)), payload_message(TIP)):
            wrong.inertia.ixx = -1.0
            topic.publish(wrong)
        bench.wait(lambda: 'loads refused: 2' in refusals(bench), 'two refusals')
        np.testing.assert_allclose(bench.efforts()[-1], full, atol=1e-9)
        topic.publish(InertiaStamped())
        bench.wait_for_effort(model.gravity(q), 'the effort without payload')
        result = bench.client.set_parameters('dynamics', payload__mass=2.0)
        assert result.successful
        heavy = Payload(frame='tip', mass=2.0, com=[0.1, 0.0, 0.0])
        bench.wait_for_effort(model.with_payload(heavy).gravity(q), 'the new parameter')
        refused = bench.client.set_parameters('dynamics', payload__frame='tipp')
        assert not refused.successful and 'did you mean tip' in refused.reason
        assert bench.client.get_parameters('dynamics', 'payload.frame') == ['tip']


def refusals(bench):
    """Return what the last diagnostics say about refused loads."""
    values = {pair.key: pair.value for pair in bench.statuses[-1][1].status[0].values}
    return f'loads refused: {values.get("loads refused")}'


def test_wrench_is_stood_against_while_it_is_confirmed():
    with Bench('arm_2r', wrench_timeout=0.5) as bench:
        model, q = bench.model, bench.position
        bench.wait_for_effort(model.gravity(q))
        topic = publisher(bench, WrenchStamped, 'dynamics/external_wrench')
        message = WrenchStamped()
        message.header.frame_id = 'tip'
        message.wrench.force.z, message.wrench.torque.y = -10.0, 0.5
        load = ExternalWrench('tip', [0.0, 0.0, -10.0], [0.0, 0.5, 0.0]).joint_load(model, q)

        def confirmed():
            topic.publish(message)
            return np.allclose(bench.efforts()[-1], model.gravity(q) - load, atol=1e-9)

        bench.wait(confirmed, 'the effort against the wrench')
        bench.wait_for_effort(model.gravity(q), 'gravity again, as no wrench comes')


def test_gravity_turns_with_a_moving_base():
    with Bench('arm_2r', gravity_from_imu=True, imu_filter_time=0.0) as bench:
        bench.wait_for_effort(bench.model.gravity(bench.position))
        topic = publisher(bench, Imu, 'imu')
        message = Imu()
        message.header.frame_id = 'base_link'
        message.orientation.y, message.orientation.w = math.sin(0.3), math.cos(0.3)
        down = 9.81 * np.array([math.sin(0.6), 0.0, -math.cos(0.6)])
        expected = bench.model.with_gravity(down).gravity(bench.position)

        def turned():
            topic.publish(message)
            return np.allclose(bench.efforts()[-1], expected, atol=1e-9)

        bench.wait(turned, 'gravity of a tilted base')


def test_trajectories_come_back_with_their_efforts():
    with Bench('arm_2r', dry_run=True, mode='gravity_compensation') as bench:
        heard = bench.client.subscribe(JointTrajectory, 'dynamics/trajectory_with_effort')
        bench.wait(lambda: bench.trajectories.get_subscription_count() > 0, 'the node')
        bench.wait(
            lambda: bench.client.node.count_publishers('/dynamics/trajectory_with_effort') > 0,
            'the answer topic',
        )
        message = JointTrajectory(joint_names=['joint2', 'joint1'])
        rows = [
            (0.0, [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]),
            (1.0, [0.4, -0.3], [0.5, -0.2], [0.1, 0.6]),
            (2.0, [0.6, -0.4], [0.0, 0.0], [-1.0, 2.0]),
        ]
        for time, q, v, a in rows:
            point = JointTrajectoryPoint(positions=q, velocities=v, accelerations=a)
            point.time_from_start.sec = int(time)
            message.points.append(point)

        def answered():
            if not heard:
                bench.trajectories.publish(message)
            return heard

        bench.wait(answered, 'the trajectory with efforts')
        answer = heard[-1][1]
        assert list(answer.joint_names) == ['joint2', 'joint1']
        for (_, q, v, a), point in zip(rows[:2], answer.points, strict=False):
            expected = bench.model.inverse_dynamics(q[::-1], v[::-1], a[::-1])[::-1]
            np.testing.assert_allclose(point.effort, expected, atol=1e-9)
            assert list(point.positions) == q and list(point.velocities) == v
        # the last point is held
        np.testing.assert_allclose(
            answer.points[2].effort, bench.model.gravity([-0.4, 0.6])[::-1], atol=1e-9
        )
        assert not bench.commands


def test_motor_side_efforts_and_own_velocity(tmp_path):
    overlay = tmp_path / 'overlay.yaml'
    overlay.write_text(
        'robot_dynamics_overlay: 1\njoints:\n'
        '  joint1: {motor: {ratio: 100.0}}\n  joint2: {motor: {ratio: -50.0}}\n'
    )
    from robot_dynamics.model import find_robot

    with Bench(
        'arm_2r',
        robot=str(find_robot('arm_2r.urdf')),
        overlay=str(overlay),
        effort_side='motor',
        mode='computed_torque',
        velocity_source='differentiated',
        start=False,
    ) as bench:
        bench.driver.message.velocity = []
        terms = bench.client.subscribe(Float64MultiArray, 'dynamics/effort_command')
        bench.driver.start()
        expected = bench.model.gravity(bench.position) / [100.0, -50.0]
        bench.wait(
            lambda: terms and np.allclose(terms[-1][1].data, expected, atol=1e-9), 'motor efforts'
        )
