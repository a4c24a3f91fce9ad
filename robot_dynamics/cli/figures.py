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

"""Pictures of recordings, drawn without a display and without global state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
import os

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
import numpy as np
from numpy.typing import NDArray
from robot_dynamics.cli.recording import Recording

Array = NDArray[np.float64]

# One colour for each meaning, the same in all pictures; told apart in grey and by colour-blind
# readers (palette of Okabe and Ito).
REFERENCE_COLOR = '#1a1a1a'
JOINT_COLORS = ('#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00')
TERM_COLORS = {
    'gravity': '#009e73',
    'inertia': '#e69f00',
    'coriolis': '#cc79a7',
    'friction': '#8c6d31',
    'feedback': '#56b4e9',
    'command': '#1a1a1a',
}
PHASE_COLORS = ('#eef3f8', '#ffffff')
GRID_COLOR = '#d9dee3'
_NOTE_COLOR = '#3b4754'

_STYLE = {'label': 10.5, 'tick': 9.5, 'legend': 9.5, 'note': 8.5, 'heading': 13.0}  # [pt]
_RESOLUTION = 110  # [dots per inch]


def comparison_figure(
    recordings: Sequence[Recording],
    title: str,
    notes: Sequence[Mapping[str, Array]] | None = None,
) -> Figure:
    """
    Draw several runs side by side, one column for each.

    Parameters
    ----------
    recordings : sequence of Recording
        Runs of robots with few joints, such as the two arms of the demo.
    title : str
        Heading of the whole picture.
    notes : sequence of mapping, optional
        For each run, RMS errors (n,) [rad or m] by the label of a phase; they are
        written beside the curves of the error.

    Returns
    -------
    matplotlib.figure.Figure
        For each joint position with reference; the errors; for each joint the
        terms of the effort.

    """
    joints = max(len(recording.joint_names) for recording in recordings)
    rows = 2 * joints + 1
    figure = Figure(
        figsize=(6.8 * len(recordings), 2.15 * rows + 0.9), layout='constrained', dpi=_RESOLUTION
    )
    figure.suptitle(title, fontsize=_STYLE['heading'], fontweight='bold')
    grid = figure.subplots(rows, len(recordings), squeeze=False, sharex='col')
    for column, recording in enumerate(recordings):
        for row in range(rows):
            _dress(grid[row, column], recording)
        for joint in range(joints):
            for row, draw in ((joint, draw_position), (joints + 1 + joint, draw_terms)):
                if joint < len(recording.joint_names):
                    draw(grid[row, column], recording, joint)
                else:
                    grid[row, column].set_visible(False)
        draw_errors(grid[joints, column], recording)
        _note_errors(grid[joints, column], recording, notes[column] if notes else {})
        _name_phases(grid[0, column], recording)
        grid[0, column].set_title(recording.title, fontsize=_STYLE['heading'], pad=22.0)
        grid[-1, column].set_xlabel('time [s]', fontsize=_STYLE['label'])
    figure.align_ylabels(grid)
    return figure


def joint_figure(recording: Recording) -> Figure:
    """
    Draw one run of a robot with any number of joints, one row for each joint.

    Parameters
    ----------
    recording : Recording
        The run.

    Returns
    -------
    matplotlib.figure.Figure
        Columns: position with reference, error, terms of the effort.

    """
    joints = len(recording.joint_names)
    figure = Figure(figsize=(17.0, 2.4 * joints + 1.0), layout='constrained', dpi=_RESOLUTION)
    figure.suptitle(recording.title, fontsize=_STYLE['heading'], fontweight='bold')
    grid = figure.subplots(
        joints, 3, squeeze=False, sharex=True, gridspec_kw={'width_ratios': (1.0, 1.0, 1.3)}
    )
    for joint in range(joints):
        for axes in grid[joint]:
            _dress(axes, recording)
        draw_position(grid[joint, 0], recording, joint)
        draw_errors(grid[joint, 1], recording, (joint,))
        draw_terms(grid[joint, 2], recording, joint)
    figure.align_ylabels(grid)
    for axes in grid[-1]:
        axes.set_xlabel('time [s]', fontsize=_STYLE['label'])
    return figure


def draw_position(axes: Axes, recording: Recording, joint: int) -> None:
    """Draw the position of a joint and its reference."""
    name, unit = recording.joint_names[joint], recording.units[joint]
    axes.plot(
        recording.time,
        recording.position[:, joint],
        color=_joint_color(joint),
        linewidth=2.2,
        label='position',
    )
    axes.plot(
        recording.time,
        recording.reference[:, joint],
        color=REFERENCE_COLOR,
        linewidth=1.2,
        linestyle=(0, (4, 3)),
        label='reference',
    )
    axes.set_ylabel(f'{name} [{unit}]', fontsize=_STYLE['label'])
    _widen(axes)
    _legend(axes)


def draw_errors(axes: Axes, recording: Recording, joints: Sequence[int] | None = None) -> None:
    """Draw the tracking errors of joints, all by default, in thousandths of their units."""
    chosen = range(len(recording.joint_names)) if joints is None else joints
    units = []
    for joint in chosen:
        unit = f'm{recording.units[joint]}'
        axes.plot(
            recording.time,
            1e3 * recording.error[:, joint],
            color=_joint_color(joint),
            linewidth=1.5,
            label=f'{recording.joint_names[joint]} [{unit}]',
        )
        units += [unit] if unit not in units else []
    axes.axhline(0.0, color=REFERENCE_COLOR, linewidth=0.7)
    axes.set_ylabel(f'error [{", ".join(units)}]', fontsize=_STYLE['label'])
    _widen(axes)
    _legend(axes)


def draw_terms(axes: Axes, recording: Recording, joint: int) -> None:
    """Draw the effort sent to a joint and the terms that it is made of."""
    name, unit = recording.joint_names[joint], recording.effort_units[joint]
    axes.axhline(0.0, color=REFERENCE_COLOR, linewidth=0.7)
    axes.plot(
        recording.time,
        recording.command[:, joint],
        color=TERM_COLORS['command'],
        linewidth=2.6,
        alpha=0.35,
        label='command',
    )
    for term, values in recording.terms.items():
        if np.nan_to_num(values).any():
            axes.plot(
                recording.time,
                values[:, joint],
                color=TERM_COLORS.get(term),
                linewidth=1.3,
                label=term,
            )
    axes.set_ylabel(f'{name} effort [{unit}]', fontsize=_STYLE['label'])
    _widen(axes)
    _legend(axes)


def save(figure: Figure, path: str | os.PathLike[str]) -> None:
    """
    Write a figure as PNG.

    Raises
    ------
    OSError
        When the file cannot be written.

    """
    FigureCanvasAgg(figure).print_png(os.fspath(path), metadata={'Software': 'robot_dynamics'})


def _joint_color(joint: int) -> str:
    return JOINT_COLORS[joint % len(JOINT_COLORS)]


def _dress(axes: Axes, recording: Recording) -> None:
    """Give axes the common look: phases in the background, a light grid, no frame."""
    axes.grid(color=GRID_COLOR, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=_STYLE['tick'], color=GRID_COLOR)
    axes.yaxis.set_major_locator(MaxNLocator(5))
    for side in ('top', 'right'):
        axes.spines[side].set_visible(False)
    for side in ('left', 'bottom'):
        axes.spines[side].set_color(GRID_COLOR)
    for index, phase in enumerate(recording.phases):
        axes.axvspan(phase.start, phase.end, color=PHASE_COLORS[index % 2], zorder=-2)
        if index:
            axes.axvline(phase.start, color='#9aa5b1', linewidth=0.9, zorder=-1)
    axes.set_xlim(recording.time[0], recording.time[-1])


def _name_phases(axes: Axes, recording: Recording) -> None:
    for phase in recording.phases:
        axes.annotate(
            phase.label,
            ((phase.start + phase.end) / 2.0, 1.0),
            xytext=(0.0, 4.0),
            xycoords=('data', 'axes fraction'),
            textcoords='offset points',
            ha='center',
            va='bottom',
            fontsize=_STYLE['legend'],
            color=_NOTE_COLOR,
            annotation_clip=False,
        )


def _note_errors(axes: Axes, recording: Recording, notes: Mapping[str, Array]) -> None:
    """Write the RMS errors of the phases below the curves, where room is made for them."""
    bottom, top = axes.get_ylim()
    axes.set_ylim(bottom - 0.25 * (top - bottom), top)
    for phase in recording.phases:
        if phase.label in notes:
            texts = [
                f'{value * 1e3:.3g} m{unit}'
                for value, unit in zip(notes[phase.label], recording.units)
            ]
            axes.annotate(
                'RMS ' + '\n'.join(texts),
                ((phase.start + phase.end) / 2.0, 0.0),
                xytext=(0.0, 4.0),
                xycoords=('data', 'axes fraction'),
                textcoords='offset points',
                ha='center',
                va='bottom',
                fontsize=_STYLE['note'],
                color=_NOTE_COLOR,
            )


def _widen(axes: Axes) -> None:
    """Leave room above the curves, so that the legend covers none of them."""
    bottom, top = axes.dataLim.y0, axes.dataLim.y1
    if not (np.isfinite(bottom) and np.isfinite(top)):
        bottom, top = -1.0, 1.0
    span = max(top - bottom, 1e-9 + 0.02 * max(abs(top), abs(bottom)))
    axes.set_ylim(bottom - 0.08 * span, top + 0.34 * span)


def _legend(axes: Axes) -> None:
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(
        handles,
        labels,
        loc='upper right',
        ncol=len(labels),
        frameon=False,
        fontsize=_STYLE['legend'],
        handlelength=1.4,
        columnspacing=1.1,
        borderaxespad=0.1,
    )
