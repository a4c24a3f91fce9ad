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

"""Inputs that broke real systems: joint states, trajectories and their clocks."""

import json

from builtin_interfaces.msg import Time
import golden
import numpy as np
import pytest
from robot_dynamics import load_robot, StateError, TrajectoryError
from robot_dynamics.control import (
    AccelerationGains,
    Controller,
    ControllerSettings,
    LawSettings,
    Mode,
    rest_to_rest,
    State,
    Trajectory,
)
from robot_dynamics.nodes.messages import JointStateReader
from robot_dynamics.nodes.trajectory_messages import TrajectoryReader
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint
import yaml

NAMES = ('shoulder', 'elbow')


def case(number):
    """Return the folder, the expectation and the robot of a case."""
    (folder,) = (golden.DATA / 'cases').glob(f'{number:02d}_*')
    return (
        folder,
        json.loads((folder / 'expect.json').read_text()),
        load_robot(folder / 'arm.urdf'),
    )


def read_yaml(path):
    """Return what a YAML file says."""
    return yaml.safe_load(path.read_text())


def joint_state(entry):
    """Return an entry of a case as a message."""
    return JointState(
        name=entry['name'],
        **{
            field: [float(x) for x in entry.get(field, [])]
            for field in ('position', 'velocity', 'effort')
        },
    )


def trajectory(path, stamp=0.0):
    """Return a trajectory of a case as a message."""
    content = read_yaml(path)['trajectory']
    message = JointTrajectory(joint_names=content['joint_names'])
    message.header.stamp = Time(sec=int(stamp), nanosec=int(stamp % 1 * 1e9))
    for entry in content['points']:
        point = JointTrajectoryPoint(
            **{
                field: [float(x) for x in entry.get(field, [])]
                for field in ('positions', 'velocities', 'accelerations', 'effort')
            }
        )
        seconds = entry['time_from_start']
        point.time_from_start.sec = int(seconds)
        point.time_from_start.nanosec = int(seconds % 1 * 1e9)
        message.points.append(point)
    return message


def controller(model, mode=Mode.GRAVITY_COMPENSATION, **more):
    """Return a controller that begins at the first state."""
    law = LawSettings(mode=mode, acceleration_gains=AccelerationGains(kp=100.0, kd=20.0))
    return Controller(
        model,
        ControllerSettings(
            law=law, allow_unlimited_effort=True, **{'fresh_states': 1, 'start_ramp': 0.0, **more}
        ),
    )


@pytest.mark.parametrize('prefix', ['', 'arm_', 'left/'])
def test_25_names_in_any_order_and_a_prefix_only_when_configured(prefix):
    folder, expect, model = case(25)
    reader = JointStateReader(NAMES, prefix=prefix)
    fits = {'': [0, 1], 'arm_': [2], 'left/': [4]}[prefix]
    for index, entry in enumerate(read_yaml(folder / 'joint_states.yaml')):
        if index not in fits:
            with pytest.raises(StateError, match='shoulder'):
                reader.read(joint_state(entry))
            continue
        q = reader.read(joint_state(entry)).q
        np.testing.assert_allclose(
            model.gravity(q), [expect['hold'][name] for name in NAMES], atol=expect['tol']
        )


def test_46_names_with_accents_match_however_they_are_typed():
    message = JointState(name=['gelenk_u\u0308'], position=[0.3])
    assert JointStateReader(['gelenk_ü']).read(message).q == [0.3]


def test_26_states_that_are_not_finite_are_dropped_and_never_become_full_effort():
    folder, expect, model = case(26)
    reader, loop = JointStateReader(NAMES), controller(model, Mode.COMPUTED_TORQUE)
    hold = model.gravity([0.1, 0.2])
    for entry in read_yaml(folder / 'joint_states.yaml'):
        if entry['t'] in expect['drop_t']:
            with pytest.raises(StateError):
                reader.read(joint_state(entry))
            assert loop.tick(entry['t']) is None
            continue
        state = reader.read(joint_state(entry))
        command = loop.update(entry['t'], state.q, state.v)
        np.testing.assert_allclose(command.effort, hold, atol=1e-9)
        assert not command.saturated.any()
    for bad in (np.nan, np.inf, -np.inf):
        command = loop.update(entry['t'] + 0.01, np.array([bad, 0.2]), np.zeros(2))
        assert command is None and 'shoulder' in loop.drop_reason


@pytest.mark.parametrize('driver_first', [True, False])
def test_28_two_publishers_make_no_square_wave(driver_first):
    folder, expect, model = case(28)
    entries = read_yaml(folder / 'joint_states.yaml')
    if not driver_first:
        entries = entries[1:]
    reader, loop = JointStateReader(NAMES), controller(model, fresh_states=3)
    efforts, reasons = [], set()
    for k in range(40):
        state = reader.read(joint_state(entries[k % len(entries[:2])]))
        command = loop.update(0.01 * k, state.q, state.v)
        reasons.add(loop.drop_reason)
        if command is not None and command.state.is_running:
            efforts.append(command.effort)
    assert not efforts
    assert any('second publisher' in reason for reason in reasons)


def test_28_a_second_publisher_that_comes_later_changes_nothing():
    folder, expect, model = case(28)
    driver, zeros = read_yaml(folder / 'joint_states.yaml')[:2]
    reader, loop = JointStateReader(NAMES), controller(model)
    for k in range(200):
        entry = zeros if k > 50 and k % 2 else driver
        state = reader.read(joint_state(entry))
        command = loop.update(0.01 * k, state.q, state.v)
        if command is not None:
            np.testing.assert_allclose(command.effort, expect['hold_driver'], atol=1e-9)
    assert loop.dropped_states == 75 and loop.state is State.HOLDING


