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

"""Where the files that come with the package lie, however it was installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
import sys

from robot_dynamics.errors import RobotDynamicsError

_PACKAGE = 'robot_dynamics'


def share_path(*parts: str) -> Path:
    """
    Return the path of a file or folder that comes with the package.

    Parameters
    ----------
    *parts : str
        Path below the package's share folder, such as 'config', 'robots'.

    Returns
    -------
    pathlib.Path
        In the source tree if the package runs from it, else as installed by
        colcon, else as installed by pip.

    Raises
    ------
    RobotDynamicsError
        When no such place has it.
    """
    tried = []
    for base in _bases():
        path = base.joinpath(*parts)
        if path.exists():
            return path
        tried.append(str(base))
    raise RobotDynamicsError(
        f"the package's own file {'/'.join(parts)} is missing", where=', '.join(tried),
        remedy='install the package again')


def _bases() -> Iterator[Path]:
    """Yield the share folders to look in, best first."""
    source = Path(__file__).resolve().parent.parent
    if (source / 'config' / 'robots').is_dir():
        yield source
    try:
        from ament_index_python.packages import get_package_share_directory
        yield Path(get_package_share_directory(_PACKAGE))
    except (ImportError, LookupError, OSError):
        pass  # no ROS here, or the package is not in its index
    yield Path(sys.prefix) / 'share' / _PACKAGE
