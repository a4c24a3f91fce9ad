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

"""Every file of code carries the licence header, and the licence itself is there."""

from pathlib import Path
import re

from linted_files import FOLDERS, python_files, ROOT
import pytest

try:
    from ament_copyright.main import main as ament_copyright
except ImportError:
    ament_copyright = None

SHEBANG = re.compile(r'\A#!.*\n#\n')
YEAR = re.compile(r'Copyright 20\d\d ')


def header(path):
    """Return the first 13 lines of a file without shebang and year, in one string."""
    text = SHEBANG.sub('', path.read_text(), count=1)
    return YEAR.sub('Copyright ', '\n'.join(text.split('\n')[:13]), count=1)


# This file shows how it must look.
HEADER = header(Path(__file__))


@pytest.mark.copyright
@pytest.mark.linter
def test_every_file_has_the_header():
    scripts = [path for path in (ROOT / '.ci').iterdir() if path.is_file()]
    files = {*python_files(), *scripts}
    bare = [str(path) for path in sorted(files) if header(path) != HEADER]
    assert HEADER.startswith('# Copyright The robot_dynamics authors\n')
    assert not bare, f'no licence header in {bare}'


@pytest.mark.copyright
@pytest.mark.linter
def test_licence_is_there():
    if ament_copyright is not None:
        assert ament_copyright(argv=FOLDERS) == 0
    assert 'Apache License\n' in (ROOT / 'LICENSE').read_text()
    assert '5. Submission of Contributions.' in (ROOT / 'CONTRIBUTING.md').read_text()
