"""What templates need beyond Python: a window on part of an array, and a hint to fetch memory early."""

from __future__ import annotations

from typing import Any

import llvmlite.ir as ll
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array


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
