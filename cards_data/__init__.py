"""The card database: sets and cards with permanent ids, data versions, import, card pages and API."""
