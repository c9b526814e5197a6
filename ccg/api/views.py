"""Views of the API, and the decorator that says once what an operation takes and answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeVar

from django.http import HttpResponseBase
from django.utils.cache import patch_vary_headers
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import APIException
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from ccg.api import document
from ccg.api.errors import ApiError
from ccg.api.parameters import Parameter, given_once, read

Method = TypeVar("Method", bound=Callable[..., Any])
READ_ELSEWHERE = "ETag, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After"
"""Headers that scripts on pages of other sites may see, besides the few that browsers always show them."""
_SMALL = re.compile(r"(?<=[a-z])(?=[A-Z])")


class OnlyJson(BaseContentNegotiation):
    """Answers are JSON, whatever the request says that it would like best."""

    def select_parser(self, request: Request, parsers: Sequence[Any]) -> Any:
        """Return the parser for the type of the body; None for a type that nobody reads."""
        kind = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == kind), None)

    def select_renderer(self, request: Request, renderers: Sequence[Any], format_suffix: str = "") -> Any:
        """Return the only renderer."""
        return renderers[0], renderers[0].media_type


class ApiView(APIView):
    """What all views of the API share. Each method is declared by :func:`operation`."""

    permission_classes = (AllowAny,)
    renderer_classes = (JSONRenderer,)
    content_negotiation_class = OnlyJson
    asked: ClassVar[dict[str, Any]] = {}
    """The parameters of the address, read; set for each request."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check who asks, how often, and with which parameters; raises what is then answered."""
        super().initial(request, *args, **kwargs)
        method = getattr(self, (request.method or "").lower(), None)
        parameters = getattr(method, "api_parameters", None)
        if parameters is not None:
            self.asked = read(given_once(request.query_params), parameters)  # type: ignore[misc]

    def perform_authentication(self, request: Request) -> None:
        """Find out who asks. Who cannot be believed is counted too, by address: what is refused costs as well."""
        try:
            super().perform_authentication(request)
        except APIException:
            self.check_throttles(request)
            raise

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Say how much is left of what may be asked, and on what an answer depends; let other sites read it.

        Scripts on their pages may see what anybody may: browsers send no cookies along to where every site may read.
        """
        done: HttpResponseBase = super().finalize_response(request, response, *args, **kwargs)
        for throttle in getattr(self, "throttles_used", ()):
            for name, value in throttle.headers().items():
                done[name] = value
        if self.authentication_classes:
            patch_vary_headers(done, ("Authorization", "Cookie"))
        if request.method in ("GET", "HEAD"):
            done["Access-Control-Allow-Origin"] = "*"
            done["Access-Control-Expose-Headers"] = READ_ELSEWHERE
        return done

    def get_throttles(self) -> list[Any]:
        """Return the throttles, which are remembered for the headers."""
        self.throttles_used = super().get_throttles()
        used: list[Any] = self.throttles_used
        return used


def operation(
    told: str,
    answer: Any,
    *,
    parameters: Sequence[Parameter] = (),
    body: Any = None,
    status: int = 200,
    errors: Sequence[int] = (),
    more: str = "",
    signed_in: bool = False,
) -> Callable[[Method], Method]:
    """Declare a method of a view: what it does, its parameters, what it takes and answers, and how it can fail.

    ``answer`` and ``body`` are record types, or None for nothing. The parameters are checked before the method
    runs; their values are in ``self.asked``. ``signed_in`` tells that a token is needed.
    """
    responses: dict[Any, Any] = {status: _response(answer, "It is done." if answer is None else "")}
    for code in sorted({400, 429, *errors}):
        responses[code] = _response(ApiError, document.REASONS[code])
    if status == 200 and answer is not None and body is None:
        responses[304] = OpenApiResponse(description="You have it already (`If-None-Match`).")

    def declared(method: Method) -> Method:
        method.api_parameters = tuple(parameters)  # type: ignore[attr-defined]
        view, _, verb = method.__qualname__.rpartition(".")
        return extend_schema(
            operation_id=f"{verb}_{_SMALL.sub('_', view).lower()}",
            auth=[{"token": []}] if signed_in else None,
            summary=told,
            description=more or told,
            parameters=[_told(parameter) for parameter in parameters],
            request={"application/json": document.schema_of(body)} if body is not None else None,
            responses=responses,
        )(method)

    return declared


def _response(kind: Any, told: str) -> OpenApiResponse:
    return OpenApiResponse(response=document.schema_of(kind) if kind is not None else None, description=told)


def _told(parameter: Parameter) -> OpenApiParameter:
    schema = dict(parameter.schema)
    if parameter.default is not None:
        schema["default"] = parameter.default
    return OpenApiParameter(parameter.name, schema, description=parameter.told)
