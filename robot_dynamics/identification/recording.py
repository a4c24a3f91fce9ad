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

"""A recorded motion with its efforts, read strictly from a table."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
import csv
from dataclasses import dataclass, replace
import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.errors import StateError
from robot_dynamics.identification.columns import Columns, find_columns, QUANTITIES
from robot_dynamics.model import RobotModel
from robot_dynamics.model.strict_numbers import parse_number

Array = NDArray[np.float64]

MAX_BYTES = 1 << 28  # [B] an hour of seven joints at 100 Hz has half of it


@dataclass(frozen=True, kw_only=True, eq=False)
class MeasuredMotion:
    """
    A motion of nv joints, of which n are commanded, at k moments.

    The arrays are copied in and made read-only.

    Parameters
    ----------
    joint_names : tuple of str
        All joints, commanded ones first, as the model has them.
    q, v, a : numpy.ndarray, shape (k, nv)
        Position, velocity, acceleration [rad or m, per s, per s^2].
    tau : numpy.ndarray, shape (k, n)
        Effort of the commanded joints, at the joint [N m or N].
    time : numpy.ndarray, shape (k,), or None
        Rising [s]; only used to see whether v and a are the rates of q and v.
    where : str
        Source, for messages.
    notes : tuple of str
        How the source was understood.

    Raises
    ------
    StateError
        When shapes differ, a value is not finite, or the time does not rise.

    """

    joint_names: tuple[str, ...]
    q: Array
    v: Array
    a: Array
    tau: Array
    time: Array | None = None
    where: str = 'recording'
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Copy the arrays in and check them."""
        k, nv = np.shape(self.tau)[0] if np.ndim(self.tau) == 2 else 0, len(self.joint_names)
        for name in QUANTITIES:
            values = np.array(getattr(self, name), dtype=np.float64)
            width = values.shape[1] if name == 'tau' and values.ndim == 2 else nv
            if values.shape != (k, width) or not 0 < width <= nv:
                raise StateError(
                    f'{QUANTITIES[name]} has shape {values.shape}',
                    where=self.where,
                    expected=f'a row for each sample, for {", ".join(self.joint_names)}',
                )
            self._keep_finite(name, values)
        if self.time is not None:
            time = np.array(self.time, dtype=np.float64)
            if time.shape != (k,):
                raise StateError(
                    f'time has shape {time.shape}', where=self.where, expected=f'({k},)'
                )
            rises = np.diff(time) > 0.0
            if not np.isfinite(time).all() or not rises.all():
                sample = (
                    int(np.argmin(rises)) + 2
                    if np.isfinite(time).all()
                    else int(np.argmin(np.isfinite(time))) + 1
                )
                raise StateError(
                    f'the time of sample {sample} is {time[sample - 1]:g}',
                    where=self.where,
                    expected='finite times that rise',
                    remedy='leave out what was recorded twice',
                )
            time.setflags(write=False)
            object.__setattr__(self, 'time', time)

    def _keep_finite(self, name: str, values: Array) -> None:
        finite = np.isfinite(values)
        if not finite.all():
            sample, joint = np.unravel_index(int(np.argmin(finite)), values.shape)
            raise StateError(
                f"the {QUANTITIES[name]} of joint '{self.joint_names[joint]}' in sample "
                f'{sample + 1} is {values[sample, joint]}',
                where=self.where,
                expected='a finite number',
            )
        values.setflags(write=False)
        object.__setattr__(self, name, values)

    def __len__(self) -> int:
        """Return the number of samples, k."""
        return int(self.tau.shape[0])

    def part(self, chosen: NDArray[np.bool_]) -> MeasuredMotion:
        """Return the samples where ``chosen`` (k,) is true."""
        return replace(
            self,
            q=self.q[chosen],
            v=self.v[chosen],
            a=self.a[chosen],
            tau=self.tau[chosen],
            time=None if self.time is None else self.time[chosen],
        )


