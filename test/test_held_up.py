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

"""Something else holds the interpreter up for long; the driver has not been silent."""

import ctypes
from pathlib import Path
import time

import pytest
from robot_dynamics.control import Controller, ControllerSettings, LawSettings, Mode, State
from robot_dynamics.model import load_robot
from robot_dynamics.nodes.control_loop import ControlLoop
from robot_dynamics.nodes.messages import JointStateReader
from robot_dynamics.nodes.serialized_states import SerializedStateReader
from robot_dynamics.nodes.state_selector import StateSelector
from robot_dynamics.nodes.state_source import make_state_source
from ros_harness import Client, NodeProcess

pytestmark = pytest.mark.usefixtures('ros_domain_id')

TIMEOUT = 0.2  # [s] also long enough for a driver on a busy machine
DRIVER = f"""
import sys, time
sys.path.insert(0, {str(Path(__file__).parent)!r})
from ros_harness import Client, FakeDriver
with Client('driver') as client, FakeDriver(client, ('joint1', 'joint2'), [0.3, 0.5], 200.0):
    time.sleep(120.0)
"""


class Outputs:
    """Counts what is sent."""

    def __init__(self):
        self.sent = 0

    def send(self, _effort):
        self.sent += 1

    def observe(self, _state, _command):
        """Nobody looks."""

    def flush(self):
        """Nothing is under way."""


def hold_interpreter(seconds):
    """Sleep without letting any other Python thread run, as the take of a long message does."""
    ctypes.PyDLL(None).usleep(int(1e6 * seconds))


@pytest.mark.parametrize('kind', ['wait_set', 'executor'])
def test_what_came_meanwhile_is_no_silence_but_silence_is(kind):
    model = load_robot('rp_arm')
    settings = ControllerSettings(
        law=LawSettings(mode=Mode.GRAVITY_COMPENSATION), state_timeout=TIMEOUT
    )
    controller, outputs = Controller(model, settings), Outputs()
    with Client() as client:
        loop = ControlLoop(
            make_state_source(kind, client.node, raw=True),
            StateSelector(SerializedStateReader(JointStateReader(model.joint_names))),
            controller,
            outputs,
            logger=client.node.get_logger(),
            on_change=lambda: None,
        )
        loop.start()
        try:
            with NodeProcess(DRIVER) as driver:
                client.wait_until(lambda: outputs.sent > 20, 'commands')
                for _ in range(3):
                    before = outputs.sent
                    hold_interpreter(2.0 * TIMEOUT)
                    client.wait_until(lambda: outputs.sent > before + 20, 'more of them')
                assert controller.fault_count == 0, controller.last_fault
                driver.process.kill()
                driver.process.wait()
                killed = time.monotonic()
                hold_interpreter(2.0 * TIMEOUT)
                client.wait_until(lambda: controller.state is State.FAULT, 'the fault')
                assert time.monotonic() - killed < 3.0 * TIMEOUT
        finally:
            loop.stop()
