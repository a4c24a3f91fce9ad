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

"""Inertia formulas against exact integrals."""

import golden
import numpy as np
import pytest
from robot_dynamics.model.inertia import (
    about_point,
    cuboid,
    principal_moments,
    rotated,
    triangle_violation,
)

DATA = golden.load('inertia')


@pytest.mark.parametrize('case', golden.entries(DATA, 'special', 'random'))
def test_cuboid_parallel_axis_rotation_and_principal_moments(case):
    mass = case['mass']
    about_com = cuboid(mass, tuple(case['size_lwh']))
    golden.assert_close(about_com, case['I_com'], 1e-13)
    corner = about_point(about_com, mass, np.array(case['com_in_corner_frame']))
    golden.assert_close(corner, case['I_corner'], 1e-13)
    golden.assert_close(principal_moments(corner), case['principal_moments_corner'], 1e-12)
    golden.assert_close(principal_moments(about_com), case['principal_moments_com'], 1e-12)
    turned = rotated(about_com, np.array(case['rotation_R_AC']))
    golden.assert_close(turned, case['I_com_in_A_axes'], 1e-13)
    golden.assert_close(
        about_point(turned, mass, np.array(case['com_in_A'])), case['I_about_A_origin'], 1e-13
    )


def test_triangle_violation_is_an_amount():
    assert triangle_violation(np.diag([0.066, 0.086, 0.0125])) == pytest.approx(0.0075)
    assert triangle_violation(cuboid(2.0, (1.0, 2.0, 3.0))) < 0.0
