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

"""A RobotModel handed to MuJoCo."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.errors import SimulationError
from robot_dynamics.model import RobotModel
from robot_dynamics.model.description import Description, Joint
from robot_dynamics.model.urdf_writer import write_urdf

Array = NDArray[np.float64]

# MuJoCo must take the inertias as they are, and say so when it cannot
_COMPILER = {
    'fusestatic': 'true',
    'balanceinertia': 'false',
    'boundmass': '0',
    'boundinertia': '0',
    'inertiafromgeom': 'false',
}


class MujocoBody:
    """
    Mass matrix and bias forces of a tree by MuJoCo, in our joint order.

    Followers of other joints are folded into them: with full coordinates
    S q + offset the mass matrix is S^T M S and the bias S^T h, which is exact
    since S is constant.

    Parameters
    ----------
    mujoco : module
        The engine.
    model : mujoco.MjModel
        One hinge or slide for each moving joint.
    robot : RobotModel
        The order, the followers and the rotor inertia.

    """

    def __init__(self, mujoco: Any, model: Any, robot: RobotModel) -> None:
        """Match the joints by name."""
        self._mujoco, self._model = mujoco, model
        self._data = mujoco.MjData(model)
        self._selection = np.zeros((model.nv, robot.nv))
        self._offset = np.zeros(model.nv)
        self._rotors = np.diag(robot.armature)
        column = {name: index for index, name in enumerate(robot.joint_names)}
        for name in (*robot.joint_names, *robot.follower_names):
            row = int(model.joint(name).dofadr[0])
            mimic = robot.description.joints[name].mimic
            self._selection[row, column[mimic.master if mimic else name]] = (
                mimic.multiplier if mimic else 1.0
            )
            self._offset[row] = mimic.offset if mimic else 0.0
        self._columns = np.ascontiguousarray(self._selection.T)
        self._product = np.empty_like(self._columns)

    def dynamics(self, q: Array, v: Array) -> tuple[Array, Array]:
        """
        Return what MuJoCo makes of a state.

        Parameters
        ----------
        q, v : numpy.ndarray, shape (nv,)
            State.

        Returns
        -------
        tuple of numpy.ndarray
            M(q), shape (nv, nv), and C(q, v) v + G(q), shape (nv,).

        """
        model, data = self._model, self._data
        data.qpos[:] = self._selection @ q + self._offset
        data.qvel[:] = self._selection @ v
        self._mujoco.mj_fwdPosition(model, data)
        self._mujoco.mj_fwdVelocity(model, data)
        for column, product in zip(self._columns, self._product):
            self._mujoco.mj_mulM(model, data, product, column)
        matrix = self._columns @ self._product.T + self._rotors
        return matrix, np.asarray(self._columns @ data.qfrc_bias)


def build_mujoco(model: RobotModel) -> MujocoBody:
    """
    Build MuJoCo's model of a robot.

    Parameters
    ----------
    model : RobotModel
        Its links and joints; friction and limits are left to the plant.

    Returns
    -------
    MujocoBody

    Raises
    ------
    SimulationError
        When MuJoCo is not installed or refuses the model, with its reason.

    """
    try:
        import mujoco
    except ImportError as error:
        raise SimulationError(
            'MuJoCo is not installed',
            where='MuJoCo plant',
            remedy="'pip install mujoco', or use the Pinocchio plant",
        ) from error
    try:
        compiled = mujoco.MjModel.from_xml_string(mujoco_urdf(model.description))
    except ValueError as error:
        reason = ' '.join(str(error).split())
        raise SimulationError(
            f'MuJoCo refuses the model: {reason}',
            where=f"robot '{model.name}'",
            expected='mass and a possible inertia on every moving link',
            remedy='correct the inertia, or use the Pinocchio plant',
        ) from error
    compiled.opt.gravity[:] = model.gravity_vector
    compiled.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT) | int(
        mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    )
    return MujocoBody(mujoco, compiled, model)


def mujoco_urdf(description: Description) -> str:
    """
    Return URDF text that tells MuJoCo the rigid bodies and nothing else.

    Parameters
    ----------
    description : Description
        A checked tree.

    Returns
    -------
    str
        Without limits, friction, mimic and visuals; no file is referred to.

    """
    moving = description.moving_links()
    links = {
        name: link if name in moving else replace(link, has_inertial=False)
        for name, link in description.links.items()
    }
    joints = {name: _bare(joint) for name, joint in description.joints.items()}
    root = ElementTree.fromstring(write_urdf(replace(description, links=links, joints=joints)))
    ElementTree.SubElement(ElementTree.SubElement(root, 'mujoco'), 'compiler', _COMPILER)
    return ElementTree.tostring(root, encoding='unicode')


def _bare(joint: Joint) -> Joint:
    """Return the joint with nothing but its geometry."""
    return replace(
        joint,
        type='continuous' if joint.type == 'revolute' else joint.type,
        mimic=None,
        lower=None,
        upper=None,
        velocity=None,
        effort=None,
        damping=0.0,
        friction=0.0,
    )
