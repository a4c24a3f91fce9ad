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

"""Start a simulated arm, the dynamics node and a reference for it."""

from pathlib import Path

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

# Parameters that are set only by an argument that is not empty, with their types. Vectors are
# texts, which the nodes read strictly: launch itself would read them as YAML.
SIMULATOR = {
    'robot': str,
    'overlay': str,
    'plant': str,
    'command_format': str,
    'start_position': str,
    'seed': int,
    'mass_scale': float,
    'inertia_scale': float,
    'plant_friction': bool,
    'publish_rate': float,
}
REFERENCE = {
    'robot': str,
    'overlay': str,
    'center': str,
    'amplitude': str,
    'angular_frequency': str,
    'goal': str,
    'duration': float,
    'trajectory_file': str,
    'repeat': bool,
}

ARGUMENTS = [
    DeclareLaunchArgument(
        'robot',
        default_value='rp_arm',
        description='shipped robot (rp_arm, arm_2r, puma560, ...) or URDF, xacro or YAML file',
    ),
    DeclareLaunchArgument(
        'mode',
        default_value='computed_torque',
        choices=['gravity_compensation', 'feedforward', 'computed_torque', 'pd', 'pd_gravity'],
        description='control law',
    ),
    DeclareLaunchArgument(
        'plant',
        default_value='pinocchio',
        choices=['pinocchio', 'mujoco'],
        description='physics of the simulated arm',
    ),
    DeclareLaunchArgument(
        'start_position',
        default_value='',
        description='random, or numbers by joint order such as "0.3, -0.5" [rad, m]; empty: as in'
        ' params_file, else zero or the middle of limits that exclude it',
    ),
    DeclareLaunchArgument('seed', default_value='', description='seed of random numbers'),
    DeclareLaunchArgument(
        'mass_scale', default_value='', description='factor on all masses of the simulated arm'
    ),
    DeclareLaunchArgument(
        'inertia_scale',
        default_value='',
        description='factor on all inertias of the simulated arm',
    ),
    DeclareLaunchArgument(
        'plant_friction',
        default_value='',
        choices=['', 'true', 'false'],
        description='whether the simulated arm has the friction of its description',
    ),
    DeclareLaunchArgument(
        'publish_rate', default_value='', description='joint states a second [Hz]'
    ),
    DeclareLaunchArgument(
        'reference',
        default_value='sine',
        choices=['none', 'sine', 'rest_to_rest', 'file'],
        description='trajectory to send',
    ),
    DeclareLaunchArgument(
        'center',
        default_value='',
        description='middle of the sine, numbers by joint order [rad, m]; empty: where the arm is',
    ),
    DeclareLaunchArgument(
        'amplitude',
        default_value='',
        description='amplitude of the sine, one number or by joint order [rad, m]',
    ),
    DeclareLaunchArgument(
        'angular_frequency',
        default_value='',
        description='of the sine, one number or by joint order [rad/s]',
    ),
    DeclareLaunchArgument(
        'goal',
        default_value='',
        description='end of rest_to_rest, numbers by joint order [rad, m]',
    ),
    DeclareLaunchArgument(
        'duration', default_value='', description='length of the trajectory [s]'
    ),
    DeclareLaunchArgument(
        'trajectory_file',
        default_value='',
        description='YAML file with joint_names and points, for reference:=file',
    ),
    DeclareLaunchArgument(
        'repeat',
        default_value='',
        choices=['', 'true', 'false'],
        description='send the trajectory again and again',
    ),
]


def launch_setup(context):
    """Return the simulator and the reference node."""

    def text(name):
        return LaunchConfiguration(name).perform(context)

    def node(name, types, remappings, more=None):
        remappings = [
            *remappings,
            ('joint_states', text('joint_states_topic')),
            ('robot_description', text('description_topic')),
        ]
        parameters = {
            key: ParameterValue(LaunchConfiguration(key), value_type=value_type)
            for key, value_type in types.items()
            if text(key)
        }
        file = [text('params_file')] if text('params_file') else []
        return Node(
            package='robot_dynamics',
            executable=f'{name}_node',
            name=name,
            namespace=text('namespace'),
            output='screen',
            parameters=[*file, {**parameters, **(more or {})}],
            remappings=remappings,
        )

    # Private names are those of the node that they are written for.
    efforts = text('command_topic').replace('~/', 'dynamics/')
    nodes = [node('simulator', SIMULATOR, [('effort_command', efforts)])]
    if text('reference') != 'none':
        kind = ParameterValue(LaunchConfiguration('reference'), value_type=str)
        nodes.append(
            node(
                'reference',
                REFERENCE,
                [('joint_trajectory', 'dynamics/joint_trajectory')],
                {'kind': kind},
            )
        )
    return nodes


def generate_launch_description():
    """Return the arguments, the dynamics node and the two others."""
    # A plain path, so that --show-args lists the arguments of that file, too.
    dynamics = IncludeLaunchDescription(str(Path(__file__).with_name('dynamics.launch.py')))
    return LaunchDescription([*ARGUMENTS, dynamics, OpaqueFunction(function=launch_setup)])
