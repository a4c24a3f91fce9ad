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


"""Sine and cosine of many angles at once, in a loop that a compiler can vectorise."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

LARGEST = 1.0e5  # [rad] the three parts of pi/2 are exact up to there

# pi/2 in three parts; the first two have 33 bits, so that few multiples of them are exact
# (Cody and Waite, Software Manual for the Elementary Functions)
_TURNS = 2.0 / math.pi
_HIGH, _MIDDLE, _LOW = 1.5707963267341256e00, 6.0771005063039660e-11, 2.0222662487959506e-21
# minimax polynomials on [-pi/4, pi/4] of FreeBSD's msun, k_sin.c and k_cos.c
_S1, _S2, _S3 = (
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
)
_S4, _S5, _S6 = 2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10
_C1, _C2, _C3 = 4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05
_C4, _C5, _C6 = (
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
)


def sines(work: Any, n: int) -> None:
    """
    Replace angles by their sines and cosines, to 2e-16.

    Parameters
    ----------
    work : numpy.ndarray, shape (2 n,)
        First n angles [rad]; afterwards n sines, then n cosines. NaN gives NaN.
    n : int
        How many.

    """
    small = True
    for i in range(n):
        small &= abs(work[i]) < LARGEST
    if not small:
        for i in range(n):
            # math.sin would raise for an infinite angle
            angle = work[i]
            work[i], work[n + i] = np.sin(angle), np.cos(angle)
        return
    for i in range(n):
        angle = work[i]
        quarter = np.rint(angle * _TURNS)
        x = ((angle - quarter * _HIGH) - quarter * _MIDDLE) - quarter * _LOW
        z = x * x
        sine = x + x * z * (_S1 + z * (_S2 + z * (_S3 + z * (_S4 + z * (_S5 + z * _S6)))))
        cosine = 1.0 - (
            0.5 * z - z * z * (_C1 + z * (_C2 + z * (_C3 + z * (_C4 + z * (_C5 + z * _C6)))))
        )
        quadrant = quarter - 4.0 * np.floor(0.25 * quarter)
        odd = quadrant == 1.0 or quadrant == 3.0
        sine, cosine = (cosine, sine) if odd else (sine, cosine)
        work[i] = -sine if quadrant >= 2.0 else sine
        work[n + i] = -cosine if quadrant == 1.0 or quadrant == 2.0 else cosine
