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

"""Trajectories: interpolation against SciPy, continuity, refusals, limits, replacement."""

import itertools

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from robot_dynamics.control import ReferencePoint, rest_to_rest, Trajectory
from robot_dynamics.errors import TrajectoryError
from scipy.interpolate import BPoly, CubicHermiteSpline, CubicSpline

NAMES = ('shoulder', 'elbow')
KINDS = ('spline', 'hermite', 'quintic')


@st.composite
def point_tables(draw, kind=None):
    """Return keyword arguments of a valid trajectory of 2 joints and its kind."""
    kind = kind or draw(st.sampled_from(KINDS))
    k = draw(st.integers(2, 6))
    gaps = draw(st.lists(st.floats(0.1, 2.0), min_size=k, max_size=k))
    first = draw(st.sampled_from([0.0, gaps[0]]))
    times = first + np.concatenate([[0.0], np.cumsum(gaps[1:])])

    def table():
        flat = draw(st.lists(st.floats(-3.0, 3.0), min_size=2 * k, max_size=2 * k))
        return np.array(flat).reshape(k, 2)

    table_v, table_a = table(), table()
    table_v[-1] = 0.0
    return kind, {
        'times': times,
        'positions': table(),
        'velocities': None if kind == 'spline' else table_v,
        'accelerations': table_a if kind == 'quintic' else None,
    }


def make(arguments):
    return Trajectory(**arguments, joint_names=NAMES)


def table_of(trajectory, times):
    """Return q, v, a as arrays (3, times, n)."""
    return np.array([trajectory.sample(t) for t in times]).transpose(1, 0, 2)


def close(actual, expected, tolerance):
    scale = max(1.0, float(np.max(np.abs(expected))))
    assert np.max(np.abs(np.asarray(actual) - expected)) <= tolerance * scale


# --------------------------------------------------------------- interpolation


def test_quintic_rest_to_rest_has_the_known_values():
    trajectory = rest_to_rest([0.0, 0.0], [0.6, -0.4], 2.0)
    q, v, a = trajectory.sample(0.5)
    np.testing.assert_allclose(q, [0.0621093750, -0.04140625], rtol=0, atol=1e-15)
    np.testing.assert_allclose(v, [0.3164062500, -0.2109375], rtol=0, atol=1e-15)
    np.testing.assert_allclose(a, [0.84375, -0.5625], rtol=0, atol=1e-15)
    assert trajectory.duration == 2.0
    assert trajectory.joint_names == ('joint1', 'joint2')


@given(point_tables())
@settings(max_examples=60, deadline=None)
def test_curves_agree_with_scipy(case):
    kind, arguments = case
    times, q, v, a = arguments.values()
    if kind == 'spline':
        oracle = CubicSpline(times, q, bc_type='clamped')
    elif kind == 'hermite':
        oracle = CubicHermiteSpline(times, q, v)
    else:
        oracle = BPoly.from_derivatives(times, np.stack([q, v, a], axis=1))
    inside = np.linspace(times[0], times[-1], 37)[:-1]
    sampled = table_of(make(arguments), inside)
    for order in range(3):
        expected = oracle.derivative(order)(inside) if order else oracle(inside)
        close(sampled[order], expected, 1e-9)


@given(point_tables())
@settings(max_examples=60, deadline=None)
def test_position_and_velocity_are_continuous_and_acceleration_where_promised(case):
    kind, arguments = case
    trajectory = make(arguments)
    scale = float(
        np.max(
            np.abs(table_of(trajectory, np.linspace(trajectory.times[0], trajectory.duration, 50)))
        )
    )
    for i, t in enumerate(trajectory.times[1:-1], start=1):
        left = np.array(trajectory.sample(np.nextafter(t, 0.0)))
        right = np.array(trajectory.sample(t))
        np.testing.assert_allclose(right[0], trajectory.positions[i], atol=1e-13)
        orders = 2 if kind == 'hermite' else 3
        assert np.max(np.abs(left - right)[:orders]) <= 1e-11 * max(1.0, scale)


@given(point_tables(), st.floats(0.01, 0.99))
@settings(max_examples=60, deadline=None)
def test_derivatives_agree_with_finite_differences(case, share):
    trajectory = make(case[1])
    for t0, t1 in itertools.pairwise(trajectory.times):
        gap = t1 - t0
        t, h = t0 + share * gap, 1e-4 * gap
        before, here, after = (np.array(trajectory.sample(x)) for x in (t - h, t, t + h))
        # the error is h^2 / 6 of the derivative two orders higher, which is up to 1e5 / gap^3
        for order in (0, 1):
            difference = (after[order] - before[order]) / (2.0 * h)
            close(difference, here[order + 1], 2e-3)


