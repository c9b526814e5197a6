"""Matches: the lobby, moves, the socket and what it shows, computer players, the archive."""
