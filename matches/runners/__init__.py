"""Moves that nobody sends: of computers, of standing orders, of clocks that have run out, and of vacations."""
