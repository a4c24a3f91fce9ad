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

import numpy as np
import pytest
from robot_dynamics.errors import StateError
from robot_dynamics.model import load_robot
from robot_dynamics.nodes.simulated_drives import DriveSettings, SimulatedDrives
from robot_dynamics.simulation import PinocchioPlant

Q = np.array([0.3, -0.5])  # [rad]
REST = np.zeros(2)


@pytest.fixture
def model():
    return load_robot('arm_2r')


def make_drives(model, **settings):
    drives = SimulatedDrives(PinocchioPlant(model), model, DriveSettings(**settings))
    drives.reset(Q, REST)
    return drives


def run(drives, seconds, effort=None):
    """Step for a time, with a command before each step if there is one."""
    for _ in range(round(1e3 * seconds)):
        if effort is not None:
            drives.command(effort)
        drives.step()


def test_brake_holds_and_shows_the_effort_it_takes(model):
    drives = make_drives(model)
    run(drives, 1.0)
    assert not drives.released
    np.testing.assert_array_equal(drives.position, Q)
    np.testing.assert_array_equal(drives.effort, model.gravity(Q))


def test_brake_opens_after_commands_for_its_time(model):
    drives = make_drives(model, brake_release=0.5)
    run(drives, 0.49, effort=REST)
    np.testing.assert_array_equal(drives.position, Q)
    run(drives, 0.1, effort=REST)
    assert drives.released
    assert np.abs(drives.position - Q).max() > 1e-3


def test_brake_waits_for_an_unbroken_stream(model):
    drives = make_drives(model, brake_release=0.5)
    run(drives, 0.3, effort=REST)
    run(drives, 0.3)
    run(drives, 0.3, effort=REST)
    assert not drives.released


def test_without_a_brake_the_arm_falls_at_once(model):
    drives = make_drives(model, brake_release=-1.0)
    run(drives, 0.1)
    assert np.abs(drives.position - Q).max() > 1e-3
    np.testing.assert_array_equal(drives.effort, REST)


def test_gravity_effort_holds_the_arm(model):
    drives = make_drives(model, brake_release=0.0)
    run(drives, 1.0, effort=model.gravity(Q))
    assert drives.released
    np.testing.assert_allclose(drives.position, Q, rtol=0.0, atol=1e-12)


def test_silence_makes_the_effort_zero_until_commands_return(model):
    drives = make_drives(model, brake_release=0.0, command_timeout=0.1)
    effort = np.array([1.0, 2.0])
    run(drives, 0.001, effort=effort)
    run(drives, 0.098)
    np.testing.assert_array_equal(drives.effort, effort)
    assert not drives.timed_out
    run(drives, 0.001)  # ends 0.1 s after the command
    np.testing.assert_array_equal(drives.effort, REST)
    assert drives.timed_out
    run(drives, 0.001, effort=effort)
    np.testing.assert_array_equal(drives.effort, effort)
    assert not drives.timed_out


def test_efforts_are_limited_as_the_description_says(model):
    drives = make_drives(model, brake_release=0.0)
    run(drives, 0.001, effort=np.array([1e6, -1e6]))
    np.testing.assert_array_equal(drives.effort, [150.0, -150.0])


@pytest.mark.parametrize('bad', [np.nan, np.inf, -np.inf])
def test_effort_that_is_not_finite_is_refused_and_the_last_one_stays(model, bad):
    drives = make_drives(model, brake_release=0.0)
    drives.command(np.array([1.0, 2.0]))
    with pytest.raises(StateError, match='not finite'):
        drives.command(np.array([0.0, bad]))
    drives.step()
    np.testing.assert_array_equal(drives.effort, [1.0, 2.0])


def test_push_acts_for_its_time(model):
    weightless = model.with_gravity((0.0, 0.0, 0.0))
    drives = make_drives(weightless, brake_release=-1.0)
    drives.push(np.array([2.0, 0.0]), 0.1)
    run(drives, 0.1)
    momentum = weightless.mass_matrix(drives.position) @ drives.velocity
    assert momentum[0] == pytest.approx(0.2, rel=1e-6), 'effort times time, joint 1 carries all'
    run(drives, 0.2)
    momentum = weightless.mass_matrix(drives.position) @ drives.velocity
    assert momentum[0] == pytest.approx(0.2, rel=1e-6)


def test_reset_goes_back_and_shuts_the_brake(model):
    drives = make_drives(model, brake_release=0.0)
    run(drives, 0.2, effort=REST)
    drives.reset(np.array([0.1, 0.2]), np.array([0.5, 0.0]))
    assert not drives.released
    np.testing.assert_array_equal(drives.position, [0.1, 0.2])
    np.testing.assert_array_equal(drives.velocity, REST)
    drives.command(REST)
    drives.step()
    assert drives.velocity[0] == pytest.approx(0.5, abs=0.05), 'the start velocity, once open'


def test_effort_at_the_brake_is_that_of_the_heavier_arm(model):
    heavy = model.with_scaled(mass=1.05, inertia=1.05)
    drives = make_drives(heavy)
    np.testing.assert_allclose(drives.effort, 1.05 * model.gravity(Q), rtol=1e-12)
