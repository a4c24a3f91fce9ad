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

"""The controller with payload, wrench, turning gravity, motor side, own velocity and LuGre."""

import math

import golden
import numpy as np
import pytest
from robot_dynamics import load_robot, ModelError, ParameterError, RobotModel
from robot_dynamics.control import (
    AccelerationGains,
    Controller,
    ControllerSettings,
    EffortGains,
    ExternalWrench,
    LawSettings,
    Mode,
    SineReference,
    State,
)
from robot_dynamics.model import FrictionModel, Payload

DT = 1e-3  # [s]
Q, ZERO = np.array([0.3, -0.8]), np.zeros(2)
TIP = Payload(frame='tip', mass=1.5, com=[0.1, 0.0, 0.0])
PUSH = ExternalWrench('tip', [0.0, 0.0, -10.0], [0.0, 0.0, 0.0])


def settings(mode=Mode.GRAVITY_COMPENSATION, law=None, **more):
    """Return settings that begin at once."""
    gains = {
        Mode.COMPUTED_TORQUE: {'acceleration_gains': AccelerationGains(kp=100.0, kd=20.0)},
        Mode.PD: {'effort_gains': EffortGains(kp=100.0, kd=10.0)},
    }
    return ControllerSettings(
        law=LawSettings(mode=mode, **gains.get(mode, {}), **(law or {})),
        **{'fresh_states': 1, 'start_ramp': 0.0, 'allow_unlimited_effort': True, **more},
    )


def run(controller, start, steps, q=Q, v=ZERO):
    """Feed the same state and return the last command."""
    command = None
    for k in range(steps):
        command = controller.update(start + k * DT, q, v)
    return command


def test_payload_from_the_start_needs_no_ramp():
    model = load_robot('arm_2r')
    controller = Controller(model.copy(), settings(), TIP)
    golden.assert_close(run(controller, 0.0, 2).effort, model.with_payload(TIP).gravity(Q), 1e-12)


@pytest.mark.parametrize('law', [{}, {'gravity_in_output': False}])
def test_payload_comes_by_a_ramp_and_goes_without_residue(law):
    model = load_robot('arm_2r')
    bare = model if not law else model.with_gravity((0.0, 0.0, 0.0))
    controller = Controller(model.copy(), settings(Mode.COMPUTED_TORQUE, law, payload_ramp=0.2))
    first = run(controller, 0.0, 2).effort
    golden.assert_close(first, bare.gravity(Q), 1e-12)
    controller.set_payload(TIP)
    half = run(controller, 1.0, 101)
    full = run(controller, 1.101, 101).effort
    expected = bare.with_payload(TIP).gravity(Q)
    golden.assert_close(full, expected, 1e-12)
    golden.assert_close(half.effort, (first + expected) / 2.0, 1e-9)
    controller.set_payload(None)
    run(controller, 1.3, 201)
    golden.assert_close(run(controller, 1.501, 2).effort, first, 1e-14)


def test_wrong_payload_and_wrench_change_nothing():
    controller = Controller(load_robot('arm_2r'), settings())
    before = run(controller, 0.0, 2).effort
    with pytest.raises(ModelError, match='did you mean tip'):
        controller.set_payload(Payload(frame='tipp', mass=1.0))
    with pytest.raises(ModelError, match='did you mean tip'):
        controller.set_external_wrench(ExternalWrench('tipp', np.zeros(3), np.zeros(3)), 0.0)
    with pytest.raises(ParameterError, match='gravity'):
        controller.set_gravity(np.array([0.0, np.nan, 0.0]))
    np.testing.assert_array_equal(run(controller, 0.01, 2).effort, before)
    assert controller.payload is None


def test_wrench_is_stood_against_and_appears_as_a_term():
    model = load_robot('arm_2r')
    controller = Controller(model.copy(), settings(wrench_timeout=0.1))
    run(controller, 0.0, 2)
    controller.set_external_wrench(PUSH, 0.002)
    command = run(controller, 0.002, 1)
    expected = -PUSH.joint_load(model, Q)
    golden.assert_close(command.effort, model.gravity(Q) + expected, 1e-12)
    terms = controller.terms()
    golden.assert_close(terms['wrench'], expected, 1e-12)
    golden.assert_close(terms['total'], command.effort, 1e-12)
    golden.assert_close(run(controller, 0.003, 400).effort, model.gravity(Q), 1e-12)


