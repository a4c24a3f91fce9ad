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

"""From a path or a text to the bytes of a robot description."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
import os
from pathlib import Path
import re
import tempfile
from xml.etree.ElementTree import Element

from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException
from robot_dynamics.errors import ModelError

MAX_BYTES = 1 << 20  # [B] no robot description needs more
_XACRO = '{http://www.ros.org/wiki/xacro}'
_XACRO_NAMESPACES = (
    b'http://www.ros.org/wiki/xacro',
    b'http://ros.org/wiki/xacro',
    b'http://wiki.ros.org/xacro',
)


@dataclass(frozen=True)
class Source:
    """
    The text of a description and where it came from.

    Parameters
    ----------
    data : bytes
        As read, not decoded: an XML declaration may name the encoding.
    where : str
        File name, or a word for a text that came by another way.
    path : Path or None
        The file, when there is one.

    """

    data: bytes
    where: str
    path: Path | None = None

    @property
    def is_xml(self) -> bool:
        """Whether the content is XML, whatever the file is called."""
        start = self.data.lstrip(b'\xef\xbb\xbf \t\r\n')[:64]
        return start.startswith(b'<') or self.data[:2] in (b'\xff\xfe', b'\xfe\xff')

    @property
    def is_xacro(self) -> bool:
        """
        Whether the XML declares the xacro name space and has anything to expand.

        Much URDF was written by xacro, which leaves its declaration behind.
        """
        if not self.is_xml or not any(name in self.data for name in _XACRO_NAMESPACES):
            return False
        prefixes = re.findall(rb'xmlns:([\w.-]+)\s*=', self.data)
        return (
            not prefixes
            or b'$' in self.data
            or any(b'<%s:' % prefix in self.data for prefix in prefixes)
        )


def read_source(source: str | os.PathLike[str] | bytes) -> Source:
    """
    Read a description from a file, or take a text as it is.

    Parameters
    ----------
    source : str, path or bytes
        A text that starts with '<' or has more than one line is the
        description itself; anything else is a path.

    Returns
    -------
    Source

    Raises
    ------
    ModelError
        When the file cannot be read or is larger than ``MAX_BYTES``.

    """
    if isinstance(source, bytes):
        return _checked(Source(source, 'text'))
    if isinstance(source, str) and (
        source.lstrip('\ufeff \t\r\n').startswith('<') or '\n' in source.strip()
    ):
        return _checked(Source(source.encode('utf-8', 'surrogatepass'), 'text'))
    try:
        path = Path(source)
        if path.is_file() and path.stat().st_size > MAX_BYTES:
            raise _too_large(path.stat().st_size, str(path))
        return _checked(Source(path.read_bytes(), str(path), path))
    except (OSError, ValueError) as error:
        reason = getattr(error, 'strerror', None) or str(error)
        raise ModelError(
            f'cannot be read ({reason})',
            where=str(source)[:200],
            expected='a URDF, xacro or YAML file, or the name of a shipped robot',
            remedy='check the path',
        ) from error


def _checked(source: Source) -> Source:
    """Refuse a text that is too large before any parser sees it."""
    if len(source.data) > MAX_BYTES:
        raise _too_large(len(source.data), source.where)
    if not source.data.strip():
        raise ModelError('is empty', where=source.where, expected='a robot description')
    return source


def _too_large(size: int, where: str) -> ModelError:
    return ModelError(
        f'has {size} bytes',
        where=where,
        expected=f'at most {MAX_BYTES} bytes',
        remedy='leave out what is not links and joints',
    )


def parse_xml(source: Source) -> Element:
    """
    Parse XML without entities, external files or a document type.

    Parameters
    ----------
    source : Source
        XML in the encoding that it declares.

    Returns
    -------
    xml.etree.ElementTree.Element
        The root element.

    Raises
    ------
    ModelError
        When the text is not well-formed, wrongly encoded, or has a DOCTYPE.

    """
    try:
        root: Element = ElementTree.fromstring(source.data, forbid_dtd=True)
    except DefusedXmlException as error:
        raise ModelError(
            'has a DOCTYPE or entities',
            where=source.where,
            expected='plain XML',
            remedy='remove them',
        ) from error
    except (ElementTree.ParseError, LookupError, ValueError) as error:
        raise ModelError(
            f'is not well-formed XML ({error})',
            where=source.where,
            expected='XML in the encoding that its first line declares, UTF-8 otherwise',
            remedy='mend the place named',
        ) from error
    return root


def expand_xacro(source: Source, arguments: Mapping[str, str] | None = None) -> Source:
    """
    Expand xacro macros.

    Parameters
    ----------
    source : Source
        A xacro document; relative includes are looked for beside its file.
    arguments : mapping of str to str, optional
        Values for the document's ``xacro:arg`` elements.

    Returns
    -------
    Source
        Plain URDF.

    Raises
    ------
    ModelError
        When expansion fails, an argument is unknown, or the result is empty.

    """
    root = parse_xml(source)
    _refuse_unknown_arguments(root, dict(arguments or {}), source.where)
    text = _run_xacro(source, {key: str(value) for key, value in (arguments or {}).items()})
    expanded = _checked(Source(text.encode('utf-8'), source.where))
    if not any(element.tag == 'link' for element in parse_xml(expanded)):
        macros = [element.get('name', '?') for element in root.iter(f'{_XACRO}macro')]
        detail = f', the file only defines macros: {", ".join(macros)}' if macros else ''
        raise ModelError(
            f'expands to an empty robot{detail}',
            where=source.where,
            expected='a robot with links',
            remedy='call a macro in the file',
        )
    return expanded


def _refuse_unknown_arguments(root: Element, arguments: dict[str, str], where: str) -> None:
    """Refuse argument names that no xacro:arg of the file declares."""
    known = {element.get('name', '') for element in root.iter(f'{_XACRO}arg')}
    includes = next(root.iter(f'{_XACRO}include'), None) is not None
    unknown = sorted(set(arguments) - known)
    if unknown and not includes:
        raise ModelError(
            f'has no xacro argument {", ".join(map(repr, unknown))}',
            where=where,
            expected=f'one of: {", ".join(sorted(known)) or "none"}',
            remedy='correct the name',
        )


def _run_xacro(source: Source, arguments: dict[str, str]) -> str:
    """Call the xacro library, whose errors have many classes."""
    import xacro

    path = source.path
    scratch: str | None = None
    try:
        if path is None:
            handle, scratch = tempfile.mkstemp(suffix='.urdf.xacro')
            with os.fdopen(handle, 'wb') as file:
                file.write(source.data)
            path = Path(scratch)
        return str(xacro.process_file(str(path), mappings=arguments).toxml())
    except RecursionError as error:
        raise ModelError('xacro macros call each other without end', where=source.where) from error
    except Exception as error:  # the library raises anything, down to NameError
        needed = sorted(set(re.findall(rb'\$\(find\s+([\w.-]+)\)', source.data)))
        packages = ', '.join(name.decode() for name in needed)
        raise ModelError(
            f'xacro cannot expand it ({type(error).__name__}: {error})',
            where=source.where,
            expected=f'the packages {packages} to be installed' if packages else '',
            remedy='try the xacro command on the file for details',
        ) from error
    finally:
        if scratch is not None:
            os.unlink(scratch)
