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

"""Faults injected into a running node: time, callbacks, transitions, models, parameters."""

import math

from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticStatus
import numpy as np
import pytest

pytest.importorskip('rclpy', reason="needs rclpy: source ROS 2, or pip install '.[ros]'")

from dynamics_bench import Bench  # noqa: E402, I100
from fault_bench import resident_memory, SLACK  # noqa: E402
from geometry_msgs.msg import InertiaStamped, WrenchStamped  # noqa: E402
from rcl_interfaces.srv import SetParameters  # noqa: E402
from rclpy.parameter import Parameter  # noqa: E402
from rclpy.qos import DurabilityPolicy, QoSProfile  # noqa: E402
from rosgraph_msgs.msg import Clock  # noqa: E402
from sensor_msgs.msg import Imu  # noqa: E402
from std_msgs.msg import String  # noqa: E402
from std_srvs.srv import Trigger  # noqa: E402

pytestmark = [
    pytest.mark.slow,
    pytest.mark.faults,
    pytest.mark.usefixtures('ros_domain_id'),
]

GAINS = {'mode': 'pd_gravity', 'effort_gains': {'kp': 100.0, 'kd': 10.0}}
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
OK, ERROR = DiagnosticStatus.OK, DiagnosticStatus.ERROR


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
    rounds, rate, jumps = faults.count(1, 20), 100.0, 0
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


def test_lifecycle_cycles(faults):
    count = faults.count(10, 1000)
    with Bench('arm_2r', **GAINS) as bench:
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
                before = resident_memory(bench.node.process.pid)
            assert client.call(Trigger, name).success
        growth = resident_memory(bench.node.process.pid) - before
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


INVALID = [
    ('fault_ramp', math.nan),
    ('state_timeout', -0.05),
    ('state_timeout', math.inf),
    ('effort_gains.kp', [1.0, -1.0]),
    ('effort_gains.kp', [1.0, math.nan]),
    ('effort_gains.kd', [1.0, 2.0, 3.0]),
    ('effort_limit', [150.0]),
    ('effort_rate_limit', 0.0),
    ('acceleration_gains.natural_frequency', 'fast'),
    ('fresh_states', 2.5),
    ('mode', 3),
    ('mode', 'torque'),
    ('friction', 'yes'),
    ('on_fault', 'carry on'),
    ('payload.frame', 'no_such_link'),
    ('payload.mass', -1.0),
    ('joints', ['joint1', 'elbow']),
    ('locked_joints', ['elbow=0.1']),
    ('gravity', [0.0, math.nan, -9.81]),
]


def test_invalid_parameters_at_run_time(faults):
    count = 0
    valid = {'gravity_in_output': False, 'effort_gains.kp': 7.0}
    with Bench('arm_2r', **GAINS) as bench:
        bench.wait_for_effort(bench.gravity())
        bench.commands.clear()
        names = [*valid, *(name for name, _ in INVALID)]
        before = bench.client.get_parameters('dynamics', *names)
        for _ in range(faults.count(1, 50)):
            for name, value in INVALID:
                # With a frame there must be a mass, else the payload is none.
                change = {name: value, **({'payload.mass': 1.0} if 'frame' in name else {})}
                result = bench.client.set_parameters('dynamics', **change)
                assert not result.successful, change
                assert name in result.reason or value in result.reason, result.reason
                batch = {key: item for key, item in valid.items() if key != name}
                result = bench.client.set_parameters('dynamics', **{**batch, **change})
                assert not result.successful, change
                result = bench.client.set_parameters('dynamics', **{**change, **batch})
                assert not result.successful, change
                count += 3
        assert bench.client.get_parameters('dynamics', *names) == before
        efforts = bench.efforts()
        np.testing.assert_allclose(
            efforts, np.tile(bench.gravity(), (len(efforts), 1)), rtol=0.0, atol=1e-9
        )
        assert 'Traceback' not in bench.end()
    faults.record(
        'invalid parameters, alone and in a batch with valid ones',
        count,
        f'refused whole with the reason; {len(efforts):,} commands meanwhile, all unchanged',
    )
