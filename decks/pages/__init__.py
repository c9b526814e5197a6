"""The pages of decks, their versions and exports, and who may see them."""
