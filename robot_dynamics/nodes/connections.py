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

"""Who is connected to the node: publishers of its inputs, and qualities that do not match."""

from __future__ import annotations

from typing import Any

from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from robot_dynamics.nodes.loop_publishers import QOS as COMMAND_QOS
from robot_dynamics.nodes.state_source import TOPIC as STATES_TOPIC

# Inputs that are heard reliably or not at all, where joint_states takes what comes.
_RELIABLE_INPUTS = ('~/joint_trajectory', '~/payload')
_INPUT_QOS = QoSProfile(depth=10)


def qos_mismatch(offered: QoSProfile, requested: QoSProfile) -> str:
    """
    Return what a publisher would have to be for a subscriber to hear it, or ''.

    Only reliability and durability are looked at; the graph gives unset deadlines as infinite
    ones, which the check of rclpy takes for a difference.
    """
    wanted = []
    if (
        requested.reliability == ReliabilityPolicy.RELIABLE
        and offered.reliability == ReliabilityPolicy.BEST_EFFORT
    ):
        wanted.append('reliable')
    if (
        requested.durability == DurabilityPolicy.TRANSIENT_LOCAL
        and offered.durability == DurabilityPolicy.VOLATILE
    ):
        wanted.append('transient local')
    return ' and '.join(wanted)


class Connections:
    """
    Looks at the graph of nodes; meant for once a second.

    Parameters
    ----------
    node
        The rclpy node.

    Attributes
    ----------
    states_topic
        The resolved name of joint_states, which matches every publisher of it.

    """

    def __init__(self, node: Any) -> None:
        self._node = node
        self.states_topic: str = node.resolve_topic_name(STATES_TOPIC)
        self._command_topic: str = node.resolve_topic_name('~/effort_command')
        self._inputs = [node.resolve_topic_name(name) for name in _RELIABLE_INPUTS]

    def state_publishers(self) -> tuple[str, ...]:
        """Return the full name of the node behind each publisher of joint_states."""
        return tuple(
            sorted(
                _full_name(info)
                for info in self._node.get_publishers_info_by_topic(self.states_topic)
            )
        )

    def qos_problems(self) -> tuple[str, ...]:
        """Return one line for each node that does not hear the command, or is not heard."""
        problems = []
        for info in self._node.get_subscriptions_info_by_topic(self._command_topic):
            mismatch = qos_mismatch(COMMAND_QOS, info.qos_profile)
            if mismatch:
                problems.append(
                    f'{_full_name(info)} hears nothing on {self._command_topic}: it '
                    f'asks for {mismatch}; let it subscribe volatile'
                )
        for topic in self._inputs:
            for info in self._node.get_publishers_info_by_topic(topic):
                mismatch = qos_mismatch(info.qos_profile, _INPUT_QOS)
                if mismatch:
                    problems.append(
                        f'{_full_name(info)} is not heard on {topic}: it does not publish '
                        f'{mismatch}; let it do so'
                    )
        return tuple(problems)


def _full_name(info: Any) -> str:
    return f'{info.node_namespace.rstrip("/")}/{info.node_name}'
