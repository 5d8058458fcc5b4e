"""The package's own errors: each message is one sentence that names the place and what was expected."""


class ProcuraError(Exception):
    """Anything procura raises on purpose."""


class InputError(ProcuraError, ValueError):
    """A board, option, heuristic or limit that cannot be used as given."""


class KernelError(ProcuraError):
    """A rule marked ``@kernel`` that does not compile."""


class ReplayError(ProcuraError):
    """A search returned a solution that the puzzle's own rules refuse: a defect, never the user's fault."""
