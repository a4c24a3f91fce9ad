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

"""Checks that several scenarios share."""

from collections.abc import Callable

import numpy as np
from scenario_observer import Motion, Observer
from std_srvs.srv import Trigger

GAP = 0.01  # [s] between two states, five times as long as it should be
ATTEMPTS = 4


def check_drift(
    seconds: float,
    namespaces: tuple[str, ...],
    observer: Observer,
    meanwhile: Callable[[], None] | None = None,
) -> None:
    """Watch the free arms for `seconds` of simulated time, and do something else `meanwhile`."""
    observer.wait_until_free(namespaces)
    starts = {}
    for namespace in namespaces:
        states = observer.messages(namespace, 'joint_states')
        starts[namespace] = (len(states), observer.steps(namespace))
    if meanwhile is not None:
        meanwhile()
    steps = round(seconds / 1e-3)
    observer.wait_for(
        lambda: all(
            observer.steps(namespace) >= starts[namespace][1] + steps for namespace in namespaces
        ),
        4.0 * seconds,
        f'{steps} steps',
    )
    for namespace in namespaces:
        # The first state of all is the pose that the brake held.
        q = np.array([state.position for state in observer.messages(namespace, 'joint_states')])
        drift = np.abs(q - q[0]).max()
        print(f'drift in {seconds:g} s, {namespace}: {drift:.2e} in {len(q)} states')
        assert len(q) - starts[namespace][0] > 100
        assert drift < 1e-3
        assert observer.diagnostic(namespace, 'arm', 'commands dropped') == '0'
        _check_that_it_is_free(namespace, observer)


def _check_that_it_is_free(namespace: str, observer: Observer) -> None:
    """Push the arm: one that only a brake had held would stay where it is."""
    states = observer.messages(namespace, 'joint_states')
    before = np.array(states[-1].position)
    observer.push(f'{namespace}/simulator/push', states[-1].name[:1], [5.0])
    observer.wait_for(
        lambda: np.abs(np.array(states[-1].position) - before).max() > 1e-2,
        10.0,
        'motion after a push',
    )


def judged_motion(
    observer: Observer, namespace: str, seconds: float, judge: Callable[[Motion], None]
) -> Motion:
    """
    Return the first motion that `judge` accepts, looking at the last `seconds` of each.

    The arm goes back to its start, and the next motion counts. It must be accepted, unless the
    machine stopped the processes for longer than GAP and so made another loop of them.
    """
    for number in range(ATTEMPTS):
        assert observer.call(Trigger, f'/{namespace}/simulator/reset').success
        motion = observer.next_motion(namespace, seconds)
        try:
            judge(motion)
            return motion
        except AssertionError:
            print(f'motion {number}: the machine stopped for {1e3 * motion.gap:.0f} ms')
            if motion.gap < GAP or number == ATTEMPTS - 1:
                raise
    raise AssertionError('no attempt')
