"""What kernels need beyond Python: windows on arrays, rows as words, counters by name, hints to fetch memory early,
counts of bits."""

from __future__ import annotations

from typing import Any

import numba
from numba import types
from numba.extending import intrinsic

from procura.compiled.inside import cgutils, llvm as ll, make_array, populate_array
from procura.compiled.templates.counts import RECORD


@intrinsic  # type: ignore[untyped-decorator]
def window(typing_context: Any, array: Any, start: Any, size: Any) -> Any:
    """``array[start : start + size]`` without the checks and the reference count; it must not outlive ``array``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        whole = make_array(signature.args[0])(context, builder, arguments[0])
        part = make_array(signature.return_type)(context, builder)
        populate_array(
            part,
            data=builder.gep(whole.data, [arguments[1]]),
            shape=[arguments[2]],
            strides=[whole.itemsize],
            itemsize=whole.itemsize,
            meminfo=whole.meminfo,
            parent=whole.parent,
        )
        return part._getvalue()

    return array(array, types.intp, types.intp), generate


def _word(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    """Where a 64-bit word of an array is, whatever its entries are, or of a packed row."""
    data = make_array(kind)(context, builder, array).data if isinstance(kind, types.Array) else array
    return builder.gep(builder.bitcast(data, ll.IntType(64).as_pointer()), [index])


@intrinsic  # type: ignore[untyped-decorator]
def word_at(typing_context: Any, array: Any, index: Any) -> Any:
    """The memory of an array as 64-bit words: word ``index``, which all belongs to the array's buffer."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_word(context, builder, signature.args[0], *arguments))

    return types.int64(array, types.intp), generate


@intrinsic  # type: ignore[untyped-decorator]
def put_word(typing_context: Any, array: Any, index: Any, value: Any) -> Any:
    """Set word ``index`` of the memory of an array."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], _word(context, builder, signature.args[0], *arguments[:2]))
        return context.get_dummy_value()

    return types.void(array, types.intp, types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def named(typing_context: Any, words: Any) -> Any:
    """The words of ``Counters``, as fields by name; it must not outlive them."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        whole = make_array(signature.args[0])(context, builder, arguments[0])
        return builder.bitcast(whole.data, context.get_value_type(signature.return_type))

    return numba.from_dtype(RECORD)(words), generate


@intrinsic  # type: ignore[untyped-decorator]
def prefetch(typing_context: Any, array: Any, index: Any) -> Any:
    """Ask for the memory of ``array[index]``, which is soon to be read and written; never fails."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        whole = make_array(signature.args[0])(context, builder, arguments[0])
        address = builder.bitcast(builder.gep(whole.data, [arguments[1]]), cgutils.voidptr_t)
        kind = ll.FunctionType(ll.VoidType(), [cgutils.voidptr_t, cgutils.int32_t, cgutils.int32_t, cgutils.int32_t])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        one, locality = cgutils.int32_t(1), cgutils.int32_t(3)
        builder.call(function, [address, one, locality, one])
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


@intrinsic  # type: ignore[untyped-decorator]
def lowest_bit(typing_context: Any, word: Any) -> Any:
    """The number of the lowest bit that is set in an unsigned 64-bit word, which is not 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], cgutils.true_bit)

    return types.uint64(types.uint64), generate


@intrinsic  # type: ignore[untyped-decorator]
def bit_count(typing_context: Any, word: Any) -> Any:
    """How many bits of an unsigned 64-bit word are set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate
