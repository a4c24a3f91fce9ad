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

"""Whether links and joints form one tree that the dynamics can use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
import difflib

from robot_dynamics.model.description import Joint, Link
from robot_dynamics.model.findings import Finding, Severity

MAX_MOVING_JOINTS = 64
_RESERVED = 'universe'


def find_root(links: Sequence[Link], joints: Sequence[Joint]) -> str:
    """Return the first link that is nobody's child."""
    children = {joint.child for joint in joints}
    return next(link.name for link in links if link.name not in children)


def check_structure(links: Sequence[Link], joints: Sequence[Joint]) -> list[Finding]:
    """
    Check names, references, the tree and the joint types.

    Parameters
    ----------
    links, joints : sequences
        As read, before they are put into tables by name.

    Returns
    -------
    list of Finding
        Errors only; empty for one proper tree with at most
        ``MAX_MOVING_JOINTS`` moving joints.

    """
    findings = [*_names(links, joints), *_references(links, joints)]
    if not findings:
        findings = [*_tree(links, joints), *_types(joints), *_mimics(joints)]
    return findings


def _error(element: str, what: str, **parts: str) -> Finding:
    parts.setdefault('why', 'the dynamics need one tree of known links and joints')
    return Finding(severity=Severity.ERROR, code='structure', element=element, what=what, **parts)


def _names(links: Sequence[Link], joints: Sequence[Joint]) -> Iterator[Finding]:
    if not links:
        yield _error('robot', 'has no links', remedy='describe at least two links and a joint')
    for kind, things in (('link', links), ('joint', joints)):
        for name, count in Counter(thing.name for thing in things).items():
            if count > 1:
                yield _error(
                    f"{kind} '{name}'", f'is there {count} times', remedy='give each its own name'
                )
    for joint in joints:
        if joint.name == _RESERVED:
            yield _error(
                f"joint '{_RESERVED}'",
                'has a name that stands for the fixed world',
                remedy='rename it',
            )


def _references(links: Sequence[Link], joints: Sequence[Joint]) -> Iterator[Finding]:
    known = {link.name for link in links}
    for joint in joints:
        for tag, name in (('parent', joint.parent), ('child', joint.child)):
            if name not in known:
                close = difflib.get_close_matches(name, known, 3)
                hint = f'did you mean {", ".join(close)}?' if close else 'add the link'
                yield _error(
                    f"joint '{joint.name}'",
                    f"names a {tag} link '{name}' that does not exist",
                    remedy=hint,
                )


def _tree(links: Sequence[Link], joints: Sequence[Joint]) -> Iterator[Finding]:
    parents: dict[str, list[str]] = {}
    for joint in joints:
        parents.setdefault(joint.child, []).append(joint.parent)
    for child, names in parents.items():
        if len(names) > 1:
            yield _error(
                f"link '{child}'",
                f'has {len(names)} parents: {", ".join(names)}',
                remedy='a URDF is a tree; remove one of the joints',
            )
    if any(len(names) > 1 for names in parents.values()):
        return
    roots = [link.name for link in links if link.name not in parents]
    if len(roots) > 1:
        yield _error(
            'robot',
            f'has {len(roots)} roots: {", ".join(roots[:8])}',
            remedy='join them with a fixed joint',
        )
    ring = _ring({child: names[0] for child, names in parents.items()})
    if ring:
        yield _error(
            'robot', f'has a ring of links: {", ".join(sorted(ring)[:8])}', remedy='cut the loop'
        )


def _ring(parent: dict[str, str]) -> set[str]:
    """Return the links of a ring, if the parent relation has one."""
    done: set[str] = set()
    for start in parent:
        path: list[str] = []
        seen: set[str] = set()
        link = start
        while link in parent and link not in done:
            if link in seen:
                begin = path.index(link)
                return set(path[begin:])
            seen.add(link)
            path.append(link)
            link = parent[link]
        done.update(path)
    return set()


def _types(joints: Sequence[Joint]) -> Iterator[Finding]:
    for joint in joints:
        if joint.type in ('floating', 'planar'):
            yield _error(
                f"joint '{joint.name}'",
                f'is {joint.type}, which is not supported',
                why='one number cannot give its position',
                remedy='fix the base, and give a moving base by the gravity vector',
            )
    moving = [joint for joint in joints if joint.is_moving]
    if not moving:
        yield _error(
            'robot',
            'has no moving joint',
            why='there is nothing to command',
            remedy='give a joint the type revolute, continuous or prismatic',
        )
    if len(moving) > MAX_MOVING_JOINTS:
        yield _error(
            'robot',
            f'has {len(moving)} moving joints',
            remedy=f'at most {MAX_MOVING_JOINTS} are supported; split it',
        )


def _mimics(joints: Sequence[Joint]) -> Iterator[Finding]:
    table = {joint.name: joint for joint in joints}
    for joint in joints:
        if joint.mimic is None or not joint.is_moving:
            continue
        where = f"joint '{joint.name}'"
        master = table.get(joint.mimic.master)
        if master is None:
            yield _error(
                where,
                f"mimics joint '{joint.mimic.master}', which does not exist",
                remedy='name a joint of this file',
            )
        elif not master.is_moving or master.mimic is not None:
            yield _error(
                where,
                f"mimics joint '{joint.mimic.master}', which is no free joint",
                remedy='name the joint that moves by itself',
            )
