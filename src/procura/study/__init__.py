"""Studies: grids of runs that a TOML file describes, each in a child process under hard limits, and their reports."""
