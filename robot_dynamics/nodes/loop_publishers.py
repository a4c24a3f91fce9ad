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

"""What the dynamics node publishes from its control loop."""

from __future__ import annotations

from typing import Any, Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from rclpy.duration import Duration
from rclpy.qos import QoSProfile
from robot_dynamics.control import Command, Controller
from robot_dynamics.nodes.messages import JointStateWriter, MeasuredState
from robot_dynamics.nodes.serialized_commands import command_writer
from sensor_msgs.msg import JointState

TERMS = ('inertia', 'coriolis', 'gravity', 'friction', 'feedback', 'wrench', 'total', 'command')

QOS = QoSProfile(depth=1)  # reliable and volatile: both kinds of subscriber match

_ACKNOWLEDGE = Duration(nanoseconds=50_000_000)


class LoopPublishers:
    """
    The publishers of the loop: the effort command always, everything else only while watched.

    Parameters
    ----------
    node
        The rclpy node.
    joint_names
        The commanded joints in the order of the arrays.
    controller
        Asked for terms when they are watched.
    command_format
        A key of ``COMMAND_WRITERS``.
    prefix
        Written before each joint name.
    dry_run
        Whether the effort command is left out.

    """

    def __init__(
        self,
        node: Any,
        joint_names: Sequence[str],
        controller: Controller,
        *,
        command_format: str,
        prefix: str,
        dry_run: bool,
    ) -> None:
        self._node = node
        self._clock = node.get_clock()
        self._controller = controller
        self._dry_run = dry_run
        self._writer = command_writer(command_format, joint_names, prefix=prefix)
        self._command = node.create_publisher(self._writer.message_type, '~/effort_command', QOS)
        self._write = self._writer.write
        self._publish = _publish_method(self._command, self._writer)
        self._joint_states = JointStateWriter(joint_names, prefix=prefix)
        self._terms = {
            name: node.create_publisher(JointState, f'~/terms/{name}', QOS) for name in TERMS
        }
        self._reference = node.create_publisher(JointState, '~/reference', QOS)
        self._error = node.create_publisher(JointState, '~/tracking_error', QOS)
        self._watched: tuple[Callable[[MeasuredState, Command], None], ...] = ()
        self._watched_terms: tuple[tuple[str, Any], ...] = ()

    def refresh(self) -> None:
        """Look who is subscribed; called now and then outside the loop."""
        watched: list[Callable[[MeasuredState, Command], None]] = []
        self._watched_terms = tuple(
            (name, publisher)
            for name, publisher in self._terms.items()
            if publisher.get_subscription_count()
        )
        if self._watched_terms:
            watched.append(self._publish_terms)
        if self._reference.get_subscription_count():
            watched.append(self._publish_reference)
        if self._error.get_subscription_count():
            watched.append(self._publish_error)
        self._watched = tuple(watched)

    def send(self, effort: NDArray[np.float64]) -> None:
        """Publish the effort command (n,) [N·m or N]."""
        if not self._dry_run:
            self._publish(self._write(effort, self._clock))

    def observe(self, state: MeasuredState, command: Command) -> None:
        """Publish what somebody is subscribed to; costs nothing while nobody is."""
        for publish in self._watched:
            publish(state, command)

    def flush(self) -> None:
        """Wait until reliable subscribers have the last command, at most 50 ms."""
        self._command.wait_for_all_acked(_ACKNOWLEDGE)

    def _publish_terms(self, _state: MeasuredState, _command: Command) -> None:
        stamp = self._clock.now().to_msg()
        terms = self._controller.terms()
        for name, publisher in self._watched_terms:
            publisher.publish(self._joint_states.write(stamp, effort=terms[name]))

    def _publish_reference(self, _state: MeasuredState, command: Command) -> None:
        point = command.reference
        if point is not None:
            self._reference.publish(
                self._joint_states.write(
                    self._clock.now().to_msg(), position=point.q, velocity=point.v
                )
            )

    def _publish_error(self, state: MeasuredState, command: Command) -> None:
        if command.error is not None and command.reference is not None:
            n = len(command.error)
            velocity = None if state.v is None else command.reference.v - state.v[:n]
            self._error.publish(
                self._joint_states.write(
                    self._clock.now().to_msg(), position=command.error, velocity=velocity
                )
            )

    def destroy(self) -> None:
        """Take the topics back."""
        for publisher in (self._command, self._reference, self._error, *self._terms.values()):
            self._node.destroy_publisher(publisher)


def _publish_method(publisher: Any, writer: Any) -> Callable[[Any], None]:
    """Return what publishes the messages of `writer`: the method of the handle where there is."""
    if not writer.is_serialized:
        return publisher.publish
    # not public; saves the half of the time that goes into a lock nobody else wants
    return getattr(publisher.handle, 'publish_raw', publisher.publish)
