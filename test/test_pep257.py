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

"""Docstrings: ament_pep257 where there is a ROS distribution, the same rules elsewhere."""

import subprocess
import sys

from linted_files import FOLDERS, python_files, ROOT
import pytest

try:
    from ament_pep257.main import main as ament_pep257
except ImportError:
    ament_pep257 = None

# What ament_pep257 leaves out; it checks everything else that pydocstyle knows.
IGNORED = 'D100,D101,D102,D103,D104,D105,D106,D107,D203,D212,D404'


@pytest.mark.pep257
@pytest.mark.linter
def test_pep257():
    if ament_pep257 is not None:
        assert ament_pep257(argv=FOLDERS) == 0
        return
    pytest.importorskip('pydocstyle', reason='neither ament_pep257 nor pydocstyle is installed')
    # As in ament_pep257, a property is a method like any other.
    options = ['--match=.*', '--property-decorators=', '--ignore=' + IGNORED]
    command = [sys.executable, '-m', 'pydocstyle', *options, *map(str, python_files())]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
