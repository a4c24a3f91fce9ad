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

"""The dynamics node as a process, over DDS, with a fake driver in this process."""

import json
import signal

from diagnostic_msgs.msg import DiagnosticStatus
from dynamics_bench import Bench, MODULE
import numpy as np
import pytest
from rclpy.qos import DurabilityPolicy, QoSProfile
from robot_dynamics.model import load_robot
from ros_harness import NodeProcess
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray, String
from std_srvs.srv import Trigger

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)

pytestmark = pytest.mark.usefixtures('ros_domain_id')


@pytest.mark.parametrize(
    ('robot', 'command_format', 'control_loop', 'number'),
    [
        ('rp_arm', 'float64_multi_array', 'wait_set', signal.SIGINT),
        ('arm_2r', 'joint_state', 'executor', signal.SIGTERM),
        ('rp_arm', 'joint_state', 'auto', signal.SIGTERM),
        ('arm_2r', 'float64_multi_array', 'executor', signal.SIGINT),
    ],
)
def test_gravity_is_compensated_and_the_end_is_clean(robot, command_format, control_loop, number):
    with Bench(robot, command_format=command_format, control_loop=control_loop) as bench:
        bench.wait_for_effort(bench.gravity(), 'the gravity torque of the model')
        efforts = bench.efforts()
        first = np.abs(efforts[0]) <= 0.3 * np.abs(bench.gravity())
        assert first.all(), 'the first command enters by a ramp'
        if command_format == 'joint_state':
            assert bench.commands[-1][1].name == list(bench.model.joint_names)
        bench.wait_for_status('holding, gravity_compensation', DiagnosticStatus.OK)
        assert 'Traceback' not in bench.end(number)


def test_states_by_name_silence_and_recovery():
    with Bench(start=False, joint_prefix='left/', state_timeout=0.3) as bench:
        driver = bench.driver
        values = bench.wait_for_status('joint_states: no message yet', DiagnosticStatus.WARN)
        assert values['state'] == 'waiting'
        assert bench.commands == [], 'nothing is sent before states have come'

        driver.start()
        bench.wait_for_status("'left/joint1' (closest match 'joint1')", DiagnosticStatus.WARN)
        assert bench.commands == []

        driver.message.name = ['gripper', 'left/joint2', 'left/joint1']
        driver.message.position = [np.nan, *bench.position[::-1]]
        driver.message.velocity = []
        driver.message.effort = []
        bench.wait_for_effort(bench.gravity())

        driver.stop()
        silence = driver.last_sent
        bench.wait(lambda: not bench.efforts()[-1].any(), 'zero effort')
        after = [
            (when - silence, abs(message.data[0]))
            for when, message in bench.commands
            if when > silence + 0.25
        ]
        assert 0.3 < after[-1][0] < 0.3 + 0.2 + 0.5, 'state_timeout, ramp, and a busy machine'
        magnitudes = [effort for _, effort in after]
        assert magnitudes == sorted(magnitudes, reverse=True), 'a ramp'
        count = len(bench.commands)
        bench.wait_for_status('joint_states: no message for', DiagnosticStatus.ERROR)
        assert len(bench.commands) <= count + 1, 'nothing after the zeros'

        driver.start()
        bench.wait_for_effort(bench.gravity(), 'the effort after the recovery')
        again = bench.efforts()[count + 1]
        assert np.abs(again[0]) < 0.3 * np.abs(bench.gravity()[0]), 'by a ramp'

        driver.message.position = [0.0, np.nan, 0.5]
        bench.wait_for_status("position of joint 'left/joint2' is nan", DiagnosticStatus.ERROR)
        assert np.isfinite(bench.efforts()).all()
        bench.end()


def test_two_publishers_and_a_deaf_drive_are_reported():
    with Bench() as bench:
        bench.client.node.create_subscription(
            Float64MultiArray, 'dynamics/effort_command', lambda _: None, LATCHED
        )
        bench.wait_for_status(
            'hears nothing on /dynamics/effort_command: it asks for transient local',
            DiagnosticStatus.WARN,
        )
        bench.client.node.create_publisher(JointState, 'joint_states', 10)
        bench.wait_for_status('joint_states: two publishers', DiagnosticStatus.WARN)
        bench.end()


