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

"""Inverse dynamics of Drake: set the state, call once."""

from importlib.metadata import version
import sys

from calls import load_states, serve
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import MultibodyForces

plant = MultibodyPlant(0.0)
(instance,) = Parser(plant).AddModels(sys.argv[1])
root = plant.get_body(plant.GetBodyIndices(instance)[0])
plant.WeldFrames(plant.world_frame(), root.body_frame())
plant.Finalize()
context = plant.CreateDefaultContext()
forces = MultibodyForces(plant)


def run(rows):
    """Compute the efforts of all rows."""
    for q, v, a in rows:
        plant.SetPositions(context, q)
        plant.SetVelocities(context, v)
        plant.CalcInverseDynamics(context, a, forces)


serve(version('drake'), run, load_states())
