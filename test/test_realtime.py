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

"""What is asked of the operating system: it helps, or there is one line about what to do."""

import errno
import gc
import os
import subprocess
import sys

import pytest
from robot_dynamics.nodes import realtime
from robot_dynamics.nodes.idle_collector import IdleCollector
from robot_dynamics.nodes.realtime import bind_to_processors, lock_memory, raise_priority

PERMISSION = PermissionError(errno.EPERM, 'Operation not permitted')


def refuse(*_arguments):
    raise PERMISSION


def test_nothing_is_asked_for_by_default(monkeypatch):
    monkeypatch.setattr(os, 'sched_setscheduler', refuse)
    monkeypatch.setattr(os, 'sched_setaffinity', refuse)
    assert raise_priority(0) == bind_to_processors(()) == ''


def test_a_priority_that_is_not_allowed_is_one_line_with_the_cure(monkeypatch):
    monkeypatch.setattr(os, 'sched_setscheduler', refuse)
    text = raise_priority(80)
    assert text.startswith('realtime.priority = 80 has no effect (Operation not permitted)')
    assert "'<user> - rtprio 80'" in text and 'CAP_SYS_NICE' in text and '\n' not in text


def test_a_priority_that_is_allowed_is_asked_for_the_calling_thread(monkeypatch):
    asked = []
    monkeypatch.setattr(os, 'sched_setscheduler', lambda *arguments: asked.append(arguments))
    assert raise_priority(42) == ''
    [(thread, policy, parameters)] = asked
    assert (thread, policy, parameters.sched_priority) == (0, os.SCHED_FIFO, 42)


def test_memory_is_not_locked_under_a_limit(monkeypatch):
    monkeypatch.setattr(realtime, '_may_lock_all', lambda: False)
    text = lock_memory()
    assert 'locked memory is limited' in text and 'memlock unlimited' in text


PINNED = """
import os, threading
from robot_dynamics.nodes.realtime import bind_to_processors
done = threading.Event()
thread = threading.Thread(target=done.wait)
thread.start()
one = min(os.sched_getaffinity(0))
assert bind_to_processors((one,)) == ''
assert os.sched_getaffinity(0) == os.sched_getaffinity(thread.native_id) == {one}
done.set()
text = bind_to_processors((4095,))
assert 'realtime.processors = [4095] has no effect' in text, text
assert f'choose from {one}' in text, text
"""


@pytest.mark.skipif(not hasattr(os, 'sched_setaffinity'), reason='this system cannot bind')
def test_all_threads_are_bound_without_any_rights():
    subprocess.run([sys.executable, '-c', PINNED], check=True, timeout=60.0)


def test_automatic_collection_rests_while_any_loop_runs():
    first, second = IdleCollector(), IdleCollector()
    try:
        first.begin()
        second.begin()
        second.begin()
        second.end()
        assert not gc.isenabled(), 'the first loop still runs'
        cycle = [object()]
        cycle.append(cycle)
        before = gc.get_stats()[1]['collections']
        first.collect()
        assert gc.get_stats()[1]['collections'] == before + 1
    finally:
        second.end()
        first.end()
        gc.unfreeze()
    assert gc.isenabled()


def test_a_node_goes_on_without_what_it_may_not_have(ros_domain_id):
    from dynamics_bench import Bench

    options = {'realtime.priority': 50, 'realtime.processors': [4095]}
    with Bench(**options) as bench:
        bench.wait_for_effort(bench.gravity())
        assert 'realtime.processors = [4095] has no effect' in bench.node.output()
