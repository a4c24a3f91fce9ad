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

"""Parameters: integers for doubles, refusals that name what is wrong, all or nothing."""

import array
import math

from hypothesis import given, strategies as st
import numpy as np
import pytest
from rclpy.parameter import Parameter
from robot_dynamics._share import share_path
from robot_dynamics.control import Mode
from robot_dynamics.errors import ParameterError
from robot_dynamics.nodes.parameter_table import SPECIFICATIONS
from robot_dynamics.nodes.parameters import (
    controller_settings,
    model_options,
    NodeParameters,
    unknown_parameters,
)
import yaml

JOINTS = ('shoulder', 'elbow')


class RecordingNode:
    """Stands in for an rclpy node: keeps declarations and the callback, applies overrides."""

    def __init__(self, **overrides):
        self.overrides = overrides
        self.descriptors = {}
        self.on_set = None

    def declare_parameter(self, name, default, descriptor):
        self.descriptors[name] = descriptor
        return Parameter(name, value=self.overrides.get(name, default))

    def add_on_set_parameters_callback(self, callback):
        self.on_set = callback

    def change(self, **values):
        return self.on_set(
            [Parameter(name.replace('__', '.'), value=value) for name, value in values.items()]
        )


class Accepted:
    """Puts values into force by remembering them, after building the settings."""

    def __init__(self):
        self.settings = None

    def __call__(self, values):
        self.settings = controller_settings(values, JOINTS)


@pytest.fixture
def node():
    return RecordingNode()


@pytest.fixture
def accepted():
    return Accepted()


@pytest.fixture
def parameters(node, accepted):
    return NodeParameters(node, accepted, lambda: True)


def convert(name, value):
    return SPECIFICATIONS[name].kind.convert(name, value)


def refusal(name, value):
    with pytest.raises(ParameterError) as caught:
        convert(name, value)
    assert caught.value.where == name
    assert caught.value.expected
    return str(caught.value)


# ------------------------------------------------------------------ single values


@pytest.mark.parametrize(
    ('name', 'value', 'converted'),
    [
        ('state_timeout', 1, 1.0),
        ('fresh_states', 3.0, 3),
        ('gravity', [0, 0, -10], (0.0, 0.0, -10.0)),
        ('gravity', array.array('d', [0.0, 0.0, -9.81]), (0.0, 0.0, -9.81)),
        ('gravity', [], None),
        ('effort_gains.kp', 5, 5.0),
        ('effort_gains.kp', [5, 6], (5.0, 6.0)),
        ('effort_rate_limit', math.inf, math.inf),
        ('effort_limit', [], None),
        ('joints', [], ()),
        ('joints', [''], ()),
        ('joints', ['b', 'a'], ('b', 'a')),
        ('locked_joints', ['finger=0.02', ' wheel = -1 '], {'finger': 0.02, 'wheel': -1.0}),
    ],
)
def test_values_are_converted(name, value, converted):
    result = convert(name, value)
    assert result == converted
    assert type(result) is type(converted)


@pytest.mark.parametrize('value', [math.nan, -0.1, 0.0, 11.0, '0.1', True, [0.1], None])
def test_a_wrong_number_is_refused(value):
    assert repr(value) in refusal('state_timeout', value)


@pytest.mark.parametrize(
    ('name', 'value'),
    [
        ('mode', 'gravity'),
        ('mode', 1),
        ('friction', 1),
        ('friction', 'true'),
        ('fresh_states', 2.5),
        ('fresh_states', 0),
        ('fresh_states', math.nan),
        ('gravity', [0.0, -9.81]),
        ('gravity', -9.81),
        ('gravity', [0.0, 0.0, math.nan]),
        ('gravity', [True, 0, 0]),
        ('effort_limit', [1.0, -1.0]),
        ('effort_limit', math.inf),
        ('effort_limit', 0.0),
        ('effort_gains.kp', []),
        ('effort_gains.kd', [1.0, math.inf]),
        ('joints', 'shoulder'),
        ('joints', [1, 2]),
        ('locked_joints', ['finger']),
        ('locked_joints', ['a=1', 'a=2']),
        ('locked_joints', ['a=nan']),
        ('locked_joints', ['=1']),
        ('robot', 3),
        ('command_format', 'list'),
        ('max_trajectory_points', 0),
    ],
)
def test_a_wrong_value_is_refused_by_name(name, value):
    refusal(name, value)


@given(
    st.sampled_from(sorted(SPECIFICATIONS)),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda items: st.lists(items, max_size=4),
        max_leaves=6,
    ),
)
def test_any_value_is_converted_or_refused(name, value):
    try:
        convert(name, value)
    except ParameterError as error:
        assert str(error).startswith(f'{name}: is ')


def test_all_are_declared_with_description_and_constraint(node, parameters):
    assert set(node.descriptors) == set(SPECIFICATIONS)
    for descriptor in node.descriptors.values():
        assert descriptor.description and descriptor.additional_constraints
        assert descriptor.dynamic_typing


