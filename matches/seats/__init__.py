"""What follows from who sits, or sat, at a table, and with which decks."""
