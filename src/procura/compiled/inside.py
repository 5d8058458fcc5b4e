"""Everything of Numba that it does not promise to keep; the rest of the package uses what is documented.

Where a name is gone, kernels are compiled without what it served: without our cache, without progress, with Numba's
own test of every index. What the searches cannot do without, the layout of arrays, is imported at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

import numba

from procura.kept import about_to_make

try:
    from numba.core.caching import NullCache
    from numba.core.compiler import CompileResult
    from numba.core.registry import cpu_target
    from numba.core.serialize import dumps

    CAN_CACHE = hasattr(CompileResult, "_rebuild") and hasattr(CompileResult, "_reduce")
except ImportError:
    CAN_CACHE, NullCache = False, object

try:
    from numba.core.event import Listener, install_listener
except ImportError:
    Listener = None

try:
    from numba.core import ir
    from numba.core.compiler import CompilerBase, DefaultPassBuilder
    from numba.core.compiler_machinery import FunctionPass, register_pass
    from numba.core.typed_passes import PreLowerStripPhis
except ImportError:
    CompilerBase = None


def dispatcher(function: Any, *, inner: bool, debug: bool, from_the_start: bool, inline: bool) -> Any:
    """Numba's dispatcher for a function; ``from_the_start`` if it never indexes from the end."""
    options: dict[str, Any] = {"nogil": True, "boundscheck": debug}
    # Without _nrt Numba counts references, atomically, to every array of ``data`` that a kernel hands on.
    more: dict[str, Any] = {"no_cpython_wrapper": inner, "no_cfunc_wrapper": True, "_nrt": False, "forceinline": inline}
    if from_the_start and CompilerBase is not None:
        more["pipeline_class"] = _Compiler
    try:
        made = numba.njit(function, **options, **more)
    except (TypeError, KeyError):
        return numba.njit(function, **options)
    if hasattr(type(made), "get_call_template"):
        made.get_call_template = partial(_call_template, made)
    return made


def _call_template(made: Any, arguments: Any, keywords: Mapping[str, Any]) -> Any:
    """What a call compiles to. Numba's own compiles a function once more for numbers that are written out in a call."""
    plain = tuple(map(numba.types.unliteral, arguments))
    return type(made).get_call_template(made, plain, {k: numba.types.unliteral(v) for k, v in keywords.items()})


def machine() -> Any:
    """The processor that kernels are compiled for."""
    return cpu_target.target_context.codegen().magic_tuple()


def intrinsic_code(value: Any) -> Any:
    """The code of an intrinsic, None if ``value`` is none."""
    definition = getattr(value, "_defn", None)
    return definition.__code__ if definition is not None and type(value).__name__ == "_Intrinsic" else None


class OwnCache(NullCache):  # type: ignore[misc]
    """Stands in for Numba's cache of one dispatcher; ``read`` and ``write`` say where."""

    def read(self) -> Any:
        """What ``write`` was given, unpickled; any exception counts as absent."""
        raise NotImplementedError

    def write(self, body: bytes) -> None:
        """Keep a kernel."""
        raise NotImplementedError

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel, or None: whatever is wrong with it, it can be compiled again."""
        target_context.refresh()
        try:
            return CompileResult._rebuild(target_context, *self.read())
        except Exception:
            about_to_make("a kernel")
            return None

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Keep the compiled kernel."""
        if not cres.library.has_dynamic_globals:
            self.write(dumps(cres._reduce()))


@contextmanager
def followed(tell: Callable[[Any], None]) -> Iterator[None]:
    """Tell of each dispatcher that is compiled in here."""
    if Listener is None:
        yield
        return

    class Followed(Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            pass

        def on_end(self, event: Any) -> None:
            tell(event.data["dispatcher"])

    with install_listener("numba:compile", Followed()):
        yield


if CompilerBase is not None:

    @register_pass(mutates_CFG=False, analysis_only=False)
    class _FromTheStart(FunctionPass):  # type: ignore[misc]
        """Makes indexes unsigned, once types are known: those Numba does not test for a negative one."""

        _name = "procura_from_the_start"

        def __init__(self) -> None:
            FunctionPass.__init__(self)

        def run_pass(self, state: Any) -> bool:
            for block in state.func_ir.blocks.values():
                block.body = [new for old in block.body for new in self._unsigned(state, block.scope, old)]
            return True

        def _unsigned(self, state: Any, scope: Any, statement: Any) -> list[Any]:
            """A statement, and before it the cast of its index, if it has one that is signed."""
            value: Any = getattr(statement, "value", None)
            reads = isinstance(statement, ir.Assign) and isinstance(value, ir.Expr) and value.op == "getitem"
            if not reads and not isinstance(statement, ir.SetItem):
                return [statement]
            access = value if reads else statement
            called = state.calltypes[access]
            array, index, *stored = called.args
            takes = isinstance(array, numba.types.Array) or getattr(array, "takes_unsigned", False)
            if not takes or not isinstance(index, numba.types.Integer):
                return [statement]
            at = scope.redefine("$index", statement.loc)
            state.typemap[at.name] = numba.types.uint64
            cast = ir.Assign(ir.Expr.cast(access.index, statement.loc), at, statement.loc)
            if reads:
                access = ir.Expr.getitem(value.value, at, value.loc)
                statement = ir.Assign(access, statement.target, statement.loc)
            else:
                access = statement = ir.SetItem(statement.target, at, statement.value, statement.loc)
            state.calltypes[access] = called.replace(args=(array, numba.types.uint64, *stored))
            return [cast, statement]

    class _Compiler(CompilerBase):  # type: ignore[misc]
        """Numba's compiler with that step."""

        def define_pipelines(self) -> list[Any]:
            manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
            manager.add_pass_after(_FromTheStart, PreLowerStripPhis)
            manager.finalize()
            return [manager]


from llvmlite import ir as llvm  # noqa: E402
from numba.core import cgutils  # noqa: E402
from numba.np.arrayobj import make_array, populate_array  # noqa: E402

__all__ = [
    "CAN_CACHE", "OwnCache", "cgutils", "dispatcher", "followed", "intrinsic_code", "llvm", "machine", "make_array",
    "populate_array",
]  # fmt: skip
