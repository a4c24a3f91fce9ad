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

"""dynamics.launch.py beside a driver: remapped topics, and texts with colons in them."""

import unittest

import pytest

REASON = (
    'needs launch, launch_ros and launch_testing: install ros-$ROS_DISTRO-launch-testing-ros'
    ' and source ROS 2'
)
for module in ('rclpy', 'launch_ros', 'launch_testing'):
    pytest.importorskip(module, reason=REASON)

from launch import LaunchContext, LaunchDescription  # noqa: E402, I100
from launch.actions import (  # noqa: E402
    IncludeLaunchDescription,
    SetEnvironmentVariable,
    TimerAction,  # noqa: E402
)
from launch.launch_description_sources import PythonLaunchDescriptionSource  # noqa: E402
import launch_testing  # noqa: E402
from launch_testing.actions import ReadyToTest  # noqa: E402
import numpy as np  # noqa: E402
from rclpy.qos import DurabilityPolicy, QoSProfile  # noqa: E402
from robot_dynamics.model import find_robot, load_robot  # noqa: E402
from ros_harness import Client, FakeDriver  # noqa: E402
from scenario_launches import (  # noqa: E402
    DOMAIN_ID,
    EndCase,
    FOLDER,
    install_for_launch,
    LAUNCH_FILES,  # noqa: E402
)
from sensor_msgs.msg import JointState  # noqa: E402
from std_msgs.msg import String  # noqa: E402

POSITION = [0.3, -0.5]  # [rad]
URDF = find_robot('arm_2r.urdf').read_text().replace('<link', '<!-- arm: left, {x: 1} -->\n<link')


def urdf_file():
    """Write the URDF where the path has a colon, too; return the path."""
    path = FOLDER / 'arm: left' / 'arm.urdf'
    path.parent.mkdir(exist_ok=True)
    path.write_text(URDF)
    return path


@pytest.mark.launch_test
@launch_testing.parametrize('source', ['file', 'topic'])
def generate_test_description(source):
    """Return dynamics.launch.py with most of its arguments in use."""
    install_for_launch()
    arguments = {
        'robot': str(urdf_file()) if source == 'file' else '',
        'namespace': 'left',
        'mode': 'gravity_compensation',
        'command_topic': '/driver/efforts',
        'command_format': 'joint_state',
        'joint_states_topic': '/joint_states',
    }
    return LaunchDescription(
        [
            SetEnvironmentVariable('ROS_DOMAIN_ID', str(DOMAIN_ID)),
            IncludeLaunchDescription(
                str(LAUNCH_FILES / 'dynamics.launch.py'), launch_arguments=arguments.items()
            ),
            TimerAction(period=0.0, actions=[ReadyToTest()]),
        ]
    )


class TestBesideDriver(unittest.TestCase):
    """While the node runs."""

    def test_efforts_arrive_at_the_driver(self, source):
        """Publish what a driver publishes; hear the gravity effort where it listens."""
        model = load_robot(URDF)
        with Client(domain_id=DOMAIN_ID) as client:
            latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
            if source == 'topic':
                publisher = client.node.create_publisher(
                    String, '/left/robot_description', latched
                )
                publisher.publish(String(data=URDF))
            heard = client.subscribe(JointState, '/driver/efforts')
            expected = model.gravity(np.array(POSITION))

            def settled():
                return bool(heard) and np.allclose(heard[-1][1].effort, expected, atol=1e-9)

            with FakeDriver(client, model.joint_names, POSITION):
                client.wait_until(settled, 'gravity effort')
        self.assertEqual(list(heard[-1][1].name), list(model.joint_names))


class TestArguments(unittest.TestCase):
    """What `ros2 launch --show-args` has to show."""

    def test_every_argument_is_described(self):
        """Read both launch files."""
        wanted = {
            'dynamics': {'robot', 'mode', 'params_file', 'command_topic', 'namespace'},
            'simulation': {
                'robot',
                'mode',
                'plant',
                'reference',
                'start_position',
                'mass_scale',
                'params_file',
                'namespace',
            },
        }
        for name, names in wanted.items():
            path = LAUNCH_FILES / f'{name}.launch.py'
            description = PythonLaunchDescriptionSource(str(path)).get_launch_description(
                LaunchContext()
            )
            arguments = {
                argument.name: argument for argument in description.get_launch_arguments()
            }
            self.assertLessEqual(names, set(arguments))
            for argument in arguments.values():
                self.assertNotIn('no description', argument.description.lower())
            self.assertIn('computed_torque', arguments['mode'].choices)


@launch_testing.post_shutdown_test()
class TestEnd(EndCase):
    """After Ctrl-C."""

    def test_clean_end(self, proc_info, proc_output):
        """Look at exit codes and output."""
        self.check_end(proc_info, proc_output)
