"""Tables: matches and their one door, the lobby, the socket, computer players, the archive."""
