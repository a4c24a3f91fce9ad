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

"""What a scenario sees of its nodes: recorded topics, parameters, services."""

from collections import defaultdict
import time
from typing import NamedTuple

from diagnostic_msgs.msg import DiagnosticArray
import numpy as np
from rclpy.callback_groups import CallbackGroup
from rclpy.qos import QoSProfile, ReliabilityPolicy
from robot_dynamics.nodes.messages import stamp_of
from ros_harness import Client
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

TOPICS = {
    'joint_states': JointState,
    'dynamics/effort_command': Float64MultiArray,
    'dynamics/reference': JointState,
    'dynamics/tracking_error': JointState,
}
_POLL = 0.005  # [s]
_PAUSE = 0.2  # [s] a reference that stands for so long has ended its motion
_QOS = QoSProfile(depth=2000, reliability=ReliabilityPolicy.BEST_EFFORT)


class _NotForExecutors(CallbackGroup):
    """Keeps subscriptions out of the executor, which would spend 70 us on each message."""

    def can_execute(self, entity):
        return False

    def beginning_execution(self, entity):
        return False


class Motion(NamedTuple):
    """
    How well one motion of the reference was followed.

    Attributes
    ----------
    rms
        Root mean square of the tracking error (n,) [rad, m].
    count
        Messages that it comes from.
    gap
        Longest time without a state or an error [s]: how much the machine disturbed it.

    """

    rms: np.ndarray
    count: int
    gap: float


class Observer(Client):
    """
    Hears all topics of the arms in some namespaces.

    Parameters
    ----------
    namespaces
        Names without slashes, one for each arm.
    domain_id
        The ROS domain; that of the environment when None.

    """

    def __init__(self, namespaces, domain_id=None):
        super().__init__('observer', domain_id)
        self._group = _NotForExecutors()
        self._subscriptions = {
            (namespace, topic): self._record(kind, f'/{namespace}/{topic}')
            for namespace in namespaces
            for topic, kind in TOPICS.items()
        }
        self._diagnostics = self._record(DiagnosticArray, '/diagnostics')
        self._recorded = defaultdict(list)
        self._numbers = defaultdict(dict)

    def _record(self, kind, topic):
        return kind, self.node.create_subscription(
            kind, topic, lambda message: None, _QOS, callback_group=self._group
        )

    def poll(self):
        """Take all messages that have come."""
        for key, subscription in self._subscriptions.items():
            self._recorded[key].extend(_take_all(*subscription))
        for array in _take_all(*self._diagnostics):
            for status in array.status:
                namespace = status.name.rpartition('/')[0]
                self._numbers[namespace, status.name.rpartition(': ')[2]].update(
                    {item.key: item.value for item in status.values}
                )

    def wait_for(self, condition, timeout, what, poll=_POLL):
        """Record until ``condition()`` is true; fail after `timeout` seconds."""
        end = time.monotonic() + timeout
        while True:
            self.poll()
            if condition():
                return
            assert time.monotonic() < end, f'{what}: not within {timeout} s'
            time.sleep(poll)

    def messages(self, namespace, topic):
        """Return the list of messages recorded so far."""
        return self._recorded[namespace, topic]

    def diagnostic(self, namespace, status, key):
        """Return a value of the newest diagnostics of a node, '' while there is none."""
        return self._numbers[namespace, status].get(key, '')

    def steps(self, namespace):
        """Return how many physics steps the simulator reported last."""
        return int(self.diagnostic(namespace, 'arm', 'steps') or 0)

    def wait_until_free(self, namespaces, timeout=30.0):
        """Wait until each arm is held by commands alone: the brake is open."""
        self.wait_for(
            lambda: all(
                self.diagnostic(namespace, 'arm', 'brake') == 'open' for namespace in namespaces
            ),
            timeout,
            'brakes open',
        )

    def is_moving(self, namespace):
        """Return whether the newest reference has a velocity."""
        return any(
            any(message.velocity)
            for message in self.messages(namespace, 'dynamics/reference')[-1:]
        )

    def only_motion(self, namespace, timeout=60.0):
        """Wait for the end of the first motion; return how well it was followed."""
        return self._end_of_motion(namespace, None, timeout)

    def next_motion(self, namespace, seconds, timeout=60.0):
        """
        Wait for another motion, from its begin, and return how well it was followed.

        Parameters
        ----------
        namespace
            Of the arm; what was recorded of it before is forgotten.
        seconds
            How much of its end to look at [s].
        timeout
            How long to wait for its end [s].

        """
        self.wait_for(lambda: self._stands(namespace), timeout, 'a reference that stands')
        for topic in TOPICS:
            self.messages(namespace, topic).clear()
        return self._end_of_motion(namespace, seconds, timeout)

    def _end_of_motion(self, namespace, seconds, timeout):
        def moving():
            reference = self.messages(namespace, 'dynamics/reference')
            return [stamp_of(message) for message in reference if any(message.velocity)]

        self.wait_for(moving, timeout, 'begin of a motion', poll=0.1)
        self.wait_for(lambda: self._stands(namespace), timeout, 'end of a motion')
        stamps = moving()
        begin, end = stamps[0], stamps[-1]
        return self._follow(namespace, begin if seconds is None else end - seconds, end)

    def _stands(self, namespace):
        """Return whether the newest references, for a while, have no velocity."""
        messages = self.messages(namespace, 'dynamics/reference')
        if not messages:
            return False
        newest = stamp_of(messages[-1])
        recent = [message for message in messages[-500:] if stamp_of(message) > newest - _PAUSE]
        return len(recent) > 1 and not any(any(message.velocity) for message in recent)

    def _follow(self, namespace, begin, end):
        """Return the error between two stamps [s]."""

        def during(topic):
            return [
                (stamp_of(message), message.position)
                for message in self.messages(namespace, topic)
                if begin <= stamp_of(message) <= end
            ]

        errors = during('dynamics/tracking_error')
        gap = max(
            np.diff([begin, *(stamp for stamp, _ in records), end]).max()
            for records in (errors, during('joint_states'))
        )
        squares = np.array([position for _, position in errors]) ** 2
        return Motion(np.sqrt(squares.mean(axis=0)), len(errors), gap)

    def push(self, topic, names, efforts):
        """Let efforts [N·m, N] act on an arm from outside."""
        publisher = self.node.create_publisher(JointState, f'/{topic}', 10)
        self.wait_for(lambda: publisher.get_subscription_count() > 0, 10.0, f'{topic} heard')
        publisher.publish(JointState(name=list(names), effort=list(efforts)))


def _take_all(kind, subscription):
    messages = []
    while (taken := subscription.handle.take_message(kind, False)) is not None:
        messages.append(taken[0])
    return messages