def test_parameters_change_at_run_time_all_or_nothing():
    with Bench() as bench:
        client = bench.client
        bench.wait_for_effort(bench.gravity())
        result = client.set_parameters('dynamics', gravity_in_output=False, mode='gravity')
        assert not result.successful
        assert result.reason.startswith("mode: is 'gravity'; expected one of")
        result = client.set_parameters(
            'dynamics', gravity_in_output=False, effort_gains__kp=[1.0, 2.0, 3.0]
        )
        assert result.reason.startswith('effort_gains.kp: has 3 numbers')
        result = client.set_parameters('dynamics', gravity_in_output=False, robot='arm_2r')
        assert 'while the node is active' in result.reason
        assert client.get_parameters('dynamics', 'gravity_in_output', 'mode', 'robot') == [
            True,
            'gravity_compensation',
            'rp_arm',
        ]
        count = len(bench.commands)
        bench.wait(lambda: len(bench.commands) > count + 50, 'commands')
        np.testing.assert_allclose(
            bench.efforts()[count:],
            np.tile(bench.gravity(), (len(bench.commands) - count, 1)),
            rtol=0.0,
            atol=1e-9,
        )

        result = client.set_parameters(
            'dynamics',
            mode='computed_torque',
            start_ramp=0,
            acceleration_gains__natural_frequency=20,
        )
        assert result.successful, result.reason
        bench.wait_for_status('holding, computed_torque', DiagnosticStatus.OK)
        bench.wait_for_effort(bench.gravity(), 'at rest computed torque is gravity too')
        assert client.set_parameters('dynamics', gravity_in_output=False).successful
        bench.wait_for_effort(np.zeros(2), 'no gravity in the output')
        bench.end(signal.SIGTERM)


def test_trajectories_terms_and_hold():
    with Bench(
        mode='feedforward', effort_gains={'kp': 100.0, 'kd': 10.0}, max_trajectory_points=100
    ) as bench:
        reference = bench.client.subscribe(JointState, 'dynamics/reference')
        error = bench.client.subscribe(JointState, 'dynamics/tracking_error')
        terms = {
            name: bench.client.subscribe(JointState, f'dynamics/terms/{name}')
            for name in (
                'inertia',
                'coriolis',
                'gravity',
                'friction',
                'feedback',
                'total',
                'command',
            )
        }
        bench.wait_for_effort(bench.gravity())
        goal = bench.position + [0.1, 0.05]
        bench.send(times=(0.3, 0.8), positions=[list(bench.position), list(goal)])
        bench.wait_for_status('tracking, feedforward', DiagnosticStatus.OK)

        refusals = 0
        for change, text in (
            ({'names': ['joint1']}, "joint 'joint2'"),
            ({'names': ['joint1', 'gripper_x']}, "unknown joint 'gripper_x'"),
            ({'times': (0.3, 0.3)}, 'point 1'),
            ({'times': np.linspace(0.01, 0.9, 101)}, 'at most 100 (max_trajectory_points)'),
            ({'positions': [[np.nan, 0.0]]}, "joint 'joint1'"),
        ):
            bench.send(**change)
            refusals += 1
            values = bench.wait_for_refusal(refusals)
            assert text in values
        bench.wait(
            lambda: reference and np.allclose(reference[-1][1].position, goal),
            'the end of the trajectory in force',
        )
        bench.wait(
            lambda: error and np.allclose(error[-1][1].position, [0.1, 0.05], atol=1e-6),
            'the error of a robot that does not move',
        )
        feedback = np.array([100.0, 100.0]) * [0.1, 0.05]
        bench.wait_for_effort(bench.model.gravity(goal) + feedback)
        bench.wait(lambda: all(terms.values()), 'all terms')
        assert np.allclose(terms['feedback'][-1][1].effort, feedback)
        parts = sum(
            np.array(terms[name][-1][1].effort)
            for name in ('inertia', 'coriolis', 'gravity', 'friction', 'feedback')
        )
        np.testing.assert_allclose(parts, terms['total'][-1][1].effort, atol=1e-9)

        bench.send(times=(0.9,), positions=[list(bench.position)])
        bench.wait_for_status('tracking', DiagnosticStatus.OK)
        assert bench.client.call(Trigger, '/dynamics/hold').success
        bench.wait_for_status('holding', DiagnosticStatus.OK)
        assert not np.allclose(reference[-1][1].position, bench.position, atol=1e-3)
        response = bench.client.call(Trigger, '/dynamics/reload_model')
        assert not response.success and 'deactivate' in response.message
        bench.send(times=(0.9,), positions=[list(bench.position)])
        bench.wait_for_status('tracking', DiagnosticStatus.OK)
        bench.end(signal.SIGTERM)


