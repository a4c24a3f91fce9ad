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

"""What running a node promises: signals, exit codes, errors of callbacks."""

import signal
import time

import pytest
from ros_harness import DEADLINE, NodeProcess

pytestmark = pytest.mark.usefixtures('ros_domain_id')

PROGRAM = """
from rclpy.node import Node
from robot_dynamics.errors import ParameterError
from robot_dynamics.nodes.running import run, Runnable, StopNode


class Example(Runnable, Node):
    def __init__(self):
        super().__init__('example')
        self.ticks = 0
        if self.declare_parameter('broken', False).value:
            raise ParameterError('is broken', where='example')
        self.last = self.declare_parameter('last', 0).value
        self.create_timer(0.01, self.tick)

    def tick(self):
        self.ticks += 1
        print('tick', self.ticks)
        if self.ticks == self.last:
            raise StopNode(7)
        if self.ticks <= 3:
            raise ValueError('injected')

    def request_stop(self):
        print('asked to stop')

    def close(self):
        print('closed while publishing works:', self.context.ok())

    def callback_failed(self, error):
        print('told of', repr(error))


raise SystemExit(run(Example))
"""


def wait_for_output(node, text):
    deadline = time.monotonic() + DEADLINE
    while text not in node.output():
        assert node.process.poll() is None and time.monotonic() < deadline, node.output()
        time.sleep(0.01)


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_cleanly(number):
    with NodeProcess(PROGRAM) as node:
        wait_for_output(node, 'tick 5')
        node.process.send_signal(number)
        code, seconds = node.end(number)
        output = node.output()
    assert code == 0
    assert seconds < 1.0
    assert output.count('asked to stop') == 1, 'a second signal changes nothing'
    assert 'closed while publishing works: True' in output
    assert output.count("told of ValueError('injected')") == 3
    assert output.count('Traceback') == 1, 'logged once, and none from the end'


def test_a_callback_may_end_the_process():
    with NodeProcess(PROGRAM, {'last': 5}) as node:
        assert node.process.wait(DEADLINE) == 7
        assert 'closed while publishing works: True' in node.output()


def test_a_node_that_cannot_be_made_is_one_line():
    with NodeProcess(PROGRAM, {'broken': True}) as node:
        assert node.process.wait(DEADLINE) == 1
        assert node.output() == 'error: example: is broken\n'
