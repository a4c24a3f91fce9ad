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

"""References that take over from one another without a step."""

import numpy as np
import pytest
from robot_dynamics.control import ReferencePoint, rest_to_rest, SineReference, Trajectory
from robot_dynamics.control.following import Bounds, Follower, Transition
from robot_dynamics.errors import TrajectoryError

NAMES = ('a', 'b')
PERIOD = 1e-3  # [s]


def follower(q=(0.0, 0.0), **changes):
    bounds = Bounds(
        **{
            'joint_names': NAMES,
            'lower': np.array([-3.0, -3.0]),
            'upper': np.array([3.0, 3.0]),
            'velocity': np.array([8.0, np.inf]),
            'continuous': np.array([False, False]),
            **changes,
        }
    )
    return Follower(
        np.array(q), bounds, Transition(blend_time=0.2, blend_velocity=2.0, setpoint_timeout=0.1)
    )


def run(one, begin, end, orders=()):
    """Sample every period, giving the orders (time, function) in between; return arrays."""
    orders = sorted(orders, key=lambda order: order[0])
    times, points, tracking = np.arange(begin, end, PERIOD), [], []
    for now in times:
        while orders and orders[0][0] <= now:
            when, order = orders.pop(0)
            order(when)
        point, moving = one.sample(now)
        points.append(point)
        tracking.append(moving)
    return times, np.array(points).transpose(1, 0, 2), np.array(tracking)


def assert_smooth(q, v, a, *, acceleration, jump=0.0):
    """Require that positions change as velocities say, and velocities as accelerations may."""
    step = np.diff(q, axis=0)
    mean = 0.5 * (v[1:] + v[:-1])
    # the error of the trapezoid rule is the change of acceleration times period^2 / 4
    assert np.max(np.abs(step - mean * PERIOD)) <= acceleration * PERIOD**2
    assert np.max(np.abs(np.diff(v, axis=0))) <= acceleration * PERIOD + jump


def move(q, time=1.0, **more):
    return Trajectory([time], [list(q)], joint_names=NAMES, **more)


def test_it_holds_at_first():
    one = follower((0.1, 0.2))
    point, tracking = one.sample(5.0)
    np.testing.assert_array_equal(point.q, [0.1, 0.2])
    assert point.is_at_rest and not tracking


def test_a_trajectory_from_rest_is_followed_exactly():
    one = follower()
    trajectory = Trajectory(
        [0.0, 0.5, 1.0], [[0.0, 0.0], [0.4, -0.2], [0.6, 0.1]], joint_names=NAMES
    )
    one.sample(2.0)
    one.follow_trajectory(trajectory, 2.0005)
    for now in (2.001, 2.3, 2.9, 3.0, 3.5):
        point, tracking = one.sample(now)
        np.testing.assert_array_equal(np.array(point), np.array(trajectory.sample(now - 2.0005)))
        assert tracking == (now < 3.0005)


@pytest.mark.parametrize('late', [0.0, 0.0004, 0.0027])
def test_replacement_while_moving_steps_neither_position_nor_velocity(late):
    one = follower()
    trajectories = [
        move([1.0, -1.0]),
        move([-0.5, 0.5]),
        rest_to_rest([0.0, 0.0], [0.5, 0.5], 1.0, joint_names=NAMES),
        move([0.2, 0.2], 0.5),
    ]
    orders = [
        (1.0 + 0.3 * i, lambda now, t=t: one.follow_trajectory(t, now - late))
        for i, t in enumerate(trajectories)
    ]
    _, (q, v, a), tracking = run(one, 0.99, 4.0, orders)
    assert_smooth(q, v, a, acceleration=150.0)
    np.testing.assert_allclose(q[-1], [0.2, 0.2], atol=1e-12)
    assert tracking[100] and not tracking[-1]


def test_at_the_moment_of_replacement_nothing_steps():
    one = follower()
    one.follow_trajectory(move([1.0, -1.0]), 0.0)
    one.sample(0.0)
    before, _ = one.sample(0.5)
    one.follow_trajectory(move([-1.0, 1.0]), 0.5)
    after, _ = one.sample(0.5)
    np.testing.assert_allclose(np.array(after), np.array(before), rtol=1e-12, atol=1e-12)


def test_a_trajectory_of_the_future_lets_the_present_one_go_on():
    one = follower()
    first, second = move([1.0, -1.0]), move([-1.0, 1.0])
    one.follow_trajectory(first, 0.0)
    one.sample(0.0)
    one.follow_trajectory(second, 0.2, start=0.6)
    expected = first.starting_from(ReferencePoint.at_rest(np.zeros(2)))
    for now in (0.3, 0.599):
        np.testing.assert_array_equal(np.array(one.sample(now)[0]), np.array(expected.sample(now)))
    before = expected.sample(0.6)
    np.testing.assert_allclose(one.sample(0.6)[0].q, before.q, atol=1e-12)
    np.testing.assert_allclose(one.sample(0.6)[0].v, before.v, atol=1e-12)
    np.testing.assert_allclose(one.sample(1.6)[0].q, [-1.0, 1.0], atol=1e-12)


