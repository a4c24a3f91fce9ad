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

"""The simulator node as its users meet it: a process with topics, parameters and services."""

import math
import signal

import numpy as np
import pytest

pytest.importorskip('rclpy', reason="needs rclpy: source ROS 2, or pip install '.[ros]'")

from diagnostic_msgs.msg import DiagnosticArray  # noqa: E402, I100
from rclpy.qos import DurabilityPolicy, QoSProfile  # noqa: E402
from robot_dynamics.model import load_robot  # noqa: E402
from robot_dynamics.nodes.messages import stamp_of  # noqa: E402
from ros_harness import Client, DEADLINE, NodeProcess  # noqa: E402
from sensor_msgs.msg import JointState  # noqa: E402
from std_msgs.msg import Float64MultiArray, String  # noqa: E402
from std_srvs.srv import Trigger  # noqa: E402

pytestmark = pytest.mark.usefixtures('ros_domain_id')

MODULE = 'robot_dynamics.nodes.simulator_node'
Q = [0.3, -0.5]  # [rad]
SLOW = 100.0  # [Hz] of states, enough to look at


class Arm(Client):
    """A client that hears the simulator and commands it."""

    def __init__(self, message_type=Float64MultiArray):
        super().__init__()
        self.states = self.subscribe(JointState, 'joint_states')
        self.diagnostics = self.subscribe(DiagnosticArray, '/diagnostics')
        self.publisher = self.node.create_publisher(message_type, 'effort_command', 10)

    @property
    def state(self):
        """Return the newest state."""
        return self.states[-1][1]

    def wait_for_state(self, condition, what):
        """Wait for a state that fulfils a condition."""
        count = len(self.states)
        self.wait_until(lambda: len(self.states) > count and condition(self.state), what)

    def send_until(self, message, condition, what):
        """Send a command every 10 ms until a state fulfils a condition."""
        timer = self.node.create_timer(0.01, lambda: self.publisher.publish(message))
        self.wait_for_state(condition, what)
        self.node.destroy_timer(timer)

    def number(self, key):
        """Return a value of the newest diagnostics."""
        for _, array in reversed(self.diagnostics):
            return {item.key: item.value for item in array.status[0].values}[key]
        return ''

    def moved(self):
        """Return how far the arm is from its start."""
        return np.abs(np.array(self.state.position) - Q).max()


def simulator(**parameters):
    return NodeProcess(
        MODULE, {'robot': 'arm_2r', 'start_position': Q, 'publish_rate': SLOW, **parameters}
    )


def test_states_description_brake_limits_and_watchdog():
    model = load_robot('arm_2r')
    latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    with simulator(brake_release=0.2) as node, Arm() as arm:
        arm.wait_until(lambda: arm.states, 'joint states')
        description = arm.subscribe(String, 'robot_description', latched)
        arm.wait_until(lambda: description, 'the description, though late')
        np.testing.assert_allclose(
            load_robot(description[0][1].data).gravity(np.array(Q)),
            model.gravity(np.array(Q)),
            rtol=1e-12,
        )
        assert list(arm.state.name) == ['joint1', 'joint2']
        assert list(arm.state.position) == Q
        assert list(arm.state.velocity) == [0.0, 0.0]
        np.testing.assert_allclose(arm.state.effort, model.gravity(np.array(Q)), rtol=1e-12)

        arm.send_until(
            Float64MultiArray(data=[1e6, -1e6]),
            lambda state: any(state.velocity),
            'the brake opens',
        )
        assert list(arm.state.effort) == [150.0, -150.0]
        arm.wait_for_state(lambda state: list(state.effort) == [0.0, 0.0], 'the watchdog')
        arm.send_until(
            Float64MultiArray(data=[1.0, 2.0]),
            lambda state: list(state.effort) == [1.0, 2.0],
            'the commands are back',
        )
        code, seconds = node.end(signal.SIGINT)
        output = node.output()
    assert (code, seconds < 1.0) == (0, True)
    assert output.count('no effort command any more') == 1
    assert output.count('effort commands are back') == 1
    assert 'Traceback' not in output


def test_silence_makes_the_effort_zero_within_a_tenth_of_a_second():
    with simulator(brake_release=0.0, publish_rate=1000) as node, Arm() as arm:
        arm.wait_until(lambda: arm.states, 'joint states')
        arm.wait_until(lambda: arm.publisher.get_subscription_count(), 'the subscription')
        sent = []

        def commanded():
            # best effort: the first messages may find no reader yet
            if any(list(state.effort) == [1.0, 2.0] for _, state in arm.states):
                return True
            sent.append(1e-9 * arm.node.get_clock().now().nanoseconds)
            arm.publisher.publish(Float64MultiArray(data=[1.0, 2.0]))
            return False

        arm.wait_until(commanded, 'the command')
        arm.wait_for_state(lambda state: list(state.effort) == [0.0, 0.0], 'the watchdog')
        stamps = [stamp_of(state) for _, state in arm.states if list(state.effort) == [1.0, 2.0]]
        assert node.process.poll() is None
    assert stamps[-1] - sent[-1] == pytest.approx(0.08, abs=0.02)


