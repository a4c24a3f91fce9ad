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

"""
The end-to-end scenarios: what runs, and what must be seen.

Each one is described once and started in two ways: as plain processes
(test_scenarios.py) and through the launch files of the package (test_*_launch.py).
"""

from dataclasses import dataclass
import functools
import json
from pathlib import Path

import numpy as np
from robot_dynamics.control import (
    AccelerationGains,
    EffortGains,
    LawSettings,
    Mode,
    ReferencePoint,
    Trajectory,
)
from robot_dynamics.model import load_robot
from robot_dynamics.nodes.reference_shapes import sine
from robot_dynamics.simulation import simulate
from scenario_checks import check_drift, judged_motion
from scenario_description import numbers_text, RATE, Run, Scenario
from scenario_observer import Motion, Observer
from scenario_real_robots import real_robot, REAL_ROBOTS
from std_srvs.srv import Trigger

_DATA = Path(__file__).resolve().parent / 'data'

MODEL_ERROR = 1.05  # factor on all masses and inertias of the plant
FOREVER = 3600.0  # [s]


@dataclass(frozen=True, kw_only=True)
class Arm:
    """A shipped arm: golden data, and the numbers of its scenarios (SI, by joint order)."""

    golden: str
    center: tuple[float, float]
    amplitude: tuple[float, float]
    frequency: tuple[float, float]
    kp: tuple[float, float]
    kd: tuple[float, float]


ARMS = {
    'rp_arm': Arm(
        golden='rp_arm',
        center=(0.3, 0.5),
        amplitude=(0.5, 0.2),
        frequency=(2.0, 1.5),
        kp=(400.0, 800.0),
        kd=(40.0, 60.0),
    ),
    'arm_2r': Arm(
        golden='arm_2r_rod',
        center=(0.2, 0.4),
        amplitude=(0.5, 0.8),
        frequency=(2.0, 1.5),
        kp=(400.0, 150.0),
        kd=(40.0, 4.0),
    ),
}

SINE = {'duration': 4.0, 'lead': 1.0, 'fade': 1.0}  # [s]
MODES = ('pd', 'feedforward', 'computed_torque')


def sine_run(robot: str, mode: str) -> Run:
    """Return an arm that follows a sine again and again, its masses being 5 % off."""
    arm = ARMS[robot]
    center = numbers_text(arm.center)
    error = repr(MODEL_ERROR)
    return Run(
        arguments={
            'robot': robot,
            'mode': mode,
            'reference': 'sine',
            'start_position': center,
            'center': center,
            'amplitude': numbers_text(arm.amplitude),
            'angular_frequency': numbers_text(arm.frequency),
            'duration': repr(SINE['duration']),
            'publish_rate': repr(RATE),
            'mass_scale': error,
            'inertia_scale': error,
        },
        parameters={
            'dynamics': {'effort_gains.kp': list(arm.kp), 'effort_gains.kd': list(arm.kd)},
            'reference': {
                'lead': SINE['lead'],
                'fade': SINE['fade'],
                'repeat': True,
                'start_delay': 0.5,
            },
        },
    )


def _check_gravity_at_rest(robot: str, observer: Observer) -> None:
    """Compare the command at each golden pose with the closed form, to 1e-9."""
    golden = json.loads((_DATA / f'{ARMS[robot].golden}.json').read_text())
    poses = golden['special'] + golden['random']
    states = observer.messages('rest', 'joint_states')
    commands = observer.messages('rest', 'dynamics/effort_command')
    observer.wait_for(lambda: len(commands) > 500, 30.0, 'commands after the start ramp')
    worst = 0.0
    for pose in poses:
        result = observer.set_parameters(
            'rest/simulator', start_position=[float(q) for q in pose['q']]
        )
        assert result.successful, result.reason
        assert observer.call(Trigger, '/rest/simulator/reset').success
        observer.wait_for(lambda: list(states[-1].position) == pose['q'], 5.0, 'the new pose')
        count = len(commands)
        observer.wait_for(lambda: len(commands) > count + 20, 5.0, 'commands for the pose')
        worst = max(worst, np.abs(np.array(commands[-1].data) - pose['G']).max())
    print(f'gravity at rest, {robot}: {len(poses)} poses, worst error {worst:.2e}')
    assert len(poses) >= 24
    assert worst <= 1e-9


