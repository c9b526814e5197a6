"""How matches are stored.

Short transactions, threads that keep a connection, what errors of the database mean, and how events and sets of seats
are written.
"""