def read_recording(source: str | os.PathLike[str], model: RobotModel) -> MeasuredMotion:
    """
    Read a recording from a CSV file.

    The first row has the headings (see ``find_columns``), each other row one
    sample in SI units with decimal points. Efforts are those at the joint.

    Parameters
    ----------
    source : str or path
        The file, UTF-8, at most ``MAX_BYTES``.
    model : RobotModel
        Names and order of the joints.

    Returns
    -------
    MeasuredMotion

    Raises
    ------
    StateError
        When the file cannot be read, a column is missing, or a cell is no
        finite number; row and column are named.

    """
    where = Path(source).name
    try:
        size = os.stat(source).st_size
        if size > MAX_BYTES:
            raise StateError(
                f'has {size} bytes',
                where=where,
                expected=f'at most {MAX_BYTES}',
                remedy='keep every tenth sample',
            )
        with open(source, encoding='utf-8-sig', newline='') as file:
            return _read(csv.reader(file, strict=True), model, where)
    except OSError as error:
        raise StateError(
            f'cannot be read ({error.strerror})',
            where=str(source),
            expected='a CSV file',
            remedy='check the path',
        ) from error
    except UnicodeDecodeError as error:
        raise StateError('is no UTF-8 text', where=where, expected='a CSV file') from error
    except csv.Error as error:
        raise StateError(f'is no table ({error})', where=where, expected='a CSV file') from error


def _read(rows: Iterator[list[str]], model: RobotModel, where: str) -> MeasuredMotion:
    header = next(rows, [])
    if not any(heading.strip() for heading in header):
        raise StateError(
            'has no headings',
            where=where,
            expected='a first row such as t,q_elbow,v_elbow,a_elbow,tau_elbow',
        )
    if len(header) == 1 and (';' in header[0] or '\t' in header[0]):
        raise StateError(
            'is separated by semicolons or tabs',
            where=where,
            expected='commas between columns and decimal points',
        )
    columns = find_columns(header, model.joints, model.n_commanded, where)
    wanted = [column for group in columns.index.values() for column in group]
    if columns.time is not None:
        wanted.append(columns.time)
    cells = array('d')
    for number, row in enumerate(rows, start=2):
        if not row:
            continue
        if len(row) != len(header):
            raise StateError(
                f'row {number} has {len(row)} columns',
                where=where,
                expected=f'{len(header)}, as in the first row',
            )
        cells.extend(_numbers(row, header, wanted, number, where))
    table = np.array(cells).reshape(-1, len(wanted))
    if not len(table):
        raise StateError('has no samples', where=where, expected='a row for each sample')
    return _motion(table, columns, model, where)


def _numbers(
    row: list[str], header: list[str], wanted: list[int], number: int, where: str
) -> list[float]:
    """Read the wanted cells of one row."""
    values = []
    for column in wanted:
        try:
            values.append(parse_number(row[column]))
        except ValueError as error:
            raise StateError(
                f"'{row[column][:40]}' in row {number}, column '{header[column].strip()}' is "
                f'{error}',
                where=where,
                expected='a finite number',
                remedy='leave out the rows that were not measured',
            ) from error
    return values


def _motion(table: Array, columns: Columns, model: RobotModel, where: str) -> MeasuredMotion:
    notes = []
    if columns.numbered:
        names = ', '.join(
            f'{number} = {name}' for number, name in enumerate(model.joint_names, start=1)
        )
        notes.append(f'The columns have joint numbers, taken in joint order: {names}.')
    if columns.unused:
        notes.append(
            'Columns not used: ' + ', '.join(heading.strip() for heading in columns.unused) + '.'
        )
    # the columns stand in the order in which they were asked for
    ends = np.cumsum([len(group) for group in columns.index.values()])
    groups = dict(zip(columns.index, np.split(table, ends, axis=1)))
    return MeasuredMotion(
        joint_names=model.joint_names,
        **groups,
        where=where,
        notes=tuple(notes),
        time=None if columns.time is None else table[:, -1],
    )
