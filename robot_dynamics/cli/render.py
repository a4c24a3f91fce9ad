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

"""What the verbs print: consoles, tables and numbers with units."""

from __future__ import annotations

from collections.abc import Sequence
import json
import math
import sys
from typing import Any

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

SEVERITY_STYLES = {'error': 'bold red', 'warning': 'yellow', 'note': 'dim'}
WIDTH_WITHOUT_TERMINAL = 120  # [columns] so that tables in a log or a pipe are not cut


def output() -> Console:
    """Return the console of results, stdout."""
    return _console(sys.stdout.isatty())


def progress() -> Console:
    """Return the console of progress, stderr."""
    return _console(sys.stderr.isatty(), stderr=True)


def _console(is_terminal: bool, **options: Any) -> Console:
    width = None if is_terminal else WIDTH_WITHOUT_TERMINAL
    return Console(highlight=False, width=width, soft_wrap=False, **options)


def table(title: str, *columns: str, left: int = 1) -> Table:
    """
    Return an empty table in the style of all verbs.

    Parameters
    ----------
    title : str
        Printed above it, may be empty.
    *columns : str
        Headings.
    left : int
        How many columns are words and stand to the left; the others are numbers.

    """
    made = Table(
        title=title or None,
        title_justify='left',
        title_style='bold',
        box=box.SIMPLE_HEAD,
        header_style='bold cyan',
        pad_edge=False,
    )
    for index, column in enumerate(columns):
        made.add_column(column, justify='left' if index < left else 'right', no_wrap=True)
    return made


def fixed(value: float, digits: int = 4) -> str:
    """Return a number with fixed decimals, and no minus before zero."""
    if not math.isfinite(value):
        return '–' if math.isnan(value) else ('∞' if value > 0.0 else '-∞')
    return f'{round(value, digits) + 0.0:.{digits}f}'


def short(value: float) -> str:
    """Return a number with four significant digits at most, ∞ where there is no bound."""
    if not math.isfinite(value):
        return '∞' if value > 0.0 else '-∞'
    return f'{value + 0.0:.4g}'


def scaled(value: float, unit: str) -> str:
    """Return a small position with its unit in thousandths, such as '1.23 mrad'."""
    return f'{short(value * 1e3)} m{unit}'


def print_json(data: Any) -> None:
    """Print data as JSON; infinite bounds become null, since JSON has no infinity."""
    json.dump(plain(data), sys.stdout, indent=2, ensure_ascii=False, allow_nan=False)
    sys.stdout.write('\n')


def plain(data: Any) -> Any:
    """Return data made of what JSON knows: arrays as lists, infinite numbers as None."""
    if isinstance(data, dict):
        return {str(key): plain(value) for key, value in data.items()}
    if isinstance(data, np.ndarray):
        return plain(data.tolist())
    if isinstance(data, Sequence) and not isinstance(data, str):
        return [plain(value) for value in data]
    if isinstance(data, np.generic):
        return plain(data.item())
    if isinstance(data, float) and not math.isfinite(data):
        return None
    return data
