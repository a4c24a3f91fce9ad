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

"""A load at a frame: exact, removable, never accumulating."""

import golden
import numpy as np
import pytest
from robot_dynamics import load_robot, ModelError, ParameterError, RobotModel
from robot_dynamics.model import Payload

TIP = Payload(frame='tip', mass=1.5, com=[0.1, 0.0, 0.02], inertia=np.diag([0.01, 0.02, 0.02]))
STATE = ([0.3, -0.8], [1.0, 0.5], [-0.2, 2.0])


def heavier_arm(payload):
    """Return the 2R arm with the load written into its file as another link."""
    mapping = golden.robot('arm_2r')
    tensor = payload.inertia
    mapping['links'].append(
        {
            'name': 'load',
            'mass': payload.mass,
            'com': payload.com.tolist(),
            'inertia': {'ixx': tensor[0, 0], 'iyy': tensor[1, 1], 'izz': tensor[2, 2]},
        }
    )
    mapping['joints'].append(
        {'name': 'load_joint', 'type': 'fixed', 'parent': payload.frame, 'child': 'load'}
    )
    return RobotModel.from_yaml(mapping)


def test_payload_equals_a_link_of_the_same_mass():
    loaded, written = load_robot('arm_2r').with_payload(TIP), heavier_arm(TIP)
    golden.assert_close(loaded.inverse_dynamics(*STATE), written.inverse_dynamics(*STATE), 1e-13)
    golden.assert_close(loaded.mass_matrix(STATE[0]), written.mass_matrix(STATE[0]), 1e-13)
    golden.assert_close(
        loaded.potential_energy(STATE[0]), written.potential_energy(STATE[0]), 1e-13
    )


def test_thousand_changes_leave_no_residue():
    model = load_robot('arm_2r')
    before = model.inverse_dynamics(*STATE)
    rng = np.random.default_rng(3)
    for _ in range(1000):
        payload = Payload(
            frame=str(rng.choice(['tip', 'link1', 'link2'])),
            mass=float(rng.uniform(0.01, 20.0)),
            com=rng.normal(size=3),
        )
        model.set_payload_parameters(model.payload_parameters(payload))
        assert not np.array_equal(model.inverse_dynamics(*STATE), before)
    model.set_payload_parameters({})
    np.testing.assert_array_equal(model.inverse_dynamics(*STATE), before)


def test_interpolated_parameters_interpolate_the_effort():
    model = load_robot('arm_2r')
    bare = model.inverse_dynamics(*STATE)
    loads = model.payload_parameters(TIP)
    full = model.with_payload(TIP).inverse_dynamics(*STATE)
    for share in (0.25, 0.5, 0.9):
        model.set_payload_parameters({key: share * value for key, value in loads.items()})
        golden.assert_close(model.inverse_dynamics(*STATE), bare + share * (full - bare), 1e-12)


def test_variants_keep_the_payload():
    loaded = load_robot('arm_2r').with_payload(TIP)
    golden.assert_close(loaded.copy().gravity(STATE[0]), loaded.gravity(STATE[0]), 0.0)
    upside_down = loaded.with_gravity((0.0, 0.0, 9.81))
    golden.assert_close(upside_down.gravity(STATE[0]), -loaded.gravity(STATE[0]), 1e-13)


def test_payload_on_the_base_and_of_no_mass_changes_nothing():
    model = load_robot('arm_2r')
    for payload in (Payload(frame='base_link', mass=5.0), Payload(frame='tip', mass=0.0), None):
        golden.assert_close(
            model.with_payload(payload).gravity(STATE[0]), model.gravity(STATE[0]), 0.0
        )


def test_unknown_frame_is_refused_with_close_names():
    with pytest.raises(ModelError, match='did you mean tip'):
        load_robot('arm_2r').with_payload(Payload(frame='tipp', mass=1.0))


@pytest.mark.parametrize(
    'values',
    [
        {'mass': -1.0},
        {'mass': np.nan},
        {'mass': np.inf},
        {'mass': 1.0, 'com': [0.0, np.nan, 0.0]},
        {'mass': 1.0, 'com': [0.0, 0.0]},
        {'mass': 1.0, 'inertia': np.diag([-1.0, 1.0, 1.0])},
        {'mass': 1.0, 'inertia': np.diag([1.0, 1.0, 3.0])},
        {'mass': 0.0, 'inertia': np.eye(3)},
        {'mass': 1.0, 'inertia': np.array([[1.0, 0.5, 0], [0.0, 1.0, 0], [0, 0, 1.0]])},
    ],
)
def test_impossible_payload_is_refused(values):
    with pytest.raises(ParameterError, match='payload'):
        Payload(frame='tip', **values)
