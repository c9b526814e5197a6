"""Fair shuffles: the server commits to secrets, players add words, everybody checks (docs/fair-shuffles.md)."""
