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

"""An exception in each callback, in the control loop and in transitions of a running node."""

from diagnostic_msgs.msg import DiagnosticStatus
import numpy as np
import pytest

pytest.importorskip('rclpy', reason="needs rclpy: source ROS 2, or pip install '.[ros]'")

from dynamics_bench import Bench  # noqa: E402, I100
from geometry_msgs.msg import InertiaStamped, WrenchStamped  # noqa: E402
from rcl_interfaces.srv import SetParameters  # noqa: E402
from rclpy.parameter import Parameter  # noqa: E402
from rclpy.qos import DurabilityPolicy, QoSProfile  # noqa: E402
from sensor_msgs.msg import Imu  # noqa: E402
from std_msgs.msg import String  # noqa: E402
from std_srvs.srv import Trigger  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('ros_domain_id')]

GAINS = {'mode': 'pd_gravity', 'effort_gains': {'kp': 100.0, 'kd': 10.0}}
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
ERROR = DiagnosticStatus.ERROR


BROKEN = """
from robot_dynamics.nodes import diagnostics_reporter, dynamics_node, load_input
from robot_dynamics.nodes import parameters, robot_source, running, trajectory_input
from robot_dynamics.nodes.control_loop import ControlLoop
from std_msgs.msg import String

armed = {}


def break_when_armed(owner, name):
    original = getattr(owner, name)
    # A type of its own for each callback: the same error is logged once.
    failure = type(f'Injected{name}', (ValueError,), {})

    def broken(*arguments):
        if armed.get(name, 0) > 0:
            armed[name] -= 1
            raise failure('by the test')
        return original(*arguments)

    setattr(owner, name, broken)


for owner, name in (
    (load_input.LoadInput, '_on_payload'),
    (load_input.LoadInput, '_on_wrench'),
    (load_input.LoadInput, '_on_imu'),
    (trajectory_input.TrajectoryInput, '_on_trajectory'),
    (trajectory_input.TrajectoryInput, '_on_hold'),
    (robot_source.RobotSource, '_keep'),
    (parameters.NodeParameters, '_on_set'),
    (dynamics_node.DynamicsNode, '_on_reload'),
    (dynamics_node.DynamicsNode, '_refresh'),
    (dynamics_node.DynamicsNode, '_configure'),
    (dynamics_node.DynamicsNode, '_activate'),
    (diagnostics_reporter.DiagnosticsReporter, '_report_regularly'),
    (ControlLoop, '_step'),
):
    break_when_armed(owner, name)


class Node(dynamics_node.DynamicsNode):
    def __init__(self):
        super().__init__()
        self.create_subscription(String, '~/arm', self.arm, 10)

    def arm(self, message):
        armed.clear()
        armed[message.data] = 3


raise SystemExit(running.run(Node))
"""


class Saboteur:
    """Arms a callback of the node, lets it be called three times, and looks at what follows."""

    def __init__(self, bench):
        self.bench, node = bench, bench.client.node
        self._arm = node.create_publisher(String, 'dynamics/arm', 10)
        self._topics = {
            '_on_payload': node.create_publisher(InertiaStamped, 'dynamics/payload', 10),
            '_on_wrench': node.create_publisher(WrenchStamped, 'dynamics/external_wrench', 10),
            '_on_imu': node.create_publisher(Imu, 'imu', 10),
            '_on_trajectory': bench.trajectories,
            '_keep': node.create_publisher(String, 'robot_description', LATCHED),
        }
        self._services = {
            '_on_hold': node.create_client(Trigger, '/dynamics/hold'),
            '_on_reload': node.create_client(Trigger, '/dynamics/reload_model'),
            '_on_set': node.create_client(SetParameters, '/dynamics/set_parameters'),
        }
        for publisher in (self._arm, *self._topics.values()):
            bench.wait(publisher.get_subscription_count, 'the subscriptions')
        for client in self._services.values():
            bench.wait(client.service_is_ready, 'the services')

    def arm(self, name):
        self._arm.publish(String(data=name))
        # What is sent next comes by another way, and must not overtake.
        self.bench.client.handle_for(0.1)

    def call(self, name):
        """Let the callback be called, if the node does not do so by itself."""
        if name in self._topics:
            publisher = self._topics[name]
            publisher.publish(publisher.msg_type())
        elif name in self._services:
            request = self._services[name].srv_type.Request()
            if name == '_on_set':
                request.parameters = [Parameter('fault_ramp', value=0.2).to_parameter_msg()]
            self._services[name].call_async(request)

    def inject(self, name):
        """Require a safe stop, an ERROR diagnostic, one traceback, and the return."""
        bench, text = self.bench, f'Injected{name}: by the test'
        bench.commands.clear()
        self.arm(name)
        for _ in range(3):
            self.call(name)
        bench.wait_for_status(f'a callback failed: {text}', ERROR)
        full = np.abs(bench.gravity()[0])
        bench.wait(
            lambda: (np.abs(bench.efforts()[:, 0]) < 0.995 * full).any(), 'a safe stop and a ramp'
        )
        bench.client.handle_for(0.1)
        self.bench.wait_for_effort(bench.gravity(), 'the return')
        assert bench.node.output().count(f'{text}\n\n') == 1, 'logged once, with its traceback'
        assert bench.node.process.poll() is None


def test_an_exception_in_each_callback(faults):
    callbacks = [
        '_on_payload',
        '_on_wrench',
        '_on_imu',
        '_on_trajectory',
        '_on_hold',
        '_keep',
        '_on_set',
        '_on_reload',
        '_refresh',
        '_report_regularly',
    ]
    with Bench('arm_2r', module=BROKEN, gravity_from_imu=True, fresh_states=30, **GAINS) as bench:
        saboteur = Saboteur(bench)
        bench.wait_for_effort(bench.gravity())
        for name in callbacks:
            saboteur.inject(name)

        saboteur.arm('_step')
        bench.wait_for_status('control loop ended by a ramp to zero effort: Injected_step', ERROR)
        bench.wait(lambda: not bench.efforts()[-1].any(), 'zero effort')
        assert bench.node.output().count('Injected_step: by the test\n\n') == 1
        for name, transition in (('_activate', 'activate'), ('_configure', 'configure')):
            bench.client.change_state('dynamics', 'deactivate')
            if name == '_configure':
                assert bench.client.change_state('dynamics', 'cleanup')
            saboteur.arm(name)
            for _ in range(3):
                assert not bench.client.change_state('dynamics', transition)
                bench.wait_for_status(f'{transition} failed: Injected{name}', ERROR)
                if name == '_activate':  # the error handling has forgotten the robot
                    assert bench.client.change_state('dynamics', 'configure')
            if name == '_configure':
                assert bench.client.change_state('dynamics', 'configure')
            bench.commands.clear()
            assert bench.client.change_state('dynamics', 'activate')
            bench.wait_for_effort(bench.gravity(), 'the effort after the error')
        bench.end()
    faults.record(
        'exception in a callback, the loop or a transition',
        3 * (len(callbacks) + 2) + 1,
        f'{len(callbacks)} callbacks: safe stop, ERROR diagnostic, logged once with its '
        'traceback, return by a ramp; the loop: ramp to zero, active again by transitions; '
        'the process lives',
    )
