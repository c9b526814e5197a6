"""How matches are stored: short transactions, threads that keep a connection, what errors of the database mean, and how
events and sets of seats are written.
"""
