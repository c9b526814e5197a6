"""Pairing: people who look for an opponent wait in a queue until somebody of their strength is there."""
