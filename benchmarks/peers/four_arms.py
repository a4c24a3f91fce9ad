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

"""Several dynamics nodes in one process, each in a namespace of its own, in one executor."""

import gc
import signal
import sys
import threading

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.lifecycle import LifecycleNode
from rclpy.signals import SignalHandlerOptions
from robot_dynamics.nodes.dynamics_node import DynamicsNode


class _Placed(LifecycleNode):
    """Puts a node into the namespace that is set on its class."""

    namespace = ''

    def __init__(self, name: str) -> None:
        super().__init__(name, namespace=self.namespace)


class _Arm(DynamicsNode, _Placed):
    """A dynamics node in a namespace."""


def main() -> None:
    """Run the nodes until SIGINT; the namespaces come before ``--ros-args``."""
    end = sys.argv.index('--ros-args')
    namespaces = sys.argv[1:end]
    rclpy.init(args=sys.argv, signal_handler_options=SignalHandlerOptions.NO)
    stopped = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: stopped.set())
    executor = SingleThreadedExecutor()
    nodes = [type('Arm', (_Arm,), {'namespace': name})() for name in namespaces]
    for node in nodes:
        executor.add_node(node)
    gc.collect()
    gc.freeze()
    while not stopped.is_set():
        executor.spin_once(timeout_sec=1.0)
    for node in nodes:
        node.close()
        node.destroy_node()


if __name__ == '__main__':
    main()
