"""Statistics: how often lists, bases and cards win, told from the archives of matches between two people."""