@given(point_tables())
@settings(max_examples=30, deadline=None)
def test_it_holds_before_and_after(case):
    trajectory = make(case[1])
    last = trajectory.duration
    for t, q in (
        (trajectory.times[0] - 1e-6, trajectory.positions[0]),
        (-5.0, trajectory.positions[0]),
        (last, trajectory.positions[-1]),
        (last + 1e6, trajectory.positions[-1]),
    ):
        point = trajectory.sample(t)
        np.testing.assert_array_equal(point.q, q)
        assert point.is_at_rest


@given(point_tables())
@settings(max_examples=30, deadline=None)
def test_permuted_joints_give_permuted_samples(case):
    arguments = case[1]
    straight = make(arguments)
    swapped = Trajectory(
        **{
            key: value if key == 'times' or value is None else value[:, ::-1]
            for key, value in arguments.items()
        },
        joint_names=NAMES[::-1],
    )
    again = swapped.reordered(NAMES)
    assert again.joint_names == NAMES
    times = np.linspace(-0.1, straight.duration + 0.1, 23)
    close(table_of(swapped, times)[:, :, ::-1], table_of(straight, times), 1e-12)
    np.testing.assert_array_equal(table_of(again, times), table_of(straight, times))


def test_arrays_are_copied_in_and_read_only():
    positions = np.array([[0.0, 1.0], [1.0, 0.0]])
    trajectory = Trajectory([0.0, 1.0], positions, joint_names=NAMES)
    before = trajectory.sample(0.3).q.copy()
    positions[:] = 9.0
    np.testing.assert_array_equal(trajectory.sample(0.3).q, before)
    with pytest.raises(ValueError):
        trajectory.positions[0, 0] = 1.0
    with pytest.raises(ValueError):
        trajectory.sample(5.0).q[0] = 1.0


def test_one_point_holds_it():
    setpoint = Trajectory([0.0], [[0.3, 0.4]], joint_names=NAMES)
    assert setpoint.is_setpoint and setpoint.duration == 0.0
    np.testing.assert_array_equal(setpoint.sample(1.0).q, [0.3, 0.4])
    assert not Trajectory([1.0], [[0.3, 0.4]], joint_names=NAMES).is_setpoint


# -------------------------------------------------------------------- refusals

GOOD = {'times': [0.0, 1.0, 2.0], 'positions': [[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]]}
STILL = [[0.0, 0.0], [0.5, 0.5], [0.0, 0.0]]
NAN, INF = float('nan'), float('inf')


def with_value(table, point, joint, value):
    changed = np.array(table)
    changed[point, joint] = value
    return changed


REFUSALS = {
    'negative time': ({'times': [-0.5, 1.0, 2.0]}, 'point 0, time: is -0.5 s', '0 s or more'),
    'equal times': ({'times': [0.0, 1.0, 1.0]}, 'point 2, time: is 1.0 s', 'later than 1.0 s'),
    'falling times': ({'times': [0.0, 2.0, 1.0]}, 'point 2, time: is 1.0 s', 'later than 2.0 s'),
    'nan time': ({'times': [0.0, NAN, 1.0]}, 'point 1, time: is nan s', 'finite time'),
    'infinite time': ({'times': [0.0, 1.0, INF]}, 'point 2, time: is inf s', 'finite time'),
    'empty': ({'times': [], 'positions': []}, 'has no points', 'at least one point'),
    'times a table': ({'times': [[0.0, 1.0]]}, 'times have shape (1, 2)', 'one time'),
    'too few points': (
        {'positions': [[0.0, 0.0]]},
        'positions have shape (1, 2)',
        '3 points of 2 joints',
    ),
    'too many joints': (
        {'positions': np.zeros((3, 3))},
        'positions have shape (3, 3)',
        '3 points of 2 joints',
    ),
    'ragged': ({'positions': [[0.0], [0.0, 1.0], [0.0]]}, 'positions are no table', 'as many'),
    'text': ({'times': ['a', 'b', 'c']}, 'times are no table', 'numbers'),
    'nan position': (
        {'positions': with_value(GOOD['positions'], 1, 1, NAN)},
        "point 1, joint 'elbow', positions: is nan",
        'a finite number',
    ),
    'infinite velocity': (
        {'velocities': with_value(STILL, 1, 0, -INF)},
        "point 1, joint 'shoulder', velocities: is -inf",
        'a finite number',
    ),
    'nan acceleration': (
        {'velocities': STILL, 'accelerations': with_value(STILL, 2, 1, NAN)},
        "point 2, joint 'elbow', accelerations: is nan",
        'a finite number',
    ),
    'wrong velocities': ({'velocities': STILL[:2]}, 'velocities have shape (2, 2)', '3 points'),
    'accelerations alone': (
        {'accelerations': STILL},
        'accelerations without velocities',
        'velocities',
    ),
    'ends while moving': (
        {'velocities': with_value(STILL, 2, 1, 0.2)},
        "point 2, joint 'elbow', velocities: ends while moving, at 0.2",
        '0 at the last point',
    ),
    'doubled joint': ({'joint_names': ['elbow', 'elbow']}, "joint 'elbow'", 'each joint once'),
    'no joints': (
        {'joint_names': [], 'positions': np.zeros((3, 0))},
        'has no joints',
        'at least one',
    ),
    'overflow': (
        {
            'times': [0.0, 1e-200, 2.0],
            'velocities': STILL,
            'positions': [[0.0, 0.0], [1e300, 1.0], [2.0, 0.0]],
        },
        'not finite',
        'physical size',
    ),
}


