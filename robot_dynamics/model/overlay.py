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

"""What URDF cannot say: friction, motors, mount, limits, locked joints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from robot_dynamics.model.friction import (
    DEFAULT_SMOOTHING,
    DEFAULT_STRIBECK_EXPONENT,
    DEFAULT_STRIBECK_VELOCITY,
)
from robot_dynamics.model.source import Source
from robot_dynamics.model.strict_yaml import read_yaml, wrap, YamlValue

ACCEPTABLE = ('massless_inertia',)
VERSION = 1.0


@dataclass(frozen=True, kw_only=True)
class Motor:
    """
    A motor behind a gear.

    Parameters
    ----------
    ratio : float
        Motor angle over joint position, signed; not zero.
    rotor_inertia : float
        On the motor side [kg m^2]; seen at the joint it is ratio^2 times that.
    efficiency : float
        Share of the motor's effort that reaches the joint, in (0, 1].

    """

    ratio: float = 1.0
    rotor_inertia: float = 0.0
    efficiency: float = 1.0

    @property
    def armature(self) -> float:
        """Rotor inertia seen at the joint [kg m^2 or kg]."""
        return self.ratio * self.ratio * self.rotor_inertia


@dataclass(frozen=True, kw_only=True)
class JointFriction:
    """
    Friction of one joint, on the joint side.

    Parameters
    ----------
    coulomb_positive, coulomb_negative : float
        Magnitudes [N m or N].
    viscous : float
        [N m s/rad or N s/m].
    smoothing : float
        Velocity scale of the sign change [rad/s or m/s].
    static_positive, static_negative : float or None
        Magnitudes at rest [N m or N]; None means the Coulomb values.
    stribeck_velocity, stribeck_exponent : float
        How fast the static value falls to the Coulomb value [rad/s or m/s].
    stiffness, damping : float
        Bristles of the LuGre law [N m/rad or N/m], [N m s/rad or N s/m].

    """

    coulomb_positive: float = 0.0
    coulomb_negative: float = 0.0
    viscous: float = 0.0
    smoothing: float = DEFAULT_SMOOTHING
    static_positive: float | None = None
    static_negative: float | None = None
    stribeck_velocity: float = DEFAULT_STRIBECK_VELOCITY
    stribeck_exponent: float = DEFAULT_STRIBECK_EXPONENT
    stiffness: float = 0.0
    damping: float = 0.0

    def __post_init__(self) -> None:
        """Let static friction be the Coulomb friction where it is not given."""
        for static, coulomb in (
            ('static_positive', self.coulomb_positive),
            ('static_negative', self.coulomb_negative),
        ):
            if getattr(self, static) is None:
                object.__setattr__(self, static, coulomb)


@dataclass(frozen=True, kw_only=True)
class JointExtras:
    """What is known about a joint beyond URDF; None means 'as in the URDF'."""

    motor: Motor | None = None
    friction: JointFriction | None = None
    effort_limit: float | None = None
    velocity_limit: float | None = None
    locked: float | None = None


@dataclass(frozen=True, kw_only=True)
class Overlay:
    """
    Additions to a URDF.

    Parameters
    ----------
    joints : dict of str to JointExtras
        By joint name.
    gravity : tuple of float or None
        Gravity in the root link's frame [m/s^2].
    mount_rpy : tuple of float or None
        Orientation of the root link in the world [rad].
    accept : tuple of str
        Codes of error findings that are meant, from ``ACCEPTABLE``.
    urdf : str or None
        Path of the URDF, relative to the overlay's file.

    """

    joints: dict[str, JointExtras] = field(default_factory=dict)
    gravity: tuple[float, float, float] | None = None
    mount_rpy: tuple[float, float, float] | None = None
    accept: tuple[str, ...] = ()
    urdf: str | None = None


def read_overlay(source: Source | Mapping[str, Any]) -> Overlay:
    """
    Read an overlay document.

    Parameters
    ----------
    source : Source or mapping
        A YAML text, or data already parsed.

    Returns
    -------
    Overlay

    Raises
    ------
    ModelError
        When a key is unknown or a value unusable.

    """
    root = read_yaml(source) if isinstance(source, Source) else wrap(source, 'overlay')
    entries = root.mapping(
        ('robot_dynamics_overlay',), ('urdf', 'gravity', 'mount', 'accept', 'joints')
    )
    check_version(entries['robot_dynamics_overlay'])
    joints = {}
    if 'joints' in entries:
        for name, value in entries['joints'].items():
            keys = value.mapping((), ('motor', 'friction', 'effort', 'velocity', 'locked'))
            joints[name] = read_extras(keys)
    return Overlay(
        joints=joints,
        gravity=read_gravity(entries),
        mount_rpy=read_mount(entries),
        accept=read_accept(entries),
        urdf=entries['urdf'].text() if 'urdf' in entries else None,
    )


def check_version(value: YamlValue) -> None:
    """Refuse a format version that this package does not know."""
    if value.number() != VERSION:
        raise value.error(f'is format version {value.value}', f'{VERSION:g}')


def read_gravity(entries: dict[str, YamlValue]) -> tuple[float, float, float] | None:
    """Return the gravity entry [m/s^2, root link frame], if there is one."""
    if 'gravity' not in entries:
        return None
    if not isinstance(entries['gravity'].value, list):
        raise entries['gravity'].error(
            'is no vector', 'an acceleration in the root link frame such as [0.0, 0.0, -9.81]'
        )
    return entries['gravity'].triple()


def read_mount(entries: dict[str, YamlValue]) -> tuple[float, float, float] | None:
    """Return roll, pitch, yaw [rad] of the mount entry, if there is one."""
    if 'mount' not in entries:
        return None
    if 'gravity' in entries:
        raise entries['mount'].error(
            'stands beside gravity',
            'one of the two',
            'gravity is given in the root link frame, the mount turns the default gravity',
        )
    return entries['mount'].mapping(('rpy',))['rpy'].triple()


def read_accept(entries: dict[str, YamlValue]) -> tuple[str, ...]:
    """Return the finding codes that the file declares as meant."""
    if 'accept' not in entries:
        return ()
    codes = []
    for value in entries['accept'].sequence():
        if value.text() not in ACCEPTABLE:
            raise value.error(
                f"names the finding '{value.text()}'", f'one of: {", ".join(ACCEPTABLE)}'
            )
        codes.append(value.text())
    return tuple(codes)


def read_extras(entries: dict[str, YamlValue]) -> JointExtras:
    """
    Read the additions of one joint.

    Parameters
    ----------
    entries : dict of str to YamlValue
        The joint's mapping; other keys than the additions are not looked at.

    Returns
    -------
    JointExtras

    """
    motor = _motor(entries['motor']) if 'motor' in entries else None
    friction = None
    if 'friction' in entries:
        friction = _friction(entries['friction'], motor)
    limits = {
        f'{key}_limit': _at_least(entries[key], 0.0, strict=True)
        for key in ('effort', 'velocity')
        if key in entries
    }
    locked = entries['locked'].number() if 'locked' in entries else None
    return JointExtras(motor=motor, friction=friction, locked=locked, **limits)


def _at_least(value: YamlValue, bound: float, strict: bool = False) -> float:
    number = value.number()
    if not (number > bound if strict else number >= bound):
        raise value.error(f'is {number:g}', f'{"more than" if strict else "at least"} {bound:g}')
    return number


def _motor(value: YamlValue) -> Motor:
    entries = value.mapping((), ('ratio', 'rotor_inertia', 'efficiency'))
    ratio = entries['ratio'].number() if 'ratio' in entries else 1.0
    if ratio == 0.0:
        raise entries['ratio'].error('is 0', 'motor angle over joint position')
    inertia = _at_least(entries['rotor_inertia'], 0.0) if 'rotor_inertia' in entries else 0.0
    efficiency = 1.0
    if 'efficiency' in entries:
        efficiency = _at_least(entries['efficiency'], 0.0, strict=True)
        if not efficiency <= 1.0:
            raise entries['efficiency'].error(f'is {efficiency:g}', 'at most 1')
    return Motor(ratio=ratio, rotor_inertia=inertia, efficiency=efficiency)


def _friction(value: YamlValue, motor: Motor | None) -> JointFriction:
    entries = value.mapping(
        (),
        (
            'side',
            'coulomb',
            'viscous',
            'smoothing',
            'static',
            'stribeck_velocity',
            'stribeck_exponent',
            'lugre',
        ),
    )
    side = entries['side'].text() if 'side' in entries else 'joint'
    if side not in ('joint', 'motor'):
        raise entries['side'].error(f"is '{side}'", 'joint or motor')
    if side == 'motor' and motor is None:
        raise entries['side'].error("is 'motor'", 'a motor entry with its ratio beside it')
    # efforts grow with the ratio on the way to the joint, per-velocity values twice
    ratio = abs(motor.ratio) if side == 'motor' and motor is not None else 1.0
    values: dict[str, float] = {
        key: _at_least(entries[key], 0.0, strict=key != 'smoothing')
        for key in ('smoothing', 'stribeck_velocity', 'stribeck_exponent')
        if key in entries
    }
    if 'viscous' in entries:
        values['viscous'] = _at_least(entries['viscous'], 0.0) * ratio * ratio
    for key in ('coulomb', 'static'):
        if key in entries:
            for direction, magnitude in zip(
                ('positive', 'negative'), _directions(entries[key]), strict=True
            ):
                values[f'{key}_{direction}'] = magnitude * ratio
    if 'lugre' in entries:
        bristles = entries['lugre'].mapping(('stiffness', 'damping'))
        values['stiffness'] = _at_least(bristles['stiffness'], 0.0, strict=True) * ratio * ratio
        values['damping'] = _at_least(bristles['damping'], 0.0) * ratio * ratio
    friction = JointFriction(**values)
    for direction in ('positive', 'negative'):
        if getattr(friction, f'static_{direction}') < getattr(friction, f'coulomb_{direction}'):
            raise value.error('has static friction below Coulomb friction')
        if friction.stiffness and not getattr(friction, f'coulomb_{direction}') > 0.0:
            raise value.error('has LuGre bristles without Coulomb friction')
    return friction


def _directions(value: YamlValue) -> tuple[float, float]:
    """Read one magnitude, or one for each direction."""
    if not isinstance(value.value, list):
        both = _at_least(value, 0.0)
        return both, both
    if len(value.value) != 2:
        raise value.error(
            f'has {len(value.value)} entries',
            'one magnitude, or two: for positive and for negative velocity',
        )
    positive, negative = (_at_least(entry, 0.0) for entry in value.value)
    return positive, negative
