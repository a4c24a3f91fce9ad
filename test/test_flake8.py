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

"""Style: ament_flake8 where there is a ROS distribution, the same rules from PyPI elsewhere."""

import subprocess
import sys

from linted_files import FOLDERS, ROOT
import pytest

try:
    from ament_flake8.main import main_with_errors as ament_flake8
except ImportError:
    ament_flake8 = None


@pytest.mark.flake8
@pytest.mark.linter
def test_flake8():
    if ament_flake8 is not None:
        status, errors = ament_flake8(argv=FOLDERS)
        assert status == 0, '\n'.join(errors)
        return
    pytest.importorskip('flake8', reason='neither ament_flake8 nor flake8 is installed')
    command = [sys.executable, '-m', 'flake8', *FOLDERS]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
