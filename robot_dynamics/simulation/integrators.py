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

"""Single steps of M(q) a = tau - h(q, v) - friction in time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Acceleration = Callable[[Array, Array], Array]


def rk4_step(acceleration: Acceleration, q: Array, v: Array, h: float) -> tuple[Array, Array]:
    """
    Take one step of the classical Runge-Kutta method of fourth order.

    Stable for friction as long as h times its rate (slope over inertia) is below 2.78.

    Parameters
    ----------
    acceleration : callable
        a(q, v), friction included.
    q, v : numpy.ndarray, shape (nv,)
        State.
    h : float
        Step [s].

    Returns
    -------
    tuple of numpy.ndarray
        The next q and v.

    """
    half = 0.5 * h
    a1 = acceleration(q, v)
    v2 = v + half * a1
    a2 = acceleration(q + half * v, v2)
    v3 = v + half * a2
    a3 = acceleration(q + half * v2, v3)
    v4 = v + h * a3
    a4 = acceleration(q + h * v3, v4)
    sixth = h / 6.0
    return q + sixth * (v + 2.0 * (v2 + v3) + v4), v + sixth * (a1 + 2.0 * (a2 + a3) + a4)


def semi_implicit_step(
    acceleration: Acceleration,
    mass_matrix: Array,
    chord: Array,
    q: Array,
    v: Array,
    h: float,
) -> tuple[Array, Array]:
    """
    Take one step of the symplectic Euler method with friction implicit.

    Friction is taken as chord * v_next, which can bring a joint to rest but
    never past it, so that no step length makes it chatter; the velocity under
    a constant load is the true one. First order in h.

    Parameters
    ----------
    acceleration : callable
        a(q, v) without friction.
    mass_matrix : numpy.ndarray, shape (nv, nv)
        M(q).
    chord : numpy.ndarray, shape (nv,)
        Friction effort over velocity at ``v``; zeros without friction.
    q, v : numpy.ndarray, shape (nv,)
        State.
    h : float
        Step [s].

    Returns
    -------
    tuple of numpy.ndarray
        The next q and v.

    """
    free = v + h * acceleration(q, v)
    v_next = np.asarray(np.linalg.solve(mass_matrix + np.diag(h * chord), mass_matrix @ free))
    return q + h * v_next, v_next
