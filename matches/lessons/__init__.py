"""Lessons: matches against the computer with fixed decks and chance, told step by step.

A lesson is a file of this folder (``files``): who sits down with which deck in which order, and a story of steps. It
is played through the engine once (``script``), and from then on the place of a match in its lesson is found by the
position that the game stands in. While a match follows its lesson, the computer makes the moves of the story;
wherever the player leaves it, the match is an ordinary one from then on.
"""
