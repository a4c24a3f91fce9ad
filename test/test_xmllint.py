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

"""XML files are well formed."""

from defusedxml import ElementTree
from linted_files import ROOT
import pytest

try:
    from ament_xmllint.main import main as ament_xmllint
except ImportError:
    ament_xmllint = None


@pytest.mark.xmllint
@pytest.mark.linter
def test_package_xml():
    package_xml = ROOT / 'package.xml'
    if ament_xmllint is not None:
        assert ament_xmllint(argv=[str(package_xml)]) == 0
        return
    root = ElementTree.parse(package_xml).getroot()
    assert (root.tag, root.get('format')) == ('package', '3')


@pytest.mark.xmllint
@pytest.mark.linter
@pytest.mark.parametrize(
    'path', sorted((ROOT / 'config').rglob('*.urdf')), ids=lambda path: path.name
)
def test_shipped_urdf(path):
    assert ElementTree.parse(path).getroot().tag == 'robot'
