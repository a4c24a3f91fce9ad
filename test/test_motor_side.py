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

"""Joint effort on the motors' side: ratio, sign and losses."""

import golden
import numpy as np
import pytest
from robot_dynamics import RobotModel
from robot_dynamics.control.motor_side import MotorSide


def gears(ratios, efficiencies):
    """Return the gears of a 2R arm."""
    mapping = golden.robot('arm_2r')
    for joint, ratio, efficiency in zip(mapping['joints'], ratios, efficiencies, strict=False):
        joint['motor'] = {'ratio': ratio, 'efficiency': efficiency}
    return MotorSide(RobotModel.from_yaml(mapping))


@pytest.mark.parametrize('ratio, motor', [(100.0, -0.04905), (-100.0, 0.04905)])
def test_effort_is_divided_by_the_signed_ratio(ratio, motor):
    found = gears([ratio, 1.0], [1.0, 1.0]).to_motor(np.array([-4.905, 2.0]), None)
    np.testing.assert_allclose(found, [motor, 2.0], rtol=1e-15)


def test_losses_are_paid_by_whoever_drives():
    side = gears([50.0, -50.0], [0.8, 0.8])
    tau = np.array([10.0, 10.0])
    driving = side.to_motor(tau, np.array([1.0, 1.0]))
    driven = side.to_motor(tau, np.array([-1.0, -1.0]))
    np.testing.assert_allclose(driving, [10 / 50 / 0.8, -10 / 50 / 0.8], rtol=1e-12)
    np.testing.assert_allclose(driven, [10 / 50 * 0.8, -10 / 50 * 0.8], rtol=1e-12)


def test_power_is_never_gained_in_the_gear():
    side, rng = gears([30.0, -80.0], [0.7, 0.9]), np.random.default_rng(5)
    ratio = np.array([30.0, -80.0])
    for _ in range(500):
        tau, v = rng.normal(scale=20.0, size=2), rng.normal(size=2)
        motor_power = side.to_motor(tau, v) * v * ratio
        assert (motor_power >= tau * v - 1e-12).all()


def test_there_and_back_and_no_step_at_rest():
    side, rng = gears([30.0, -80.0], [0.7, 0.9]), np.random.default_rng(6)
    for _ in range(200):
        tau, v = rng.normal(scale=20.0, size=2), rng.normal(scale=0.02, size=2)
        np.testing.assert_allclose(side.to_joint(side.to_motor(tau, v), v), tau, rtol=1e-12)
    tau = np.array([5.0, 5.0])
    below, above = (side.to_motor(tau, np.full(2, v)) for v in (-1e-6, 1e-6))
    assert np.abs(above - below).max() < 1e-4
