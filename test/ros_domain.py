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

"""A ROS domain of its own for every test, so that tests never hear one another."""

from collections.abc import Iterator
import contextlib
import socket

# The ports of the ROS tool domain_coordinator: who uses that one keeps out of our way, too.
PORT_BASE = 32768
DOMAIN_IDS = range(1, 101)


@contextlib.contextmanager
def reserved_domain_id() -> Iterator[int]:
    """
    Reserve a free ROS_DOMAIN_ID until the context is left.

    Yields
    ------
    int
        From 1 to 100. Another process that asks in the meantime gets another.

    Raises
    ------
    RuntimeError
        When all of them are taken.

    """
    for domain_id in DOMAIN_IDS:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as lock:
            try:
                lock.bind(('', PORT_BASE + domain_id))
            except OSError:
                continue
            yield domain_id
            return
    raise RuntimeError('no ROS domain is free: all of 1 to 100 are reserved by other processes')
