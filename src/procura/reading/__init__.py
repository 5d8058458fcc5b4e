"""What people write, read for the command line and for studies alike: puzzles by name, texts of problems, limits."""
