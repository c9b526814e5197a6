"""Pictures of decks for other sites: drawn in the background, kept, and offered for embedding."""
