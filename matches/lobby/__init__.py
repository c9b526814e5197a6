"""The lobby: what is done with matches besides playing them, and what its pages and forms need."""
