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

"""What /diagnostics says: one line with cause and cure, and the numbers behind it."""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import NamedTuple, Sequence

from diagnostic_msgs.msg import DiagnosticStatus
from robot_dynamics.control import State
from robot_dynamics.nodes.control_loop import LoopReport

OK, WARN, ERROR = DiagnosticStatus.OK, DiagnosticStatus.WARN, DiagnosticStatus.ERROR

_GAP = 0.05  # [s] states that come again are closer than that, so the reason is an earlier one
_CLOCK_OFFSET = 1.0  # [s] between stamps and clock that is worth a warning
_DEAD_LISTED = '20 s'  # lease of a participant that said no farewell, as Fast DDS has it
_RECENT = 2.0  # [s] an unusable state counts as present for so long


class Rates(NamedTuple):
    """
    What counts have become over the time since the report before.

    Attributes
    ----------
    states, commands
        Messages a second.
    saturated
        Joints held back by a limit.

    """

    states: float = 0.0
    commands: float = 0.0
    saturated: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """
    What is known about the node at one moment.

    Attributes
    ----------
    lifecycle
        'unconfigured', 'inactive' or 'active'.
    failure
        Why the last transition failed, or which callback raised, or ''.
    awaited
        What the configuration waits for, or ''.
    robot, mode, backend, joints, dry_run
        The model's name, the control mode, what computes it, the commanded joints; empty before
        configuration.
    states_topic
        The resolved name of joint_states.
    state_publishers
        Full names of the nodes that publish on it.
    qos_problems
        One line for each connection whose qualities of service do not match.
    clock_missing
        Whether simulated time is used and no time has come.
    ros_time
        Seconds of the clock that stamps are of.
    trajectories_refused, refusal
        How many trajectories were refused, and why the last one was.
    loop
        Report of the loop while active.
    rates
        What has changed since the report before.

    """

    lifecycle: str
    failure: str = ''
    awaited: str = ''
    robot: str = ''
    mode: str = ''
    backend: str = ''
    joints: tuple[str, ...] = ()
    dry_run: bool = False
    states_topic: str = '/joint_states'
    state_publishers: tuple[str, ...] = ()
    qos_problems: tuple[str, ...] = ()
    clock_missing: bool = False
    ros_time: float = 0.0
    trajectories_refused: int = 0
    refusal: str = ''
    loads_refused: int = 0
    load_refusal: str = ''
    loop: LoopReport | None = None
    rates: Rates = Rates()


class Judgement(NamedTuple):
    """Level of a DiagnosticStatus, and one line that says why and what to do."""

    level: bytes
    message: str


def judge(snapshot: Snapshot) -> Judgement:
    """Return the worst that is to be said about `snapshot`."""
    loop = snapshot.loop
    if loop is not None and loop.failure:
        return Judgement(
            ERROR,
            f'control loop ended by a ramp to zero effort: {loop.failure}; '
            'see the log, then deactivate and activate the node',
        )
    if snapshot.failure:
        return Judgement(ERROR, snapshot.failure)
    if snapshot.awaited:
        return Judgement(WARN, snapshot.awaited)
    if loop is None:
        return Judgement(OK, snapshot.lifecycle)
    if loop.state is State.FAULT:
        return Judgement(ERROR, _explain_silence(snapshot, loop))
    return _judge_running(snapshot, loop)


def _judge_running(snapshot: Snapshot, loop: LoopReport) -> Judgement:
    """Return what is to be said while nothing has failed."""
    if len(snapshot.state_publishers) > 1:
        return Judgement(WARN, _explain_publishers(snapshot.state_publishers))
    if loop.state is State.WAITING:
        return Judgement(WARN, _explain_silence(snapshot, loop))
    if snapshot.qos_problems:
        return Judgement(WARN, snapshot.qos_problems[0])
    if loop.unusable_age < _RECENT:
        return Judgement(WARN, f'dropped some states; the last: {loop.unusable_reason}')
    if snapshot.rates.saturated:
        return Judgement(
            WARN,
            f'held back by a limit: {", ".join(snapshot.rates.saturated)}; lower '
            'gains or speed, or check effort_limit and effort_rate_limit',
        )
    if snapshot.clock_missing:
        return Judgement(
            WARN, 'use_sim_time is set and no time has come on /clock; is the simulator running?'
        )
    offset = _stamp_offset(snapshot, loop)
    if abs(offset) > _CLOCK_OFFSET:
        return Judgement(
            WARN,
            f'joint_states: stamps are {abs(offset):.1f} s '
            f'{"behind" if offset > 0.0 else "ahead of"} the clock here; '
            'synchronise the clocks, or set use_sim_time alike everywhere',
        )
    text = f'{loop.state.value}, {snapshot.mode}'
    return Judgement(OK, f'dry run, no command is sent: {text}' if snapshot.dry_run else text)


