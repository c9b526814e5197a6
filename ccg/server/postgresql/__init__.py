"""Django's PostgreSQL backend, quick to say that the server is away. ``base`` is what Django looks for."""
