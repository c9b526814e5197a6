"""Looking on at matches of others: which there are, how many look on, and how far behind they are."""
