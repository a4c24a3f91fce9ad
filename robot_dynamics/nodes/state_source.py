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

"""Waiting for joint states in a thread of its own: two ways behind one small interface."""

from __future__ import annotations

import math
import time
from typing import Any, Protocol

from rclpy.callback_groups import CallbackGroup
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState

TOPIC = 'joint_states'
# Best effort matches both kinds of publisher; a depth of 1 was seen to lose messages. What comes
# while something else holds the interpreter tells silence from a thread that could not listen:
# this is the default state_timeout of 50 ms at 8 kHz.
QOS = QoSProfile(depth=400, reliability=ReliabilityPolicy.BEST_EFFORT)

_MOST_AT_ONCE = 512  # messages taken without a pause, so that a flood cannot starve the loop


class StateSource(Protocol):
    """
    Joint states as they come; everything but :meth:`wake` belongs to one thread.

    The main executor of the process never takes any of them.
    """

    def wait(self, timeout: float) -> list[Any]:
        """
        Wait for a message, a call of :meth:`wake` or `timeout` seconds.

        Returns
        -------
        list
            All messages that have come, in order of receipt; empty after a wake or timeout.

        """

    def take(self) -> list[Any]:
        """Return what has come already, without a wait: for loops that follow a clock."""

    def ages(self) -> list[float]:
        """
        Return how long ago the middleware received each message returned last [s].

        Infinite where it does not say.
        """

    def wake(self) -> None:
        """End the present or the next wait at once; thread safe."""

    def close(self) -> None:
        """Give the subscription back; no wait may be going on."""


def _age(received: int) -> float:
    """Return the seconds since a time of receipt [ns of the system's clock], 0 for unknown."""
    return 1e-9 * (time.time_ns() - received) if received else math.inf


class _ForeignGroup(CallbackGroup):
    """Holds what the executor of the node must not touch."""

    def can_execute(self, entity: Any) -> bool:
        """Refuse, always."""
        return False

    def beginning_execution(self, entity: Any) -> bool:
        """Refuse, always."""
        return False

    def ending_execution(self, entity: Any) -> None:
        """Do nothing, as nothing begins."""


def _ignore(*_arguments: Any) -> None:
    """Stand in for a callback that no executor calls."""


class WaitSetSource:
    """
    An own wait set over the subscription: the shortest way from the middleware to the loop.

    Uses parts of rclpy that are not public (the wait set and the take of a message);
    :class:`ExecutorSource` does the same with public ones.

    Parameters
    ----------
    node
        The rclpy node that the subscription belongs to.
    topic, message_type, qos
        What to subscribe to.
    raw
        Whether messages are handed over as the bytes that came.

    """

    def __init__(
        self,
        node: Any,
        topic: str = TOPIC,
        message_type: Any = JointState,
        qos: QoSProfile = QOS,
        *,
        raw: bool = False,
    ) -> None:
        from rclpy.impl.implementation_singleton import rclpy_implementation

        self._node = node
        group = _ForeignGroup()
        self._message_type = message_type
        self._subscription = node.create_subscription(
            message_type, topic, _ignore, qos, callback_group=group, raw=raw
        )
        self._raw = raw
        self._taken: list[Any] = []
        self._guard = node.create_guard_condition(_ignore, callback_group=group)
        try:
            self._handles = self._subscription.handle, self._guard.handle
            self._take = self._subscription.handle.take_message
            self._wait_set = rclpy_implementation.WaitSet(1, 1, 0, 0, 0, 0, node.context.handle)
            self.wait(0.0)
        except (AttributeError, TypeError):
            self.close()
            raise

    def wait(self, timeout: float) -> list[Any]:
        """See :meth:`StateSource.wait`."""
        wait_set = self._wait_set
        subscription, guard = self._handles
        wait_set.clear_entities()
        wait_set.add_subscription(subscription)
        wait_set.add_guard_condition(guard)
        wait_set.wait(int(timeout * 1e9))
        return self.take()

    def take(self) -> list[Any]:
        """See :meth:`StateSource.take`."""
        take, message_type, raw = self._take, self._message_type, self._raw
        all_taken: list[Any] = []
        self._taken = all_taken
        while len(all_taken) < _MOST_AT_ONCE:
            taken = take(message_type, raw)
            if taken is None:
                break
            all_taken.append(taken)
        return [message for message, _ in all_taken]

    def ages(self) -> list[float]:
        """See :meth:`StateSource.ages`."""
        return [_age(info['received_timestamp']) for _, info in self._taken]

    def wake(self) -> None:
        """See :meth:`StateSource.wake`."""
        self._guard.trigger()

    def close(self) -> None:
        """See :meth:`StateSource.close`."""
        self._node.destroy_subscription(self._subscription)
        self._node.destroy_guard_condition(self._guard)


