"""What cards are and how they are written: definitions, the schema of abilities, phrases and their grammar."""
