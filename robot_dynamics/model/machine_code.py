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


"""
A trace as machine code: a function for Numba that reads arrays, computes and stores.

The operations go to LLVM directly. As Python text they would pass through Numba's reading and
typing of each statement, which takes ten times as long and holds up other threads meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from robot_dynamics.model.tracing import needed_for, Traced

ARRAYS = ('q', 'v', 'a', 'parameters', 'gravity', 'work', 'out')
SHARED = ('parameters', 'gravity')
# a product and a sum may become one operation with one rounding; NaN and infinity stay
FLAGS = ('contract',)


def storing(results: Mapping[int, Traced | float], into: str, lanes: int = 1) -> Any:
    """
    Return a Numba function of ``ARRAYS`` that computes scalars of a trace and stores them.

    Parameters
    ----------
    results : mapping of int to (Traced or float)
        What is stored at which index; the trace reads entries of ``ARRAYS``.
    into : str
        The one of ``ARRAYS`` that is written, after all else is read.
    lanes : int
        How many states are computed at once, in vector registers. Each entry of an array is then
        this many numbers, one of each state; those of the ``SHARED`` arrays stay one number.

    """
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic
    from numba.np.arrayobj import make_array

    needed = needed_for([x for x in results.values() if isinstance(x, Traced)])
    index, lane = ir.IntType(64), ir.IntType(32)
    number = ir.DoubleType() if lanes == 1 else ir.VectorType(ir.DoubleType(), lanes)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = {
            name: make_array(kind)(context, builder, argument).data
            for name, kind, argument in zip(ARRAYS, signature.args, arguments)
        }
        values: dict[int, Any] = {}

        def place(array: str, position: int) -> Any:
            offset = ir.Constant(index, position if array in SHARED else position * lanes)
            pointer = builder.gep(data[array], [offset], inbounds=True)
            if array in SHARED or lanes == 1:
                return pointer
            return builder.bitcast(pointer, number.as_pointer())

        def read(array: str, position: int) -> Any:
            # an array of NumPy is aligned for one number only
            value = builder.load(place(array, position), align=8)
            if array not in SHARED or lanes == 1:
                return value
            first = builder.insert_element(
                ir.Constant(number, ir.Undefined), value, ir.Constant(lane, 0)
            )
            everywhere = ir.Constant(ir.VectorType(lane, lanes), [0] * lanes)
            return builder.shuffle_vector(first, ir.Constant(number, ir.Undefined), everywhere)

        def value(x: Any) -> Any:
            if isinstance(x, Traced):
                return values[x.number]
            return ir.Constant(number, float(x) if lanes == 1 else [float(x)] * lanes)

        operations: dict[str, Callable[..., Any]] = {
            '+': lambda x, y: builder.fadd(value(x), value(y), flags=FLAGS),
            '-': lambda x, y: builder.fsub(value(x), value(y), flags=FLAGS),
            '*': lambda x, y: builder.fmul(value(x), value(y), flags=FLAGS),
            'negative': lambda x: builder.fneg(value(x)),
            'input': read,
        }
        for scalar in needed:
            values[scalar.number] = operations[scalar.operation](*scalar.operands)
        for position, result in results.items():
            builder.store(value(result), place(into, position), align=8)
        return context.get_dummy_value()

    def store(
        typing: Any, q: Any, v: Any, a: Any, parameters: Any, gravity: Any, work: Any, out: Any
    ) -> Any:
        return types.void(q, v, a, parameters, gravity, work, out), generate

    return intrinsic(store)


def stack_memory(size: int) -> Any:
    """Return a Numba function without arguments: a pointer to ``size`` float64 on the stack."""
    from llvmlite import ir
    from numba import types
    from numba.core.cgutils import alloca_once
    from numba.extending import intrinsic

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return alloca_once(builder, ir.DoubleType(), size=size)

    def memory(typing: Any) -> Any:
        return types.CPointer(types.float64)(), generate

    return intrinsic(memory)


def memory_at() -> Any:
    """Return a Numba function from an address, an integer, to a pointer to float64 there."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.DoubleType().as_pointer())

    def pointer(typing: Any, address: Any) -> Any:
        return types.CPointer(types.float64)(types.int64), generate

    return intrinsic(pointer)