def gravity_at_rest(robot: str) -> Scenario:
    """Return: the published effort is the closed-form gravity torque, the brake being shut."""
    run = Run(
        arguments={
            'robot': robot,
            'mode': 'gravity_compensation',
            'reference': 'none',
            'publish_rate': repr(RATE),
        },
        parameters={'simulator': {'brake_release': FOREVER}},
    )
    return Scenario(
        name=f'gravity_at_rest-{robot}',
        runs={'rest': run},
        check=functools.partial(_check_gravity_at_rest, robot),
    )


def holds_a_random_pose(robot: str) -> Scenario:
    """Return: gravity compensation holds a random pose for 10 s, with both plants."""
    runs = {
        plant: Run(
            arguments={
                'robot': robot,
                'mode': 'gravity_compensation',
                'reference': 'none',
                'plant': plant,
                'start_position': 'random',
                'seed': '7',
                'publish_rate': repr(RATE),
            }
        )
        for plant in ('pinocchio', 'mujoco')
    }
    return Scenario(
        name=f'holds_a_random_pose-{robot}',
        runs=runs,
        check=functools.partial(check_drift, 10.0, tuple(runs)),
    )


def _predicted_rms(robot: str, mode: str) -> np.ndarray:
    """Return the RMS error that the closed loop without ROS has on the same sine."""
    arm = ARMS[robot]
    model = load_robot(robot)
    points = sine(
        model.commanded_names,
        np.array(arm.center),
        np.array(arm.amplitude),
        np.array(arm.frequency),
        **SINE,
    )
    start = ReferencePoint.at_rest(np.array(arm.center))
    reference = Trajectory(*points[1:], joint_names=points.joint_names).starting_from(start)
    result = simulate(
        model.with_scaled(mass=MODEL_ERROR, inertia=MODEL_ERROR),
        model,
        LawSettings(
            mode=Mode(mode),
            acceleration_gains=AccelerationGains.from_natural_frequency(10.0, 1.0),
            effort_gains=EffortGains(kp=arm.kp, kd=arm.kd),
        ),
        reference,
        q0=arm.center,
        control_period=1.0 / RATE,
    )
    return result.sampled_rms_error(SINE['lead'], SINE['lead'] + SINE['duration'])


def _check_sine(robot: str, observer: Observer) -> None:
    """Let one arm follow the sine in each mode; compare with the prediction, and two modes."""
    predicted = {mode: _predicted_rms(robot, mode) for mode in MODES}
    rms = {}

    def judge(mode: str, motion: Motion) -> None:
        share = motion.rms / predicted[mode]
        print(f'sine, {robot}, {mode}: RMS error {motion.rms}, {share} of the predicted one')
        if mode != 'feedforward':
            np.testing.assert_allclose(share, 1.0, rtol=0.2)
            return
        ratio = rms['pd'] / motion.rms
        print(f'sine, {robot}: PD has {ratio} times the error of feedforward')
        assert (ratio >= 10.0).all()

    for mode in MODES:
        result = observer.set_parameters('arm/dynamics', mode=mode)
        assert result.successful, result.reason
        motion = judged_motion(observer, 'arm', SINE['duration'], functools.partial(judge, mode))
        rms[mode] = motion.rms


def follows_a_sine(robot: str) -> Scenario:
    """
    Return: an arm follows a sine in three modes, its masses being 5 % off.

    Feedforward with PD is 10 times better than PD alone with the same gains. Computed torque is
    within 20 % of what the simulation without ROS predicts, and so is PD.
    """
    return Scenario(
        name=f'follows_a_sine-{robot}',
        runs={'arm': sine_run(robot, 'pd')},
        check=functools.partial(_check_sine, robot),
    )


def scenarios_of(robot: str) -> list[Scenario]:
    """Return all scenarios of a shipped arm."""
    return [gravity_at_rest(robot), holds_a_random_pose(robot), follows_a_sine(robot)]


def all_scenarios() -> list[Scenario]:
    """Return the scenarios of the shipped arms and of the robots of others."""
    return [
        *(scenario for robot in ARMS for scenario in scenarios_of(robot)),
        *(real_robot(name) for name in REAL_ROBOTS),
    ]
