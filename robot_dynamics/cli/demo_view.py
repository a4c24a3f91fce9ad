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

"""What the demo shows in the terminal: a live table, or plain lines where there is none."""

from __future__ import annotations

from collections.abc import Sequence
import math
import time
from types import TracebackType
from typing import NamedTuple, Protocol, Type

from rich import box
from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text
from robot_dynamics.cli.demo_scenes import Act, ACTS
from robot_dynamics.cli.render import fixed

LIVE_PERIOD = 0.1  # [s] between two pictures of the table
PLAIN_PERIOD = 1.0  # [s] between two lines


class JointNow(NamedTuple):
    """One joint at this moment; what is not known is NaN. Units are [rad, m] and [N m, N]."""

    name: str
    unit: str
    effort_unit: str
    position: float
    reference: float
    error: float
    gravity: float
    command: float


class Now(NamedTuple):
    """The run at this moment: times in seconds, rate in commands a second."""

    title: str
    act: Act | None
    elapsed: float
    length: float
    rate: float
    joints: Sequence[JointNow]


class View(Protocol):
    """Something that shows a run; a context manager."""

    def __enter__(self) -> View:
        """Begin."""

    def __exit__(
        self,
        kind: Type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave the terminal as it was."""

    def show(self, now: Now) -> None:
        """Show a moment; called as often as there is time for."""


class LiveView:
    """A table that is drawn again and again at the same place."""

    def __init__(self, console: Console) -> None:
        """Prepare the place."""
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._next = 0.0

    def __enter__(self) -> LiveView:
        """Take the place."""
        self._live.start()
        return self

    def __exit__(
        self,
        kind: Type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give the place back."""
        self._live.stop()

    def show(self, now: Now) -> None:
        """Draw the table if the last one is old enough."""
        if time.monotonic() >= self._next:
            self._live.update(live_panel(now), refresh=True)
            self._next = time.monotonic() + LIVE_PERIOD


class PlainView:
    """A line each second, for logs and pipes."""

    def __init__(self, console: Console) -> None:
        """Keep the console."""
        self._console = console
        self._next = 0.0
        self._act: Act | None = None

    def __enter__(self) -> PlainView:
        """Need nothing."""
        return self

    def __exit__(
        self,
        kind: Type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave nothing behind."""

    def show(self, now: Now) -> None:
        """Print a line if a second has gone by or another act has begun."""
        if time.monotonic() < self._next and now.act is self._act:
            return
        self._next, self._act = time.monotonic() + PLAIN_PERIOD, now.act
        if now.act is None:
            self._console.print(Text(f'{now.title}  starting the nodes'))
            return
        head = f'{now.title}  {now.elapsed:5.1f} s  {now.act.label:<20}  {_rate(now):>14}'
        self._console.print(
            Text('  '.join([head, *(_line(joint) for joint in now.joints)])), soft_wrap=True
        )


def make_view(console: Console) -> View:
    """Return the view that suits the console."""
    return LiveView(console) if console.is_terminal else PlainView(console)


def live_panel(now: Now) -> Panel:
    """Return one picture of the live view."""
    made = Table(box=box.SIMPLE_HEAD, header_style='bold cyan', pad_edge=False, expand=True)
    made.add_column('joint', no_wrap=True)
    for column in ('position', 'reference', 'error', 'gravity', 'command'):
        made.add_column(column, justify='right', no_wrap=True, ratio=1)
    for joint in now.joints:
        made.add_row(
            Text(joint.name, style='bold'),
            _with_unit(joint.position, joint.unit),
            _with_unit(joint.reference, joint.unit),
            _error(joint),
            _with_unit(joint.gravity, joint.effort_unit, 2),
            Text(_with_unit(joint.command, joint.effort_unit, 2), style='bold'),
        )
    remark = now.act.remark if now.act else 'Starting the nodes.'
    body = Group(_acts(now), made, Text(remark, style='italic'))
    title = Text(f'{now.title}  {now.elapsed:.1f} / {now.length:.1f} s', style='bold')
    return Panel(
        body,
        title=title,
        subtitle=Text(_rate(now)),
        title_align='left',
        subtitle_align='right',
        border_style='cyan',
    )


def _acts(now: Now) -> Text:
    """Return the names of the acts, the present one standing out."""
    line = Text()
    for act in ACTS:
        style = 'bold black on cyan' if act is now.act else 'dim'
        line.append(f' {act.label} ', style=style)
    return line


def _rate(now: Now) -> str:
    return '' if math.isnan(now.rate) else f'{now.rate:.0f} commands/s'


def _with_unit(value: float, unit: str, digits: int = 3) -> str:
    return '–' if math.isnan(value) else f'{fixed(value, digits)} {unit}'


def _error(joint: JointNow) -> Text:
    if math.isnan(joint.error):
        return Text('–')
    style = 'green' if abs(joint.error) < 1e-3 else 'yellow' if abs(joint.error) < 1e-2 else 'red'
    return Text(f'{fixed(1e3 * joint.error, 2)} m{joint.unit}', style=style)


def _line(joint: JointNow) -> str:
    text = f'{joint.name}: {_with_unit(joint.position, joint.unit)}'
    if not math.isnan(joint.error):
        text += f' (error {fixed(1e3 * joint.error, 2)} m{joint.unit})'
    return f'{text}, {_with_unit(joint.command, joint.effort_unit, 2)}'
