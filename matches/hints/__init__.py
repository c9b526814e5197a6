"""Hints that there is something new: to the sockets of this process, and to other processes."""
