"""Standing orders: what the site answers for a player who is not there (docs/decisions/0015-standing-orders.md)."""