def test_29_silence_is_a_fault_by_the_steady_clock():
    _, expect, model = case(29)
    timeout = expect['timeout_s']
    loop = controller(model, state_timeout=timeout)
    last = 0.0
    for k in range(100):
        last = 0.01 * k
        assert loop.update(last, np.array([0.1, 0.2]), np.zeros(2)).state is State.HOLDING
    now, commands = last, []
    while now < last + 3.0:
        now += 0.001
        command = loop.tick(now)
        if command is not None:
            commands.append((now, command))
    first = commands[0]
    assert timeout < first[0] - last <= timeout + 0.002
    assert all(command.state is State.FAULT for _, command in commands)
    assert not commands[-1][1].effort.any() and commands[-1][0] < last + timeout + 0.21
    assert 'joint_states' in loop.fault_reason
    loop.update(now, np.array([0.1, 0.2]), np.zeros(2))
    assert loop.state is State.HOLDING


@pytest.mark.parametrize(
    'offset, accepted',
    [(None, True), (0.0, True), (-0.5, True), (-10.0, False), (1.0, True), (-1e6, False)],
)
def test_31_stamps_of_trajectories(offset, accepted):
    folder, expect, model = case(31)
    now = 5000.0
    message = trajectory(folder / 'traj.yaml', 0.0 if offset is None else now + offset)
    reader = TrajectoryReader(NAMES)
    if not accepted:
        with pytest.raises(TrajectoryError, match='past') as caught:
            reader.read(message, now)
        assert f'{now:.3f}' in str(caught.value)
        return
    request = reader.read(message, now)
    loop = controller(model, Mode.COMPUTED_TORQUE, blend_time=1e-3)
    loop.update(0.0, np.zeros(2), np.zeros(2))
    loop.set_trajectory(request.trajectory, 0.0, start=request.delay)
    if offset == -0.5:
        np.testing.assert_allclose(
            request.trajectory.sample(-request.delay).q, expect['quintic_at_0_5'], atol=1e-9
        )
    if offset == 1.0:
        for k in range(1, 20):
            command = loop.update(0.05 * k, np.zeros(2), np.zeros(2))
        np.testing.assert_array_equal(command.reference.q, 0.0)


def test_32_trajectories_by_name_and_never_in_part():
    folder, expect, model = case(32)
    reader = TrajectoryReader(NAMES)
    request = reader.read(trajectory(folder / 'a.yaml'), 0.0)
    end = request.trajectory.sample(2.0).q
    np.testing.assert_allclose(model.gravity(end), expect['hold_end_a'], atol=expect['tol'])
    for file, word in (
        ('b.yaml', 'shoulder'),
        ('c.yaml', 'gripper_x'),
        ('d.yaml', 'empty'),
        ('e.yaml', 'more than once'),
    ):
        with pytest.raises(TrajectoryError, match=word):
            reader.read(trajectory(folder / file), 0.0)


def test_34_positions_only_give_finite_accelerations():
    folder, expect, model = case(34)
    reader = TrajectoryReader(NAMES)
    quintic = reader.read(trajectory(folder / 'rest_to_rest.yaml'), 0.0).trajectory
    point = quintic.sample(expect['t'])
    for name in 'qva':
        np.testing.assert_allclose(getattr(point, name), expect[name], atol=expect['tol'])
    np.testing.assert_allclose(model.inverse_dynamics(*point), expect['tau'], atol=expect['tol'])
    spline = reader.read(trajectory(folder / 'positions_only.yaml'), 0.0).trajectory
    points = [spline.sample(t) for t in np.linspace(0.0, 2.0, 2001)]
    efforts = np.array([model.inverse_dynamics(*point) for point in points])
    holds = np.array([model.gravity(point.q) for point in points])
    # a kink differentiated at 1 kHz would ask for 200 N m
    assert np.abs(efforts - holds)[:, 0].max() < 3.0
    for end in (spline.sample(0.0), spline.sample(2.0)):
        np.testing.assert_allclose(end.v, 0.0, atol=1e-12)


def test_35_efforts_of_a_planner_are_never_added_to_ours():
    folder, expect, model = case(35)
    reader = TrajectoryReader(NAMES)
    assert reader.read(trajectory(folder / 'own_ff.yaml'), 0.0).effort_ignored
    assert not reader.read(trajectory(folder / 'zeros.yaml'), 0.0).effort_ignored
    for file in expect['refuse_files']:
        with pytest.raises(TrajectoryError, match='effort'):
            reader.read(trajectory(folder / file), 0.0)
    loop = controller(model, Mode.COMPUTED_TORQUE)
    loop.update(0.0, np.zeros(2), np.zeros(2))
    loop.set_trajectory(Trajectory([1.0], [[0.0, 0.0]], joint_names=NAMES), 0.0)
    for k in range(1, 40):
        command = loop.update(0.03 * k, np.zeros(2), np.zeros(2))
    np.testing.assert_allclose(command.effort, expect['tau_off'], atol=1e-9)


def test_41_time_that_falls_is_refused_and_never_divided_by():
    _, _, model = case(31)
    loop = controller(model, Mode.COMPUTED_TORQUE, velocity_source='differentiated')
    for k in range(5):
        loop.update(100.0 + 0.01 * k, np.zeros(2), None)
    loop.set_trajectory(
        rest_to_rest(np.zeros(2), np.array([0.6, -0.4]), 2.0, joint_names=NAMES), 100.05
    )
    before = loop.update(100.06, np.zeros(2), None)
    again = loop.update(100.06, np.zeros(2), None)
    assert np.isfinite(again.effort).all()
    np.testing.assert_allclose(again.effort, before.effort, atol=1e-9)
    with pytest.raises(StateError, match='does not fall'):
        loop.update(0.0, np.zeros(2), None)
