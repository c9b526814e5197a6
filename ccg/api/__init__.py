"""What all of the API shares: views, parameters, pages, errors, answers that can be asked for again, the document.

The addresses themselves are in the apps (``cards_data/api.py``, ``decks/api.py``, ``matches/api.py``) and in
``ccg.server.api``.
"""

from importlib import import_module

from ccg.spared import not_installed

# For a test client of the framework, serializers of PostgreSQL's own types (with its driver, which an embedded server
# never needs) and pages that show the API in a browser: none is used here, and all together are a quarter of the start.
with not_installed("requests", "django.contrib.postgres.fields", "pygments"):
    import_module("rest_framework.compat")
