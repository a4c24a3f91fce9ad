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

"""Payload ramps, wrench time-outs and a turning gravity, without steps or residue."""

import golden
import numpy as np
import pytest
from robot_dynamics import load_robot
from robot_dynamics.control.external_wrench import ExternalWrench
from robot_dynamics.control.loads import Loads, WRENCH_FADE
from robot_dynamics.model import Payload

Q = np.array([0.3, -0.8])
LIGHT = Payload(frame='tip', mass=1.0, com=[0.1, 0.0, 0.0])
HEAVY = Payload(frame='link1', mass=5.0)


def gravity(loads, model, now):
    """Return the gravity effort after the loads were put on the model."""
    loads.advance(now, model, with_gravity=True)
    return model.gravity(Q)


def test_payload_comes_in_linearly_and_stays():
    model, loads = load_robot('arm_2r'), Loads(None, 0.5, 0.1)
    bare, full = model.gravity(Q), model.with_payload(LIGHT).gravity(Q)
    golden.assert_close(gravity(loads, model, 10.0), bare, 0.0)
    loads.order_payload(LIGHT)
    for share in (0.0, 0.2, 0.5, 0.99, 1.0, 3.0):
        found = gravity(loads, model, 11.0 + 0.5 * share)
        golden.assert_close(found, bare + min(share, 1.0) * (full - bare), 1e-12)


def test_change_during_a_ramp_begins_where_the_ramp_is():
    model, loads = load_robot('arm_2r'), Loads(LIGHT, 0.5, 0.1)
    previous, largest = gravity(loads, model, 0.0), 0.0
    heavy = model.with_payload(HEAVY).gravity(Q)
    for k in range(1, 3000):
        now = k * 1e-3
        if k in (500, 700, 900):
            loads.order_payload(HEAVY if k != 700 else None)
        found = gravity(loads, model, now)
        largest, previous = max(largest, np.abs(found - previous).max()), found
    golden.assert_close(previous, heavy, 1e-12)
    assert largest < 0.2  # [N m] in a millisecond, of a change of 7 N m in half a second


def test_thousand_changes_leave_no_residue():
    model, loads = load_robot('arm_2r'), Loads(None, 0.05, 0.1)
    bare = gravity(loads, model, 0.0)
    rng, now = np.random.default_rng(8), 0.0
    for _ in range(1000):
        loads.order_payload(Payload(frame='tip', mass=float(rng.uniform(0.0, 9.0))))
        for _ in range(3):
            now += 0.01
            gravity(loads, model, now)
    loads.order_payload(None)
    gravity(loads, model, now)
    np.testing.assert_array_equal(gravity(loads, model, now + 1.0), bare)


def test_law_built_anew_carries_the_same_payload_at_once():
    first, second = load_robot('arm_2r'), load_robot('arm_2r')
    loads = Loads(LIGHT, 1.0, 0.1)
    before = gravity(loads, first, 0.0)
    golden.assert_close(gravity(loads, second, 0.001), before, 1e-14)
    loads.order_payload(HEAVY)
    half = (before + first.with_payload(HEAVY).gravity(Q)) / 2.0
    gravity(loads, second, 1.0)
    third = load_robot('arm_2r')
    golden.assert_close(gravity(loads, third, 1.5), half, 1e-12)


def test_gravity_turns_with_the_base_and_weightless_models_stay_so():
    model, loads = load_robot('arm_2r'), Loads(None, 0.5, 0.1)
    loads.order_gravity(np.array([9.81, 0.0, 0.0]))
    golden.assert_close(
        gravity(loads, model, 0.0), model.with_gravity((9.81, 0.0, 0.0)).gravity(Q), 1e-14
    )
    weightless = load_robot('arm_2r').with_gravity((0.0, 0.0, 0.0))
    loads.advance(1.0, weightless, with_gravity=False)
    np.testing.assert_array_equal(weightless.gravity(Q), 0.0)


def test_wrench_fades_when_it_is_not_confirmed():
    model, loads = load_robot('arm_2r'), Loads(None, 0.5, 0.1)
    assert loads.effort(0.0, model, Q) is None
    wrench = ExternalWrench('tip', [0.0, 0.0, -10.0], np.zeros(3))
    loads.order_wrench(wrench, 1.0)
    full = -wrench.joint_load(model, Q)
    for now, share in ((1.0, 1.0), (1.1, 1.0), (1.1 + WRENCH_FADE / 2, 0.5)):
        golden.assert_close(loads.effort(now, model, Q), share * full, 1e-9)
    assert loads.effort(1.1 + WRENCH_FADE, model, Q) is None
    loads.order_wrench(wrench, 2.0)
    golden.assert_close(loads.effort(2.0, model, Q), full, 1e-12)
    loads.order_wrench(None, 2.0)
    assert loads.effort(2.0, model, Q) is None


@pytest.mark.parametrize('ramp', [0.0, 1e-3])
def test_ramp_of_no_time_is_a_step(ramp):
    model, loads = load_robot('arm_2r'), Loads(None, ramp, 0.1)
    gravity(loads, model, 0.0)
    loads.order_payload(LIGHT)
    gravity(loads, model, 1.0)
    golden.assert_close(
        gravity(loads, model, 1.0 + ramp), model.with_payload(LIGHT).gravity(Q), 1e-12
    )