def _explain_publishers(names: tuple[str, ...]) -> str:
    """Return what more than one publisher means; the middleware keeps dead ones for a while."""
    text = f'joint_states: {_count(len(names))} publishers ({", ".join(names)}); '
    if len(set(names)) < len(names):
        return (
            f'{text}after a crash and a new start of the driver this ends within {_DEAD_LISTED}; '
            'if it stays, stop all but one, or the effort jumps between their states'
        )
    return (
        f'{text}stop all but the driver, or the effort jumps between their states; one that has '
        f'crashed is listed for up to {_DEAD_LISTED}'
    )


def _explain_silence(snapshot: Snapshot, loop: LoopReport) -> str:
    """Return why there is no usable state, or else the controller's own reason."""
    if loop.state is State.FAULT and not loop.reason.startswith('joint_states'):
        return loop.reason
    if loop.unusable_age < min(loop.age, _RECENT):
        return (
            loop.unusable_reason
            if math.isinf(loop.age)
            else f'{loop.unusable_reason}; last usable state {loop.age:.2f} s ago'
        )
    if not snapshot.state_publishers and (loop.age > 1.0 or not loop.received):
        return (
            f"joint_states: no publisher on '{snapshot.states_topic}'; is the driver running, "
            'in this namespace and ROS_DOMAIN_ID?'
        )
    if not loop.received:
        return f"joint_states: no message yet on '{snapshot.states_topic}'; is the driver running?"
    if loop.state is State.FAULT and loop.age > _GAP:
        return f'joint_states: no message for {loop.age:.2f} s; is the driver running?'
    return loop.reason


def details(snapshot: Snapshot) -> dict[str, str]:
    """Return the key-value pairs of the status."""
    values = {
        'lifecycle': snapshot.lifecycle,
        'robot': snapshot.robot,
        'mode': snapshot.mode,
        'backend': snapshot.backend,
        'joints': ', '.join(snapshot.joints),
        'dry run': str(snapshot.dry_run).lower(),
    }
    loop = snapshot.loop
    if loop is not None:
        values |= {
            'state': loop.state.value,
            'reason': loop.reason,
            'state rate': f'{snapshot.rates.states:.1f} Hz',
            'command rate': f'{snapshot.rates.commands:.1f} Hz',
            'state age': f'{loop.age:.4f} s',
            'states received': str(loop.received),
            'states overtaken': str(loop.overtaken),
            'states dropped as old': str(loop.old),
            'states unusable': str(loop.unusable),
            'last unusable': loop.unusable_reason,
            'clock resets': str(loop.clock_resets),
            'stamp offset': f'{_stamp_offset(snapshot, loop):.3f} s',
            'commands': str(loop.commands),
            'saturated joints': ', '.join(snapshot.rates.saturated),
            'saturated commands': ', '.join(map(str, loop.saturated)),
        }
    values |= {
        'joint_states publishers': f'{len(snapshot.state_publishers)}'
        + ''.join(f' {name}' for name in snapshot.state_publishers),
        'trajectories refused': str(snapshot.trajectories_refused),
        'last refusal': snapshot.refusal,
        'loads refused': str(snapshot.loads_refused),
        'last load refusal': snapshot.load_refusal,
        'qos problems': '; '.join(snapshot.qos_problems),
    }
    return values


def _stamp_offset(snapshot: Snapshot, loop: LoopReport) -> float:
    """Return how far the last used stamp lies behind the clock [s]; 0 where either is unset."""
    if not (loop.stamp and snapshot.ros_time):
        return 0.0
    return snapshot.ros_time - loop.age - loop.stamp


def _count(number: int) -> str:
    return {2: 'two', 3: 'three'}.get(number, str(number))
