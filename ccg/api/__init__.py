"""What all of the API shares: views, parameters, pages, errors, answers that can be asked for again, the document.

The addresses themselves are in the apps (``cards_data/api.py``, ``decks/api.py``, ``matches/api.py``) and in
``ccg.server.api``.
"""
