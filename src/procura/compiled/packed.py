"""Rows in one or two machine words: what kernels get for ``s`` where a row is small, so that it stays in registers.

The key is the first word, the payload the second, as they are stored::

    | entry 0 | entry 1 | ...      bits each     | entry key | entry key + 1 | ...      the bits of dtype each

``s[i]`` is a shift of one of them. To a kernel it looks like an array of the same ``dtype``, as long as it is only
indexed. ``Lengths`` is another type that stands for what is known of a problem: the lengths of the fields of ``data``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import intrinsic, lower_builtin, models, register_model, type_callable

from procura.compiled.inside import cgutils, llvm as ll, make_array

I64 = ll.IntType(64)


class AnyRow(types.Type):  # type: ignore[misc]
    """Rows that are arrays."""

    def __init__(self) -> None:
        super().__init__(name="AnyRow")


class PackedRow(types.Type):  # type: ignore[misc]
    """Rows of ``size`` entries of ``dtype``, of which the first ``key`` have ``bits`` bits: natural ones, if fewer."""

    takes_unsigned = True

    def __init__(self, dtype: Any, size: int, key: int, bits: int) -> None:
        self.dtype, self.size, self.first, self.bits = dtype, size, key, bits
        super().__init__(name=f"PackedRow({dtype}, {size}, {key}, {bits})")


class Lengths(types.Type):  # type: ignore[misc]
    """The lengths of the fields of ``data``, None where a kernel is not compiled for one length."""

    def __init__(self, lengths: tuple[int | None, ...]) -> None:
        self.lengths = lengths
        super().__init__(name=f"Lengths{lengths}")


@register_model(PackedRow)
class _Model(models.PrimitiveModel):  # type: ignore[misc]
    """A pointer to the words, which the compiler does away with once all is inlined."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, I64.as_pointer())


@intrinsic  # type: ignore[untyped-decorator]
def new_row(typing_context: Any, array: Any, kind: Any) -> Any:
    """A row of the kind: two words of its own, or ``array`` itself if rows are arrays."""
    row = kind.instance_type

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if not isinstance(row, PackedRow):
            return arguments[0]
        words = cgutils.alloca_once(builder, ll.ArrayType(I64, 2))
        return builder.bitcast(words, I64.as_pointer())

    return (row if isinstance(row, PackedRow) else array)(array, kind), generate


@intrinsic  # type: ignore[untyped-decorator]
def sized(typing_context: Any, data: Any, kind: Any) -> Any:
    """``data`` with the lengths that are known, for the compiler to count on."""
    lengths = kind.instance_type.lengths

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        fields = cgutils.unpack_tuple(builder, arguments[0], len(lengths))
        for i, length in enumerate(lengths):
            if length is not None:
                field = make_array(data[i])(context, builder, fields[i])
                field.shape = cgutils.pack_array(builder, [context.get_constant(types.intp, length)])
                fields[i] = field._getvalue()
        return context.make_tuple(builder, data, fields)

    return data(data, kind), generate


@type_callable(operator.getitem)  # type: ignore[untyped-decorator]
def _type_getitem(context: Any) -> Any:
    def typed(row: Any, index: Any) -> Any:
        return row.dtype if isinstance(row, PackedRow) and isinstance(index, types.Integer) else None

    return typed


@type_callable(operator.setitem)  # type: ignore[untyped-decorator]
def _type_setitem(context: Any) -> Any:
    def typed(row: Any, index: Any, value: Any) -> Any:
        fits = isinstance(row, PackedRow) and isinstance(index, types.Integer)
        return types.void if fits and isinstance(value, types.Integer | types.Boolean | types.Float) else None

    return typed


@type_callable(len)  # type: ignore[untyped-decorator]
def _type_len(context: Any) -> Any:
    def typed(row: Any) -> Any:
        return types.intp if isinstance(row, PackedRow) else None

    return typed


@lower_builtin(len, PackedRow)  # type: ignore[untyped-decorator]
def _len(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return context.get_constant(types.intp, signature.args[0].size)


@lower_builtin(operator.getitem, PackedRow, types.Integer)  # type: ignore[untyped-decorator]
def _getitem(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    row, index = signature.args[0], _index(context, builder, signature, arguments)
    entry = context.get_value_type(row.dtype)

    def read(part: _Part) -> Any:
        word = builder.load(_word(builder, arguments[0], part.number))
        value = builder.trunc(builder.lshr(word, part.shift(builder, index)), ll.IntType(part.bits))
        widen = builder.zext if part.bits < row.dtype.bitwidth else builder.sext
        return value if value.type == entry else widen(value, entry)

    ways = _ways(builder, row, index, read)
    if len(ways) == 1:
        return ways[0][0]
    value = builder.phi(entry)
    for one, block in ways:
        value.add_incoming(one, block)
    return value


@lower_builtin(operator.setitem, PackedRow, types.Integer, types.Any)  # type: ignore[untyped-decorator]
def _setitem(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    row, index = signature.args[0], _index(context, builder, signature, arguments)
    entry = context.cast(builder, arguments[2], signature.args[2], row.dtype)
    value = entry if entry.type == I64 else builder.sext(entry, I64)

    def write(part: _Part) -> None:
        at, place, mask = part.shift(builder, index), _word(builder, arguments[0], part.number), I64(part.mask)
        kept = builder.and_(builder.load(place), builder.not_(builder.shl(mask, at)))
        builder.store(builder.or_(kept, builder.shl(builder.and_(value, mask), at)), place)

    _ways(builder, row, index, write)
    return context.get_dummy_value()


def _ways(builder: Any, row: PackedRow, index: Any, make: Callable[[_Part], Any]) -> list[tuple[Any, Any]]:
    """What ``make`` makes for the word that an index leads to, with the block where it is made.

    An index that is not known beforehand nearly always leads to the key: as a branch that is said to be likely, this
    takes no time, while a choice between the results of both would have to wait for them.
    """
    parts = _parts(row)
    if len(parts) == 1:
        return [(make(parts[0]), builder.block)]
    ways = []
    in_key = builder.icmp_unsigned("<", index, I64(row.first))
    before = builder.block
    with builder.if_else(in_key) as branches:
        for branch, part in zip(branches, parts, strict=True):
            with branch:
                ways.append((make(part), builder.block))
    before.terminator.set_weights([1 << 16, 1])
    return ways


class _Part:
    """One word of a row."""

    def __init__(self, number: int, first: int, bits: int) -> None:
        self.number, self.first, self.bits = number, first, bits
        self.mask = (1 << bits) - 1

    def shift(self, builder: Any, index: Any) -> Any:
        """By how many bits an entry is shifted; less than 64, whatever the index."""
        return builder.and_(builder.mul(builder.sub(index, I64(self.first)), I64(self.bits)), I64(63))


def _parts(row: PackedRow) -> list[_Part]:
    parts = [_Part(0, 0, row.bits), _Part(1, row.first, row.dtype.bitwidth)]
    return parts if row.first < row.size else parts[:1]


def _word(builder: Any, row: Any, number: int) -> Any:
    return builder.gep(row, [I64(number)])


def _index(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The index as 64 bits; one that is negative counts from the end."""
    row, kind = signature.args[:2]
    index = context.cast(builder, arguments[1], kind, types.int64 if kind.signed else types.uint64)
    if not kind.signed:
        return index
    from_the_end = builder.add(index, I64(row.size))
    return builder.select(builder.icmp_signed("<", index, I64(0)), from_the_end, index)
