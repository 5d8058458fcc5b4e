"""Counting bits in one instruction, for kernels; importing this imports Numba."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic


@intrinsic  # type: ignore[untyped-decorator]
def ones(typing_context: Any, word: Any) -> Any:
    """How many bits of a word are set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def length(typing_context: Any, word: Any) -> Any:
    """The place of the highest set bit, from 1; 0 for a word without any."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = arguments[0]
        zeros = builder.ctlz(word, context.get_constant(types.boolean, False))
        return builder.sub(context.get_constant(types.int64, 64), zeros)

    return types.int64(types.int64), generate
