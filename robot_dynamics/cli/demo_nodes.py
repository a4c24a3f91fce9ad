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

"""The nodes of the demo: which ones, with which parameters and names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from robot_dynamics.cli.demo_scenes import (
    DAMPING_RATIO,
    DemoOptions,
    effort_gains,
    FADE,
    GRAVITY,
    LEAD,
    NATURAL_FREQUENCY,
    Scene,
)
from robot_dynamics.model import RobotModel

STATE_RATE = 500.0  # [Hz]
TIMEOUT = 2.0  # [s] of silence between the nodes; longer than on a robot, for busy machines
BRAKE_RELEASE = 0.5  # [s] of commands before the simulated brake opens


class NodeSpec(NamedTuple):
    """
    How a node is started.

    Attributes
    ----------
    module : str
        Below robot_dynamics.nodes, such as 'simulator_node'.
    parameters : mapping
        ROS parameters: texts, numbers, booleans or lists of numbers.
    remappings : mapping of str to str
        Names to other names.

    """

    module: str
    parameters: Mapping[str, Any]
    remappings: Mapping[str, str]

    def arguments(self, namespace: str) -> list[str]:
        """Return the command line after '--ros-args' for a namespace."""
        arguments = ['-r', f'__ns:={namespace}']
        for name, target in self.remappings.items():
            arguments += ['-r', f'{name}:={target}']
        for name, value in self.parameters.items():
            arguments += ['-p', f'{name}:={_parameter_text(value)}']
        return arguments


def simulator(scene: Scene, options: DemoOptions) -> NodeSpec:
    """Return the simulated arm."""
    factor = 1.0 + options.mass_error
    parameters = {
        'robot': scene.robot,
        'start_position': list(scene.center),
        'publish_rate': STATE_RATE,
        'brake_release': BRAKE_RELEASE,
        'mass_scale': factor,
        'inertia_scale': factor,
        'plant': options.plant,
        'command_format': 'joint_state',
        'command_timeout': TIMEOUT,
    }
    return NodeSpec('simulator_node', parameters, {'effort_command': 'dynamics/effort_command'})


def dynamics(scene: Scene, model: RobotModel) -> NodeSpec:
    """Return the controller; it begins with gravity compensation and has the gains of all acts."""
    kp, kd = effort_gains(model, scene.center)
    parameters = {
        'robot': scene.robot,
        'mode': GRAVITY.mode,
        'command_format': 'joint_state',
        'state_timeout': TIMEOUT,
        'effort_gains.kp': kp,
        'effort_gains.kd': kd,
        'acceleration_gains.natural_frequency': NATURAL_FREQUENCY,
        'acceleration_gains.damping_ratio': DAMPING_RATIO,
    }
    return NodeSpec('dynamics_node', parameters, {})


def reference(scene: Scene, options: DemoOptions) -> NodeSpec:
    """Return the sender of the sine; it waits for a description, which comes when it is time."""
    parameters = {
        'kind': 'sine',
        'start_delay': 0.0,
        'duration': options.seconds,
        'center': list(scene.center),
        'amplitude': list(scene.amplitude),
        'angular_frequency': scene.angular_frequency(options.seconds),
        'lead': LEAD * options.seconds,
        'fade': FADE * options.seconds,
    }
    remappings = {
        'joint_trajectory': 'dynamics/joint_trajectory',
        'robot_description': 'demo/robot_description',
    }
    return NodeSpec('reference_node', parameters, remappings)


def _parameter_text(value: Any) -> str:
    """Return a parameter as ROS arguments write it: YAML on one line."""
    if isinstance(value, bool):
        return 'true' if value else 'false'
    if isinstance(value, (list, tuple)):
        return f'[{", ".join(_parameter_text(entry) for entry in value)}]'
    return repr(float(value)) if isinstance(value, float) else str(value)
