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

"""The package as it is installed: what describes it agrees, and what comes with it is found."""

import importlib.metadata

from defusedxml import ElementTree
from linted_files import ROOT
import pytest
from robot_dynamics import _share
from robot_dynamics.errors import RobotDynamicsError

EXECUTABLES = {
    'dynamics_node': 'robot_dynamics.nodes.dynamics_node:main',
    'reference_node': 'robot_dynamics.nodes.reference_node:main',
    'robot_dynamics': 'robot_dynamics.cli.main:main',
    'simulator_node': 'robot_dynamics.nodes.simulator_node:main',
}


@pytest.fixture
def installed():
    """Return the installed distribution of this package, whoever installed it."""
    try:
        return importlib.metadata.distribution('robot_dynamics')
    except importlib.metadata.PackageNotFoundError:
        pytest.skip('needs robot_dynamics installed: make env, or colcon build')


def test_package_xml_agrees_with_the_installation(installed):
    described = ElementTree.parse(ROOT / 'package.xml').getroot()
    assert described.findtext('name') == 'robot_dynamics'
    assert described.findtext('version') == installed.version
    assert described.findtext('description') == installed.metadata['Summary']
    assert described.findtext('maintainer') == installed.metadata['Maintainer']
    assert described.find('maintainer').get('email') == installed.metadata['Maintainer-email']


def test_executables(installed):
    scripts = installed.entry_points.select(group='console_scripts')
    assert {script.name: script.value for script in scripts} == EXECUTABLES


def test_share_path_from_the_source_tree():
    assert _share.share_path('package.xml') == ROOT / 'package.xml'
    assert _share.share_path('config', 'robots').is_dir()


def test_share_path_below_the_prefix_of_the_installation(tmp_path, monkeypatch):
    share = tmp_path / 'share' / 'robot_dynamics'
    share.mkdir(parents=True)
    (share / 'package.xml').touch()
    package = tmp_path / 'lib' / 'python3.11' / 'site-packages' / 'robot_dynamics'
    monkeypatch.setattr(_share, '__file__', str(package / '_share.py'))
    assert _share.share_path('package.xml') == share / 'package.xml'


def test_share_path_names_what_is_missing():
    with pytest.raises(RobotDynamicsError, match='config/no_such_file') as caught:
        _share.share_path('config', 'no_such_file')
    assert str(ROOT) in caught.value.where
