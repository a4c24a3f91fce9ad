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

"""K1 to K3: what one answer of the controller costs, without ROS."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from arm import arm, CACHE, humanoid_chain, random_states, REACH, START, urdf_file
from form import Form
from kernels import BareCall, ControllerAtWork
import numpy as np
from peer_environments import DRAKE, environment, interpreter, MUJOCO, Peer, PeerMissing, TOOLBOX
from processes import PEERS, Process, ProcessFailed
from robot_dynamics import RobotModel
from rows import Row
from summary import pair_ratios, straight_line, Summary

Say = Callable[[str], None]

_JOINTS = 7


def measure(form: Form, say: Say, *, install: bool) -> tuple[list[Row], dict[str, Any]]:
    """
    Measure K1 to K3.

    Returns
    -------
    list of Row
        The results.
    dict
        Cost by number of joints, for the figure.

    """
    say('one answer of the controller, against other libraries')
    rows = _arm(form, say, install)
    say('cost against the number of joints')
    chain_rows, costs = _chains(form)
    return [*rows, *chain_rows], costs


def accelerated(model: RobotModel) -> tuple[RobotModel | None, str]:
    """Return a copy of the model with compiled code, or None and why there is none."""
    fast = model.copy()
    backend = fast.accelerate()
    return (fast, '') if backend.name == 'numba' else (None, backend.reason)


def _arm(form: Form, say: Say, install: bool) -> list[Row]:
    model = arm()
    calls = form.kernel_calls
    start, goal = np.array(START), np.array(REACH)
    longest = calls * form.kernel_repeats
    states = random_states(model, calls)
    fast, reason = accelerated(model)
    runs: dict[str, Callable[[], float]] = {'rnea': BareCall(model, states).run}
    for name, robot in (('numpy', model), ('accelerated', fast)):
        if robot is None:
            continue
        tracking = ControllerAtWork(robot.copy(), start, goal, longest)
        holding = ControllerAtWork(robot.copy(), start)
        runs[f'{name} tracking'] = lambda work=tracking: work.run(calls)
        runs[f'{name} holding'] = lambda work=holding: work.run(calls)
    versions, missing = {}, {}
    with ExitStack() as stack:
        for peer in (DRAKE, TOOLBOX, MUJOCO):
            try:
                say(f'preparing {peer.name}')
                process = stack.enter_context(_peer(peer, model, states, install))
                versions[peer.name] = process.hear()
            except (PeerMissing, ProcessFailed) as error:
                missing[peer.name] = str(error)
                continue
            runs[peer.name] = lambda process=process: _ask(process)
        times: dict[str, list[float]] = {name: [] for name in runs}
        for _ in range(form.kernel_repeats):
            for name, run in runs.items():
                times[name].append(run())
    rows = [
        _against_rnea('K1', 'Controller.update, tracking', times, 'numpy tracking'),
        _against_rnea('K1 holding', 'Controller.update, holding', times, 'numpy holding'),
    ]
    for suffix, what in (('', 'tracking'), (' holding', 'holding')):
        key, text = f'K1 accelerated{suffix}', f'the same with compiled code, {what}'
        rows.append(
            Row(key=key, measure=text, missing=reason)
            if fast is None
            else _against_rnea(key, text, times, f'accelerated {what}')
        )
    for peer in (DRAKE, TOOLBOX, MUJOCO):
        key, text = f'K2 {peer.name}', f'Controller.update against one call of {peer.name}'
        if peer.name in missing:
            rows.append(Row(key=key, measure=text, missing=missing[peer.name]))
            continue
        ours, base = times['numpy tracking'], times[peer.name]
        note = f'{peer.name} {versions[peer.name]}'
        if fast is not None:
            ratios = pair_ratios(times['accelerated tracking'], base)
            note += f'; with compiled code the ratio is {Summary.of(ratios).median:.2f}'
        rows.append(Row.ratio(key, text, ours, base, unit='µs', note=note))
    return rows


def _against_rnea(key: str, measure: str, times: dict[str, list[float]], name: str) -> Row:
    text = f'{measure}, against one pin.rnea'
    return Row.ratio(key, text, times[name], times['rnea'], unit='µs')


def _peer(peer: Peer, model: RobotModel, states: Sequence[np.ndarray], install: bool) -> Process:
    file = CACHE / 'states.npz'
    q, v, a = states
    np.savez(file, q=q, v=v, a=a)
    python: Path = interpreter(peer, install=install)
    command = [PEERS / peer.script, urdf_file(model), file]
    own = environment() if peer.package else None
    return Process(command, python=python, environment=own)


def _ask(process: Process) -> float:
    process.tell('go')
    return float(process.hear())


def _chains(form: Form) -> tuple[list[Row], dict[str, Any]]:
    works: dict[str, dict[int, Callable[[], float]]] = {'robot_dynamics': {}, 'pin.rnea': {}}
    for joints in form.chains:
        model = humanoid_chain(joints)
        low, high = model.limits.lower + 0.05, model.limits.upper - 0.05
        start = np.clip(np.zeros(joints), low, high)
        calls = form.kernel_calls
        works['pin.rnea'][joints] = BareCall(model, random_states(model, calls)).run
        fast, _ = accelerated(model)
        for name, robot in (('robot_dynamics', model), ('compiled', fast)):
            if robot is not None:
                work = ControllerAtWork(robot, start)
                works.setdefault(name, {})[joints] = lambda work=work: work.run(calls)
    samples: dict[str, dict[int, list[float]]] = {
        name: {joints: [] for joints in runs} for name, runs in works.items()
    }
    for _ in range(max(3, form.kernel_repeats // 2)):
        for name, runs in works.items():
            for joints, run in runs.items():
                samples[name][joints].append(run())
    costs = {}
    rows = []
    for name, by_joints in samples.items():
        medians = [float(np.median(values)) for values in by_joints.values()]
        a, b = straight_line(list(by_joints), medians)
        costs[name] = {
            'joints': list(by_joints),
            'microseconds': [round(value, 3) for value in medians],
            'constant': round(a, 4),
            'per_joint': round(b, 4),
        }
        if name != 'pin.rnea':
            rows.append(_fixed_share(name, by_joints))
    return rows, costs


def _fixed_share(name: str, by_joints: dict[int, list[float]]) -> Row:
    """Return how much of the cost at seven joints does not depend on their number."""
    shares = []
    for repeat in zip(*by_joints.values()):
        a, b = straight_line(list(by_joints), repeat)
        shares.append(a / (a + _JOINTS * b))
    a, b = straight_line(list(by_joints), [float(np.median(x)) for x in by_joints.values()])
    is_compiled = name == 'compiled'
    return Row.number(
        'K3 accelerated' if is_compiled else 'K3',
        'share of a at 7 joints in cost = a + b n, 2 to 32 joints'
        + (', with compiled code' if is_compiled else ''),
        shares,
        note=f'a = {a:.2f} µs, b = {b:.3f} µs a joint',
    )
