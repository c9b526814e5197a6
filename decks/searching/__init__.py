"""Searching for decks, and what decks add to searching and showing cards."""
