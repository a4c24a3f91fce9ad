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

"""YAML read strictly: every value knows its path and line, nothing is guessed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
import difflib
from numbers import Real
import re
from typing import Any
import unicodedata

from robot_dynamics.errors import ModelError
from robot_dynamics.model.source import Source
from robot_dynamics.model.strict_numbers import parse_number
import yaml

_BOOLEANS = {'true': True, 'false': False}
_WORDS = ('true', 'false', 'yes', 'no', 'on', 'off', 'y', 'n', 'null')  # of YAML 1.1
# also octal, hexadecimal and sexagesimal numbers
_NUMBER_LOOK = re.compile(
    r'[-+]?\.?[0-9][0-9_]*(:[0-9]+)*(\.[0-9_]*)?([eE][-+]?[0-9]+)?|0[xo][0-9a-fA-F_]+|'
    r'[-+]?\.(inf|nan)',
    re.IGNORECASE,
)
_MAX_DEPTH = 32


class YamlValue:
    """
    A value of a YAML document with its place.

    Parameters
    ----------
    value : dict, list, str, int, float, bool or None
        Scalars from a text are kept as they were written (str).
    where : str
        File, path and line, for messages.
    quoted : bool
        Whether a scalar was written in quotes.

    """

    def __init__(self, value: Any, where: str, quoted: bool = False) -> None:
        """Keep the value and its place."""
        self.value = value
        self.where = where
        self.quoted = quoted

    def error(self, what: str, expected: str = '', remedy: str = '') -> ModelError:
        """Return an error that names this place."""
        return ModelError(what, where=self.where, expected=expected, remedy=remedy)

    def mapping(
        self, required: Sequence[str] = (), optional: Sequence[str] = ()
    ) -> dict[str, YamlValue]:
        """
        Return the entries of a mapping.

        Parameters
        ----------
        required, optional : sequences of str
            The keys that must and may be there.

        Raises
        ------
        ModelError
            When this is no mapping, a key is missing or unknown.

        """
        if not isinstance(self.value, dict):
            raise self.error(
                f'is {self._kind()}',
                f'a mapping with {", ".join(required)}' if required else 'a mapping',
            )
        known = (*required, *optional)
        for key in self.value:
            if key not in known:
                close = difflib.get_close_matches(key, known, 1)
                raise self.error(
                    f"has an unknown key '{key}'",
                    f'some of: {", ".join(known)}',
                    f"did you mean '{close[0]}'?" if close else 'remove it',
                )
        for key in required:
            if key not in self.value:
                raise self.error(f"has no '{key}'", f'the keys {", ".join(required)}', 'add it')
        return self.value

    def items(self) -> Iterator[tuple[str, YamlValue]]:
        """Yield the entries of a mapping whose keys are free."""
        if not isinstance(self.value, dict):
            raise self.error(f'is {self._kind()}', 'a mapping')
        yield from self.value.items()

    def sequence(self) -> list[YamlValue]:
        """Return the entries of a list."""
        if not isinstance(self.value, list):
            raise self.error(f'is {self._kind()}', 'a list')
        return self.value

    def text(self) -> str:
        """Return a name or word that all parsers read alike, in Unicode's composed form."""
        if not isinstance(self.value, str) or not self.value.strip():
            raise self.error(f'is {self._kind()}', 'a text')
        if not self.quoted and (
            self.value.lower() in _WORDS or _NUMBER_LOOK.fullmatch(self.value)
        ):
            raise self.error(
                f"is '{self.value}', which other parsers take for a number or a truth value",
                'a text that all read alike',
                'put it into quotes',
            )
        return unicodedata.normalize('NFC', self.value)

    def number(self) -> float:
        """
        Return a finite number.

        Raises
        ------
        ModelError
            For anything that two parsers could read differently.

        """
        value = self.value
        if isinstance(value, Real) and not isinstance(value, bool):
            value = repr(float(value))
        if not isinstance(value, str) or self.quoted:
            raise self.error(f'is {self._kind()}', 'a number without quotes')
        try:
            return parse_number(value)
        except ValueError as error:
            raise self.error(
                f"is {error} ('{value[:80]}')", 'a plain number such as 1.0e-3'
            ) from error

    def numbers(self, count: int) -> tuple[float, ...]:
        """Return a list of ``count`` numbers."""
        values = self.sequence()
        if len(values) != count:
            raise self.error(f'has {len(values)} entries', f'{count} numbers')
        return tuple(value.number() for value in values)

    def triple(self) -> tuple[float, float, float]:
        """Return a list of three numbers."""
        x, y, z = self.numbers(3)
        return x, y, z

    def boolean(self) -> bool:
        """Return true or false; other words are refused."""
        if isinstance(self.value, bool):
            return self.value
        if not self.quoted and isinstance(self.value, str) and self.value in _BOOLEANS:
            return _BOOLEANS[self.value]
        raise self.error(f'is {self._kind()}', 'true or false')

    def _kind(self) -> str:
        if isinstance(self.value, dict):
            return 'a mapping'
        if isinstance(self.value, list):
            return 'a list'
        if self.value is None or self.value == '':
            return 'empty'
        quotes = 'the quoted text' if self.quoted else 'the value'
        return f"{quotes} '{str(self.value)[:80]}'"


