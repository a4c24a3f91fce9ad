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

"""What all tests share: where the data is, a ROS domain of their own, quiet surroundings."""

from collections.abc import Iterator
import importlib.util
import os
from pathlib import Path
import re

from fault_report import fault_report, faults
import pytest
from ros_domain import reserved_domain_id

try:
    from hypothesis import settings
except ImportError:
    settings = None

__all__ = ['fault_report', 'faults']

_TEST = Path(__file__).resolve().parent
_CACHE = _TEST.parent / '.cache'

# Nothing a test sends may reach a robot in the same network, or leave files elsewhere.
os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
os.environ.setdefault('ROS_LOG_DIR', str(_CACHE / 'ros_log'))
os.environ.setdefault('HYPOTHESIS_STORAGE_DIRECTORY', str(_CACHE / 'hypothesis'))
os.environ.setdefault('MPLBACKEND', 'Agg')

if settings is not None:
    # A shared machine stalls now and then: a slow example is not a failure.
    settings.register_profile('robot_dynamics', deadline=None)
    settings.load_profile('robot_dynamics')

# Files that begin with imports of ROS cannot even be collected where there is none.
_IMPORTS_ROS = re.compile(
    r'^(from|import) '
    r'(rclpy|ros_harness|\w+_bench|fault_rig|\w+_msgs|std_srvs|robot_dynamics\.nodes)\b',
    re.MULTILINE,
)
collect_ignore = [
    path.name
    for path in _TEST.glob('test_*.py')
    if importlib.util.find_spec('rclpy') is None
    and _IMPORTS_ROS.search(path.read_text(encoding='utf-8'))
]


def pytest_report_header() -> str | None:
    """Say what is left out, and why."""
    if not collect_ignore:
        return None
    return f'{len(collect_ignore)} files of tests are left out: they need rclpy'


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """
    Run tests over DDS one after the other, and let them try again.

    A shared machine may hold up their processes for seconds. What only computes may run beside.
    """
    for item in items:
        over_dds = 'ros_domain_id' in getattr(item, 'fixturenames', ())
        if over_dds or item.get_closest_marker('slow'):
            if config.pluginmanager.hasplugin('rerunfailures'):
                item.add_marker(pytest.mark.flaky(reruns=2))
            if config.pluginmanager.hasplugin('xdist'):
                item.add_marker(pytest.mark.xdist_group('dds'))


@pytest.fixture(scope='session')
def data_dir() -> Path:
    """Return the folder of the reference data."""
    return _TEST / 'data'


@pytest.fixture
def ros_domain_id(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Give the test, and every process it starts, a ROS domain that nobody else uses."""
    if importlib.util.find_spec('rclpy') is None:
        pytest.skip("needs rclpy: source a ROS 2 distribution, or pip install '.[ros]'")
    with reserved_domain_id() as domain_id:
        monkeypatch.setenv('ROS_DOMAIN_ID', str(domain_id))
        yield domain_id