def test_description_by_topic():
    model = load_robot('arm_2r')
    with Bench('arm_2r', robot='') as bench:
        waiting = "waiting for a robot description on '/robot_description', which has 0 publishers"
        bench.wait_for_status(waiting, DiagnosticStatus.WARN)
        assert waiting in bench.node.output()
        assert bench.commands == []
        volatile = bench.client.node.create_publisher(String, 'robot_description', 10)
        bench.wait_for_status('is not transient local, so nothing comes', DiagnosticStatus.WARN)
        bench.client.node.destroy_publisher(volatile)
        latched = bench.client.node.create_publisher(String, 'robot_description', LATCHED)
        latched.publish(String(data='<robot name="broken"/>'))
        bench.wait_for_status('configure failed', DiagnosticStatus.ERROR)
        latched.publish(String(data=model.urdf))
        bench.wait_for_effort(bench.gravity())
        bench.end()


def test_lifecycle_from_outside():
    with Bench(autostart=False, robot='no_such_robot') as bench:
        client = bench.client
        bench.wait_for_status('unconfigured', DiagnosticStatus.OK)
        assert not client.change_state('dynamics', 'configure')
        bench.wait_for_status('configure failed: no_such_robot', DiagnosticStatus.ERROR)
        assert client.set_parameters('dynamics', robot='rp_arm').successful
        assert client.change_state('dynamics', 'configure')
        assert not client.call(Trigger, '/dynamics/hold').success
        assert bench.commands == []
        for _ in range(2):
            assert client.change_state('dynamics', 'activate')
            bench.wait_for_effort(bench.gravity())
            assert client.change_state('dynamics', 'deactivate')
            bench.wait(lambda: not bench.efforts()[-1].any(), 'zero effort')
            count = len(bench.commands)
            response = client.call(Trigger, '/dynamics/reload_model')
            assert response.success, response.message
            assert len(bench.commands) == count
        assert client.change_state('dynamics', 'cleanup')
        assert client.set_parameters('dynamics', robot='').successful
        assert client.change_state('dynamics', 'shutdown')
        bench.end()


BROKEN_CALLBACK = """
from robot_dynamics.nodes.dynamics_node import DynamicsNode
from robot_dynamics.nodes.running import run
from std_srvs.srv import Trigger


class BrokenNode(DynamicsNode):
    def __init__(self):
        super().__init__()
        self.create_service(Trigger, '~/broken', self.broken)

    def broken(self, request, response):
        raise ValueError('injected')


raise SystemExit(run(BrokenNode))
"""


def test_an_exception_in_a_callback_leads_to_a_safe_stop_and_the_process_lives():
    with Bench(module=BROKEN_CALLBACK, mode='pd_gravity') as bench:
        bench.wait_for_effort(bench.gravity())
        client = bench.client.node.create_client(Trigger, '/dynamics/broken')
        bench.wait(client.service_is_ready, 'the broken service')
        for _ in range(3):
            client.call_async(Trigger.Request())
        values = bench.wait_for_status(
            'a callback failed: ValueError: injected', DiagnosticStatus.ERROR
        )
        assert values['lifecycle'] == 'active'
        bench.wait(
            lambda: (
                bench.efforts()[-1][0] < 0.9 * bench.gravity()[0]
                or 'fault: a callback failed' in bench.node.output()
            ),
            'the safe stop',
        )
        bench.wait_for_effort(bench.gravity(), 'the return after the safe stop')
        assert bench.end().count('Traceback') == 1


def test_dry_run_in_simulated_time_that_never_starts():
    with Bench(use_sim_time=True, dry_run=True) as bench:
        command = bench.client.subscribe(JointState, 'dynamics/terms/command')
        bench.wait(
            lambda: (
                command
                and np.allclose(command[-1][1].effort, bench.gravity(), rtol=0.0, atol=1e-9)
            ),
            'the computed command',
        )
        bench.wait_for_status('no time has come on /clock', DiagnosticStatus.WARN)
        bench.driver.stop()
        bench.wait_for_status('joint_states: no message for', DiagnosticStatus.ERROR)
        assert 'Traceback' not in bench.end(signal.SIGTERM)
        assert bench.commands == []


def test_a_parameter_file_that_ros_cannot_read_is_explained(tmp_path):
    file = tmp_path / 'parameters.yaml'
    file.write_text(json.dumps({'/**': {'ros__parameters': {'gravity': [0, 0, -9.81]}}}))
    with NodeProcess(MODULE, arguments=['--params-file', str(file)]) as node:
        assert node.process.wait(20.0) == 2
        assert f'{file}' in node.output()
        assert 'Write all numbers of a list alike: [0.0, 0.0, -9.81]' in node.output()
        assert 'Traceback' not in node.output()
