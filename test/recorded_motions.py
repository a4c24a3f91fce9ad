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

"""Recordings for the tests of identification: those of the cases, and made ones."""

from dataclasses import replace

import golden
import numpy as np
from robot_dynamics.identification import MeasuredMotion, read_recording
from robot_dynamics.identification.stacking import body_prior

RANK_CASE = golden.DATA / 'cases' / '49_rank_deficient'
SIGN_CASE = golden.DATA / 'cases' / '50_physically_inconsistent'
BASE_VALUES = np.array([1.0, 0.0, 0.42, 0.2, 0.0, 0.055])  # [kg m], [kg m^2], from arm.urdf


def recorded(arm, name, case=RANK_CASE):
    """Return a recording of one of the cases."""
    return read_recording(case / name, arm)


def regressor(model, motion):
    """Return the stacked regressor of the bodies, formed in the plainest way."""
    width = body_prior(model).size
    return np.vstack(
        [
            model.joint_torque_regressor(*state)[:, :width]
            for state in zip(motion.q, motion.v, motion.a)
        ]
    )


def moving(model, samples=600, seed=0, step=0.02):
    """Return a motion of all joints, each a sum of three sines, without efforts."""
    random = np.random.default_rng(seed)
    t = step * np.arange(samples)
    shape = (samples, model.nv)
    q, v, a = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for _ in range(3):
        w, phase = 2 * np.pi * random.uniform(0.1, 0.6, model.nv), random.uniform(0, 6, model.nv)
        angle = np.outer(t, w) + phase
        q, v, a = (
            q + 0.3 * np.sin(angle),
            v + 0.3 * w * np.cos(angle),
            (a - 0.3 * w**2 * np.sin(angle)),
        )
    return MeasuredMotion(
        joint_names=model.joint_names,
        q=q,
        v=v,
        a=a,
        time=t,
        tau=np.zeros((samples, model.n_commanded)),
    )


def efforts(model, motion, noise=0.0, seed=1):
    """Return the motion with the efforts of a model, noise relative to the largest."""
    tau = np.array(
        [
            model.inverse_dynamics(q, v, a) + model.friction(v)
            for q, v, a in zip(motion.q, motion.v, motion.a)
        ]
    )[:, : model.n_commanded]
    random = np.random.default_rng(seed).normal(size=tau.shape)
    return replace(motion, tau=tau + noise * np.abs(tau).max(axis=0) * random)
