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

"""Inverse dynamics of the Robotics Toolbox: `rne` of its DH model of the arm, written in C."""

from importlib.metadata import version

from calls import load_states, serve
import roboticstoolbox

panda = roboticstoolbox.models.DH.Panda()


def run(rows):
    """Compute the efforts of all rows."""
    for q, v, a in rows:
        panda.rne(q, v, a)


serve(version('roboticstoolbox-python'), run, load_states())
