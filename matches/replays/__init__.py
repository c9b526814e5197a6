"""Replays of finished matches: what is kept of them, who may see how much, and what can be done with them."""
