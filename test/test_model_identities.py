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

"""
What must hold for every robot in every state, whatever its numbers are.

The robots are the shipped ones and one that has everything at once: branches,
oblique axes, a continuous joint, a slide, a follower, motors, a turned fixed
link with mass. States are drawn by Hypothesis.
"""

from functools import lru_cache

import golden
from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from robot_dynamics.model import load_robot, RobotModel
from robot_dynamics.model.payload import Payload

RELATIVE = 1e-11
STEP = 1e-6  # [rad or m] of central differences, whose error is about 1e-10 at this step
DIFFERENCE = 1e-7

EVERYTHING = """<?xml version="1.0"?>
<robot name="everything">
  <link name="root">
    <inertial><mass value="5.0"/><origin xyz="0 0 0.1"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>
  </link>
  <link name="mast"/>
  <link name="head">
    <inertial><mass value="0.8"/><origin xyz="0.02 0.01 0.05" rpy="0.3 -0.2 0.1"/>
      <inertia ixx="0.004" ixy="0.0003" ixz="-0.0002" iyy="0.005" iyz="0.0001" izz="0.003"/>
    </inertial>
  </link>
  <link name="shoulder">
    <inertial><mass value="2.5"/><origin xyz="0.1 -0.03 0.07" rpy="-0.4 0.2 0.9"/>
      <inertia ixx="0.02" ixy="0.001" ixz="0.002" iyy="0.03" iyz="-0.003" izz="0.025"/></inertial>
  </link>
  <link name="bracket">
    <inertial><mass value="0.6"/><origin xyz="-0.02 0.04 0.01" rpy="0 1.0 0"/>
      <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.002" iyz="0" izz="0.0015"/></inertial>
  </link>
  <link name="forearm">
    <inertial><mass value="1.4"/><origin xyz="0.12 0.02 -0.03"/>
      <inertia ixx="0.003" ixy="0.0005" ixz="0" iyy="0.012" iyz="0.0004" izz="0.011"/></inertial>
  </link>
  <link name="finger">
    <inertial><mass value="0.3"/><origin xyz="0.03 0 0.01"/>
      <inertia ixx="0.0002" ixy="0" ixz="0" iyy="0.0003" iyz="0" izz="0.00025"/></inertial>
  </link>
  <link name="thumb">
    <inertial><mass value="0.2"/><origin xyz="0.01 0.02 0"/>
      <inertia ixx="0.0001" ixy="0" ixz="0" iyy="0.0002" iyz="0" izz="0.00015"/></inertial>
  </link>
  <joint name="mast_joint" type="fixed">
    <origin xyz="0 0.1 0.5" rpy="0.1 0.2 0.3"/><parent link="root"/><child link="mast"/>
  </joint>
  <joint name="pan" type="revolute">
    <origin xyz="0 0 0.2"/><parent link="mast"/><child link="head"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" velocity="2" effort="20"/>
    <dynamics damping="0.3" friction="0.2"/>
  </joint>
  <joint name="lift" type="revolute">
    <origin xyz="0.2 0 0.1" rpy="0.5 -0.3 0.8"/><parent link="root"/><child link="shoulder"/>
    <axis xyz="0.6 0 0.8"/><limit lower="-2" upper="2" velocity="2" effort="80"/>
  </joint>
  <joint name="bracket_joint" type="fixed">
    <origin xyz="0.2 0.05 0" rpy="1.1 0 -0.6"/><parent link="shoulder"/><child link="bracket"/>
  </joint>
  <joint name="spin" type="continuous">
    <origin xyz="0.1 0 0.05" rpy="0 0.4 0"/><parent link="bracket"/><child link="forearm"/>
    <axis xyz="0 1 0"/><limit velocity="3" effort="40"/>
  </joint>
  <joint name="thumb_joint" type="prismatic">
    <origin xyz="0.2 0.02 0" rpy="0 0 0.5"/><parent link="forearm"/><child link="thumb"/>
    <axis xyz="0 0.8 -0.6"/><limit lower="-1" upper="1" velocity="1" effort="30"/>
    <mimic joint="grip" multiplier="-0.5" offset="0.03"/>
  </joint>
  <joint name="grip" type="prismatic">
    <origin xyz="0.2 -0.02 0" rpy="0.2 0 0"/><parent link="forearm"/><child link="finger"/>
    <axis xyz="1 0 0"/><limit lower="0" upper="0.1" velocity="1" effort="30"/>
  </joint>
</robot>
"""
MOTORS = {
    'robot_dynamics_overlay': 1,
    'joints': {
        'lift': {
            'motor': {'ratio': -80.0, 'rotor_inertia': 2.0e-5},
            'friction': {'side': 'motor', 'coulomb': [0.02, 0.03], 'viscous': 1.0e-4},
        },
        'thumb_joint': {'motor': {'ratio': 50.0, 'rotor_inertia': 1.0e-5}},
    },
}
JOINTS = ('pan', 'lift', 'spin', 'grip')
NAMES = ('everything', 'vertical_mass', 'rp_arm', 'arm_2r', 'arm_2r_point', 'puma560')

