"""The rules engine through its public face; no Django, no database."""
