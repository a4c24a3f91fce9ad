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

"""The node's parameters: declared once, checked as a whole, handed over as one object."""

from __future__ import annotations

import difflib
from typing import Any, Callable, Mapping, Sequence

import numpy as np
from rcl_interfaces.msg import ParameterDescriptor, SetParametersResult
from rclpy.parameter import Parameter
from robot_dynamics.control import (
    AccelerationGains,
    ControllerSettings,
    EffortGains,
    LawSettings,
    Mode,
)
from robot_dynamics.errors import ParameterError, RobotDynamicsError
from robot_dynamics.model import Payload
from robot_dynamics.nodes.parameter_table import Specification, SPECIFICATIONS

Values = Mapping[str, Any]


class NodeParameters:
    """
    The parameters of one node, in converted form.

    A change is checked as a whole, together with the values that stay; if any part is refused,
    nothing changes. Values from files and the command line are only checked when they are asked
    for, so that a wrong one does not end the process but can be put right at run time.

    Parameters
    ----------
    node
        The rclpy node to declare them on.
    accept
        Called with all values after a change of settings that has passed the checks of each
        value; it puts them into force or raises RobotDynamicsError. Not called when a value
        read at configuration only has changed.
    is_active
        Whether the node is active: structural parameters cannot be changed then.
    specifications
        The parameters by name; those of the dynamics node unless given.

    """

    def __init__(
        self,
        node: Any,
        accept: Callable[[Values], None],
        is_active: Callable[[], bool],
        specifications: Mapping[str, Specification] = SPECIFICATIONS,
    ) -> None:
        self._specifications = specifications
        self._accept = accept
        self._is_active = is_active
        self._values: dict[str, Any] = {}
        self._errors: dict[str, ParameterError] = {}
        for item in specifications.values():
            declared = node.declare_parameter(item.name, item.default, _descriptor(item))
            # An empty list in a parameter file comes as a value that is not set.
            self._convert_declared(
                item, item.default if declared.value is None else declared.value
            )
        node.add_on_set_parameters_callback(self._on_set)

    def _convert_declared(self, item: Specification, value: Any) -> None:
        try:
            self._values[item.name] = item.kind.convert(item.name, value)
        except ParameterError as error:
            self._errors[item.name] = error

    def __getitem__(self, name: str) -> Any:
        """Return one converted value, whatever the others are; raise ParameterError if wrong."""
        if name in self._errors:
            raise self._errors[name]
        return self._values[name]

    def values(self) -> Values:
        """
        Return a copy of all converted values.

        Raises
        ------
        ParameterError
            A value given at the start is wrong.

        """
        for error in self._errors.values():
            raise error
        return dict(self._values)

    def _on_set(self, parameters: Sequence[Parameter]) -> SetParametersResult:
        try:
            changes = self._changes(parameters)
            if changes:
                self._put_into_force(changes)
        except RobotDynamicsError as error:
            return SetParametersResult(successful=False, reason=str(error))
        return SetParametersResult(successful=True)

    def _changes(self, parameters: Sequence[Parameter]) -> dict[str, Any]:
        """Return the converted values of the parameters in a batch that are ours."""
        changes = {}
        for parameter in parameters:
            item = self._specifications.get(parameter.name)
            if item is None:
                continue
            value = item.kind.convert(item.name, parameter.value)
            changed = item.name in self._errors or value != self._values[item.name]
            if item.structural and changed and self._is_active():
                raise ParameterError(
                    'cannot be changed while the node is active',
                    where=item.name,
                    remedy='deactivate and clean up the node '
                    'first; it is read when the node is configured',
                )
            changes[item.name] = value
        return changes

    def _put_into_force(self, changes: dict[str, Any]) -> None:
        values = {**self._values, **changes}
        errors = {name: error for name, error in self._errors.items() if name not in changes}
        structural = any(
            self._specifications[name].structural and value != self._values.get(name)
            for name, value in changes.items()
        )
        if not errors and not structural:
            self._accept(values)
        self._values = values
        self._errors = errors


