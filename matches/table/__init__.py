"""What is shown at a table: the match as a viewer sees it, how it went, and what a player can set."""
