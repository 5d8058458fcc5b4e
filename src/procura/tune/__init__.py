"""Tuning: the weights of composed heuristics and of controllers, found on some boards and judged on others."""
