"""Notices to players who are away: that it is their move, and that a match is over; by mail and by web push."""
