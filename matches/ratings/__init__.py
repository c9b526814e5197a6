"""Ratings: how strong players are, told from the finishing orders of rated matches."""
