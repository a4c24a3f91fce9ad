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

"""Parameter files that broke real systems: integers, mixed lists, maps, NaN."""

import json

import golden
import pytest
from robot_dynamics.errors import ParameterError
from robot_dynamics.nodes.parameter_kinds import number, vector
from ros_harness import NodeProcess
import yaml

pytestmark = pytest.mark.usefixtures('ros_domain_id')

(FOLDER,) = (golden.DATA / 'cases').glob('40_*')
EXPECT = json.loads((FOLDER / 'expect.json').read_text())


def test_40_integers_are_taken_for_doubles():
    rate, gravity = number(0.0), vector(3, 'm/s^2')
    for file in EXPECT['accept_files']:
        values = yaml.safe_load((FOLDER / file).read_text())['rd']['ros__parameters']
        for name, value in values.items():
            # rcl reads 1e2 as a number where PyYAML reads a text
            value = float(value) if isinstance(value, str) else value
            converted = (gravity if name == 'gravity' else rate).convert(name, value)
            assert converted == (tuple(value) if name == 'gravity' else value)
    assert gravity.convert('gravity', [0, 0, -10]) == (0.0, 0.0, -10.0)


@pytest.mark.parametrize('file', ['b.yaml', 'd.yaml'])
def test_40_lists_that_ros_cannot_read_end_the_node_with_the_cure(file):
    arguments = ['--params-file', str(FOLDER / file)]
    with NodeProcess('robot_dynamics.nodes.dynamics_node', arguments=arguments) as node:
        assert node.process.wait(20.0) == 2
        text = node.output()
    assert file in text and 'line_num' in text and 'Traceback' not in text
    assert '[0.0, 0.0, -9.81]' in text and 'YAML file of the robot' in text


def test_40_nan_is_refused():
    values = yaml.safe_load((FOLDER / 'e.yaml').read_text())['rd']['ros__parameters']
    with pytest.raises(ParameterError, match='rate'):
        number(0.0).convert('rate', values['rate'])
