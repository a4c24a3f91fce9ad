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

"""The end-to-end scenarios of the shipped arm arm_2r, started through simulation.launch.py."""

import pytest

REASON = (
    'needs launch, launch_ros and launch_testing: install ros-$ROS_DISTRO-launch-testing-ros'
    ' and source ROS 2; test_scenarios.py runs the same scenarios without them'
)
for module in ('rclpy', 'launch_ros', 'launch_testing'):
    pytest.importorskip(module, reason=REASON)

import launch_testing  # noqa: E402, I100
from scenario_launches import describe, EndCase, ScenarioCase  # noqa: E402
from scenarios import scenarios_of  # noqa: E402


@pytest.mark.slow
@pytest.mark.launch_test
@launch_testing.parametrize('scenario', scenarios_of('arm_2r'))
def generate_test_description(scenario):
    """Return the launch description of one scenario."""
    return describe(scenario)


class TestScenario(ScenarioCase):
    """While the nodes run."""

    def test_scenario(self, scenario):
        """Look at what the scenario asks for."""
        self.check(scenario)


@launch_testing.post_shutdown_test()
class TestEnd(EndCase):
    """After Ctrl-C."""

    def test_clean_end(self, proc_info, proc_output):
        """Look at exit codes and output."""
        self.check_end(proc_info, proc_output)
