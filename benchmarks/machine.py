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

"""What the measurements ran on, and whether others were computing at the same time."""

from __future__ import annotations

from importlib import metadata
import os
from pathlib import Path
import platform
import resource
import time
from typing import Any

BUSY_SHARE = 0.10  # of all processors, used by others: more and the run is called busy
_PACKAGES = ('numpy', 'pin', 'rclpy', 'rmw_fastrtps_cpp', 'numba', 'scipy')
_GOVERNOR = Path('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor')


def describe() -> dict[str, Any]:
    """Return processor, kernel and versions, by name."""
    return {
        'processor': _processor(),
        'processors': os.cpu_count(),
        'memory': f'{_memory():.0f} GB',
        'kernel': f'{platform.system()} {platform.release()}',
        'governor': _GOVERNOR.read_text().strip() if _GOVERNOR.exists() else 'not known',
        'python': platform.python_version(),
        'ros': os.environ.get('ROS_DISTRO', 'Kilted from PyPI'),
        'versions': {name: found for name in _PACKAGES if (found := _version(name))},
    }


class LoadWatch:
    """
    Sees how much of the processors others take while this process measures.

    Its own time and that of its children, once they have ended, are taken off.
    """

    def __init__(self) -> None:
        self.load_before = os.getloadavg()[0]
        self._begin = (time.monotonic(), _busy_seconds(), _own_seconds())

    def others(self) -> float:
        """Return the share of all processors that others have used since the start."""
        now, busy, own = time.monotonic(), _busy_seconds(), _own_seconds()
        began, busy_then, own_then = self._begin
        capacity = (now - began) * (os.cpu_count() or 1)
        return max(0.0, (busy - busy_then) - (own - own_then)) / max(capacity, 1e-9)

    def as_json(self) -> dict[str, Any]:
        """Return load before the run, share of others during it, and what that means."""
        others = self.others()
        return {
            'load_before': round(self.load_before, 2),
            'others': round(others, 3),
            'busy': others > BUSY_SHARE,
        }


def _busy_seconds() -> float:
    """Return the time that all processors have worked or were taken away by the host."""
    fields = Path('/proc/stat').read_text().split('\n', 1)[0].split()[1:9]
    user, nice, system, _idle, _iowait, irq, softirq, steal = map(int, fields)
    return (user + nice + system + irq + softirq + steal) / os.sysconf('SC_CLK_TCK')


def _own_seconds() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _processor() -> str:
    for line in Path('/proc/cpuinfo').read_text().splitlines():
        if line.startswith('model name'):
            return line.split(':', 1)[1].strip()
    return platform.processor() or platform.machine()


def _memory() -> float:
    return os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30


def _version(package: str) -> str:
    for name in (package, package.replace('_', '-')):
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return ''
