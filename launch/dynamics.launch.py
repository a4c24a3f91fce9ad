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

"""Start the dynamics node beside a driver that publishes joint states and takes efforts."""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

MODES = ['gravity_compensation', 'feedforward', 'computed_torque', 'pd', 'pd_gravity']
FORMATS = ['float64_multi_array', 'joint_state']

ARGUMENTS = [
    DeclareLaunchArgument(
        'robot',
        default_value='',
        description='URDF, xacro or YAML file, or a shipped robot; empty: the topic'
        ' robot_description',
    ),
    DeclareLaunchArgument(
        'overlay',
        default_value='',
        description='YAML file with what a URDF cannot say (friction, motors)',
    ),
    DeclareLaunchArgument(
        'mode',
        default_value='',
        choices=['', *MODES],
        description='control law; empty: as in params_file, else gravity_compensation',
    ),
    DeclareLaunchArgument(
        'params_file',
        default_value='',
        description='ROS parameter file for all nodes; arguments given here override it',
    ),
    DeclareLaunchArgument(
        'namespace', default_value='', description='namespace of all nodes and relative topics'
    ),
    DeclareLaunchArgument(
        'command_topic',
        default_value='~/effort_command',
        description='where the driver listens for efforts',
    ),
    DeclareLaunchArgument(
        'command_format',
        default_value='',
        choices=['', *FORMATS],
        description='message type of the efforts; empty: as in params_file, else'
        ' float64_multi_array',
    ),
    DeclareLaunchArgument(
        'joint_states_topic',
        default_value='joint_states',
        description='where the driver publishes the joint states',
    ),
    DeclareLaunchArgument(
        'description_topic',
        default_value='robot_description',
        description='where the URDF is published, read when robot is empty',
    ),
    DeclareLaunchArgument(
        'use_sim_time',
        default_value='',
        choices=['', 'true', 'false'],
        description='stamps from /clock; safety always goes by the steady clock',
    ),
]


def launch_setup(context):
    """Return the node, with a parameter for each argument that is not empty."""

    def text(name):
        return LaunchConfiguration(name).perform(context)

    parameters = {}
    # Texts keep their type: without it a colon in a URDF comment is read as YAML.
    for name, value_type in (
        ('robot', str),
        ('overlay', str),
        ('mode', str),
        ('command_format', str),
        ('use_sim_time', bool),
    ):
        if text(name):
            parameters[name] = ParameterValue(LaunchConfiguration(name), value_type=value_type)
    return [
        Node(
            package='robot_dynamics',
            executable='dynamics_node',
            name='dynamics',
            namespace=text('namespace'),
            output='screen',
            parameters=[*([text('params_file')] if text('params_file') else []), parameters],
            remappings=[
                ('~/effort_command', text('command_topic')),
                ('joint_states', text('joint_states_topic')),
                ('robot_description', text('description_topic')),
            ],
        )
    ]


def generate_launch_description():
    """Return the arguments and the dynamics node."""
    return LaunchDescription([*ARGUMENTS, OpaqueFunction(function=launch_setup)])
