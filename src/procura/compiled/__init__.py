"""The textbook algorithms for ArrayProblems, compiled by Numba; imported when a compiled search starts."""
