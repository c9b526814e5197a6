"""The messages between a browser and its table, and what is written from them for those who make clients."""
