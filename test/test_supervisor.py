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

"""The supervisor, and the safe stop that it calls for."""

import numpy as np
import pytest
from robot_dynamics.control import State, Supervisor
from robot_dynamics.control.safe_stop import SafeStop
from robot_dynamics.control.supervisor import Supervision

PERIOD = 1e-3  # [s]


def supervisor(**changes):
    return Supervisor(
        Supervision(**{'state_timeout': 0.05, 'fresh_states': 3, 'start_ramp': 0.2, **changes})
    )


def running(now=0.0):
    one = supervisor()
    assert [one.accept(now + i * PERIOD) for i in range(3)] == [False, False, True]
    return one


def test_it_waits_for_good_states_in_a_row():
    one = supervisor()
    assert one.state is State.WAITING and not one.state.is_running
    assert 'no usable state yet' in one.reason
    assert not one.accept(0.0)
    assert '1 of 3' in one.reason
    assert not one.accept(0.01)
    assert one.state is State.WAITING
    assert one.accept(0.02)
    assert one.state is State.HOLDING and one.state.is_running
    assert one.reason == ''


def test_late_states_begin_the_row_again_and_the_reason_tells_the_gap():
    one = supervisor()
    for i in range(20):
        assert not one.accept(i * 0.06)
    assert '1 of 3' in one.reason and 'the last came after 0.06 s' in one.reason


def test_a_refused_start_begins_the_row_again():
    one = supervisor()
    one.accept(0.0)
    one.accept(0.001)
    one.refuse('not yet')
    assert one.reason == 'not yet'
    assert [one.accept(0.002 + i * PERIOD) for i in range(3)] == [False, False, True]
    one.refuse('too late')
    assert one.state is State.HOLDING and one.reason == ''


def test_silence_is_a_fault_just_after_the_timeout():
    one = running()
    assert not one.watch(0.002 + 0.05)
    assert one.watch(0.0021 + 0.05)
    assert one.state is State.FAULT
    assert 'no usable state for 0.050 s' in one.reason and 'driver running' in one.reason
    assert not one.watch(10.0)


def test_the_reason_tells_what_was_dropped():
    one = running()
    one.watch(1.0, "position of joint 'a' is nan")
    assert one.reason.endswith("dropped: position of joint 'a' is nan")


def test_silence_before_the_start_is_no_fault():
    one = supervisor()
    assert not one.watch(100.0)
    assert one.state is State.WAITING


def test_it_returns_from_a_fault_after_fresh_states():
    one = running()
    assert one.fail('cable')
    assert not one.fail('cable again')
    assert one.reason == 'cable again'
    assert [one.accept(5.0 + i * PERIOD) for i in range(3)] == [False, False, True]
    assert one.state is State.HOLDING


def test_nan_time_is_a_fault():
    one = running()
    assert one.watch(float('nan'))


def test_a_stop_is_final():
    one = running()
    one.stop()
    assert not one.fail('x') and not one.watch(9.0)
    assert not any(one.accept(9.0 + i * PERIOD) for i in range(9))
    assert one.state is State.STOPPED


def test_tracking_and_holding_only_while_running():
    one = supervisor()
    one.track(True)
    assert one.state is State.WAITING
    one = running()
    one.track(True)
    assert one.state is State.TRACKING and one.state.is_running
    one.track(False)
    assert one.state is State.HOLDING


def test_the_share_of_the_law_rises_linearly():
    one = running()
    assert one.law_share(3.0) == 1.0
    one.start_ramp(4.0)
    np.testing.assert_allclose(
        [one.law_share(t) for t in (4.0, 4.05, 4.1, 4.2, 9.0)], [0.0, 0.25, 0.5, 1.0, 1.0]
    )
    one.supervision = Supervision(state_timeout=0.05, fresh_states=3, start_ramp=0.0)
    one.start_ramp(5.0)
    assert one.law_share(5.0) == 1.0


# ------------------------------------------------------------------- safe stop

FREE = np.full(2, np.inf)


def test_the_way_down_is_linear_and_ends_with_two_zeros():
    stop = SafeStop(1.0, np.array([10.0, -4.0]), ramp=0.2, rate=FREE)
    np.testing.assert_allclose(stop.effort(1.0), [10.0, -4.0])
    np.testing.assert_allclose(stop.effort(1.05), [7.5, -3.0])
    np.testing.assert_allclose(stop.effort(1.15), [2.5, -1.0])
    assert stop.end == 1.2 and not stop.is_over
    for t in (1.2, 1.21):
        np.testing.assert_array_equal(stop.effort(t), [0.0, 0.0])
    assert stop.is_over
    assert stop.effort(1.22) is None


def test_the_rate_limit_makes_it_longer():
    stop = SafeStop(0.0, np.array([10.0, 1.0]), ramp=0.2, rate=np.array([20.0, np.inf]))
    assert stop.end == 0.5
    np.testing.assert_allclose(stop.effort(0.25), [5.0, 0.5])


@pytest.mark.filterwarnings('error')
def test_without_a_ramp_zero_comes_at_once():
    stop = SafeStop(3.0, np.array([10.0, 1.0]), ramp=0.0, rate=FREE)
    np.testing.assert_array_equal(stop.effort(3.0), [0.0, 0.0])


def test_support_is_reached_kept_and_left():
    stop = SafeStop(
        0.0,
        np.array([10.0, 0.0]),
        ramp=0.2,
        rate=FREE,
        support=np.array([4.0, 2.0]),
        support_time=1.0,
    )
    np.testing.assert_allclose(stop.effort(0.1), [7.0, 1.0])
    np.testing.assert_array_equal(stop.effort(0.2), [4.0, 2.0])
    np.testing.assert_array_equal(stop.effort(0.9), [4.0, 2.0])
    np.testing.assert_allclose(stop.effort(1.1), [2.0, 1.0])
    np.testing.assert_array_equal(stop.effort(1.2), [0.0, 0.0])


def test_the_start_is_copied():
    start = np.array([1.0, 1.0])
    stop = SafeStop(0.0, start, ramp=0.2, rate=FREE)
    start[:] = np.nan
    np.testing.assert_array_equal(stop.effort(0.0), [1.0, 1.0])