# ------------------------------------------------------------------ changes


def test_defaults_make_settings(parameters):
    settings = controller_settings(parameters.values(), JOINTS)
    assert settings.law.mode is Mode.GRAVITY_COMPENSATION
    np.testing.assert_allclose(settings.law.acceleration_gains.kp, [100.0, 100.0])
    np.testing.assert_allclose(settings.law.acceleration_gains.kd, [20.0, 20.0])
    assert settings.effort_limit is None
    assert all(value is None for value in model_options(parameters.values()).values())


def test_gains_themselves_go_before_natural_frequency(node, accepted, parameters):
    assert node.change(
        acceleration_gains__kp=[50, 60],
        acceleration_gains__damping_ratio=0.5,
        mode='computed_torque',
    ).successful
    gains = accepted.settings.law.acceleration_gains
    np.testing.assert_allclose(gains.kp, [50.0, 60.0])
    np.testing.assert_allclose(gains.kd, [10.0, 10.0])
    assert accepted.settings.law.mode is Mode.COMPUTED_TORQUE


@pytest.mark.parametrize(
    ('change', 'text'),
    [
        ({'state_timeout': -1.0}, 'state_timeout: is -1.0; expected a number >= 0.001'),
        ({'effort_gains__kp': [1.0, 2.0, 3.0]}, 'effort_gains.kp: has 3 numbers'),
        ({'mode': 'gravity'}, "mode: is 'gravity'; expected one of: gravity_compensation"),
        ({'robot': 'rp_arm'}, 'robot: cannot be changed while the node is active'),
    ],
)
def test_a_batch_with_one_wrong_value_changes_nothing(node, accepted, parameters, change, text):
    before = dict(parameters.values())
    result = node.change(friction=True, effort_gains__kd=3, **change)
    assert not result.successful
    assert result.reason.startswith(text)
    assert parameters.values() == before
    assert accepted.settings is None


def test_what_the_robot_refuses_changes_nothing(node):
    def refuse(_values):
        raise ParameterError('does not fit', where='effort_limit')

    parameters = NodeParameters(node, refuse, lambda: False)
    before = dict(parameters.values())
    assert node.change(start_ramp=1.0).reason == 'effort_limit: does not fit'
    assert parameters.values() == before


def test_structural_values_wait_for_the_next_configuration(node, accepted):
    parameters = NodeParameters(node, accepted, lambda: False)
    assert node.change(joints=['elbow'], effort_gains__kp=[1.0]).successful
    assert parameters['joints'] == ('elbow',)
    assert accepted.settings is None, 'checked against a robot that will not be in use'


def test_structural_values_may_be_set_to_what_they_are(node, parameters):
    assert node.change(robot='', mode='pd').successful
    assert parameters['mode'] == 'pd'


def test_parameters_of_others_are_left_alone(node, parameters):
    assert node.change(use_sim_time=True).successful


def test_a_wrong_value_from_a_file_can_be_put_right(accepted):
    node = RecordingNode(state_timeout=math.nan, mode='pd')
    parameters = NodeParameters(node, accepted, lambda: False)
    with pytest.raises(ParameterError, match='state_timeout: is nan'):
        parameters.values()
    assert parameters['mode'] == 'pd'
    assert node.change(fresh_states=2).successful
    assert accepted.settings is None
    assert node.change(state_timeout=1).successful
    assert accepted.settings.state_timeout == 1.0
    assert parameters.values()['fresh_states'] == 2


def test_an_empty_list_in_a_file_means_the_default(accepted):
    class NodeWithEmptyLists(RecordingNode):
        """Declares as rclpy does after a file with empty lists."""

        def declare_parameter(self, name, default, descriptor):
            return Parameter(name, value=None if default == [] else default)

    parameters = NodeParameters(NodeWithEmptyLists(), accepted, lambda: False)
    assert parameters['joints'] == () and parameters['effort_limit'] is None


def test_misspelt_names_are_pointed_out():
    (line,) = unknown_parameters(['efort_limit', 'use_sim_time', 'mode', 'publish_rate'])
    assert "'efort_limit'" in line and "'effort_limit'" in line


def test_the_shipped_file_names_every_parameter_with_its_default():
    file = share_path('config', 'dynamics.yaml')
    tree = yaml.safe_load(file.read_text(encoding='utf-8'))['/**']['ros__parameters']

    def flatten(values, prefix=''):
        for key, value in values.items():
            if isinstance(value, dict):
                yield from flatten(value, f'{prefix}{key}.')
            else:
                yield prefix + key, value

    written = dict(flatten(tree))
    assert set(written) == set(SPECIFICATIONS)
    for name, value in written.items():
        assert convert(name, value) == convert(name, SPECIFICATIONS[name].default), name
