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

"""The robots that come with the package."""

from __future__ import annotations

import os
from pathlib import Path

from robot_dynamics._share import share_path

_SUFFIXES = ('.yaml', '.urdf')


def shipped_robots() -> tuple[str, ...]:
    """Return the names of the robots that come with the package, sorted."""
    folder = share_path('config', 'robots')
    return tuple(sorted({path.stem for path in folder.iterdir() if path.suffix in _SUFFIXES}))


def find_robot(name_or_path: str | os.PathLike[str]) -> Path:
    """
    Return the file of a shipped robot, or the path itself.

    Parameters
    ----------
    name_or_path : str or path
        A bare name such as 'rp_arm' stands for the shipped file, YAML before
        URDF; 'rp_arm.urdf' for exactly that one. An existing file wins.

    Returns
    -------
    pathlib.Path
        It need not exist.

    """
    path = Path(name_or_path)
    if path.exists() or path.name != str(name_or_path):
        return path
    folder: Path = share_path('config', 'robots')
    for candidate in (
        folder / path.name,
        *(folder / f'{path.name}{suffix}' for suffix in _SUFFIXES),
    ):
        if candidate.is_file():
            return candidate
    return path
