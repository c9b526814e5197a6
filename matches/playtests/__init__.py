"""Playtests: a deck meets the starter decks many times, played by computers in the background."""
