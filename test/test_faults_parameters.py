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

"""Invalid parameters set on a running node, alone and in a batch with valid ones."""

import math

import numpy as np
import pytest

pytest.importorskip('rclpy', reason="needs rclpy: source ROS 2, or pip install '.[ros]'")

from dynamics_bench import Bench  # noqa: E402, I100

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('ros_domain_id')]

GAINS = {'mode': 'pd_gravity', 'effort_gains': {'kp': 100.0, 'kd': 10.0}}


INVALID = [
    ('fault_ramp', math.nan),
    ('state_timeout', -0.05),
    ('state_timeout', math.inf),
    ('effort_gains.kp', [1.0, -1.0]),
    ('effort_gains.kp', [1.0, math.nan]),
    ('effort_gains.kd', [1.0, 2.0, 3.0]),
    ('effort_limit', [150.0]),
    ('effort_rate_limit', 0.0),
    ('acceleration_gains.natural_frequency', 'fast'),
    ('fresh_states', 2.5),
    ('mode', 3),
    ('mode', 'torque'),
    ('friction', 'yes'),
    ('on_fault', 'carry on'),
    ('payload.frame', 'no_such_link'),
    ('payload.mass', -1.0),
    ('joints', ['joint1', 'elbow']),
    ('locked_joints', ['elbow=0.1']),
    ('gravity', [0.0, math.nan, -9.81]),
]


def test_invalid_parameters_at_run_time(faults):
    count = 0
    valid = {'gravity_in_output': False, 'effort_gains.kp': 7.0}
    with Bench('arm_2r', **GAINS) as bench:
        bench.wait_for_effort(bench.gravity())
        bench.commands.clear()
        names = [*valid, *(name for name, _ in INVALID)]
        before = bench.client.get_parameters('dynamics', *names)
        for _ in range(faults.count(1, 30)):
            for name, value in INVALID:
                # With a frame there must be a mass, else the payload is none.
                change = {name: value, **({'payload.mass': 1.0} if 'frame' in name else {})}
                result = bench.client.set_parameters('dynamics', **change)
                assert not result.successful, change
                assert name in result.reason or value in result.reason, result.reason
                batch = {key: item for key, item in valid.items() if key != name}
                result = bench.client.set_parameters('dynamics', **{**batch, **change})
                assert not result.successful, change
                result = bench.client.set_parameters('dynamics', **{**change, **batch})
                assert not result.successful, change
                count += 3
        assert bench.client.get_parameters('dynamics', *names) == before
        # An integer where a number is meant is none of these.
        assert bench.client.set_parameters('dynamics', **{'state_timeout': 1}).successful
        efforts = bench.efforts()
        np.testing.assert_allclose(
            efforts, np.tile(bench.gravity(), (len(efforts), 1)), rtol=0.0, atol=1e-9
        )
        assert 'Traceback' not in bench.end()
    faults.record(
        'invalid parameters, alone and in a batch with valid ones',
        count,
        f'refused whole with the reason; {len(efforts):,} commands meanwhile, all unchanged',
    )