numbers = st.floats(-3.0, 3.0, allow_subnormal=False)
angles = st.tuples(numbers, numbers, numbers)
states = settings(max_examples=25, deadline=None, derandomize=True)
each_robot = pytest.mark.parametrize('name', NAMES)


@lru_cache
def model_of(name):
    """Return a robot of ``NAMES``."""
    if name == 'everything':
        return RobotModel.from_urdf(EVERYTHING, overlay=MOTORS)
    return load_robot(golden.ROBOTS / f'{name}.yaml')


def draw(data, n):
    """Draw one joint vector."""
    return np.array(data.draw(st.lists(numbers, min_size=n, max_size=n)))


def draw_state(data, model):
    """Draw position, velocity and acceleration."""
    return tuple(draw(data, model.nv) for _ in range(3))


def difference(function, x, direction):
    """Return the central difference of a function along a direction."""
    return (function(x + STEP * direction) - function(x - STEP * direction)) / (2.0 * STEP)


def test_the_robot_with_everything_has_it():
    model = model_of('everything')
    assert model.joint_names == JOINTS
    assert model.follower_names == ('thumb_joint',)
    assert model.total_mass == pytest.approx(10.8)
    assert model.is_continuous.tolist() == [False, False, True, False]
    assert model.armature.tolist() == [0.0, 80.0 * 80.0 * 2.0e-5, 0.0, 0.0]


@each_robot
@states
@given(data=st.data())
def test_mass_matrix_is_symmetric_and_positive_definite(name, data):
    model = model_of(name)
    matrix = model.mass_matrix(draw(data, model.nv))
    np.testing.assert_array_equal(matrix, matrix.T)
    assert np.linalg.eigvalsh(matrix)[0] > 0.0


@each_robot
@states
@given(data=st.data())
def test_inverse_dynamics_is_the_sum_of_its_terms(name, data):
    model = model_of(name)
    q, v, a = draw_state(data, model)
    inertia, gravity = model.mass_matrix(q) @ a, model.gravity(q)
    velocity_term = model.coriolis_matrix(q, v) @ v
    scales = inertia, gravity, velocity_term
    golden.assert_close(
        model.inverse_dynamics(q, v, a), inertia + velocity_term + gravity, RELATIVE, *scales
    )
    golden.assert_close(model.nonlinear_effects(q, v), velocity_term + gravity, RELATIVE, *scales)
    zero = np.zeros(model.nv)
    golden.assert_close(model.inverse_dynamics(q, zero, zero), gravity, RELATIVE)
    golden.assert_close(model.kinetic_energy(q, v), 0.5 * v @ model.mass_matrix(q) @ v, RELATIVE)


@each_robot
@states
@given(data=st.data())
def test_gravity_is_the_slope_of_potential_energy(name, data):
    model = model_of(name)
    q = draw(data, model.nv)
    slope = [difference(model.potential_energy, q, unit) for unit in np.eye(model.nv)]
    golden.assert_close(model.gravity(q), slope, DIFFERENCE)


@each_robot
@states
@given(data=st.data())
def test_coriolis_matrix_is_that_of_christoffel(name, data):
    model = model_of(name)
    q, v, _ = draw_state(data, model)
    skew = difference(model.mass_matrix, q, v) - 2.0 * model.coriolis_matrix(q, v)
    golden.assert_close(skew, -skew.T, DIFFERENCE)
    slopes = np.array([difference(model.mass_matrix, q, unit) for unit in np.eye(model.nv)])
    # C_ij = sum_k (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) v_k / 2
    symbols = 0.5 * (
        np.einsum('kij->ijk', slopes)
        + np.einsum('jik->ijk', slopes)
        - np.einsum('ijk->ijk', slopes)
    )
    golden.assert_close(model.coriolis_matrix(q, v), symbols @ v, DIFFERENCE)


