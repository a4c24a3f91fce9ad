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

"""Which files the tests of style look at, whether ament's linters are here or not."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Named one by one, so that an environment or a build folder beside them is never looked at.
FOLDERS = [
    str(path)
    for path in (
        ROOT / '.ci',
        ROOT / 'benchmarks',
        ROOT / 'launch',
        ROOT / 'robot_dynamics',
        ROOT / 'setup.py',
        ROOT / 'test',
    )
    if path.exists()
]


def python_files() -> list[Path]:
    """List every Python file of the project, sorted."""
    found = []
    for folder in map(Path, FOLDERS):
        found += [folder] if folder.is_file() else sorted(folder.rglob('*.py'))
    return found
