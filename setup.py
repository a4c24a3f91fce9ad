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

from pathlib import Path

from setuptools import find_packages, setup

package_name = 'robot_dynamics'


def files_below(folder, pattern='*'):
    """List (install folder, files) for every folder at or below one, keeping the tree."""
    found = {}
    for path in sorted(Path(folder).rglob(pattern)):
        if path.is_file() and '__pycache__' not in path.parts:
            found.setdefault(f'share/{package_name}/{path.parent}', []).append(str(path))
    return list(found.items())


# Real ROS 2 builds as wheels, for a machine without a ROS distribution.
ros = [
    'ros-kilted-diagnostic-msgs',
    'ros-kilted-geometry-msgs',
    'ros-kilted-lifecycle-msgs',
    'ros-kilted-rclpy',
    # Named although nothing imports it: without it rclpy finds no middleware.
    'ros-kilted-rmw-fastrtps-cpp',
    'ros-kilted-sensor-msgs',
    'ros-kilted-std-msgs',
    'ros-kilted-std-srvs',
    'ros-kilted-trajectory-msgs',
]
# The same of the older distribution; both install the same modules, so never into one place.
jazzy = [name.replace('-kilted-', '-jazzy-') for name in ros]
# Compiles the dynamics; without it Pinocchio and NumPy compute everything.
fast = ['numba']
mujoco = ['mujoco']
symbolic = ['sympy']
test = [
    *fast,
    *mujoco,
    *symbolic,
    'example-robot-data',
    'hypothesis',
    # The pytest plug-in of launch_testing uses a hook argument that pytest 9 refuses.
    'pytest<8.4',
    'pytest-rerunfailures',
    'pytest-timeout',
    'pytest-xdist',
    # The linters, with the plug-ins of ament_flake8 and ament_pep257.
    'flake8',
    'flake8-blind-except',
    'flake8-builtins',
    'flake8-class-newline',
    'flake8-comprehensions',
    'flake8-deprecated',
    'flake8-docstrings',
    'flake8-import-order',
    'flake8-quotes',
    'mypy',
    'pydocstyle',
    # Another version may lay out code in another way.
    'ruff==0.17.*',
]

setup(
    name=package_name,
    version='0.1.0',
    packages=find_packages(exclude=['test']),
    package_data={package_name: ['py.typed']},
    data_files=[
        ('share/ament_index/resource_index/packages', [f'resource/{package_name}']),
        (f'share/{package_name}', ['package.xml']),
        *files_below('launch', '*.launch.py'),
        *files_below('config'),
    ],
    python_requires='>=3.10',
    install_requires=[
        'defusedxml',
        'matplotlib',
        'numpy',
        'pin',
        'pyyaml',
        'rich',
        'scipy',
        'xacro',
    ],
    extras_require={
        'ros': ros,
        'jazzy': jazzy,
        'fast': fast,
        'mujoco': mujoco,
        'symbolic': symbolic,
        'test': test,
    },
    zip_safe=False,
    author='The robot_dynamics authors',
    author_email='robot-dynamics@example.org',
    maintainer='The robot_dynamics authors',
    maintainer_email='robot-dynamics@example.org',
    description=(
        'From a robot description and measured joint states to joint effort commands: '
        'gravity compensation, feedforward and computed torque.'
    ),
    license='Apache-2.0',
    entry_points={
        'console_scripts': [
            'robot_dynamics = robot_dynamics.cli.main:main',
            'dynamics_node = robot_dynamics.nodes.dynamics_node:main',
            'reference_node = robot_dynamics.nodes.reference_node:main',
            'simulator_node = robot_dynamics.nodes.simulator_node:main',
        ],
    },
)