class ExecutorSource:
    """
    A second node with an executor of its own: public interfaces of rclpy only.

    Parameters
    ----------
    node
        The rclpy node whose remapped topic is subscribed.
    topic, message_type, qos
        What to subscribe to.
    raw
        Whether messages are handed over as the bytes that came.

    """

    def __init__(
        self,
        node: Any,
        topic: str = TOPIC,
        message_type: Any = JointState,
        qos: QoSProfile = QOS,
        *,
        raw: bool = False,
    ) -> None:
        # Global arguments would give it the name of the first node, if that is remapped.
        self._node = Node(
            f'_{node.get_name()}_states',
            namespace=node.get_namespace(),
            context=node.context,
            use_global_arguments=False,
            enable_rosout=False,
            start_parameter_services=False,
        )
        self._messages: list[Any] = []
        self._received: list[int] = []
        self._returned: list[int] = []
        self._node.create_subscription(
            message_type, node.resolve_topic_name(topic), self._keep, qos, raw=raw
        )
        self._guard = self._node.create_guard_condition(_ignore)
        self._executor = SingleThreadedExecutor(context=node.context)
        self._executor.add_node(self._node)

    def _keep(self, message: Any, info: Any) -> None:
        # two arguments ask for the second, which is a dictionary in this rclpy
        self._messages.append(message)
        self._received.append(info['received_timestamp'])

    def wait(self, timeout: float) -> list[Any]:
        """See :meth:`StateSource.wait`."""
        self._executor.spin_once(timeout_sec=timeout)
        idle = 0 if self._messages else 2
        while idle < 2 and len(self._messages) < _MOST_AT_ONCE:
            count = len(self._messages)
            self._executor.spin_once(timeout_sec=0.0)
            # One round may go into a guard condition of the executor although more has come.
            idle = 0 if len(self._messages) > count else idle + 1
        messages, self._returned = self._messages, self._received
        self._messages, self._received = [], []
        return messages

    def take(self) -> list[Any]:
        """See :meth:`StateSource.take`."""
        return self.wait(0.0)

    def ages(self) -> list[float]:
        """See :meth:`StateSource.ages`."""
        return [_age(received) for received in self._returned]

    def wake(self) -> None:
        """See :meth:`StateSource.wake`."""
        self._guard.trigger()

    def close(self) -> None:
        """See :meth:`StateSource.close`."""
        self._executor.shutdown()
        self._node.destroy_node()


STATE_SOURCES: dict[str, Any] = {'wait_set': WaitSetSource, 'executor': ExecutorSource}


def make_state_source(
    kind: str, node: Any, topic: str = TOPIC, message_type: Any = JointState, *, raw: bool = False
) -> StateSource:
    """
    Return the source of that name, or for 'auto' the first that this rclpy can serve.

    Parameters
    ----------
    kind
        'wait_set', 'executor' or 'auto'.
    node
        The rclpy node.
    topic, message_type
        What to subscribe to; joint states unless said otherwise.
    raw
        Whether messages are handed over as the bytes that came.

    """
    source: StateSource
    if kind != 'auto':
        source = STATE_SOURCES[kind](node, topic, message_type, raw=raw)
        return source
    try:
        source = WaitSetSource(node, topic, message_type, raw=raw)
    except (ImportError, AttributeError, TypeError) as error:
        node.get_logger().info(f'the control loop uses an executor of its own: {error}')
        source = ExecutorSource(node, topic, message_type, raw=raw)
    return source