@each_robot
@states
@given(data=st.data())
def test_power_of_the_actuators_is_the_rate_of_energy(name, data):
    model = model_of(name)
    q, v, a = draw_state(data, model)

    def energy(time):
        position, velocity = q + v * time + 0.5 * a * time * time, v + a * time
        return model.kinetic_energy(position, velocity) + model.potential_energy(position)

    power = v @ model.inverse_dynamics(q, v, a)
    golden.assert_close(difference(energy, 0.0, 1.0), power, DIFFERENCE, energy(0.0))


@each_robot
@states
@given(data=st.data())
def test_forward_dynamics_is_the_inverse_of_inverse_dynamics(name, data):
    model = model_of(name)
    q, v, a = draw_state(data, model)
    effort = model.inverse_dynamics(q, v, a)
    condition = np.linalg.cond(model.mass_matrix(q))
    golden.assert_close(
        model.forward_dynamics(q, v, effort), a, 1e-14 * max(condition, 100.0), effort
    )


@each_robot
@states
@given(data=st.data())
def test_jacobian_is_the_slope_of_the_pose(name, data):
    model = model_of(name)
    q = draw(data, model.nv)
    for frame in model.link_names:
        rotation, _ = model.frame_pose(q, frame)
        golden.assert_close(rotation @ rotation.T, np.eye(3), RELATIVE)
        jacobian = model.jacobian(q, frame)
        assert jacobian.shape == (6, model.nv)
        for column, unit in zip(jacobian.T, np.eye(model.nv)):
            slope = difference(lambda x: model.frame_pose(x, frame)[1], q, unit)
            golden.assert_close(column[:3], slope, DIFFERENCE)
            turn = difference(lambda x: model.frame_pose(x, frame)[0], q, unit) @ rotation.T
            golden.assert_close(column[3:], [turn[2, 1], turn[0, 2], turn[1, 0]], DIFFERENCE)


@each_robot
@states
@given(data=st.data())
def test_regressor_times_parameters_is_the_effort(name, data):
    model = model_of(name)
    q, v, a = draw_state(data, model)
    effort = model.joint_torque_regressor(q, v, a) @ model.dynamic_parameters
    golden.assert_close(effort, model.inverse_dynamics(q, v, a), RELATIVE)


@states
@given(data=st.data(), order=st.permutations(range(len(JOINTS))), count=st.integers(1, 4))
def test_another_joint_order_permutes_everything(data, order, count):
    model = model_of('everything')
    wanted = tuple(JOINTS[index] for index in order[:count])
    other = RobotModel.from_urdf(EVERYTHING, overlay=MOTORS, joints=wanted)
    assert other.commanded_names == wanted and other.n_commanded == count
    assert other.joint_names == wanted + tuple(name for name in JOINTS if name not in wanted)
    index = [JOINTS.index(name) for name in other.joint_names]
    q, v, a = draw_state(data, model)
    moved = q[index], v[index], a[index]
    effort = model.inverse_dynamics(q, v, a)
    golden.assert_close(other.inverse_dynamics(*moved), effort[index], RELATIVE)
    golden.assert_close(other.gravity(moved[0]), model.gravity(q)[index], RELATIVE)
    golden.assert_close(
        other.mass_matrix(moved[0]), model.mass_matrix(q)[np.ix_(index, index)], RELATIVE
    )
    golden.assert_close(
        other.coriolis_matrix(*moved[:2]),
        model.coriolis_matrix(q, v)[np.ix_(index, index)],
        RELATIVE,
    )
    golden.assert_close(other.forward_dynamics(*moved[:2], effort[index]), moved[2], 1e-10, effort)
    golden.assert_close(
        other.jacobian(moved[0], 'finger'), model.jacobian(q, 'finger')[:, index], RELATIVE
    )
    np.testing.assert_array_equal(other.friction(moved[1]), model.friction(v)[index])
    np.testing.assert_array_equal(other.armature, model.armature[index])
    for array in ('lower', 'upper', 'velocity', 'effort', 'effort_stated'):
        np.testing.assert_array_equal(
            getattr(other.limits, array), getattr(model.limits, array)[index]
        )


