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

from importlib.metadata import PackageNotFoundError, version
import subprocess
import sys

from linted_files import ROOT
import pytest

try:
    from ament_mypy.main import main as ament_mypy
except ImportError:
    ament_mypy = None

CONFIGURATION = str(ROOT / 'pyproject.toml')

# Older ones, such as those of a ROS distribution, know other types of NumPy's functions.
NEEDED = {'mypy': (2, 0), 'numpy': (2, 4)}


def what_is_missing():
    """List what of NEEDED is not installed or too old."""
    missing = []
    for name, least in NEEDED.items():
        try:
            found = version(name)
        except PackageNotFoundError:
            found = '0.0'
        if tuple(map(int, found.split('.')[:2])) < least:
            missing.append(f'{name} >= {least[0]}.{least[1]}')
    return missing


@pytest.mark.mypy
@pytest.mark.linter
def test_mypy(monkeypatch):
    if what_is_missing():
        pytest.skip(f'needs {" and ".join(what_is_missing())}')
    monkeypatch.chdir(ROOT)
    if ament_mypy is not None:
        arguments = ['--config', CONFIGURATION, '--cache-dir', '.cache/mypy', 'robot_dynamics']
        assert ament_mypy(argv=arguments) == 0
        return
    command = [sys.executable, '-m', 'mypy', '--config-file', CONFIGURATION]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
