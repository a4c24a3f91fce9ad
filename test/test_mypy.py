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

"""Types: strict for the core, lenient for nodes and command line (see pyproject.toml)."""

import subprocess
import sys

from linted_files import ROOT
import pytest

try:
    from ament_mypy.main import main as ament_mypy
except ImportError:
    ament_mypy = None

CONFIGURATION = str(ROOT / 'pyproject.toml')


@pytest.mark.mypy
@pytest.mark.linter
def test_mypy(monkeypatch):
    monkeypatch.chdir(ROOT)
    if ament_mypy is not None:
        arguments = ['--config', CONFIGURATION, '--cache-dir', '.cache/mypy', 'robot_dynamics']
        assert ament_mypy(argv=arguments) == 0
        return
    pytest.importorskip('mypy', reason='neither ament_mypy nor mypy is installed')
    command = [sys.executable, '-m', 'mypy', '--config-file', CONFIGURATION]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
