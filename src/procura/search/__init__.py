"""The textbook algorithms on any Problem, interpreted: for reading, for any Python object and for tracing."""
