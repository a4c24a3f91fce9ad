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

"""Joint states as the middleware hands them over, in bytes: read without making a message."""

from __future__ import annotations

from math import isfinite
import struct
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rclpy.serialization import deserialize_message
from robot_dynamics.errors import StateError
from robot_dynamics.nodes.messages import JointStateReader, MeasuredState, stamp_of
from sensor_msgs.msg import JointState

_LITTLE_ENDIAN = 0x0100  # the first four bytes of plain CDR, read as one number
_START = struct.Struct('<IiI')  # these, then seconds and nanoseconds of the stamp
_FRAME = _START.size  # frame and names begin here
_ORIGIN = 4  # alignment is counted from behind the first four bytes
_COUNT = struct.Struct('<I')
_DOUBLE = np.dtype('<f8')
_MOST_LAYOUTS = 16  # one for each publisher


class _Place(NamedTuple):
    """Where the number of values of an array stands, that number, and where the first one is."""

    count_at: int
    size: int
    first: int


class _Layout(NamedTuple):
    """
    Where things are in the messages of one publisher.

    Attributes
    ----------
    size
        Of the message in bytes.
    head_at, head
        Where the bytes from the frame to the number of positions are, and what they were.
    mask, masked
        The bits of the head that are no padding, and what they are, as numbers.
    velocities_at, velocities, efforts_at, efforts
        Where the numbers of velocities and efforts stand, and what stands there.
    first, n_doubles
        Where the first position is, and how many doubles fit from there to the end.
    choice
        Which of these doubles are our positions, velocities and efforts.
    moving
        How many of them are positions and velocities.

    """

    size: int
    head_at: slice
    head: bytes
    mask: int
    masked: int
    velocities_at: slice
    velocities: bytes
    efforts_at: slice
    efforts: bytes
    first: int
    n_doubles: int
    choice: NDArray[np.intp]
    moving: int


class SerializedStateReader:
    """
    Turns serialized JointState messages into arrays by joint name.

    What is usable is said by :class:`JointStateReader` alone. A message is first read its way;
    where its numbers were is kept, and as long as the names before them stay the same byte for
    byte, only the numbers are taken. Whatever is unusual goes the long way again.

    Parameters
    ----------
    reader
        Reads whole messages.

    """

    def __init__(self, reader: JointStateReader) -> None:
        self._reader = reader
        self._n = reader.n_joints
        self._layout: _Layout | None = None
        self._layouts: list[_Layout] = []

    def stamp(self, data: bytes) -> float:
        """Return the time of the header in seconds; 0.0 also where it cannot be read."""
        if len(data) >= _FRAME:
            kind, seconds, nanoseconds = _START.unpack_from(data)
            if kind == _LITTLE_ENDIAN:
                stamp: float = seconds + 1e-9 * nanoseconds
                return stamp
        try:
            return stamp_of(_decode(data))
        except StateError:
            return 0.0

    def read(self, data: bytes) -> MeasuredState:
        """
        Return the state in `data`; see :meth:`JointStateReader.read`.

        Raises
        ------
        StateError
            It is no JointState message, or one that must not be used.

        """
        layout = self._layout
        if layout is None or len(data) != layout.size or data[layout.head_at] != layout.head:
            layout = self._known(data)
            if layout is None:
                return self._learn(data)
        kind, seconds, nanoseconds = _START.unpack_from(data)
        if (
            kind != _LITTLE_ENDIAN
            or data[layout.velocities_at] != layout.velocities
            or data[layout.efforts_at] != layout.efforts
        ):
            return self._reader.read(_decode(data))
        numbers = np.frombuffer(data, _DOUBLE, layout.n_doubles, layout.first)[layout.choice]
        n, moving = self._n, layout.moving
        state = numbers[:moving]
        effort = numbers[moving:] if len(numbers) > moving else None
        # one look at all of them: what is not finite stays so in a sum of squares
        if not isfinite(numbers.dot(numbers)):
            if not isfinite(state.dot(state)):
                return self._reader.read(_decode(data))
            if effort is not None and not isfinite(effort.dot(effort)):
                effort = None
        v = state[n:] if moving > n else None
        return MeasuredState(state[:n], v, effort, seconds + 1e-9 * nanoseconds)

    def _known(self, data: bytes) -> _Layout | None:
        """Return the layout of messages that look like this one."""
        for layout in self._layouts:
            if (
                layout.size == len(data)
                and _number(data[layout.head_at]) & layout.mask == layout.masked
            ):
                self._layout = layout
                return layout
        return None

    def _learn(self, data: bytes) -> MeasuredState:
        """Read a message the long way, and keep where things were."""
        message = _decode(data)
        state = self._reader.read(message)
        layout = self._lay_out(data, message)
        if layout is not None:
            if len(self._layouts) >= _MOST_LAYOUTS:
                self._layouts.clear()
            self._layout = layout
            self._layouts.append(layout)
        return state

    def _lay_out(self, data: bytes, message: JointState) -> _Layout | None:
        """Return where the numbers of `message` are in `data`, None if they are not found."""
        try:
            (positions, velocities, efforts), paddings = _places(data, message.name)
        except (struct.error, ValueError):
            return None
        for place, values in (
            (positions, message.position),
            (velocities, message.velocity),
            (efforts, message.effort),
        ):
            end = place.first + _DOUBLE.itemsize * place.size
            if data[slice(place.first, end)] != np.asarray(values, _DOUBLE).tobytes():
                return None
        first = positions.first
        head_at = slice(_FRAME, positions.count_at + _COUNT.size)
        mask = bytearray(b'\xff' * (positions.count_at + _COUNT.size))
        for padding in paddings:
            mask[padding] = bytes(padding.stop - padding.start)
        bits = _number(mask[head_at])
        return _Layout(
            size=len(data),
            head_at=head_at,
            head=data[head_at],
            mask=bits,
            masked=_number(data[head_at]) & bits,
            velocities_at=slice(velocities.count_at, velocities.count_at + _COUNT.size),
            velocities=_COUNT.pack(velocities.size),
            efforts_at=slice(efforts.count_at, efforts.count_at + _COUNT.size),
            efforts=_COUNT.pack(efforts.size),
            first=first,
            n_doubles=(len(data) - first) // _DOUBLE.itemsize,
            choice=np.concatenate(
                [
                    self._reader.index + (place.first - first) // _DOUBLE.itemsize
                    for place in (positions, velocities, efforts)
                    if place.size
                ]
            ),
            moving=self._n * (2 if velocities.size else 1),
        )


