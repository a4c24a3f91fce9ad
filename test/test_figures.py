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

"""Pictures: they are PNG files of what was recorded, with units, and nothing is covered."""

from __future__ import annotations

import struct

from matplotlib.backends.backend_agg import FigureCanvasAgg
import matplotlib.pyplot
import numpy as np
import pytest
from robot_dynamics.cli import figures
from robot_dynamics.cli.recording import Phase, Recording


def make_recording(joints=2, phases=True):
    """Return a recording of a made-up run of 4 s."""
    time = np.arange(0.0, 4.0, 0.01)  # [s]
    shape = np.arange(1.0, joints + 1.0)
    reference = np.sin(2.0 * time)[:, None] * shape
    error = 0.01 * np.cos(3.0 * time)[:, None] * shape
    error[time < 1.0] = np.nan
    gravity = 20.0 * np.cos(reference)
    return Recording(
        title='an arm',
        joint_names=tuple(f'j{index}' for index in range(joints)),
        units=('rad', 'm', 'rad', 'rad')[:joints],
        effort_units=('N·m', 'N', 'N·m', 'N·m')[:joints],
        time=time,
        position=reference - np.nan_to_num(error),
        reference=reference,
        error=error,
        terms={'gravity': gravity, 'friction': np.zeros_like(gravity)},
        command=gravity + 1.0,
        phases=(Phase('first', 0.0, 1.0), Phase('second', 1.0, 4.0)) if phases else (),
    )


def png_size(path):
    """Return width and height of a PNG file in pixels."""
    data = path.read_bytes()
    assert data.startswith(b'\x89PNG\r\n\x1a\n')
    return struct.unpack('>II', data[16:24])


def labels(figure):
    """Return the labels of all y axes."""
    return [axes.get_ylabel() for axes in figure.axes if axes.get_visible()]


def test_comparison_has_one_column_for_each_run_and_units_on_all_axes(tmp_path):
    runs = [make_recording(), make_recording()]
    figure = figures.comparison_figure(runs, 'two runs', [{'second': np.array([0.01, 0.02])}] * 2)
    figures.save(figure, tmp_path / 'picture.png')
    width, height = png_size(tmp_path / 'picture.png')
    assert width > 1000 and height > 800
    assert sorted(set(labels(figure))) == [
        'error [mrad, mm]',
        'j0 [rad]',
        'j0 effort [N·m]',
        'j1 [m]',
        'j1 effort [N]',
    ]
    texts = [text.get_text() for axes in figure.axes for text in axes.texts]
    assert texts.count('first') == texts.count('second') == 2
    assert texts.count('RMS 10 mrad\n20 mm') == 2


def test_comparison_of_arms_with_different_numbers_of_joints(tmp_path):
    figure = figures.comparison_figure([make_recording(1), make_recording(2)], 'two runs')
    figures.save(figure, tmp_path / 'picture.png')
    assert labels(figure).count('j1 [m]') == 1


@pytest.mark.parametrize('joints', [1, 4])
def test_joint_figure_has_one_row_for_each_joint(tmp_path, joints):
    figure = figures.joint_figure(make_recording(joints, phases=False))
    figures.save(figure, tmp_path / 'picture.png')
    png_size(tmp_path / 'picture.png')
    assert len(figure.axes) == 3 * joints
    assert figure.axes[-1].get_xlabel() == 'time [s]'


def test_legends_cover_no_curve(tmp_path):
    figure = figures.comparison_figure([make_recording()], 'a run')
    FigureCanvasAgg(figure).draw()
    for axes in figure.axes:
        box = axes.get_legend().get_window_extent()
        for line in axes.get_lines():
            points = axes.transData.transform(
                np.column_stack(np.broadcast_arrays(line.get_xdata(), line.get_ydata()))
            )
            points = points[np.isfinite(points).all(axis=1)]
            assert box.count_contains(points) == 0, line.get_label()


def test_terms_that_are_zero_are_left_out():
    figure = figures.joint_figure(make_recording())
    _, names = figure.axes[2].get_legend_handles_labels()
    assert names == ['command', 'gravity']


def test_one_meaning_has_one_colour_in_all_rows():
    figure = figures.comparison_figure([make_recording(), make_recording()], 'two runs')
    colours = {
        line.get_color()
        for axes in figure.axes
        for line in axes.get_lines()
        if line.get_label() == 'gravity'
    }
    assert len(colours) == 1


def test_a_run_without_any_reference_is_drawn(tmp_path):
    recording = make_recording()
    recording.reference[:] = np.nan
    recording.error[:] = np.nan
    figures.save(figures.joint_figure(recording), tmp_path / 'picture.png')
    png_size(tmp_path / 'picture.png')


def test_drawing_leaves_no_global_state():
    figures.joint_figure(make_recording())
    assert matplotlib.pyplot.get_fignums() == []


def test_rms_error_counts_only_moments_with_a_reference():
    recording = make_recording()
    expected = np.sqrt(np.nanmean(recording.error**2, axis=0))
    np.testing.assert_allclose(recording.rms_error(0.0, 4.0), expected, rtol=1e-12)
    assert np.isnan(recording.rms_error(0.0, 0.5)).all()
