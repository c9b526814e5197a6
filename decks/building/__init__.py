"""Building a deck: the builder and its drafts, lists that are brought in, the page of what one owns."""
