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

"""What the fault injections over DDS share: drivers to kill, stops to judge, memory to watch."""

import math
import os
from pathlib import Path
import statistics
import subprocess
import sys
import time

from diagnostic_msgs.msg import DiagnosticStatus
from dynamics_bench import Bench, MODULE
from fault_report import LONG
import numpy as np
from robot_dynamics.nodes.messages import stamp_of
from ros_harness import NodeProcess

# How late a process may get a core on a busy machine [s]; added to what is promised.
SLACK = 0.1

DRIVEN = {'command_format': 'joint_state', 'start_ramp': 0.2, 'state_timeout': 0.05}

_DRIVER = """
import time

import rclpy
from sensor_msgs.msg import JointState

names, position, rate, speed, origin = {settings!r}
rclpy.init(args=[])
node = rclpy.create_node('driver')
publisher = node.create_publisher(JointState, 'joint_states', 10)
message = JointState(name=names, position=position, velocity=[0.0] * len(names))
due = time.monotonic()
while True:
    now = node.get_clock().now()
    message.header.stamp = now.to_msg()
    message.position[-1] = position[-1] + speed * (1e-9 * now.nanoseconds - origin)
    publisher.publish(message)
    due = max(due + 1.0 / rate, time.monotonic() - 1.0 / rate)
    time.sleep(max(0.0, due - time.monotonic()))
"""


class DrivenBench(Bench):
    """A dynamics node whose driver is a process of its own; commands carry the node's time."""

    def __init__(self, name='arm_2r', **parameters):
        super().__init__(name, start=False, **{**DRIVEN, **parameters})
        self.driver.leave()

    def start_driver(self, rate=500.0, speed=0.0, origin=0.0):
        """Return a process that publishes states, the last joint moving at a speed."""
        settings = (list(self.model.joint_names), self.position.tolist(), rate, speed, origin)
        return NodeProcess(_DRIVER.format(settings=settings))

    def stamped(self):
        """Return times (k,) by the node's clock [s] and efforts (k, n) of all commands."""
        messages = [message for _, message in self.commands]
        return np.array([stamp_of(message) for message in messages]), np.array(
            [message.effort for message in messages]
        )

    def wait_for_effort(self, expected, what='the effort expected'):
        """Wait until the newest command is as expected."""
        self.wait(
            lambda: (
                self.commands
                and np.allclose(self.commands[-1][1].effort, expected, rtol=0.0, atol=1e-9)
            ),
            what,
        )

    def restart_node(self, **parameters):
        """Start the node again after its end."""
        self.node.__exit__(None)
        self.node = NodeProcess(MODULE, {'robot': self.model.name, **DRIVEN, **parameters})

    def activate(self):
        """Activate a node without autostart, once this process hears all that it says."""
        # Discovery may take seconds after a kill; a service of the ended node still looks ready.
        self.wait_for_status('unconfigured', DiagnosticStatus.OK)
        assert self.client.change_state('dynamics', 'configure')
        self.client.handle_for(0.2)  # its publishers come with the configuration
        assert self.client.change_state('dynamics', 'activate')


def kill(node):
    """End a process as a crash does; return the time of that [s]."""
    when = time.time()
    node.process.kill()
    node.process.wait()
    return when


def check_safe_stop(stamps, efforts, killed, timeout):
    """
    Require a ramp to zero effort, and zeros last, after the states have ended.

    Returns
    -------
    float
        The time between the last command that answered a state and the first of the stop [s].

    """
    gaps = np.where(stamps[1:] > killed, np.diff(stamps), 0.0)
    silent = gaps > 0.9 * timeout
    assert silent.any(), 'a pause before the stop'
    last = int(np.argmax(silent))
    after = last + 1
    check_fall(efforts[after:])
    return float(gaps[last])


def check_fall(efforts):
    """Require some commands (k, n) that fall to zero effort."""
    stop = np.abs(efforts)
    assert len(stop) > 5 and (np.diff(stop, axis=0) <= 1e-9).all(), 'a ramp'
    assert not stop[-1].any(), 'zero effort last'


def check_ramp(stamps, efforts, ramp):
    """Require a beginning at zero effort and no faster rise than a ramp of that time [s]."""
    largest = np.abs(efforts).max(axis=0)
    assert (np.abs(efforts[0]) <= 0.05 * largest).all(), f'begins at {efforts[0]}, not zero'
    check_rate(stamps, efforts, largest / ramp)


def check_times(times, limit):
    """Require times [s] within a limit; of a busy machine only one that is not far beyond."""
    assert max(times) <= limit + SLACK, [round(time, 3) for time in times]
    assert not LONG or statistics.median(times) <= limit


def check_rate(stamps, efforts, rate):
    """Require that no effort changes faster than a rate (n,), between any two commands."""
    allowed = (np.diff(stamps) + 0.5 * SLACK)[:, np.newaxis] * rate
    assert (np.abs(np.diff(efforts, axis=0)) <= allowed + 1e-9).all()


def private_memory(pid):
    """Return the memory of a process [MB] but for libraries and what it shares with others."""
    for line in Path(f'/proc/{pid}/status').read_text().splitlines():
        if line.startswith('RssAnon:'):
            return 1.024e-3 * int(line.split()[1])
    raise ValueError(f'no RssAnon in /proc/{pid}/status')


def open_files(pid):
    """Return the number of file descriptors of a process."""
    return len(os.listdir(f'/proc/{pid}/fd'))


def milliseconds(seconds):
    """Return a time [s] as a text in ms."""
    return f'{math.ceil(1e3 * seconds)} ms'


class Hogs:
    """Processes that use all the time of so many cores."""

    def __init__(self, count):
        self._count = count
        self._processes = []

    def __enter__(self):
        self._processes = [
            subprocess.Popen([sys.executable, '-c', 'while True: pass'])
            for _ in range(self._count)
        ]
        return self

    def __exit__(self, *_):
        for process in self._processes:
            process.kill()
            process.wait()
