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

"""A running dynamics node with a fake driver, for tests over DDS."""

import signal

from diagnostic_msgs.msg import DiagnosticArray
import numpy as np
from robot_dynamics.model import load_robot
from ros_harness import Client, FakeDriver, NodeProcess
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

# Of what is heard: the end of a killed process can hold a test up for a second.
DEPTH = 2000
MODULE = 'robot_dynamics.nodes.dynamics_node'
POSITION = {'rp_arm': [0.3, 0.5], 'arm_2r': [0.3, -0.5]}


class Bench:
    """A running node, a fake driver for its robot, and ears on all that it says."""

    def __init__(self, name='rp_arm', start=True, module=MODULE, **parameters):
        self.model = load_robot(name)
        self.position = np.array(POSITION[name])
        # On a busy machine this process may be held up, and its driver with it.
        values = {'robot': name, 'start_ramp': 0.1, 'state_timeout': 1.0, **parameters}
        self.node = NodeProcess(module, values)
        self.client = Client()
        kind = JointState if values.get('command_format') == 'joint_state' else Float64MultiArray
        self.commands = self.client.subscribe(kind, 'dynamics/effort_command', DEPTH)
        self.statuses = self.client.subscribe(DiagnosticArray, '/diagnostics', 100)
        self.driver = FakeDriver(self.client, self.model.joint_names, list(self.position))
        self.trajectories = self.client.node.create_publisher(
            JointTrajectory, 'dynamics/joint_trajectory', 10
        )
        if start:
            self.driver.start()

    def __enter__(self):
        return self

    def __exit__(self, *details):
        self.driver.stop()
        self.client.close()
        self.node.__exit__(*details)

    def efforts(self):
        """Return all commands so far, one row each."""
        return np.array(
            [
                list(getattr(message, 'data', None) or message.effort)
                for _, message in self.commands
            ]
        )

    def wait(self, condition, what):
        self.client.wait_until(condition, what)

    def wait_for_effort(self, expected, what='the effort expected'):
        self.wait(
            lambda: (
                self.commands and np.allclose(self.efforts()[-1], expected, rtol=0.0, atol=1e-9)
            ),
            what,
        )

    def wait_for_status(self, text, level):
        """Wait for a new diagnostic that contains a text; return its key-value pairs."""
        begin = len(self.statuses)

        def find():
            for _, message in self.statuses[begin:]:
                status = message.status[0]
                if text in status.message and status.level == level:
                    return {pair.key: pair.value for pair in status.values}
            return None

        self.wait(find, f'diagnostics with {text!r}')
        return find()

    def wait_for_refusal(self, number):
        """Wait until so many trajectories have been refused; return the last reason."""

        def last():
            status = self.statuses[-1][1].status[0] if self.statuses else None
            values = {pair.key: pair.value for pair in status.values} if status else {}
            if values.get('trajectories refused') == str(number):
                return values['last refusal']
            return None

        self.wait(last, f'refusal {number}')
        return last()

    def gravity(self):
        return self.model.gravity(self.position)

    def trajectory(self, times=(0.5,), names=None, positions=None):
        names = list(self.model.joint_names) if names is None else names
        message = JointTrajectory(joint_names=names)
        for k, time in enumerate(times):
            q = list(self.position[: len(names)]) if positions is None else positions[k]
            point = JointTrajectoryPoint(positions=q)
            point.time_from_start.sec = int(time)
            point.time_from_start.nanosec = round(time % 1.0 * 1e9)
            message.points.append(point)
        return message

    def send(self, **trajectory):
        message = self.trajectory(**trajectory)
        self.wait(lambda: self.trajectories.get_subscription_count(), 'the trajectory topic')
        self.trajectories.publish(message)

    def end(self, number=signal.SIGINT):
        """End the node; check code and time, and the last command if there was any."""
        code, seconds = self.node.end(number)
        if self.commands:
            self.wait(lambda: not self.efforts()[-1].any(), 'zero effort')
        self.client.handle_for(0.1)
        assert code == 0
        assert seconds < 1.0
        if self.commands:
            assert self.efforts()[-1].tolist() == [0.0] * self.model.n_commanded
        return self.node.output()
