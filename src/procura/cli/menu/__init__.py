"""The menu: questions with numbered answers, from the puzzle to the result; on a terminal and over a pipe."""