def test_a_partly_past_trajectory_is_entered_on_its_way():
    one = follower()
    trajectory = Trajectory(
        [0.0, 1.0, 2.0], [[0.0, 0.0], [0.5, 0.5], [1.0, 0.0]], joint_names=NAMES
    )
    one.sample(10.0)
    one.follow_trajectory(trajectory, 10.0, start=9.0)
    np.testing.assert_allclose(one.sample(10.0)[0].q, [0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(np.array(one.sample(10.5)[0]), trajectory.sample(1.5))
    one = follower()
    one.follow_trajectory(move([0.4, 0.4], 2.0), 10.0, start=9.0)
    np.testing.assert_allclose(one.sample(10.0)[0].q, [0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(one.sample(11.0)[0].q, [0.4, 0.4], atol=1e-12)


def test_too_fast_a_way_to_the_first_point_is_refused():
    one = follower()
    one.sample(1.0)
    with pytest.raises(TrajectoryError) as caught:
        one.follow_trajectory(move([2.0, 0.0], 0.1), 1.0)
    assert 'with the commanded point put before it, between points 0 and 1' in str(caught.value)
    assert 'give the first point more time' in caught.value.remedy
    one.follow_trajectory(move([2.0, 0.0], 1.0), 1.0)


def test_from_outside_the_limits_there_is_a_way_back():
    one = follower((3.2, 0.0))
    one.follow_trajectory(move([2.0, 0.0], 1.0), 1.0)
    np.testing.assert_allclose(one.sample(2.0)[0].q, [2.0, 0.0])
    with pytest.raises(TrajectoryError, match='positions: is 3.1'):
        one.follow_trajectory(move([3.1, 0.0], 1.0), 2.0)


def test_the_blend_keeps_the_velocity_limit():
    one = follower((2.0, 2.0))
    one.follow_trajectory(
        Trajectory([0.0, 9.0], [[-2.0, -2.0], [-2.0, -2.0]], joint_names=NAMES), 0.0
    )
    _, (q, v, a), _ = run(one, 0.0, 6.0)
    assert 7.0 < np.max(np.abs(v[:, 0])) * 8.0 / 2.0 <= 8.0 + 1e-9  # as slow as joint b
    assert 1.9 < np.max(np.abs(v[:, 1])) <= 2.0 + 1e-9
    assert_smooth(q, v, a, acceleration=10.0)


# ------------------------------------------------------------------ set-points


def stream(one, points, begin, period):
    return [
        (begin + i * period, lambda now, p=p: one.follow_setpoint(p, now))
        for i, p in enumerate(points)
    ]


def test_a_stream_of_positions_is_followed_smoothly_and_held_when_it_stops():
    one = follower()
    sine = SineReference([0.0, 0.0], [0.5, -0.3], [2.0, 3.0])
    points = [ReferencePoint.at_rest(sine.sample(0.01 * i).q) for i in range(100)]
    times, (q, v, a), tracking = run(one, 0.99, 2.6, stream(one, points, 1.0, 0.01))
    steady = (times > 1.3) & (times < 1.99)
    assert_smooth(q[steady], v[steady], a[steady], acceleration=6.0)  # of the sine: 2.7
    assert_smooth(q, v, a, acceleration=50.0)  # it begins and ends at 1 rad/s at once
    inside = (times > 1.3) & (times < 1.9)
    expected = np.array([sine.sample(t - 1.0).q for t in times])
    assert np.max(np.abs(q - expected)[inside]) < 0.023  # late by 2.3 periods, at 0.9 rad/s
    assert tracking[(times > 1.011) & (times < 2.029)].all()
    assert not tracking[times > 2.031].any()
    held = q[times > 2.031]
    np.testing.assert_array_equal(held, np.tile(points[-1].q, (len(held), 1)))


def test_a_stream_with_derivatives_is_followed_without_delay():
    one = follower()
    sine = SineReference([0.0, 0.0], [0.5, -0.3], [2.0, 3.0])
    points = [sine.sample(0.01 * i) for i in range(100)]
    times, (q, v, a), tracking = run(one, 0.99, 2.6, stream(one, points, 1.0, 0.01))
    expected = np.array([sine.sample(t - 1.0).q for t in times])
    inside = (times > 1.25) & (times < 1.99)
    assert np.max(np.abs(q - expected)[inside]) < 5e-5
    assert_smooth(q, v, a, acceleration=35.0)
    assert tracking[-1] == np.False_
    np.testing.assert_array_equal(q[-1], points[-1].q)


def test_one_far_set_point_is_reached_after_its_timeout():
    one = follower()
    goal = ReferencePoint.at_rest(np.array([0.0, 2.0]))
    times, (q, v, a), tracking = run(one, 0.0, 5.0, stream(one, [goal], 0.5, 1.0))
    assert_smooth(q, v, a, acceleration=30.0)
    assert np.max(np.abs(v)) <= 2.5
    np.testing.assert_array_equal(q[-1], [0.0, 2.0])
    assert tracking[1000] and not tracking[-1]


@pytest.mark.parametrize(
    'point, what',
    [
        (([np.nan, 0.0], [0.0, 0.0], [0.0, 0.0]), 'set-point, position: is'),
        (([0.0, 0.0], [0.0, np.inf], [0.0, 0.0]), 'set-point, velocity: is'),
        (([0.0, 0.0], [0.0, 0.0], [1e308, 0.0]), 'set-point, acceleration: is'),
        (([0.0], [0.0], [0.0]), r'set-point, position: has shape \(1,\)'),
        (([0.0, 3.1], [0.0, 0.0], [0.0, 0.0]), "set-point, joint 'b', position: is 3.1"),
        (([0.0, 0.0], [-8.5, 0.0], [0.0, 0.0]), "set-point, joint 'a', velocity: is -8.5"),
    ],
)
def test_bad_set_points_are_refused(point, what):
    one = follower()
    with pytest.raises(TrajectoryError, match=what):
        one.follow_setpoint(ReferencePoint(*(np.array(x) for x in point)), 0.0)
    np.testing.assert_array_equal(one.sample(1.0)[0].q, [0.0, 0.0])


# ------------------------------------------------------------------- and so on


def test_a_stop_comes_to_rest_smoothly():
    one = follower()
    one.follow_trajectory(move([2.0, -2.0]), 0.0)
    times, (q, v, a), tracking = run(one, 0.0, 2.0, [(0.5, one.stop)])
    assert_smooth(q, v, a, acceleration=120.0)
    assert not v[times > 0.701].any()
    assert not tracking[times > 0.701].any()
    # on it goes by about half of velocity times blend time, never back
    assert (np.diff(q[:, 0]) >= -1e-15).all()
    assert 1.0 < q[-1, 0] < 1.5


def test_a_stop_at_the_limit_stays_inside():
    one = follower(upper=np.array([1.2, 3.0]))
    one.follow_reference(rest_to_rest([0.0, 0.0], [2.0, -2.0], 1.0), 0.0)
    _, (q, v, a), _ = run(one, 0.0, 2.0, [(0.5, one.stop)])
    assert q[-1, 0] == 1.2
    assert_smooth(q, v, a, acceleration=200.0)


def test_any_reference_can_be_followed():
    one = follower()
    sine = SineReference([0.0, 0.0], [0.5, -0.3], [2.0, 3.0])
    one.follow_reference(sine, 1.0)
    times, (q, v, a), tracking = run(one, 1.0, 2.0)
    np.testing.assert_allclose(np.array(one.sample(3.0)[0]), sine.sample(2.0))
    assert tracking.all()
    assert_smooth(q, v, a, acceleration=80.0)


def test_joints_are_taken_by_name():
    one = follower()
    swapped = Trajectory([1.0], [[0.6, 0.3]], joint_names=('b', 'a'))
    one.follow_trajectory(swapped, 0.0)
    np.testing.assert_allclose(one.sample(2.0)[0].q, [0.3, 0.6])


def test_continuous_joints_take_the_short_way():
    turns = 4.0 * np.pi
    one = follower(
        (turns + 0.1, 0.0),
        continuous=np.array([True, False]),
        lower=np.array([-np.inf, -3.0]),
        upper=np.array([np.inf, 3.0]),
    )
    one.follow_trajectory(move([0.5, 0.0]), 0.0)
    _, (q, v, _), _ = run(one, 0.0, 2.0)
    assert np.max(np.abs(v)) < 2.0
    np.testing.assert_allclose(q[-1], [0.5, 0.0], atol=1e-12)


@pytest.mark.parametrize(
    'trajectory, now, start, what',
    [
        (move([0.1, 0.1]), 10.0, 8.0, 'starts at 8.000 s and lasts 1.000 s, now is 10.000 s'),
        (move([0.1, 0.1]), 10.0, 9.0, 'an end after now'),
        (move([0.1, 0.1]), 10.0, np.nan, 'starts at nan'),
        (move([0.1, 3.1]), 10.0, None, "point 0, joint 'b', positions: is 3.1"),
        (
            rest_to_rest([0.0, 0.0], [2.0, 0.0], 0.4, joint_names=NAMES),
            10.0,
            None,
            "between points 0 and 1, joint 'a', velocities: reach",
        ),
        (
            Trajectory([1.0], [[0.0, 0.0]], joint_names=('a', 'c')),
            10.0,
            None,
            "joint 'c': is unknown",
        ),
        (Trajectory([1.0], [[0.0]], joint_names=('a',)), 10.0, None, "joint 'b': is missing"),
    ],
)
def test_what_cannot_be_followed_is_refused_and_changes_nothing(trajectory, now, start, what):
    one, twin = follower(), follower()
    for each in (one, twin):
        each.follow_trajectory(move([0.7, -0.7]), 9.5)
        each.sample(9.9)
    with pytest.raises(TrajectoryError, match=what):
        one.follow_trajectory(trajectory, now, start)
    for later in (10.0, 10.3, 11.0):
        np.testing.assert_array_equal(np.array(one.sample(later)[0]), twin.sample(later)[0])