@pytest.mark.parametrize('rule', REFUSALS)
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_broken_rules_are_refused_with_point_joint_and_field(rule):
    change, what, expected = REFUSALS[rule]
    with pytest.raises(TrajectoryError) as caught:
        Trajectory(**{**GOOD, 'joint_names': NAMES, **change})
    assert what in str(caught.value)
    assert expected in caught.value.expected


def test_a_last_velocity_within_the_tolerance_is_rest():
    velocities = with_value(STILL, 2, 1, 1e-9)
    assert Trajectory(**GOOD, velocities=velocities, joint_names=NAMES).sample(2.0).is_at_rest


@pytest.mark.parametrize(
    'names, what',
    [
        (('shoulder', 'wrist'), "joint 'elbow': is unknown"),
        (('shoulder', 'elbow', 'wrist'), "joint 'wrist': is missing"),
        (('shoulder', 'shoulder'), "joint 'shoulder': is there more than once"),
    ],
)
def test_other_joints_are_refused(names, what):
    with pytest.raises(TrajectoryError) as caught:
        Trajectory(**GOOD, joint_names=NAMES).reordered(names)
    assert what in str(caught.value)


# ---------------------------------------------------------------------- limits


def test_a_curve_within_its_limits_is_accepted_even_when_it_touches_them():
    trajectory = rest_to_rest([-1.0, 0.5], [1.0, -0.5], 2.0)
    peak = 1.875 * np.array([2.0, 1.0]) / 2.0
    trajectory.check_limits(
        lower=np.array([-1.0, -0.5]), upper=np.array([1.0, 0.5]), velocity=peak
    )


@pytest.mark.parametrize(
    'limits, what',
    [
        ({'upper': np.array([1.5, 9.0])}, "point 2, joint 'shoulder', positions: is 2"),
        ({'lower': np.array([-9.0, 0.5])}, "point 0, joint 'elbow', positions: is 0"),
    ],
)
def test_points_outside_the_limits_are_named(limits, what):
    with pytest.raises(TrajectoryError) as caught:
        Trajectory(**GOOD, joint_names=NAMES).check_limits(**limits)
    assert what in str(caught.value)
    assert 'within [' in caught.value.expected


def test_velocities_at_points_outside_the_limit_are_named():
    trajectory = Trajectory(**GOOD, velocities=STILL, joint_names=NAMES)
    with pytest.raises(TrajectoryError) as caught:
        trajectory.check_limits(velocity=np.array([9.0, 0.4]))
    assert "point 1, joint 'elbow', velocities: is 0.5" in str(caught.value)


def test_overshoot_between_points_is_found():
    # a clamped spline through 0, 1, 1 overshoots 1 in its second half
    trajectory = Trajectory([0.0, 1.0, 2.0], [[0.0], [1.0], [1.0]], joint_names=['a'])
    highest = max(trajectory.sample(t).q[0] for t in np.linspace(1.0, 2.0, 10001))
    assert highest > 1.01
    trajectory.check_limits(upper=np.array([highest + 1e-6]))
    with pytest.raises(TrajectoryError) as caught:
        trajectory.check_limits(upper=np.array([highest - 1e-6]))
    assert "between points 1 and 2, joint 'a', positions: reach 1.1" in str(caught.value)


@given(point_tables(), st.floats(0.9, 1.1))
@settings(max_examples=60, deadline=None)
def test_limit_checks_agree_with_dense_sampling(case, factor):
    trajectory = make(case[1])
    times = np.linspace(trajectory.times[0], np.nextafter(trajectory.duration, 0.0), 4001)
    fastest = np.abs(table_of(trajectory, times)[1]).max(axis=0)
    given_v = trajectory.velocities
    if given_v is not None:
        fastest = np.maximum(fastest, np.abs(given_v).max(axis=0))
    limit = factor * fastest + 1e-6
    if factor >= 1.001:
        # dense samples miss a peak by less than this
        trajectory.check_limits(velocity=limit + 1e-3 * fastest.max())
    elif (limit < fastest).any():
        with pytest.raises(TrajectoryError):
            trajectory.check_limits(velocity=limit)


