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
        Path below the package's share folder, such as ``'config', 'robots'``.

    Returns
    -------
    pathlib.Path
        In the source tree when the package runs from it, else below the prefix
        that the package was installed into (by pip or by colcon), else where
        the ament index has the package.

    Raises
    ------
    RobotDynamicsError
        When none of these places has it.

    """
    tried = []
    for folder in _share_folders():
        path = folder.joinpath(*parts)
        if path.exists():
            return path
        tried.append(str(folder))
    raise RobotDynamicsError(
        f'{"/".join(parts)!r}, which comes with the package, was not found',
        where=', '.join(tried),
        remedy='install the package again',
    )


def _share_folders() -> Iterator[Path]:
    """Yield the folders that may hold the package's files, nearest to its code first."""
    package = Path(__file__).resolve().parent
    if (package.parent / 'package.xml').is_file():
        yield package.parent
    for prefix in package.parents:
        if (prefix / 'share' / _PACKAGE).is_dir():
            yield prefix / 'share' / _PACKAGE
    indexed = _indexed_folder()
    if indexed is not None:
        yield indexed
    yield Path(sys.prefix) / 'share' / _PACKAGE


def _indexed_folder() -> Path | None:
    """Return the share folder that the ament index names, None without a ROS installation."""
    try:
        from ament_index_python.packages import get_package_share_directory
    except ImportError:
        return None
    try:
        return Path(get_package_share_directory(_PACKAGE))
    except (LookupError, OSError):  # not in the index; no index on this machine
        return None
