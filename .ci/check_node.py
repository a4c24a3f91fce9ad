#!/usr/bin/env python3
#
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

"""
Start the dynamics node as a process, see it active in the graph, and end it as Ctrl-C does.

Usage: check_node.py PROGRAM [ARGUMENT...]
Exit code 0 when the node became active and then ended by itself with exit code 0.
"""

import os
from pathlib import Path
import signal
import subprocess
import sys
import time

from lifecycle_msgs.msg import State
from lifecycle_msgs.srv import GetState
import rclpy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'test'))
from ros_domain import reserved_domain_id  # noqa: E402, I100

START_TIMEOUT = 60.0  # [s]
END_TIMEOUT = 10.0  # [s]


def wait_until_active(process: subprocess.Popen) -> None:
    """Ask the node for its state until that is active; leave with a message when it fails."""
    deadline = time.monotonic() + START_TIMEOUT
    watcher = rclpy.create_node('check_node')
    client = watcher.create_client(GetState, '/dynamics/get_state')
    try:
        while time.monotonic() < deadline:
            if process.poll() is not None:
                sys.exit(f'the node ended early, exit code {process.returncode}')
            if not client.wait_for_service(timeout_sec=0.5):
                continue
            future = client.call_async(GetState.Request())
            rclpy.spin_until_future_complete(watcher, future, timeout_sec=2.0)
            if future.done():
                state = future.result().current_state
                if state.id == State.PRIMARY_STATE_ACTIVE:
                    print('the node is active')
                    return
        sys.exit(f'the node did not become active within {START_TIMEOUT:g} s')
    finally:
        watcher.destroy_node()


def main(command: list[str]) -> None:
    """Run the check in a ROS domain of its own."""
    with reserved_domain_id() as domain_id:
        os.environ['ROS_DOMAIN_ID'] = str(domain_id)
        process = subprocess.Popen(command)
        try:
            rclpy.init()
            wait_until_active(process)
            rclpy.try_shutdown()
            process.send_signal(signal.SIGINT)
            code = process.wait(END_TIMEOUT)
        finally:
            process.kill()
        if code != 0:
            sys.exit(f'the node ended with exit code {code}')
        print('the node ended with exit code 0 on SIGINT')


if __name__ == '__main__':
    main(sys.argv[1:])
