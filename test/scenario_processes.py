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

"""Scenarios started as plain processes, and how those end."""

import contextlib
import signal

from ros_harness import NodeProcess
from scenario_description import Run, Scenario

# What simulation.launch.py does with its arguments.
_ARGUMENTS = {
    'simulator': (
        'robot',
        'plant',
        'start_position',
        'seed',
        'mass_scale',
        'inertia_scale',
        'publish_rate',
    ),
    'dynamics': ('robot', 'mode'),
    'reference': ('robot', 'center', 'amplitude', 'angular_frequency', 'duration', 'goal'),
}
_REMAPPINGS = {
    'simulator': ['-r', 'effort_command:=dynamics/effort_command'],
    'dynamics': [],
    'reference': ['-r', 'joint_trajectory:=dynamics/joint_trajectory'],
}


def start_run(namespace: str, run: Run) -> dict[str, NodeProcess]:
    """Start the nodes of `run` in `namespace`; return them by name."""
    nodes = {}
    kind = run.arguments['reference']
    for name, keys in _ARGUMENTS.items():
        if name == 'reference' and kind == 'none':
            continue
        arguments = ['-r', f'__ns:=/{namespace}', *_REMAPPINGS[name]]
        for key in keys:
            if key in run.arguments:
                arguments += ['-p', f'{key}:={run.arguments[key]}']
        if name == 'reference':
            arguments += ['-p', f'kind:={kind}']
        parameters = run.all_parameters()
        nodes[name] = NodeProcess(
            f'robot_dynamics.nodes.{name}_node',
            {**parameters.get('/**', {}), **parameters.get(name, {})},
            arguments,
        )
    return nodes


def check_clean_end(node: NodeProcess, code: int) -> None:
    """Require exit code 0 and no traceback."""
    assert code == 0, node.output()
    assert 'Traceback' not in node.output(), node.output()


@contextlib.contextmanager
def started(scenario: Scenario):
    """Start all runs of a scenario; end them by SIGINT and require a clean end."""
    with contextlib.ExitStack() as stack:
        nodes = [
            stack.enter_context(node)
            for namespace, run in scenario.runs.items()
            for node in start_run(namespace, run).values()
        ]
        try:
            yield nodes
        finally:
            # Also after a failure: what ends by SIGKILL leaves shared memory behind.
            for node in nodes:
                node.process.send_signal(signal.SIGINT)
            codes = [node.process.wait(10.0) for node in nodes]
        for node, code in zip(nodes, codes):
            check_clean_end(node, code)
