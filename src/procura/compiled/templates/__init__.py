"""The compiled searches as templates: their capitalised and kernel globals are bound to a problem by ``build``."""
