"""A search step by step, forwards and backwards: the recording, the frontier and the frames; no terminal."""
