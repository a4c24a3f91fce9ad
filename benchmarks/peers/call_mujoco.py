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

"""Inverse dynamics of MuJoCo: set the state, call once."""

import sys

from calls import load_states, serve
import mujoco

model = mujoco.MjModel.from_xml_path(sys.argv[1])
data = mujoco.MjData(model)


def run(rows):
    """Compute the efforts of all rows."""
    for q, v, a in rows:
        data.qpos[:] = q
        data.qvel[:] = v
        data.qacc[:] = a
        mujoco.mj_inverse(model, data)


serve(mujoco.__version__, run, load_states())
