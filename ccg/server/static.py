"""The built client and other static files, served by the server process itself."""

import re

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """WhiteNoise, for names as Vite makes them and for a server that speaks ASGI."""

    # Vite writes name-HASH.js, which never changes and may be kept for ever.
    _HASHED = re.compile(r"/assets/[^/]+-[\w-]{8,}\.\w+$")

    def immutable_file_test(self, path: str, url: str) -> bool:
        """Return whether the file at this address can be cached for ever."""
        return bool(self._HASHED.search(url))

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        """The file as one plain response: under ASGI Django can only stream what is read asynchronously."""
        file_response = static_file.get_response(request.method, request.META)
        body = b""
        if file_response.file is not None:
            with file_response.file as file:
                body = file.read()
        response = HttpResponse(body, status=int(file_response.status))
        del response["Content-Type"]
        for name, value in file_response.headers:
            response[name] = value
        return response