def read_yaml(source: Source) -> YamlValue:
    """
    Read one YAML document.

    Parameters
    ----------
    source : Source
        UTF-8 text; anchors, tags and doubled keys are refused.

    Returns
    -------
    YamlValue

    Raises
    ------
    ModelError
        When the text is not such a document.

    """
    try:
        text = source.data.decode('utf-8-sig')
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            if isinstance(event, yaml.AliasEvent) or getattr(event, 'anchor', None):
                raise ModelError(
                    f'has an anchor or alias in line {event.start_mark.line + 1}',
                    where=source.where,
                    remedy='write the value out',
                )
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except UnicodeDecodeError as error:
        raise ModelError(
            f'is not UTF-8 (byte {error.start})',
            where=source.where,
            remedy='save the file as UTF-8',
        ) from error
    except yaml.YAMLError as error:
        raise ModelError(
            f'is not YAML ({" ".join(str(error).split())})', where=source.where
        ) from error
    except RecursionError as error:
        raise ModelError('is nested too deeply', where=source.where) from error
    if node is None:
        raise ModelError('is empty', where=source.where, expected='a YAML mapping')
    return _from_node(node, source.where, '', 0)


def _from_node(node: yaml.Node, file: str, path: str, depth: int) -> YamlValue:
    where = f'{file}:{node.start_mark.line + 1}' + (f': {path}' if path else '')
    if depth > _MAX_DEPTH:
        raise ModelError('is nested too deeply', where=where)
    if isinstance(node, yaml.ScalarNode):
        if node.style in ('"', "'"):
            return YamlValue(node.value, where, quoted=True)
        return YamlValue(None if node.value in ('', '~', 'null') else node.value, where)
    if isinstance(node, yaml.SequenceNode):
        return YamlValue(
            [
                _from_node(child, file, f'{path}[{index}]', depth + 1)
                for index, child in enumerate(node.value)
            ],
            where,
        )
    entries: dict[str, YamlValue] = {}
    for key_node, child in node.value:
        key = key_node.value if isinstance(key_node, yaml.ScalarNode) else None
        if not isinstance(key, str):
            raise ModelError('has a key that is no text', where=where)
        if key in entries:
            raise ModelError(f"has the key '{key}' twice", where=where, remedy='remove one')
        entries[key] = _from_node(child, file, f'{path}.{key}' if path else key, depth + 1)
    return YamlValue(entries, where)


def wrap(value: Any, where: str = 'mapping', depth: int = 0) -> YamlValue:
    """
    Give already parsed data the same interface as a document.

    Parameters
    ----------
    value : mapping, sequence or scalar
        As made by any YAML or JSON reader.
    where : str
        The place, for messages.
    depth : int
        How deep the value lies.

    Returns
    -------
    YamlValue

    """
    if depth > _MAX_DEPTH:
        raise ModelError('is nested too deeply', where=where)
    if isinstance(value, Mapping):
        return YamlValue(
            {str(key): wrap(child, f'{where}.{key}', depth + 1) for key, child in value.items()},
            where,
        )
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return YamlValue(
            [wrap(child, f'{where}[{index}]', depth + 1) for index, child in enumerate(value)],
            where,
        )
    return YamlValue(value, where, quoted=isinstance(value, str))