def test_commands_by_name_drops_push_reset_and_diagnostics():
    with (
        simulator(
            command_format='joint_state', brake_release=0.0, command_timeout=DEADLINE
        ) as node,
        Arm(JointState) as arm,
    ):
        arm.wait_until(lambda: arm.states, 'joint states')
        arm.wait_until(lambda: arm.publisher.get_subscription_count(), 'the subscription')
        for names, efforts in (
            (['joint1'], [1.0]),
            (['joint1', 'joint2'], [math.nan, 0.0]),
            (['joint1', 'joint2'], [1.0]),
        ):
            arm.publisher.publish(JointState(name=names, effort=efforts))
        arm.wait_until(lambda: arm.number('commands dropped') == '3', 'three drops')
        assert arm.number('brake') == 'shut'
        assert arm.moved() == 0.0

        gravity = load_robot('arm_2r').gravity(np.array(Q)).tolist()
        arm.publisher.publish(
            JointState(name=['tool', 'joint2', 'joint1'], effort=[9.0, gravity[1], gravity[0]])
        )
        arm.wait_until(lambda: arm.number('brake') == 'open', 'the brake opens')
        arm.handle_for(0.1)
        assert arm.moved() < 1e-9
        push = arm.node.create_publisher(JointState, 'simulator/push', 10)
        arm.wait_until(lambda: push.get_subscription_count(), 'the push is heard')
        push.publish(JointState(name=['elbow'], effort=[5.0]))
        push.publish(JointState(name=['joint1'], effort=[5.0]))
        arm.wait_for_state(lambda state: arm.moved() > 0.01, 'motion')

        assert arm.set_parameters('simulator', start_position=[1, 2]).successful
        assert arm.call(Trigger, 'simulator/reset').success
        arm.wait_for_state(lambda state: list(state.position) == [1.0, 2.0], 'the new start')
        refused = arm.set_parameters('simulator', start_position=[1.0, 2.0, 3.0])
        assert not refused.successful
        assert 'has 3 numbers' in refused.reason
        assert 'cannot be changed' in arm.set_parameters('simulator', mass_scale=2.0).reason
        code, _ = node.end(signal.SIGTERM)
        output = node.output()
    assert code == 0
    for reason in (
        "joint 'joint2' (closest match 'joint1') missing",
        "effort of joint 'joint1' is nan",
        '1 efforts for 2 names',
        "unknown joint 'elbow'",
    ):
        assert output.count(reason) == 1, reason
    assert 'Traceback' not in output


def test_measured_states_are_noisy_late_and_lost_if_asked_for():
    faults = {'position_noise': 1e-3, 'velocity_noise': 1e-2, 'state_delay': 0.1}
    with simulator(state_dropout=0.5, publish_rate=200, seed=3, **faults), Arm() as arm:
        arm.wait_until(lambda: len(arm.states) > 200, '200 joint states')
        late = arm.node.get_clock().now().nanoseconds * 1e-9 - stamp_of(arm.state)
    error = np.array([state.position for _, state in arm.states]) - Q
    velocity = np.array([state.velocity for _, state in arm.states])
    np.testing.assert_allclose(error.std(axis=0), 1e-3, rtol=0.25)
    np.testing.assert_allclose(velocity.std(axis=0), 1e-2, rtol=0.25)
    assert late >= 0.1
    stamps = [stamp_of(state) for _, state in arm.states]
    share = len(stamps) / (200.0 * (stamps[-1] - stamps[0]))
    assert share == pytest.approx(0.5, abs=0.15)


@pytest.mark.parametrize('plant', ['pinocchio', 'mujoco'])
def test_model_error_and_random_start(plant):
    if plant == 'mujoco':
        pytest.importorskip('mujoco', reason='needs MuJoCo: pip install mujoco')
    with (
        simulator(start_position='random', seed=5, mass_scale=2, inertia_scale=2, plant=plant),
        Arm() as arm,
    ):
        arm.wait_until(lambda: arm.states, 'joint states')
        position = np.array(arm.state.position)
        effort = np.array(arm.state.effort)
    model = load_robot('arm_2r')
    assert np.abs(position).min() > 0.0
    assert (np.abs(position) <= model.limits.upper).all()
    np.testing.assert_allclose(effort, 2.0 * model.gravity(position), rtol=1e-12)


@pytest.mark.parametrize(
    'parameters, reason',
    [
        ({'robot': ''}, 'robot: is empty'),
        ({'start_position': [1.0, 2.0, 3.0]}, 'start_position: has 3 numbers'),
        ({'publish_rate': math.nan}, 'publish_rate: is nan'),
    ],
)
def test_wrong_parameters_end_it_with_one_clear_line(parameters, reason):
    with simulator(**parameters) as node:
        code = node.process.wait(DEADLINE)
        output = node.output()
    assert code == 1
    assert output.startswith('error: ')
    assert reason in output
    assert len(output.splitlines()) == 1


def test_missing_mujoco_is_named(tmp_path, monkeypatch):
    (tmp_path / 'mujoco.py').write_text("raise ImportError('not installed')\n")
    monkeypatch.setenv('PYTHONPATH', str(tmp_path))
    with simulator(plant='mujoco') as node:
        code = node.process.wait(DEADLINE)
        output = node.output()
    assert code == 1
    assert 'error: ' in output
    assert 'pip install mujoco' in output
    assert 'Traceback' not in output
