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

"""Numbers read strictly: what a parser may only guess at is refused."""

from __future__ import annotations

import re

LARGEST = 1e30  # in any SI unit; keeps every product of a few values finite

_NUMBER = re.compile(r'[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?')
_OCTAL_LOOK = re.compile(r'[+-]?0\d+')


def parse_number(text: str) -> float:
    """
    Read one decimal number of at most ``LARGEST``.

    Parameters
    ----------
    text : str
        The number as written; blanks around it are not part of it.

    Returns
    -------
    float
        The value.

    Raises
    ------
    ValueError
        Its text names the reason, without the value.

    """
    stripped = text.strip()
    if not _NUMBER.fullmatch(stripped):
        raise ValueError(_reason(stripped))
    if _OCTAL_LOOK.fullmatch(stripped):
        raise ValueError('a leading zero, which some parsers read as octal')
    value = float(stripped)
    if not abs(value) <= LARGEST:
        raise ValueError('a number too large for any robot')
    return value


def _reason(text: str) -> str:
    """Say what is wrong with a text that is no number."""
    lowered = text.lower()
    if not text:
        return 'no number'
    if '${' in text or '$(' in text:
        return 'an unexpanded xacro expression'
    if re.fullmatch(r'[+-]?\d+,\d+', text):
        return 'a decimal comma (write a point)'
    if lowered.lstrip('+-.') in ('nan', 'inf', 'infinity'):
        return 'not a finite number'
    if re.fullmatch(r'[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*[^\W\d].*', text):
        return 'a number with a unit (write the bare SI value)'
    if len(text.split()) > 1:
        return 'more than one number'
    return 'not a number'