# ----------------------------------------------------------------- replacement

HERE = ReferencePoint(np.array([0.2, -0.1]), np.array([0.5, -0.3]), np.array([1.0, 2.0]))


def assert_joins(reference, point, at, orders):
    """Require that ``reference`` has the point's first derivatives at its time ``at``."""
    sampled = reference.sample(at)
    assert np.max(np.abs(sampled.q - point.q)) <= 1e-12
    for order in range(1, orders):
        np.testing.assert_allclose(sampled[order], point[order], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize('kind, orders', [('spline', 2), ('hermite', 2), ('quintic', 3)])
def test_a_point_to_come_makes_the_commanded_point_the_first_one(kind, orders):
    @given(point_tables(kind))
    @settings(max_examples=20, deadline=None)
    def check(case):
        arguments = {**case[1], 'times': case[1]['times'] + 0.5}
        reference = make(arguments).starting_from(HERE)
        assert isinstance(reference, Trajectory)
        assert reference.times[0] == 0.0
        assert reference.times.size == arguments['times'].size + 1
        assert_joins(reference, HERE, 0.0, orders)
        np.testing.assert_allclose(
            reference.sample(arguments['times'][0]).q, arguments['positions'][0], atol=1e-12
        )

    check()


@given(point_tables(), st.floats(0.0, 1.0))
@settings(max_examples=60, deadline=None)
def test_a_trajectory_on_its_way_is_blended_in(case, share):
    trajectory = make(case[1])
    begin, end = trajectory.times[0], trajectory.duration
    at = begin + share * (end - begin)
    reference = trajectory.starting_from(HERE, at=at, blend_time=0.2)
    assert_joins(reference, HERE, at, 3)
    for t in (at + 0.2 + 1e-9, at + 0.3, end + 1.0):
        np.testing.assert_array_equal(np.array(reference.sample(t)), trajectory.sample(t))
    # no step at the end of the blend: the offset leaves with the cube of the time left
    left = reference.sample(np.nextafter(at + 0.2, 0.0))
    assert np.max(np.abs(left.q - trajectory.sample(np.nextafter(at + 0.2, 0.0)).q)) <= 1e-12
    assert reference.duration == max(end, at + 0.2)


def test_from_rest_the_trajectory_begins_with_the_acceleration_it_asks_for():
    trajectory = Trajectory(**GOOD, joint_names=NAMES)
    rest = ReferencePoint.at_rest(trajectory.positions[0])
    assert trajectory.starting_from(rest) is trajectory
    reference = trajectory.starting_from(ReferencePoint.at_rest(np.array([0.1, 0.0])))
    np.testing.assert_array_equal(reference.sample(0.0).a, trajectory.sample(0.0).a)


def test_one_point_to_come_is_a_move_from_the_commanded_point():
    goal = Trajectory([2.0], [[0.6, -0.4]], [[0.0, 0.0]], [[0.0, 0.0]], joint_names=NAMES)
    move = goal.starting_from(ReferencePoint.at_rest(np.zeros(2)))
    np.testing.assert_allclose(
        move.sample(0.5),
        [[0.062109375, -0.04140625], [0.31640625, -0.2109375], [0.84375, -0.5625]],
        atol=1e-15,
    )


def test_a_start_after_the_first_point_is_refused():
    with pytest.raises(TrajectoryError, match='point 1, time'):
        Trajectory(**GOOD, joint_names=NAMES).with_start(HERE, at=0.5)


def test_continuous_joints_take_the_short_way():
    turns = np.array([4.0 * np.pi, 0.0])
    continuous = np.array([True, False])
    here = ReferencePoint.at_rest(np.array([0.1, 0.2]) + turns)
    later = Trajectory([1.0], [[0.0, 0.0]], joint_names=NAMES)
    way = later.starting_from(here, continuous=continuous)
    assert np.max(np.abs(way.sample(0.5).q)) < 0.2
    now = Trajectory([0.0, 1.0], [[0.0, 0.0], [0.5, 0.5]], joint_names=NAMES)
    blend = now.starting_from(here, continuous=continuous)
    np.testing.assert_allclose(blend.sample(0.0).q, [0.1, 0.2], atol=1e-12)


def test_ten_thousand_points_are_sampled_fast_and_right():
    times = np.linspace(0.0, 100.0, 10_000)
    positions = np.sin(np.outer(times, [1.0, 2.0]))
    trajectory = Trajectory(times, positions, joint_names=NAMES)
    inside = np.linspace(1.0, 99.0, 500)
    np.testing.assert_allclose(
        table_of(trajectory, inside)[0], np.sin(np.outer(inside, [1.0, 2.0])), atol=1e-7
    )
