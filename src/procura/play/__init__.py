"""Puzzles to be played: games without a terminal, how they are seen and steered, and how they are saved."""
