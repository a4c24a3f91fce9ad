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

"""RobotModel: the rigid-body dynamics of one robot, by joint name and order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
import math
import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from robot_dynamics.errors import ModelError
from robot_dynamics.model.checks import check_description
from robot_dynamics.model.description import Description, Joint
from robot_dynamics.model.dynamics import Dynamics
from robot_dynamics.model.findings import Finding, refuse_errors, Severity
from robot_dynamics.model.friction import FrictionModel
from robot_dynamics.model.joints import friction_of, joint_info, JointInfo, JointLimits
from robot_dynamics.model.options import ModelOptions, root_gravity, vector3
from robot_dynamics.model.overlay import JointExtras, Overlay
from robot_dynamics.model.payload import Payload
from robot_dynamics.model.rigid_body import build_rigid_body
from robot_dynamics.model.roles import assign_roles, lock_joints, unknown_name
from robot_dynamics.model.urdf_writer import write_urdf

Array = NDArray[np.float64]


class RobotModel(Dynamics):
    """
    The equation M(q) a + C(q, v) v + G(q) = tau of one robot.

    Vectors have one entry for each joint in the order of ``joint_names``:
    commanded joints first, then those that are only measured. Positions are
    [rad] or [m], efforts [N m] or [N]. An object holds scratch memory: use it
    from one thread, and ``copy()`` for another.

    Parameters
    ----------
    description : Description
        Links and joints.
    overlay : Overlay
        Friction, motors and mounting.
    options : ModelOptions
        The user's choices.
    where : str
        Source, for messages.
    findings : sequence of Finding
        What reading has found already.

    Attributes
    ----------
    locked : dict of str to float
        Joints held at a position [rad or m].

    Raises
    ------
    ModelError
        When the robot is impossible or a choice does not fit it.

    """

    def __init__(
        self,
        description: Description,
        overlay: Overlay | None = None,
        options: ModelOptions | None = None,
        *,
        where: str = 'robot',
        findings: Sequence[Finding] = (),
    ) -> None:
        """Check the description and build the rigid body."""
        overlay, options = overlay or Overlay(), options or ModelOptions()
        self._setup = (description, overlay, options, where, tuple(findings))
        for name in overlay.joints:
            if name not in description.joints:
                raise unknown_name(name, tuple(description.joints), 'joint')
        # an effort or velocity limit of the overlay answers the finding about the URDF's
        description = _with_limits(description, overlay.joints)
        accept = (*overlay.accept, *options.accept)
        self.findings = refuse_errors(
            (*findings, *_accepted(check_description(description), accept)), where
        )
        from_overlay = {
            name: extras.locked
            for name, extras in overlay.joints.items()
            if extras.locked is not None
        }
        self.locked = {**from_overlay, **(options.locked or {})}
        description = lock_joints(description, self.locked)
        roles = assign_roles(description, options.joints)
        self.name = description.name
        self.commanded_names, self.measured_names = roles.commanded, roles.measured
        self.follower_names = roles.followers
        self.n_commanded = len(roles.commanded)
        none = JointExtras()
        self.joints: tuple[JointInfo, ...] = tuple(
            joint_info(description.joints[name], overlay.joints.get(name, none))
            for name in roles.names
        )
        self.limits = JointLimits.of(self.joints)
        self.is_continuous = np.array([joint.type == 'continuous' for joint in self.joints])
        self.is_continuous.setflags(write=False)
        self.friction_model = friction_of(description, overlay.joints, roles.names)
        self._description = description
        super().__init__(build_rigid_body(description, roles), roles.names)
        self._model.armature = np.array(
            [
                joint_info(description.joints[name], overlay.joints.get(name, none)).armature
                for name in list(self._model.names)[1:]
            ]
        )
        self.set_gravity(root_gravity(overlay, options))

    @classmethod
    def from_urdf(
        cls,
        source: str | os.PathLike[str] | bytes,
        *,
        joints: Sequence[str] | None = None,
        gravity: Sequence[float] | None = None,
        overlay: Any = None,
        **options: Any,
    ) -> RobotModel:
        """
        Build the model of a URDF or xacro, given as a path or a text.

        Parameters
        ----------
        source : str, path or bytes
            The file or its text.
        joints : sequence of str, optional
            Commanded joints in the order wanted.
        gravity : sequence of float, optional
            In the root link's frame [m/s^2]; (0, 0, -9.81) if nothing is said.
        overlay : Overlay, mapping, path or text, optional
            What URDF cannot say.
        **options
            See ``load_robot``.

        Raises
        ------
        ModelError
            When it cannot be used; nothing is half loaded.

        """
        from robot_dynamics.model.loading import load_urdf

        return load_urdf(source, joints=joints, gravity=gravity, overlay=overlay, **options)

    @classmethod
    def from_yaml(
        cls, source: str | os.PathLike[str] | bytes | Mapping[str, Any], **options: Any
    ) -> RobotModel:
        """
        Build the model of a robot in the YAML format.

        Parameters
        ----------
        source : str, path, bytes or mapping
            The file, its text, or the parsed data.
        **options
            See ``load_robot``.

        Raises
        ------
        ModelError
            When it cannot be used.

        """
        from robot_dynamics.model.loading import load_yaml

        return load_yaml(source, **options)

    # ---------------------------------------------------------------- variants

    def copy(self) -> RobotModel:
        """Return an independent model, for another thread."""
        return self._variant()

    def with_gravity(self, gravity: Sequence[float]) -> RobotModel:
        """Return the model under another gravity (3,), root link frame [m/s^2]."""
        model = self._variant()
        model.set_gravity(vector3(gravity, 'gravity'))
        return model

    def with_scaled(self, *, mass: float = 1.0, inertia: float = 1.0) -> RobotModel:
        """Return the model with all masses and rotational inertias multiplied."""
        for name, factor in (('mass', mass), ('inertia', inertia)):
            if not 0.0 < factor < math.inf:
                raise ModelError(f'is {factor}', where=f'{name} factor', expected='more than 0')
        return self._variant(self._setup[0].scaled(mass, inertia))

    def with_friction(self, friction: FrictionModel) -> RobotModel:
        """Return the model with another friction model of ``nv`` joints."""
        if friction.viscous.shape != (self.nv,):
            raise ModelError(
                f'has {friction.viscous.size} joints', where='friction', expected=f'{self.nv}'
            )
        model = self._variant()
        model.friction_model = friction
        return model

    def with_payload(self, payload: Payload | None) -> RobotModel:
        """Return the model carrying a load in place of any other; None removes it."""
        model = self._variant()
        model.set_payload_parameters(model.payload_parameters(payload))
        return model

    def without_motors(self) -> RobotModel:
        """Return the model without rotor inertia: the bare rigid bodies."""
        model = self._variant()
        model._model.armature = np.zeros(model._model.nv)
        model.joints = tuple(replace(joint, armature=0.0) for joint in model.joints)
        return model

    def _variant(self, description: Description | None = None) -> RobotModel:
        own, overlay, options, where, findings = self._setup
        model = RobotModel(description or own, overlay, options, where=where, findings=findings)
        model.friction_model = self.friction_model
        model.joints = self.joints
        model._compiled, model._backend = self._compiled, self._backend
        model._model.armature = self._model.armature.copy()
        model.set_gravity(self.gravity_vector)
        model.set_payload_parameters(self._loads)
        return model

    # ------------------------------------------------------------- what it is

    @property
    def description(self) -> Description:
        """Links and joints as this model sees them: locked joints are fixed."""
        return self._description

    @property
    def urdf(self) -> str:
        """URDF text of exactly this tree, without visuals."""
        return write_urdf(self._description)

    @property
    def link_names(self) -> tuple[str, ...]:
        """Names of all links; each is a frame too."""
        return tuple(self._description.links)

    @property
    def link_masses(self) -> dict[str, float]:
        """Mass of each link [kg]."""
        return {name: link.mass for name, link in self._description.links.items()}

    @property
    def total_mass(self) -> float:
        """Mass of all links, the root included [kg]."""
        return sum(self.link_masses.values())

    @property
    def armature(self) -> Array:
        """Rotor inertia at each joint, shape (nv,) [kg m^2 or kg]."""
        return np.array([joint.armature for joint in self.joints])

    def friction(self, v: ArrayLike) -> Array:
        """Return the effort (nv,) that overcomes friction at velocity ``v`` (nv,)."""
        return self.friction_model.effort(self._vector('v', v))

    def tree_text(self) -> str:
        """Return a drawing of links and joints, one line each."""
        lines = [self._description.root]
        children = self._description.children()
        stack = [(joint, '') for joint in reversed(children[self._description.root])]
        while stack:
            joint, indent = stack.pop()
            last = joint is children[joint.parent][-1]
            lines.append(
                f'{indent}{"└─" if last else "├─"} {joint.name} ({joint.type}) → {joint.child}'
            )
            inner = indent + ('   ' if last else '│  ')
            stack.extend((child, inner) for child in reversed(children[joint.child]))
        return '\n'.join(lines)


def _with_limits(description: Description, extras: dict[str, JointExtras]) -> Description:
    """Let the overlay's limits take the place of the URDF's."""

    def limited(joint: Joint) -> Joint:
        extra = extras.get(joint.name, JointExtras())
        return replace(
            joint,
            effort=joint.effort if extra.effort_limit is None else extra.effort_limit,
            velocity=joint.velocity if extra.velocity_limit is None else extra.velocity_limit,
        )

    joints = {name: limited(joint) for name, joint in description.joints.items()}
    return replace(description, joints=joints)


def _accepted(findings: Sequence[Finding], accept: Sequence[str]) -> list[Finding]:
    """Turn errors that the user declares as meant into warnings."""
    return [
        replace(finding, severity=Severity.WARNING)
        if finding.code in accept and finding.severity is Severity.ERROR
        else finding
        for finding in findings
    ]
