"""Playing a match.

A move from its check to the commit, what is remembered of running matches, and the record of those that are over.
"""
