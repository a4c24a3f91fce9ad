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

"""Scenarios started through the launch files of the package, by launch_testing."""

import atexit
import contextlib
import os
from pathlib import Path
import sys
import tempfile
import unittest

from ament_index_python.packages import get_package_prefix, PackageNotFoundError
from launch import LaunchDescription
from launch.actions import (
    GroupAction,
    IncludeLaunchDescription,
    SetEnvironmentVariable,
    TimerAction,
)
from launch_testing.actions import ReadyToTest
from launch_testing.asserts import assertExitCodes
import robot_dynamics
from robot_dynamics._share import share_path
from ros_domain import reserved_domain_id
from scenario_description import parameter_file, Scenario
from scenario_observer import Observer

ROOT = Path(robot_dynamics.__file__).resolve().parents[1]
LAUNCH_FILES = share_path('launch')
NODES = ('dynamics_node', 'reference_node', 'simulator_node')

# One domain for all launches of this process, which come one after another.
_kept = contextlib.ExitStack()
atexit.register(_kept.close)
DOMAIN_ID = _kept.enter_context(reserved_domain_id())
FOLDER = Path(_kept.enter_context(tempfile.TemporaryDirectory()))


def install_for_launch() -> None:
    """
    Let `Node(package='robot_dynamics', ...)` find the nodes.

    After colcon build they lie in lib/robot_dynamics of a prefix that the ament index knows. An
    installation by pip has no such place: make one, for this process and its children.
    """
    try:
        if (Path(get_package_prefix('robot_dynamics')) / 'lib' / 'robot_dynamics').is_dir():
            return
    except (PackageNotFoundError, OSError):  # OSError: no AMENT_PREFIX_PATH at all
        pass
    prefix = FOLDER / 'prefix'
    index = prefix / 'share' / 'ament_index' / 'resource_index' / 'packages'
    library = prefix / 'lib' / 'robot_dynamics'
    for folder in (index, library):
        folder.mkdir(parents=True)
    (index / 'robot_dynamics').touch()
    for name in NODES:
        script = library / name
        script.write_text(
            f'#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\n'
            f'from robot_dynamics.nodes.{name} import main\nsys.exit(main())\n'
        )
        script.chmod(0o755)
    paths = [str(prefix), os.environ.get('AMENT_PREFIX_PATH', '')]
    os.environ['AMENT_PREFIX_PATH'] = os.pathsep.join(filter(None, paths))


def describe(scenario: Scenario) -> LaunchDescription:
    """Return a launch description that starts all runs of `scenario`, each in a namespace."""
    install_for_launch()
    groups = []
    for namespace, run in scenario.runs.items():
        folder = FOLDER / scenario.name / namespace
        folder.mkdir(parents=True, exist_ok=True)
        arguments = {
            **run.arguments,
            'namespace': namespace,
            'params_file': str(parameter_file(run, folder)),
        }
        include = IncludeLaunchDescription(
            str(LAUNCH_FILES / 'simulation.launch.py'), launch_arguments=arguments.items()
        )
        # Scoped: an argument of one run must not become the default of the next.
        groups.append(GroupAction([include], scoped=True))
    return LaunchDescription(
        [
            SetEnvironmentVariable('ROS_DOMAIN_ID', str(DOMAIN_ID)),
            *groups,
            TimerAction(period=0.0, actions=[ReadyToTest()]),
        ]
    )


class ScenarioCase(unittest.TestCase):
    """What every launch test does while its nodes run."""

    def check(self, scenario: Scenario) -> None:
        """Let the scenario look at its nodes."""
        if scenario.missing():
            self.skipTest(scenario.missing())
        with Observer(scenario.runs, DOMAIN_ID) as observer:
            scenario.check(observer)


class EndCase(unittest.TestCase):
    """What every launch test looks at when its nodes have ended by Ctrl-C."""

    def check_end(self, proc_info, proc_output) -> None:
        """Require exit code 0 of all nodes, and no traceback."""
        assertExitCodes(proc_info)
        for process in proc_output.processes():
            for line in proc_output[process]:
                self.assertNotIn(b'Traceback', line.text)
