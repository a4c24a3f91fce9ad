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

"""The command robot_dynamics: it finds the verb, runs it and reports errors in one line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
import os
import signal
import sys

from robot_dynamics.cli import check, demo, derive, identify, info, simulate, torque
from robot_dynamics.cli.values import protect_negative_values, UsageError
from robot_dynamics.errors import RobotDynamicsError

# Each verb is a module with HELP, EXAMPLES, add_arguments(parser) and run(arguments).
VERBS = {
    'info': info,
    'check': check,
    'torque': torque,
    'derive': derive,
    'identify': identify,
    'simulate': simulate,
    'demo': demo,
}

EXIT_FAILURE = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 128 + signal.SIGINT

_EXAMPLES = """
examples:
  robot_dynamics info rp_arm                    what is in a robot file
  robot_dynamics check my_arm.urdf              what is wrong with it
  robot_dynamics torque arm_2r --q 0,0          the effort that holds the arm still
  robot_dynamics derive rp_arm --names theta,d  the equations of motion in closed form
  robot_dynamics simulate arm_2r                a closed loop without ROS
  robot_dynamics demo                           two simulated arms over ROS 2

'robot_dynamics <verb> --help' shows more examples.
"""


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all verbs; nothing slow is imported for it."""
    parser = argparse.ArgumentParser(
        prog='robot_dynamics',
        description='Torques for torque-controlled arms.',
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    verbs = parser.add_subparsers(title='verbs', dest='verb', metavar='<verb>', required=True)
    for name, module in VERBS.items():
        verb = verbs.add_parser(
            name,
            help=module.HELP,
            description=module.DESCRIPTION,
            epilog=f'examples:{module.EXAMPLES}',
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(verb)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run one verb.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the name of the program; those of the process if None.

    Returns
    -------
    int
        Exit code: 0, or 1 when something failed, 2 when the command line is
        wrong, 130 after Ctrl-C. Errors are one line on stderr.

    """
    given = sys.argv[1:] if argv is None else argv
    try:
        arguments = build_parser().parse_args(protect_negative_values(given))
    except SystemExit as stop:  # argparse ends the process by itself after --help and mistakes
        return int(stop.code or 0)
    name = f'robot_dynamics {arguments.verb}'
    try:
        return VERBS[arguments.verb].run(arguments)
    except UsageError as error:
        print(f'{name}: {error}', file=sys.stderr)
        return EXIT_USAGE
    except RobotDynamicsError as error:
        print(f'{name}: {error}', file=sys.stderr)
        return EXIT_FAILURE
    except BrokenPipeError:
        # Whoever read the output has gone, such as `head`; Python must not complain at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_FAILURE
    except KeyboardInterrupt:
        print(f'{name}: interrupted', file=sys.stderr)
        return EXIT_INTERRUPTED


if __name__ == '__main__':
    sys.exit(main())
