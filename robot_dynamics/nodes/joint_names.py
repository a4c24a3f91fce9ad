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

"""Joint names on topics: matching by name, the prefix of a driver, and what to say on a miss."""

from __future__ import annotations

import difflib
from typing import Iterable, Sequence


def doubled(names: Iterable[str]) -> list[str]:
    """Return the names that occur more than once, each once, in order."""
    seen: set[str] = set()
    again: dict[str, None] = {}
    for name in names:
        if name in seen:
            again[name] = None
        seen.add(name)
    return list(again)


def closest(name: str, candidates: Sequence[str]) -> str | None:
    """
    Return the candidate that looks most like `name`, or None if none looks like it.

    A candidate that contains `name`, or is contained in it, counts as alike, since prefixes are
    the most common reason for a miss.
    """
    for candidate in candidates:
        if candidate and (candidate.endswith(name) or name.endswith(candidate)):
            return candidate
    matches = difflib.get_close_matches(name, candidates, n=1)
    return matches[0] if matches else None


def describe_missing(missing: Sequence[str], present: Sequence[str]) -> str:
    """
    Return one line about joints that were looked for and not found.

    Parameters
    ----------
    missing
        The names looked for, as they would be spelled on the topic.
    present
        The names that were there.

    """
    unmatched = [name for name in present if name not in missing]
    parts = []
    for name in missing:
        match = closest(name, unmatched)
        parts.append(f"'{name}'" + (f" (closest match '{match}')" if match else ''))
    listed = ', '.join(f"'{name}'" for name in unmatched[:8]) or 'none'
    if len(unmatched) > 8:
        listed += f' and {len(unmatched) - 8} more'
    joints = 'joint' if len(missing) == 1 else 'joints'
    return f'{joints} {", ".join(parts)} missing; unmatched names there: {listed}'