def _descriptor(item: Specification) -> ParameterDescriptor:
    # Types are checked by the kinds: rclpy would refuse an integer for a double.
    return ParameterDescriptor(
        name=item.name,
        description=item.description,
        additional_constraints=item.kind.constraint,
        dynamic_typing=True,
    )


def unknown_parameters(names: Sequence[str]) -> list[str]:
    """Return one line for each name that looks like a misspelt parameter of this node."""
    lines = []
    for name in names:
        match = difflib.get_close_matches(name, SPECIFICATIONS, n=1, cutoff=0.8)
        if name not in SPECIFICATIONS and match:
            lines.append(
                f"parameter '{name}' is not known and has no effect; did you mean '{match[0]}'?"
            )
    return lines


def model_options(values: Values) -> dict[str, Any]:
    """Return the keyword arguments of ``load_robot`` that the parameters ask for."""
    return {
        'overlay': values['overlay'] or None,
        'joints': values['joints'] or None,
        'locked': values['locked_joints'] or None,
        'gravity': values['gravity'],
        'mount_rpy': values['mount_rpy'],
        'accept': values['accept_findings'] or None,
    }


def payload(values: Values) -> Payload | None:
    """
    Return the payload that the parameters describe, None without one.

    Raises
    ------
    ParameterError
        No body can have these values, or the frame is missing.

    """
    if values['payload.mass'] == 0.0:
        return None
    if not values['payload.frame']:
        raise ParameterError(
            'is empty', where='payload.frame', expected='the link that carries the payload'
        )
    xx, xy, xz, yy, yz, zz = values['payload.inertia'] or 6 * (0.0,)
    return Payload(
        frame=values['payload.frame'],
        mass=values['payload.mass'],
        com=np.array(values['payload.com'] or 3 * (0.0,)),
        inertia=np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]),
    )


def controller_settings(values: Values, joint_names: Sequence[str]) -> ControllerSettings:
    """
    Return the settings of the controller.

    Parameters
    ----------
    values
        Converted parameter values.
    joint_names
        The commanded joints, for the length of the lists.

    Raises
    ------
    ParameterError
        A list has not one number for each joint, or the settings do not fit together.

    """

    def spread(name: str) -> Any:
        value = values[name]
        if value is None:
            return None
        if isinstance(value, tuple) and len(value) != len(joint_names):
            raise ParameterError(
                f'has {len(value)} numbers',
                where=name,
                expected=f'one number, or {len(joint_names)} in the order '
                f'{", ".join(joint_names)}',
            )
        return np.broadcast_to(np.asarray(value, dtype=np.float64), (len(joint_names),)).copy()

    omega = spread('acceleration_gains.natural_frequency')
    ratio = spread('acceleration_gains.damping_ratio')
    kp = spread('acceleration_gains.kp')
    kd = spread('acceleration_gains.kd')
    law = LawSettings(
        mode=Mode(values['mode']),
        acceleration_gains=AccelerationGains(
            kp=omega * omega if kp is None else kp, kd=2.0 * ratio * omega if kd is None else kd
        ),
        effort_gains=EffortGains(kp=spread('effort_gains.kp'), kd=spread('effort_gains.kd')),
        friction=values['friction'],
        friction_velocity=values['friction_velocity'],
        gravity_in_output=values['gravity_in_output'],
    )
    return ControllerSettings(
        law=law,
        effort_limit=spread('effort_limit'),
        effort_rate_limit=spread('effort_rate_limit'),
        start_jump_limit=spread('start_jump_limit'),
        **{
            name: values[name]
            for name in (
                'allow_unlimited_effort',
                'state_timeout',
                'fresh_states',
                'start_ramp',
                'on_fault',
                'fault_ramp',
                'hold_gravity_time',
                'blend_time',
                'setpoint_timeout',
                'payload_ramp',
                'wrench_timeout',
                'jump_velocity',
                'velocity_source',
                'velocity_cutoff',
                'effort_side',
                'backend',
            )
        },
    )
