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

"""Mutate robot descriptions and load each: run as a script, so that a crash is seen outside."""

from __future__ import annotations

import json
import math
from pathlib import Path
import random
import sys
import time

import numpy as np
from robot_dynamics import load_robot, ModelError

TOKENS = [
    'nan',
    'inf',
    '-1',
    '0',
    '1e308',
    '1e-308',
    '1,5',
    '010',
    '"',
    '<',
    '>',
    '&',
    '\x00',
    '${x}',
    '- ',
    ': ',
    '[',
    ']',
    '{',
    '}',
    '\n',
    '../..',
    'universe',
    'é',
    '\ud7ff',
    'on',
    '<!DOCTYPE a>',
    '1e999',
    '-0',
    '9' * 400,
    '\t',
    '*a',
    '&a ',
    '!!python/object:os.x ',
]


def mutate(text: str, rng: random.Random) -> str:
    """Return the text with a few places changed."""
    for _ in range(rng.choice([1, 1, 2, 3, 8])):
        kind = rng.randrange(6)
        i, j = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        j = min(j, i + rng.choice([1, 4, 40, 400]))
        if kind == 0:
            text = text[:i] + text[j:]
        elif kind == 1:
            text = text[:i] + rng.choice(TOKENS) + text[i:]
        elif kind == 2:
            text = text[:i] + rng.choice(TOKENS) + text[j:]
        elif kind == 3:
            text = text[:j] + text[i:j] * rng.choice([1, 3]) + text[j:]
        elif kind == 4:
            numbers = [k for k, c in enumerate(text) if c.isdigit()]
            k = rng.choice(numbers) if numbers else 0
            after = k + 1
            text = text[:k] + rng.choice(TOKENS) + text[after:]
        else:
            lines = text.splitlines(keepends=True)
            rng.shuffle(lines)
            text = ''.join(lines)
        text = text or ' '
    return text


def main(folder: str, count: str, seed: str) -> None:
    """Load ``count`` mutations of the files in ``folder`` and print what happened as JSON."""
    rng = random.Random(int(seed))
    seeds = [path.read_text(encoding='utf-8') for path in sorted(Path(folder).iterdir())]
    result = {'loaded': 0, 'refused': 0, 'slowest': 0.0, 'not_finite': 0}
    for index in range(int(count)):
        text = mutate(rng.choice(seeds), rng)
        print(index, file=sys.stderr, flush=True)
        start = time.perf_counter()
        try:
            model = load_robot(text.encode('utf-8', 'replace'))
        except ModelError:
            result['refused'] += 1
        else:
            result['loaded'] += 1
            v = np.full(model.nv, 0.5)
            tau = [*model.gravity(v), *model.inverse_dynamics(v, v, v), *model.friction(v)]
            if not all(math.isfinite(x) for x in tau):
                result['not_finite'] += 1
        result['slowest'] = max(result['slowest'], time.perf_counter() - start)
    print(json.dumps(result))


if __name__ == '__main__':
    main(*sys.argv[1:])
