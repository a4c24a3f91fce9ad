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

"""Where results are written, checked before the work and not after it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
import os
from pathlib import Path

from robot_dynamics.errors import RobotDynamicsError


class OutputError(RobotDynamicsError):
    """A result that cannot be written."""


def prepare(folder: Path | None) -> Path:
    """
    Return the folder for results, the present one if none is named.

    Parameters
    ----------
    folder : path, optional
        It is made if it does not exist.

    Raises
    ------
    OutputError
        When it cannot be made or written to.

    """
    chosen = Path.cwd() if folder is None else folder
    with writing(chosen):
        chosen.mkdir(parents=True, exist_ok=True)
    if not os.access(chosen, os.W_OK | os.X_OK):
        raise OutputError(
            'cannot be written to', where=str(chosen), remedy='name another folder with --output'
        )
    return chosen.resolve()


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """
    Turn what the system says while a file is written into one clear error.

    Raises
    ------
    OutputError
        Naming the path and the reason.

    """
    try:
        yield
    except OSError as error:
        raise OutputError(
            f'cannot be written ({error.strerror or error})',
            where=str(path),
            remedy='name another folder with --output',
        ) from error
