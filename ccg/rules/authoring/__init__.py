"""Card files: reading, checking, and the reference of their language."""
