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

"""Environments of their own for peers that do not go together with what we need."""

from __future__ import annotations

from dataclasses import dataclass
import os
from pathlib import Path
import subprocess
import sys

from arm import CACHE

# Set by the ROS environment of this process; another Python must not see it.
_OURS = ('LD_LIBRARY_PATH', 'PYTHONPATH', 'PYTHONHOME', '_ROS_WHEELS_BOOTSTRAP_COMPLETE')


@dataclass(frozen=True)
class Peer:
    """
    Another library.

    Attributes
    ----------
    name
        As it stands in tables.
    script
        In the folder ``peers``.
    package
        To install into an environment of its own; '' to use ours.

    """

    name: str
    script: str
    package: str = ''


DRAKE = Peer('Drake', 'call_drake.py', 'drake')
TOOLBOX = Peer('Robotics Toolbox', 'call_toolbox.py', 'roboticstoolbox-python')
MUJOCO = Peer('MuJoCo', 'call_mujoco.py')


class PeerMissing(Exception):
    """A peer cannot be measured; the text says why."""


def interpreter(peer: Peer, *, install: bool) -> Path:
    """
    Return the Python that has a peer.

    Parameters
    ----------
    peer
        Which.
    install
        Whether to make its environment when there is none.

    Raises
    ------
    PeerMissing
        There is none, or it could not be installed.

    """
    if not peer.package:
        return Path(sys.executable)
    folder = CACHE / 'environments' / peer.package
    python = folder / 'bin' / 'python'
    done = folder / 'done'
    if done.exists() and python.exists():
        return python
    if not install:
        raise PeerMissing('not installed; make bench-full, or BENCH_ARGS=--peers, does')
    commands = (
        [sys.executable, '-m', 'venv', '--clear', str(folder)],
        [str(python), '-m', 'pip', 'install', '--quiet', '--no-input', peer.package],
    )
    for command in commands:
        result = subprocess.run(command, env=environment(), capture_output=True, text=True)
        if result.returncode != 0:
            last = (result.stderr.strip() or 'no reason given').splitlines()[-1]
            raise PeerMissing(f'could not be installed: {last}')
    done.touch()
    return python


def environment() -> dict[str, str]:
    """Return this process's environment without what belongs to its own Python."""
    return {name: value for name, value in os.environ.items() if name not in _OURS}
