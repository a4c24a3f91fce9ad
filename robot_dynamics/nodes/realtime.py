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

"""What the operating system can do for the control loop, where it is allowed to."""

from __future__ import annotations

import ctypes
import errno
import os
import resource
from typing import Sequence

_MCL_CURRENT, _MCL_FUTURE = 1, 2
_CAP_IPC_LOCK = 14
_LIMITS = '/etc/security/limits.conf'


def raise_priority(priority: int) -> str:
    """
    Put the calling thread under SCHED_FIFO.

    Parameters
    ----------
    priority
        1 to 99; 0 changes nothing.

    Returns
    -------
    str
        Why it was not done and what would allow it, or ''.

    """
    if not priority:
        return ''
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))
    except (OSError, AttributeError) as error:
        return _notice(
            f'realtime.priority = {priority}',
            error,
            'the loop runs at ordinary priority',
            f"put '<user> - rtprio {priority}' into {_LIMITS} and log in again, or give the "
            'process CAP_SYS_NICE',
        )
    return ''


def bind_to_processors(processors: Sequence[int]) -> str:
    """
    Let all threads of this process, those of the middleware too, run on some processors only.

    Parameters
    ----------
    processors
        Numbers as in /proc/cpuinfo; empty changes nothing.

    Returns
    -------
    str
        Why it was not done and what would allow it, or ''.

    """
    if not processors:
        return ''
    try:
        # threads made from now on inherit it from this one
        os.sched_setaffinity(0, processors)
        for thread in os.listdir('/proc/self/task'):
            _bind(int(thread), processors)
    except (OSError, AttributeError, OverflowError) as error:
        return _notice(
            f'realtime.processors = {list(processors)}',
            error,
            'the process runs where it may',
            f'choose from {_available()}',
        )
    return ''


def _bind(thread: int, processors: Sequence[int]) -> None:
    try:
        os.sched_setaffinity(thread, processors)
    except ProcessLookupError:
        pass  # it has ended meanwhile


def _available() -> str:
    try:
        return ', '.join(map(str, sorted(os.sched_getaffinity(0))))
    except AttributeError:
        return 'none: this system cannot bind processes'


def lock_memory() -> str:
    """
    Keep all memory of the process from being swapped out, now and later.

    Not done under a limit of locked memory: what goes beyond it later could not be had at all.

    Returns
    -------
    str
        Why it was not done and what would allow it, or ''.

    """
    error: Exception | None = None
    if not _may_lock_all():
        error = PermissionError(errno.EPERM, 'locked memory is limited')
    else:
        try:
            libc = ctypes.CDLL(None, use_errno=True)
            if libc.mlockall(_MCL_CURRENT | _MCL_FUTURE):
                number = ctypes.get_errno()
                error = OSError(number, os.strerror(number))
        except (OSError, AttributeError) as missing:
            error = missing
    if error is None:
        return ''
    return _notice(
        'realtime.lock_memory',
        error,
        'memory may be swapped out',
        f"put '<user> - memlock unlimited' into {_LIMITS} and log in again, or give the process "
        'CAP_IPC_LOCK',
    )


def _may_lock_all() -> bool:
    if resource.getrlimit(resource.RLIMIT_MEMLOCK)[0] == resource.RLIM_INFINITY:
        return True
    try:
        with open('/proc/self/status', encoding='ascii', errors='replace') as status:
            line = next(line for line in status if line.startswith('CapEff:'))
    except (OSError, StopIteration):
        return False
    return bool(int(line.split()[1], 16) >> _CAP_IPC_LOCK & 1)


def _notice(option: str, error: Exception, effect: str, remedy: str) -> str:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f'{option} has no effect ({reason}): {effect}; {remedy}'
