"""Decks: lists of cards with immutable versions, their legality, their text form, their pages."""