@states
@given(data=st.data(), rpy=angles)
def test_a_mounting_is_a_turned_gravity_and_a_turned_robot(data, rpy):
    mounted = RobotModel.from_urdf(EVERYTHING, overlay=MOTORS, mount_rpy=rpy)
    roll, pitch, yaw = rpy
    text = EVERYTHING.replace(
        '<link name="mast"/>',
        (
            '<link name="mast"/><link name="floor"/><joint name="mount" type="fixed">'
            f'<origin rpy="{roll!r} {pitch!r} {yaw!r}"/>'
            '<parent link="floor"/><child link="root"/></joint>'
        ),
    )
    turned = RobotModel.from_urdf(text, overlay=MOTORS)
    rotation, _ = turned.frame_pose(np.zeros(4), 'root')
    vector = rotation.T @ [0.0, 0.0, -9.81]
    golden.assert_close(mounted.gravity_vector, vector, RELATIVE)
    given_vector = RobotModel.from_urdf(EVERYTHING, overlay=MOTORS, gravity=vector)
    later = model_of('everything').with_gravity(vector)
    q, v, a = draw_state(data, mounted)
    expected = turned.inverse_dynamics(q, v, a)
    for model in (mounted, given_vector, later):
        golden.assert_close(model.inverse_dynamics(q, v, a), expected, RELATIVE)
        golden.assert_close(model.potential_energy(q), turned.potential_energy(q), RELATIVE)
    np.testing.assert_array_equal(model_of('everything').gravity_vector, [0.0, 0.0, -9.81])


@states
@given(data=st.data(), joint=st.sampled_from(JOINTS))
def test_a_locked_joint_is_one_that_rests(data, joint):
    model = model_of('everything')
    q, v, a = draw_state(data, model)
    rest = JOINTS.index(joint)
    v[rest] = a[rest] = 0.0
    locked = RobotModel.from_urdf(EVERYTHING, overlay=MOTORS, locked={joint: q[rest]})
    kept = [index for index in range(4) if index != rest]
    assert locked.joint_names == tuple(JOINTS[index] for index in kept)
    assert locked.total_mass == pytest.approx(model.total_mass, rel=1e-15)
    golden.assert_close(
        locked.inverse_dynamics(q[kept], v[kept], a[kept]),
        model.inverse_dynamics(q, v, a)[kept],
        RELATIVE,
    )
    golden.assert_close(
        locked.mass_matrix(q[kept]), model.mass_matrix(q)[np.ix_(kept, kept)], RELATIVE
    )
    # a mass that can no longer move has a constant energy, which is left out
    other = q + np.where(np.arange(4) == rest, 0.0, 0.5)
    golden.assert_close(
        locked.potential_energy(other[kept]) - locked.potential_energy(q[kept]),
        model.potential_energy(other) - model.potential_energy(q),
        RELATIVE,
        50.0,
    )


@states
@given(data=st.data(), mass=st.floats(0.5, 2.0), inertia=st.floats(0.5, 2.0))
def test_scaled_bodies_scale_the_efforts(data, mass, inertia):
    bodies = model_of('everything').without_motors()
    q, v, a = draw_state(data, bodies)
    effort = bodies.inverse_dynamics(q, v, a)
    golden.assert_close(
        bodies.with_scaled(mass=mass, inertia=mass).inverse_dynamics(q, v, a),
        mass * effort,
        RELATIVE,
    )
    golden.assert_close(
        bodies.with_scaled(mass=mass, inertia=inertia).gravity(q),
        mass * bodies.gravity(q),
        RELATIVE,
    )
    # effort is linear: one share of the masses, one of the rotational inertias
    of_masses = bodies.with_scaled(mass=2.0).inverse_dynamics(q, v, a) - effort
    of_inertias = effort - of_masses
    golden.assert_close(
        bodies.with_scaled(mass=mass, inertia=inertia).inverse_dynamics(q, v, a),
        mass * of_masses + inertia * of_inertias,
        RELATIVE,
        effort,
        of_masses,
    )


