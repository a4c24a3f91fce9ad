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

"""What a recorded motion says about the bodies of a robot: no ROS in this room."""

from robot_dynamics.identification.identify import body_links, identify
from robot_dynamics.identification.pseudo_inertia import is_possible, pseudo_inertia
from robot_dynamics.identification.recording import MeasuredMotion, read_recording
from robot_dynamics.identification.result import BaseParameter, Identification, PredictionError
from robot_dynamics.identification.stacking import predict_effort

__all__ = [
    'BaseParameter',
    'body_links',
    'Identification',
    'identify',
    'is_possible',
    'MeasuredMotion',
    'predict_effort',
    'PredictionError',
    'pseudo_inertia',
    'read_recording',
]
