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

"""Ten thousand mutated robot files: no crash, no hang, no torque that is not finite."""

import json
import os
from pathlib import Path
import shutil
import subprocess
import sys

import golden
import pytest

SCRIPT = Path(__file__).parent / 'fuzz_descriptions.py'
COUNT = 5000  # for each of two seeds


@pytest.mark.parametrize('seed', [1, 2])
def test_mutated_descriptions_are_loaded_or_refused(tmp_path, seed):
    folder = tmp_path / 'seeds'
    shutil.copytree(golden.ROBOTS, folder)
    for path in (golden.DATA / 'cases').glob('*/*.urdf'):
        if path.stat().st_size and 'encodings' not in path.parent.name:
            shutil.copy(path, folder / f'{path.parent.name}_{path.name}')
    environment = {
        **os.environ,
        'PYTHONPATH': os.pathsep.join([str(SCRIPT.parents[1]), os.environ.get('PYTHONPATH', '')]),
    }
    run = subprocess.run(
        [sys.executable, str(SCRIPT), str(folder), str(COUNT), str(seed)],
        capture_output=True,
        text=True,
        timeout=300,
        env=environment,
        check=False,
    )
    last = run.stderr.splitlines()[-1] if run.stderr else 'nothing'
    assert run.returncode == 0, f'died at mutation {last}: {run.stderr[-2000:]}'
    result = json.loads(run.stdout)
    assert result['loaded'] + result['refused'] == COUNT
    assert result['loaded'] > COUNT // 20 and result['refused'] > COUNT // 20
    assert result['not_finite'] == 0
    assert result['slowest'] < 1.0  # [s]
