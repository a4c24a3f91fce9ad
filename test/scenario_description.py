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

"""What a scenario is: which nodes run, with which arguments, and what is checked."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
import importlib.util
import json
from pathlib import Path
from typing import Any

from scenario_observer import Observer

RATE = 500.0  # [Hz] of states, and so of the control loop

# What a busy machine does to the processes is not what is looked at here.
PATIENCE = {'simulator': {'command_timeout': 5.0}, 'dynamics': {'state_timeout': 10.0}}  # [s]


@dataclass(frozen=True, kw_only=True)
class Run:
    """
    One simulated arm with its dynamics node, and perhaps a reference.

    Attributes
    ----------
    arguments : mapping
        Arguments of simulation.launch.py.
    parameters : mapping
        By node name, what has no argument there and goes into a parameter file.

    """

    arguments: Mapping[str, str]
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def all_parameters(self) -> dict[str, dict[str, Any]]:
        """Return `parameters` with those that all scenarios share."""
        return {
            node: {**PATIENCE.get(node, {}), **self.parameters.get(node, {})}
            for node in {**PATIENCE, **self.parameters}
        }


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """
    Some runs side by side, each in a namespace of its own, and what to check.

    Attributes
    ----------
    name
        Short, for reports.
    runs
        By namespace.
    check
        Looks at the running nodes; an AssertionError says what is wrong.
    robot_file
        A file that must be installed, or None.

    """

    name: str
    runs: Mapping[str, Run]
    check: Callable[[Observer], None]
    robot_file: Path | None = None

    def __str__(self) -> str:
        return self.name

    def missing(self) -> str:
        """Return what has to be installed for it, or ''."""
        if self.robot_file is not None and not self.robot_file.is_file():
            return 'needs robots of example-robot-data: pip install example-robot-data'
        plants = [run.arguments.get('plant') for run in self.runs.values()]
        if 'mujoco' in plants and importlib.util.find_spec('mujoco') is None:
            return 'needs MuJoCo: pip install mujoco'
        return ''


def numbers_text(values: Iterable[float]) -> str:
    """Return numbers as a launch argument has them."""
    return ', '.join(repr(float(value)) for value in values)


def parameter_file(run: Run, folder: Path) -> Path:
    """Write the parameters of `run` as a ROS parameter file in `folder`; return its path."""
    path = folder / 'parameters.yaml'
    sections = {
        node if node.startswith('/') else f'/**/{node}': {'ros__parameters': values}
        for node, values in run.all_parameters().items()
    }
    # JSON is YAML, and writes every number so that rcl reads it as the same type.
    path.write_text(json.dumps(sections, indent=1))
    return path
