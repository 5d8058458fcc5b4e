"""The studio: a page to solve and play puzzles in, and what carries it; nothing is imported unless it is asked for."""
