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

"""The demo's own ROS node: it hears what the other nodes say, and changes the mode."""

from __future__ import annotations

from collections.abc import Sequence
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from trajectory_msgs.msg import JointTrajectory

Array = NDArray[np.float64]

TERMS = ('inertia', 'coriolis', 'gravity', 'feedback')

# What is recorded: our name, the topic, the field of the JointState.
TOPICS = (
    ('position', 'joint_states', 'position'),
    ('command', 'dynamics/effort_command', 'effort'),
    ('reference', 'dynamics/reference', 'position'),
    ('error', 'dynamics/tracking_error', 'position'),
    *((term, f'dynamics/terms/{term}', 'effort') for term in TERMS),
)

_QOS = QoSProfile(depth=200, reliability=ReliabilityPolicy.BEST_EFFORT)
_RATE_WINDOW = 100  # commands over which their rate is taken


class Series:
    """
    One vector over time, as it was heard.

    Parameters
    ----------
    joint_names : sequence of str
        The order of the vectors.
    field : str
        Field of the JointState messages.

    """

    def __init__(self, joint_names: Sequence[str], field: str) -> None:
        """Begin empty."""
        self._names, self._field = tuple(joint_names), field
        self.stamps: list[float] = []
        self.values: list[list[float]] = []

    def take(self, message: JointState) -> None:
        """Append a message; one without all joints is left out."""
        found = dict(zip(message.name, getattr(message, self._field)))
        if all(name in found for name in self._names):
            stamp = message.header.stamp
            self.stamps.append(stamp.sec + 1e-9 * stamp.nanosec)
            self.values.append([found[name] for name in self._names])

    def newest(self, after: float) -> list[float]:
        """Return the newest vector if it came after a moment [s], else NaN."""
        if self.stamps and self.stamps[-1] > after:
            return self.values[-1]
        return [float('nan')] * len(self._names)

    def at(self, stamps: Array, oldest: float) -> Array:
        """
        Return the vectors that held at given moments.

        Parameters
        ----------
        stamps : numpy.ndarray, shape (k,)
            Moments [s].
        oldest : float
            A vector holds for so long [s].

        Returns
        -------
        numpy.ndarray, shape (k, n)
            NaN where there was none.

        """
        if not self.stamps:
            return np.full((len(stamps), len(self._names)), np.nan)
        own = np.array(self.stamps)
        index = np.searchsorted(own, stamps + 1e-9, side='right') - 1
        values = np.array(self.values)[np.maximum(index, 0)]
        age = stamps - own[np.maximum(index, 0)]
        return np.where(((index < 0) | (age > oldest))[:, None], np.nan, values)


class DemoListener:
    """
    Hears one arm of the demo.

    Parameters
    ----------
    namespace : str
        Where the nodes of this arm live.
    joint_names : sequence of str
        The order of all vectors.

    """

    def __init__(self, namespace: str, joint_names: Sequence[str]) -> None:
        """Join the ROS domain."""
        self._context = rclpy.Context()
        rclpy.init(args=[], context=self._context, signal_handler_options=SignalHandlerOptions.NO)
        # An executor would spend more time on thousands of messages a second than all else takes:
        # they are taken from a node that it does not know.
        self._recorder, self._node = (
            Node(
                name,
                namespace=namespace,
                context=self._context,
                use_global_arguments=False,
                enable_rosout=False,
                start_parameter_services=False,
            )
            for name in ('demo_recorder', 'demo')
        )
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self._node)
        self._names = tuple(joint_names)
        self.series = {name: Series(joint_names, field) for name, _, field in TOPICS}
        self._subscriptions = {
            name: self._recorder.create_subscription(JointState, topic, print, _QOS)
            for name, topic, _ in TOPICS
        }
        self.trajectories = 0
        self._node.create_subscription(
            JointTrajectory, 'dynamics/joint_trajectory', self._count_trajectory, 10
        )
        self._push = self._node.create_publisher(JointState, 'simulator/push', 10)
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self._description = self._node.create_publisher(String, 'demo/robot_description', latched)
        self._mode = self._node.create_client(SetParameters, 'dynamics/set_parameters')

    def _count_trajectory(self, _message: JointTrajectory) -> None:
        self.trajectories += 1

    def spin(self, seconds: float = 0.02) -> None:
        """Wait for so long [s], then take all that has come."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0.0:
            self._executor.spin_once(timeout_sec=left)
        for name, subscription in self._subscriptions.items():
            with subscription.handle:
                while (taken := subscription.handle.take_message(JointState, False)) is not None:
                    self.series[name].take(taken[0])

    @property
    def newest_stamp(self) -> float:
        """Time of the newest joint state [s], 0 if there is none."""
        stamps = self.series['position'].stamps
        return stamps[-1] if stamps else 0.0

    @property
    def rate(self) -> float:
        """Commands a second, NaN while there are too few."""
        stamps = self.series['command'].stamps[-_RATE_WINDOW:]
        if len(stamps) < 2 or not stamps[-1] > stamps[0]:
            return float('nan')
        return (len(stamps) - 1) / (stamps[-1] - stamps[0])

    def push(self, effort: Sequence[float]) -> None:
        """Push the arm from outside, (n,) [N m or N]."""
        self._push.publish(JointState(name=list(self._names), effort=list(effort)))

    def describe(self, urdf: str) -> None:
        """Publish a robot description, which the reference node waits for."""
        self._description.publish(String(data=urdf))

    def request_mode(self, mode: str) -> Any:
        """Ask for another control law; return the future of the answer."""
        value = ParameterValue(type=ParameterType.PARAMETER_STRING, string_value=mode)
        return self._mode.call_async(
            SetParameters.Request(parameters=[Parameter(name='mode', value=value)])
        )

    @property
    def can_change_mode(self) -> bool:
        """Whether the dynamics node is there to be asked."""
        return bool(self._mode.service_is_ready())

    @property
    def has_reference_node(self) -> bool:
        """Whether the reference node has come up."""
        return bool(self._node.count_publishers('dynamics/joint_trajectory'))

    def close(self) -> None:
        """Leave the ROS domain."""
        self._executor.shutdown()
        self._node.destroy_node()
        self._recorder.destroy_node()
        rclpy.try_shutdown(context=self._context)