def _places(data: bytes, names: list[str]) -> tuple[list[_Place], list[slice]]:
    """
    Return where positions, velocities and efforts are in a message with these names.

    Beside them, the padding before and between the names, which may have any content.

    Raises
    ------
    struct.error, ValueError
        The bytes are too few, or laid out in another way.

    """
    if _COUNT.unpack_from(data)[0] != _LITTLE_ENDIAN:
        raise ValueError('another encoding')
    end = _FRAME + _COUNT.size + _COUNT.unpack_from(data, _FRAME)[0]
    at = _aligned(end, _COUNT.size)
    paddings = [slice(end, at)]
    if _COUNT.unpack_from(data, at)[0] != len(names):
        raise ValueError('another number of names')
    at += _COUNT.size
    for name in names:
        text = name.encode() + b'\0'
        text = _COUNT.pack(len(text)) + text
        if not data.startswith(text, at):
            raise ValueError('another name')
        end = at + len(text)
        at = _aligned(end, _COUNT.size)
        paddings.append(slice(end, at))
    places = []
    for _ in range(3):
        count_at = at
        count = _COUNT.unpack_from(data, count_at)[0]
        at = count_at + _COUNT.size
        first = _aligned(at, _DOUBLE.itemsize) if count else at
        places.append(_Place(count_at, count, first))
        at = first + _DOUBLE.itemsize * count
    if at > len(data):  # what comes behind is padding
        raise ValueError('too few bytes')
    return places, paddings


def _aligned(at: int, size: int) -> int:
    return at + (_ORIGIN - at) % size


def _number(data: bytes | bytearray) -> int:
    return int.from_bytes(data, 'little')


def _decode(data: bytes) -> JointState:
    try:
        return deserialize_message(data, JointState)
    # the middlewares and the conversion of texts have many ways to fail
    except Exception as error:
        reason = str(error).split(', at /')[0]
        raise StateError(
            f'{len(data)} bytes that are no JointState: {reason}', where='joint_states'
        ) from error
