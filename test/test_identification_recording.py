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

"""Reading recordings: headings by name, number and unit, strict numbers, clear refusals."""

import golden
import numpy as np
import pytest
from robot_dynamics.errors import StateError
from robot_dynamics.identification import MeasuredMotion, read_recording
from robot_dynamics.model import load_robot

RANK_CASE = golden.DATA / 'cases' / '49_rank_deficient'

HEADER = 't,q1,q2,v1,v2,a1,a2,tau1,tau2'
ROWS = ['0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8', '0.1,1.1,1.2,1.3,1.4,1.5,1.6,1.7,1.8']


@pytest.fixture(scope='module')
def arm():
    """Return the 2R arm of the cases."""
    return load_robot(RANK_CASE / 'arm.urdf')


def table(tmp_path, text, encoding='utf-8'):
    """Write a recording and return its path."""
    path = tmp_path / 'motion.csv'
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize(
    'header',
    [
        HEADER,
        'time,q_shoulder,q_elbow,v_shoulder,v_elbow,a_shoulder,a_elbow,tau_shoulder,tau_elbow',
        'time [s],position shoulder [rad],position elbow [rad],velocity shoulder [rad/s],'
        'velocity elbow [rad/s],acceleration shoulder [rad/s²],acceleration elbow [rad/s^2],'
        'effort shoulder [N·m],effort elbow [Nm]',
    ],
)
def test_headings_by_number_name_and_unit(tmp_path, arm, header):
    motion = read_recording(table(tmp_path, '\n'.join([header, *ROWS]), 'utf-8-sig'), arm)
    assert motion.q.tolist() == [[0.1, 0.2], [1.1, 1.2]]
    assert motion.tau.tolist() == [[0.7, 0.8], [1.7, 1.8]]
    assert motion.time.tolist() == [0.0, 0.1] and len(motion) == 2
    numbered = [text for text in motion.notes if '1 = shoulder, 2 = elbow' in text]
    assert bool(numbered) == (header == HEADER)


def test_joints_go_by_name_whatever_the_order_of_the_columns(tmp_path, arm):
    header = (
        'v_elbow,extra,q_shoulder,q_elbow,v_shoulder,a_elbow,a_shoulder,tau_elbow,tau_shoulder'
    )
    motion = read_recording(table(tmp_path, f'{header}\n1,x,2,3,4,5,6,7,8\n'), arm)
    assert (motion.q.tolist(), motion.v.tolist()) == ([[2.0, 3.0]], [[4.0, 1.0]])
    assert (motion.a.tolist(), motion.tau.tolist()) == ([[6.0, 5.0]], [[8.0, 7.0]])
    assert motion.time is None and motion.notes == ('Columns not used: extra.',)
    swapped = load_robot(RANK_CASE / 'arm.urdf', joints=['elbow', 'shoulder'])
    assert read_recording(tmp_path / 'motion.csv', swapped).q.tolist() == [[3.0, 2.0]]


@pytest.mark.parametrize(
    ('text', 'words'),
    [
        (f'{HEADER}\n{ROWS[0].replace("0.8", "nan")}', "'nan' in row 2, column 'tau2'"),
        (f'{HEADER}\n{ROWS[0].replace("0.8", "inf")}', "'inf' in row 2, column 'tau2'"),
        (f'{HEADER}\n{ROWS[0].replace("0.8", "")}', "'' in row 2, column 'tau2' is no number"),
        (f'{HEADER}\n{ROWS[0].replace("0.8", "0.8 Nm")}', 'a number with a unit'),
        (f'{HEADER}\n{ROWS[0].replace("0.8", "1e999")}', 'too large'),
        (f'{HEADER}\n{ROWS[0].replace("0.8", "0,8")}', 'row 2 has 10 columns'),
        (f'{HEADER}\n{ROWS[0]}\n0.2,1', 'row 3 has 2 columns'),
        (f'{HEADER}\n{ROWS[1]}\n{ROWS[0]}', 'the time of sample 2 is 0'),
        (HEADER, 'has no samples'),
        ('', 'has no headings'),
        (f'{HEADER};\n'.replace(',', ';'), 'separated by semicolons'),
        (f'{HEADER},q3\n{ROWS[0]},1', 'joint number 3'),
        (f'{HEADER},q_elbow\n{ROWS[0]},1', "columns 'q2' and 'q_elbow' both give"),
        (f'{HEADER},time\n{ROWS[0]},1', 'two columns of time'),
        (f'{HEADER.replace("tau2", "tau elbow [mNm]")}\n{ROWS[0]}', "is in 'mNm'; expected N·m"),
        (f'{HEADER.replace("q2", "q elbow [deg]")}\n{ROWS[0]}', "is in 'deg'; expected rad"),
        (f'{HEADER.replace("t,", "t [ms],")}\n{ROWS[0]}', "is in 'ms'; expected s"),
        (f'{HEADER.replace("tau2", "tau_elbwo")}\n{ROWS[0]}', 'did you mean tau_elbwo'),
        (f'{HEADER.replace("a2", "b2")}\n{ROWS[0]}', 'differentiate the velocity'),
        (f'{HEADER}\n"0.1', 'is no table'),
    ],
)
def test_unclear_recordings_are_refused(tmp_path, arm, text, words):
    with pytest.raises(StateError) as caught:
        read_recording(table(tmp_path, text), arm)
    assert words in str(caught.value) and 'motion.csv' in str(caught.value)


def test_files_that_cannot_be_read(tmp_path, arm, monkeypatch):
    with pytest.raises(StateError, match='cannot be read'):
        read_recording(tmp_path / 'absent.csv', arm)
    with pytest.raises(StateError, match='no UTF-8'):
        read_recording(table(tmp_path, f'{HEADER},é', 'latin-1'), arm)
    monkeypatch.setattr('robot_dynamics.identification.recording.MAX_BYTES', 10)
    with pytest.raises(StateError, match='at most 10'):
        read_recording(table(tmp_path, HEADER), arm)


def test_a_motion_is_copied_checked_and_read_only(arm):
    q = np.zeros((2, 2))
    motion = MeasuredMotion(joint_names=arm.joint_names, q=q, v=q, a=q, tau=q)
    q[0, 0] = 1.0
    assert motion.q[0, 0] == 0.0 and not motion.q.flags.writeable
    broken = np.array([[0.0, 0.0], [0.0, np.nan]])
    with pytest.raises(StateError, match="acceleration of joint 'elbow' in sample 2 is nan"):
        MeasuredMotion(joint_names=arm.joint_names, q=q, v=q, a=broken, tau=q)
    with pytest.raises(StateError, match=r'velocity has shape \(1, 2\)'):
        MeasuredMotion(joint_names=arm.joint_names, q=q, v=q[:1], a=q, tau=q)
