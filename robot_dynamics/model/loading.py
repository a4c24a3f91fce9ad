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

"""From any source to a RobotModel; the kind is told by content, not by suffix."""

from __future__ import annotations

from collections.abc import Mapping
import os
from pathlib import Path
from typing import Any

from robot_dynamics.errors import ModelError
from robot_dynamics.model.options import ModelOptions
from robot_dynamics.model.overlay import ACCEPTABLE, Overlay, read_overlay
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.model.robots import find_robot
from robot_dynamics.model.source import expand_xacro, read_source, Source
from robot_dynamics.model.urdf import read_urdf
from robot_dynamics.model.yaml_robot import read_yaml_robot

Readable = str | os.PathLike[str] | bytes


def load_robot(
    source: Readable,
    *,
    overlay: Any = None,
    xacro_arguments: Mapping[str, str] | None = None,
    **options: Any,
) -> RobotModel:
    """
    Load a robot from a file, a text or the name of a shipped robot.

    Parameters
    ----------
    source : str, path or bytes
        URDF, xacro, YAML robot, or a YAML overlay that names its URDF.
    overlay : Overlay, mapping, path or text, optional
        What URDF cannot say; only for URDF and xacro.
    xacro_arguments : mapping of str to str, optional
        Values for ``xacro:arg``.
    **options
        ``joints`` (commanded, in order), ``locked`` (name to position),
        ``gravity`` (root link frame, [m/s^2]) or ``mount_rpy`` [rad], and
        ``accept`` (codes of findings that are meant).

    Returns
    -------
    RobotModel

    Raises
    ------
    ModelError
        When the source cannot be used; the text says why and what to do.

    """
    read = _read(source)
    if read.is_xml:
        return load_urdf(source, overlay=overlay, xacro_arguments=xacro_arguments, **options)
    if b'robot_dynamics_overlay' in read.data:
        return _load_overlay(read, xacro_arguments, options)
    if overlay is not None:
        raise ModelError(
            'an overlay was given for a YAML robot',
            where=read.where,
            remedy='write its content into the robot file',
        )
    return load_yaml(source, **options)


def load_urdf(
    source: Readable,
    *,
    overlay: Any = None,
    xacro_arguments: Mapping[str, str] | None = None,
    **options: Any,
) -> RobotModel:
    """Load URDF or xacro; see ``load_robot`` for the options."""
    read = _read(source)
    if not read.is_xml:
        raise ModelError('is no XML', where=read.where, expected='URDF or xacro')
    if read.is_xacro:
        read = expand_xacro(read, xacro_arguments)
    elif xacro_arguments:
        raise ModelError('takes no xacro arguments, it is no xacro', where=read.where)
    description, findings = read_urdf(read)
    return RobotModel(
        description, _overlay(overlay), _options(options), where=read.where, findings=findings
    )


def load_yaml(source: Readable | Mapping[str, Any], **options: Any) -> RobotModel:
    """Load a robot in the YAML format; see ``load_robot`` for the options."""
    read = source if isinstance(source, Mapping) else _read(source)
    description, overlay = read_yaml_robot(read)
    where = read.where if isinstance(read, Source) else 'mapping'
    return RobotModel(description, overlay, _options(options), where=where)


def _load_overlay(
    read: Source, xacro_arguments: Mapping[str, str] | None, options: dict[str, Any]
) -> RobotModel:
    overlay = read_overlay(read)
    if overlay.urdf is None:
        raise ModelError(
            'is an overlay without a URDF',
            where=read.where,
            expected="a key 'urdf' with its path",
            remedy='add it',
        )
    folder = read.path.parent if read.path is not None else Path()
    return load_urdf(
        folder / overlay.urdf, overlay=overlay, xacro_arguments=xacro_arguments, **options
    )


def _read(source: Readable) -> Source:
    """Read a source; a bare name may be a shipped robot."""
    if isinstance(source, bytes) or (
        isinstance(source, str) and ('\n' in source or '<' in source)
    ):
        return read_source(source)
    return read_source(find_robot(source))


def _overlay(overlay: Any) -> Overlay:
    if overlay is None:
        return Overlay()
    if isinstance(overlay, Overlay):
        return overlay
    return read_overlay(overlay if isinstance(overlay, Mapping) else read_source(overlay))


def _options(options: dict[str, Any]) -> ModelOptions:
    """Copy the user's choices in, so that later changes do not reach the model."""
    known = ('joints', 'locked', 'gravity', 'mount_rpy', 'accept')
    for key in options:
        if key not in known:
            raise ModelError(f"unknown option '{key}'", expected=f'one of: {", ".join(known)}')
    for key in ('gravity', 'mount_rpy'):
        value = options.get(key)
        if value is not None and (isinstance(value, str) or not hasattr(value, '__len__')):
            raise ModelError(
                f'is {value!r}',
                where=key,
                expected='a vector of three numbers such as (0.0, 0.0, -9.81)',
            )
    for code in options.get('accept') or ():
        if code not in ACCEPTABLE:
            raise ModelError(
                f"is '{code}'", where='accept', expected=f'one of: {", ".join(ACCEPTABLE)}'
            )
    joints = options.get('joints')
    return ModelOptions(
        joints=tuple(joints) if joints is not None else None,
        locked=dict(options.get('locked') or {}),
        gravity=tuple(options['gravity']) if options.get('gravity') is not None else None,
        mount_rpy=tuple(options['mount_rpy']) if options.get('mount_rpy') is not None else None,
        accept=tuple(options.get('accept') or ()),
    )
