"""What goes wrong with a request, in the one form in which the API says it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from msgspec import UNSET, Meta, Struct, UnsetType
from rest_framework import exceptions

from ccg.suspension import Suspended

TYPE = "application/json"
ADDRESSES = "/api/"
"""What every address of the API begins with."""

USUAL = {
    400: "bad_request",
    401: "not_authenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    412: "precondition_failed",
    413: "too_large",
    415: "unsupported_media_type",
    429: "too_many_requests",
}
"""The code of an error that says no other."""


class ApiError(Struct, kw_only=True):
    """Why a request was not answered. ``code`` is for programs and ``detail`` for people."""

    code: Annotated[str, Meta(description="A word that stays the same.", examples=["unknown_parameter"])]
    detail: Annotated[str, Meta(description="What is wrong, in a sentence.")]
    parameter: Annotated[str, Meta(description="The parameter or field that is wrong.")] | UnsetType = UNSET
    expected: Annotated[list[str], Meta(description="What could stand there.")] | UnsetType = UNSET
    start: Annotated[int, Meta(description="First wrong character of a search, from 0.")] | UnsetType = UNSET
    end: Annotated[int, Meta(description="The first character behind it.")] | UnsetType = UNSET
    suggestion: Annotated[str, Meta(description="What may have been meant there.")] | UnsetType = UNSET
    lines: Annotated[list[int], Meta(description="Lines of a deck list that have to be decided.")] | UnsetType = UNSET


class Refused(exceptions.APIException):
    """A request that is not answered, with everything that helps to ask better."""

    def __init__(self, status: int, code: str, detail: str, **more: Any) -> None:
        super().__init__(detail, code)
        self.status_code = status
        self.error = ApiError(code=code, detail=detail, **more)


def is_for_api(path: str) -> bool:
    """Return whether ``path`` is an address of the API, where whatever goes wrong is said as JSON."""
    return path.startswith(ADDRESSES)


def wrong_value(parameter: str, value: str, expected: Iterable[str], detail: str = "") -> Refused:
    """Return the refusal of a value that a parameter cannot have."""
    detail = detail or f"“{value[:60]}” is nothing that “{parameter}” can be."
    return Refused(400, "wrong_value", detail, parameter=parameter, expected=list(expected))


def answer(status: int, error: ApiError, headers: dict[str, str] | None = None) -> HttpResponse:
    """Return an error as an answer, which no cache keeps."""
    response = HttpResponse(msgspec.json.encode(error), status=status, content_type=TYPE, headers=headers)
    response["Cache-Control"] = "no-store"
    return response


def handled(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """Answer what a view raised; None for a fault of ours, which goes on to whoever reports those."""
    if isinstance(error, Refused):
        return answer(error.status_code, error.error)
    if isinstance(error, Suspended):
        return answer(403, ApiError(code=error.code, detail=str(error)))
    if isinstance(error, Http404):
        error = exceptions.NotFound("There is nothing at this address that you may see.")
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    if not isinstance(error, exceptions.APIException):
        return None
    status = error.status_code
    headers = {"WWW-Authenticate": error.auth_header} if getattr(error, "auth_header", "") else {}
    if getattr(error, "wait", None):
        headers["Retry-After"] = str(int(error.wait) + 1)
    return answer(status, ApiError(code=USUAL.get(status, "error"), detail=_sentence(error)), headers)


def _sentence(error: exceptions.APIException) -> str:
    detail = error.detail
    while isinstance(detail, (list, dict)) and detail:
        detail = next(iter(detail.values() if isinstance(detail, dict) else detail))
    return str(detail)
