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

"""Reference data and shipped robots for the tests, with the arms rebuilt for given numbers."""

from __future__ import annotations

import json
from pathlib import Path
import sysconfig
from typing import Any

import numpy as np
import yaml

DATA = Path(__file__).parent / 'data'
ROBOTS = Path(__file__).parents[1] / 'config' / 'robots'


def load(name: str) -> dict[str, Any]:
    """Return a reference file of test/data by its name without suffix."""
    return json.loads((DATA / f'{name}.json').read_text(encoding='utf-8'))


def entries(data: dict[str, Any], *groups: str) -> list[Any]:
    """Return the states of groups such as 'special', for use as test parameters."""
    import pytest

    return [pytest.param(entry, id=entry['name']) for group in groups for entry in data[group]]


def robot(name: str) -> dict[str, Any]:
    """Return a shipped YAML robot as a mapping that may be changed."""
    return yaml.safe_load((ROBOTS / f'{name}.yaml').read_text(encoding='utf-8'))


def assert_close(actual: Any, expected: Any, relative: float, *scales: Any) -> None:
    """Require |actual - expected| <= relative * max(1, |expected|, |scales|), all entries."""
    actual, expected = np.asarray(actual, dtype=float), np.asarray(expected, dtype=float)
    assert actual.shape == expected.shape
    scale = max(1.0, *(float(np.abs(np.asarray(x)).max()) for x in (expected, *scales)))
    error = float(np.abs(actual - expected).max())
    # written so that NaN fails
    assert error <= relative * scale, f'error {error:.3g} at a scale of {scale:.3g}'


def vertical_mass(m: float, g: float) -> dict[str, Any]:
    """Return the vertical mass with other numbers."""
    mapping = robot('vertical_mass')
    mapping['links'][0]['mass'] = m
    mapping['gravity'] = [0.0, 0.0, -g]
    return mapping


def rp_arm(m1: float, m2: float, l1: float, J1: float, J2: float, g: float) -> dict[str, Any]:
    """Return the RP arm with other numbers."""
    mapping = robot('rp_arm')
    mapping['gravity'] = [0.0, 0.0, -g]
    _body(mapping, 'link1', m1, l1, J1)
    _body(mapping, 'link2', m2, 0.0, J2)
    return mapping


def arm_2r_point(m1: float, m2: float, l1: float, l2: float, g: float) -> dict[str, Any]:
    """Return the 2R arm of point masses with other numbers."""
    return _arm_2r('arm_2r_point', m1, m2, l1, l2, l1, l2, 0.0, 0.0, g)


def arm_2r_rod(
    m1: float,
    m2: float,
    l1: float,
    l2: float,
    lc1: float,
    lc2: float,
    I1: float,
    I2: float,
    g: float,
) -> dict[str, Any]:
    """Return the 2R arm of rods with other numbers."""
    return _arm_2r('arm_2r', m1, m2, l1, l2, lc1, lc2, I1, I2, g)


def _arm_2r(
    name: str,
    m1: float,
    m2: float,
    l1: float,
    l2: float,
    lc1: float,
    lc2: float,
    i1: float,
    i2: float,
    g: float,
) -> dict[str, Any]:
    mapping = robot(name)
    mapping['gravity'] = [0.0, 0.0, -g]
    _body(mapping, 'link1', m1, lc1, i1)
    _body(mapping, 'link2', m2, lc2, i2)
    for joint, length in (('joint2', l1), ('tip_joint', l2)):
        _by_name(mapping['joints'], joint)['origin']['xyz'][0] = length
    return mapping


def _body(mapping: dict[str, Any], name: str, mass: float, com: float, inertia: float) -> None:
    link = _by_name(mapping['links'], name)
    link['mass'], link['com'] = mass, [com, 0.0, 0.0]
    link['inertia'] = {'ixx': 0.1 * inertia, 'iyy': inertia, 'izz': inertia}


def _by_name(items: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(item for item in items if item['name'] == name)


ARMS = {
    'vertical_mass': vertical_mass,
    'rp_arm': rp_arm,
    'arm_2r_point': arm_2r_point,
    'arm_2r_rod': arm_2r_rod,
}


def example_robots() -> Path:
    """Return the folder of the robots of example-robot-data, which may be absent."""
    purelib = Path(sysconfig.get_path('purelib'))
    return purelib / 'cmeel.prefix' / 'share' / 'example-robot-data' / 'robots'
