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

"""Recordings that mislead: reversed signs, other units, rest, too few samples."""

from dataclasses import replace
import json

import golden
import numpy as np
import pytest
from recorded_motions import RANK_CASE, recorded, SIGN_CASE
from robot_dynamics.errors import StateError
from robot_dynamics.identification import identify
from robot_dynamics.identification.data_checks import likeness
from robot_dynamics.model import load_robot

SIGN = json.loads((SIGN_CASE / 'expect.json').read_text(encoding='utf-8'))


@pytest.fixture(scope='module')
def arm():
    """Return the 2R arm of the cases."""
    return load_robot(RANK_CASE / 'arm.urdf')


def test_a_reversed_effort_is_refused_by_joint(arm):
    with pytest.raises(StateError) as caught:
        identify(arm, recorded(arm, 'b_sign.csv', SIGN_CASE))
    text = str(caught.value)
    assert f"'{SIGN['joint_named']['b_sign.csv']}'" in text and 'sign' in text
    assert 'shoulder' not in text


def test_another_unit_is_refused_by_joint(arm):
    with pytest.raises(StateError) as caught:
        identify(arm, recorded(arm, 'c_mNm.csv', SIGN_CASE))
    text = str(caught.value)
    assert "'shoulder' is 1000 times" in text and "'elbow' is 998 times" in text
    assert 'mN·m' in text


@pytest.mark.parametrize(
    ('factor', 'words'),
    [
        (-1000.0, ('sign is reversed', 'mN·m')),
        (0.001, ('kN·m',)),
        (100.0, ('motor side',)),
        (0.0, ('0 throughout',)),
    ],
)
def test_other_factors_of_one_joint(arm, factor, words):
    motion = recorded(arm, 'a_noise.csv', SIGN_CASE)
    tau = motion.tau * [1.0, factor]
    with pytest.raises(StateError) as caught:
        identify(arm, replace(motion, tau=tau))
    assert all(word in str(caught.value) for word in ("'elbow'", *words))
    assert 'shoulder' not in str(caught.value)


def test_a_reversed_effort_is_seen_at_rest_too(arm):
    motion = recorded(arm, 'c_still.csv')
    with pytest.raises(StateError, match="'elbow' runs against"):
        identify(arm, replace(motion, tau=motion.tau * [1.0, -1.0]))


@pytest.mark.parametrize('factor', [2.5, 0.35])
def test_a_remarkable_scale_is_only_a_warning(arm, factor):
    motion = recorded(arm, 'a_noise.csv', SIGN_CASE)
    warnings = identify(arm, replace(motion, tau=factor * motion.tau)).warnings
    assert sum('times what the prior model expects' in text for text in warnings) == 2


def test_degrees_and_milliseconds_are_refused(arm):
    motion = recorded(arm, 'a_rich.csv')
    with pytest.raises(StateError, match=r"position of joint 'shoulder' .* \(degrees\?\)"):
        identify(arm, replace(motion, q=np.rad2deg(motion.q)))
    with pytest.raises(StateError, match="position of joint 'shoulder'"):
        identify(arm, replace(motion, time=1e3 * motion.time))
    with pytest.raises(StateError, match="velocity of joint 'elbow'"):
        identify(arm, replace(motion, a=motion.a * [1.0, -1.0]))


def test_likeness_of_signals():
    x = np.sin(np.linspace(0.0, 9.0, 200))
    assert likeness(x, -3.0 * x).scale == pytest.approx(-3.0)
    assert likeness(x, -3.0 * x).is_reversed and not likeness(x, -3.0 * x).is_scaled
    assert likeness(x, 1e3 * x).is_scaled
    assert likeness(x, 5.0 - x).correlation == pytest.approx(-1.0)
    assert likeness(x, np.zeros(200)) is None


def test_too_few_samples_are_refused(arm):
    motion = recorded(arm, 'a_rich.csv')
    with pytest.raises(StateError, match='3 samples for 6'):
        identify(arm, motion.part(np.arange(400) < 3))


def test_a_recording_of_another_robot_is_refused(arm):
    other = load_robot(golden.ROBOTS / 'arm_2r.yaml')
    with pytest.raises(StateError, match='shoulder, elbow'):
        identify(other, recorded(arm, 'a_rich.csv'))