def test_pd_baseline_knows_no_wrench():
    controller = Controller(load_robot('arm_2r'), settings(Mode.PD))
    run(controller, 0.0, 2)
    controller.set_external_wrench(PUSH, 0.002)
    np.testing.assert_allclose(run(controller, 0.002, 1).effort, 0.0, atol=1e-12)


def test_gravity_turns_with_a_moving_base():
    model = load_robot('arm_2r')
    controller = Controller(model.copy(), settings())
    run(controller, 0.0, 2)
    for angle in (0.3, 1.0, math.pi):
        vector = 9.81 * np.array([math.sin(angle), 0.0, -math.cos(angle)])
        controller.set_gravity(vector)
        golden.assert_close(
            run(controller, 1.0 + angle, 1).effort, model.with_gravity(vector).gravity(Q), 1e-12
        )


def test_output_is_on_the_motors_side_when_asked_for():
    mapping = golden.robot('arm_2r')
    for joint, ratio in zip(mapping['joints'], (100.0, -50.0), strict=False):
        joint['motor'] = {'ratio': ratio}
    model = RobotModel.from_yaml(mapping)
    command = run(Controller(model.copy(), settings(effort_side='motor')), 0.0, 2)
    golden.assert_close(command.effort, model.gravity(Q), 1e-12)
    np.testing.assert_allclose(command.output, model.gravity(Q) / [100.0, -50.0], rtol=1e-12)
    joint_side = run(Controller(model.copy(), settings()), 0.0, 2)
    np.testing.assert_array_equal(joint_side.output, joint_side.effort)


def test_velocity_is_differentiated_only_when_asked_for():
    quiet = Controller(load_robot('arm_2r'), settings(Mode.COMPUTED_TORQUE))
    assert quiet.update(0.0, Q, None) is None and 'velocity is missing' in quiet.drop_reason
    own = Controller(
        load_robot('arm_2r'),
        settings(Mode.COMPUTED_TORQUE, velocity_source='differentiated', velocity_cutoff=100.0),
    )
    told = Controller(load_robot('arm_2r'), settings(Mode.COMPUTED_TORQUE))
    rate = np.array([0.5, -0.2])
    for k in range(200):
        q = Q + rate * k * DT
        mine = own.update(k * DT, q, None)
        if k > 0:  # the first position has no velocity yet
            theirs = told.update(k * DT, q, rate)
    assert own.state is State.HOLDING
    golden.assert_close(mine.effort, theirs.effort, 1e-9)


def test_lugre_deflection_is_integrated_along_the_reference():
    friction = FrictionModel(
        [1.0, 1.0],
        [1.0, 1.0],
        [0.4, 0.4],
        [0.0, 0.0],
        static_positive=[1.5, 1.5],
        static_negative=[1.5, 1.5],
        stribeck_velocity=[0.05, 0.05],
        stiffness=[1e3, 1e3],
        damping=[2.0, 2.0],
    )
    model = load_robot('arm_2r').with_friction(friction)
    law = {'friction': True, 'effort_gains': EffortGains(kp=0.0, kd=0.0)}
    controller = Controller(model, settings(Mode.FEEDFORWARD, law))
    reference = SineReference(Q, [0.04, 0.04], [5.0, 5.0])
    run(controller, 0.0, 1)
    controller.set_reference(reference, 0.0)
    z, largest = np.zeros(2), 0.0
    for k in range(1, 3000):
        command = controller.update(k * DT, command_q(reference, k), ZERO)
        point = command.reference
        expected = friction.effort_with_state(point.v, z)
        if k > 300:
            golden.assert_close(controller.terms()['friction'], expected, 1e-9)
        z = friction.advance(point.v, z, DT)
        largest = max(largest, np.abs(expected).max())
    assert 1.2 < largest <= 1.5 + 0.4 * 0.2


def command_q(reference, k):
    """Return the position that follows the reference exactly."""
    return reference.sample(k * DT).q
