"""The API as a whole: who asks and how often, the document and its page, what is at no address."""