@states
@given(data=st.data(), frame=st.sampled_from(('finger', 'thumb', 'bracket', 'head')))
def test_a_payload_is_one_more_link(data, frame):
    mass, com, moments = 1.7, (0.03, -0.02, 0.05), (0.004, 0.006, 0.005)
    text = EVERYTHING.replace(
        '<link name="mast"/>',
        (
            '<link name="mast"/><link name="load"><inertial><origin xyz="{} {} {}"/>'
            '<mass value="{}"/><inertia ixx="{}" ixy="0" ixz="0" iyy="{}" iyz="0" izz="{}"/>'
            '</inertial></link><joint name="grasp" type="fixed"><parent link="{}"/>'
            '<child link="load"/></joint>'
        ).format(*com, mass, *moments, frame),
    )
    loaded = RobotModel.from_urdf(text, overlay=MOTORS)
    model = model_of('everything')
    payload = Payload(frame=frame, mass=mass, com=com, inertia=np.diag(moments))
    carrying = model.with_payload(payload)
    q, v, a = draw_state(data, model)
    effort = loaded.inverse_dynamics(q, v, a)
    golden.assert_close(carrying.inverse_dynamics(q, v, a), effort, RELATIVE)
    golden.assert_close(carrying.mass_matrix(q), loaded.mass_matrix(q), RELATIVE)
    golden.assert_close(carrying.forward_dynamics(q, v, effort), a, 1e-10, effort)
    golden.assert_close(carrying.potential_energy(q), loaded.potential_energy(q), RELATIVE)
    golden.assert_close(
        carrying.copy().with_gravity([0.0, 0.0, 0.0]).inverse_dynamics(q, v, a),
        effort - loaded.gravity(q),
        RELATIVE,
        effort,
    )
    np.testing.assert_array_equal(
        carrying.with_payload(None).inverse_dynamics(q, v, a), model.inverse_dynamics(q, v, a)
    )


@states
@given(data=st.data(), turns=st.integers(-1000, 1000))
def test_a_continuous_joint_has_one_angle_and_no_end(data, turns):
    model = model_of('everything')
    q, v, a = draw_state(data, model)
    far = q.copy()
    far[JOINTS.index('spin')] += 2.0 * np.pi * turns
    golden.assert_close(model.inverse_dynamics(far, v, a), model.inverse_dynamics(q, v, a), 1e-11)


@each_robot
@states
@given(data=st.data())
def test_friction_takes_power_away(name, data):
    model = model_of(name)
    v = draw(data, model.nv)
    assert (v * model.friction(v) >= 0.0).all()


def test_motor_inertia_is_in_every_method():
    model, bodies = model_of('puma560'), model_of('puma560').without_motors()
    generator = np.random.default_rng(3)
    q, v, a = (generator.uniform(-1.0, 1.0, 6) for _ in range(3))
    rotors = model.armature
    assert (rotors > 0.1).all() and not bodies.armature.any()
    golden.assert_close(model.mass_matrix(q), bodies.mass_matrix(q) + np.diag(rotors), RELATIVE)
    effort = model.inverse_dynamics(q, v, a)
    golden.assert_close(effort, bodies.inverse_dynamics(q, v, a) + rotors * a, RELATIVE)
    golden.assert_close(model.forward_dynamics(q, v, effort), a, RELATIVE, effort)
    golden.assert_close(
        model.kinetic_energy(q, v), bodies.kinetic_energy(q, v) + 0.5 * rotors @ (v * v), RELATIVE
    )


def test_motor_of_a_follower_is_felt_by_its_master():
    model = model_of('everything')
    bodies = model.without_motors()
    rotor = 50.0 * 50.0 * 1.0e-5 * 0.5 * 0.5  # ratio^2, rotor, multiplier^2
    difference_of_m = model.mass_matrix(np.zeros(4)) - bodies.mass_matrix(np.zeros(4))
    golden.assert_close(difference_of_m, np.diag([0.0, 0.128, 0.0, rotor]), RELATIVE)


@each_robot
def test_results_are_fresh_and_variants_independent(name):
    model = model_of(name)
    q = np.full(model.nv, 0.3)
    first = model.gravity(q)
    kept = first.copy()
    weightless = model.with_gravity([0.0, 0.0, 0.0])
    assert not weightless.gravity(q).any()
    twin = model.copy()
    twin.gravity(-q)
    model.gravity(-q)
    np.testing.assert_array_equal(first, kept)
    first[:] = np.nan
    np.testing.assert_array_equal(model.gravity(q), kept)
    for method in (model.mass_matrix, lambda x: model.jacobian(x, model.link_names[-1])):
        matrix = method(q)
        expected = matrix.copy()
        matrix[:] = np.nan
        np.testing.assert_array_equal(method(q), expected)
