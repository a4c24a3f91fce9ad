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

"""The energy of an undriven arm stays what it was."""

import numpy as np
import pytest
from robot_dynamics import load_robot
from scipy.integrate import solve_ivp

DRIFT = 1e-8  # relative to the energy at the start
DURATION = 10.0  # [s]


@pytest.mark.parametrize(
    'name, q, v',
    [
        ('rp_arm', [0.3, 0.5], [1.0, 0.2]),
        ('rp_arm', [-1.2, 0.4], [0.0, 0.0]),
        ('arm_2r', [0.5, 1.0], [0.0, 0.0]),
        ('arm_2r', [0.3, -1.0], [2.0, -3.0]),
    ],
)
def test_undriven_arm_keeps_its_energy(name, q, v):
    """No effort and no stops: the telescope of the RP arm slides out freely."""
    model = load_robot(name)
    n, none = model.nv, np.zeros(model.nv)

    def rate(_, state):
        return np.concatenate([state[n:], model.forward_dynamics(state[:n], state[n:], none)])

    run = solve_ivp(rate, (0.0, DURATION), [*q, *v], method='DOP853', rtol=1e-12, atol=1e-12)
    assert run.success and run.t[-1] == DURATION
    kinetic = np.array([model.kinetic_energy(state[:n], state[n:]) for state in run.y.T])
    energy = kinetic + [model.potential_energy(state[:n]) for state in run.y.T]
    # the arm has really moved, and energy has gone from one kind to the other
    assert np.ptp(kinetic) > 10.0 * abs(energy[0] - energy[-1]) and np.ptp(kinetic) > 1.0
    assert np.abs(energy - energy[0]).max() <= DRIFT * abs(energy[0])
