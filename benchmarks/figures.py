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

"""Pictures for docs/performance.md, drawn without a display."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

# One colour for each peer, the same in all pictures (palette of Okabe and Ito).
_COLORS = {
    'robot_dynamics': '#0072b2',
    'compiled': '#d55e00',
    'rclpy.spin echo': '#1a1a1a',
    'best empty loop': '#009e73',
    'pin.rnea': '#1a1a1a',
}
_NAMES = {
    'robot_dynamics': 'robot_dynamics, all on',
    'compiled': 'Controller.update, compiled',
    'rclpy.spin echo': 'rclpy.spin echo, does nothing',
    'best empty loop': 'best loop found, does nothing',
    'pin.rnea': 'one bare pin.rnea',
}
_TITLES = {'free': 'scheduled freely', 'pinned': 'driver and node on one processor'}
_GRID = '#d9dee3'
_RESOLUTION = 110  # [dots per inch]
_LONGEST_QUANTILE = 0.999  # beyond it a curve shows the machine, not the node


def draw_latencies(latencies: Mapping[str, Any], file: Path) -> None:
    """Draw the share of round trips that took longer than a time."""
    figure = Figure(figsize=(10.0, 4.0), layout='constrained', dpi=_RESOLUTION)
    figure.suptitle('Round trip from joint state to effort command at 1 kHz', fontweight='bold')
    panels = figure.subplots(1, len(latencies), sharey=True, squeeze=False)[0]
    for axes, (kind, curves) in zip(panels, latencies.items()):
        for name, curve in curves.items():
            points = [
                (time, 1.0 - share)
                for share, time in zip(curve['share'], curve['microseconds'])
                if share <= _LONGEST_QUANTILE
            ]
            axes.plot(*zip(*points), color=_COLORS[name], label=_NAMES[name], linewidth=1.8)
        axes.set_title(_TITLES[kind], fontsize=10.0)
        axes.set_xscale('log')
        axes.set_yscale('log')
        axes.set_xlabel('round trip [µs]')
        _tidy(axes)
    panels[0].set_ylabel('share that took longer')
    panels[0].legend(frameon=False, fontsize=9.0, loc='upper right')
    _save(figure, file)


def draw_costs(costs: Mapping[str, Any], file: Path) -> None:
    """Draw the cost of one answer over the number of joints, with the fitted lines."""
    figure = Figure(figsize=(6.4, 4.0), layout='constrained', dpi=_RESOLUTION)
    axes = figure.subplots()
    axes.set_title('Cost of one answer, chains of Talos', fontweight='bold')
    for name, cost in costs.items():
        label = 'Controller.update' if name == 'robot_dynamics' else _NAMES[name]
        a, b = cost['constant'], cost['per_joint']
        label += f': {a:.2f} + {b:.3f} n'
        axes.plot(cost['joints'], cost['microseconds'], 'o', color=_COLORS[name], label=label)
        ends = (0, max(cost['joints']))
        axes.plot(ends, [a + b * n for n in ends], color=_COLORS[name], linewidth=1.2)
    axes.set_xlabel('number of joints n')
    axes.set_ylabel('time [µs]')
    axes.set_ylim(bottom=0.0)
    axes.set_xlim(left=0.0)
    axes.legend(frameon=False, fontsize=9.0)
    _tidy(axes)
    _save(figure, file)


def _tidy(axes: Axes) -> None:
    axes.grid(color=_GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ('top', 'right'):
        axes.spines[side].set_visible(False)


def _save(figure: Figure, file: Path) -> None:
    FigureCanvasAgg(figure)
    # without the version of Matplotlib, so that the same numbers give the same file
    figure.savefig(file, metadata={'Software': None})
