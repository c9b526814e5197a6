"""What people say of decks: descriptions, likes, comments, reports, and what moderators do with these."""
