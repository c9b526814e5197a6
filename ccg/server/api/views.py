"""The document of the API, the page that shows it, and what is said below ``/api/`` where there is nothing."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve, reverse
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from msgspec import Struct
from rest_framework.request import Request

from ccg.api.answers import json_answer
from ccg.api.errors import Refused
from ccg.api.views import ApiView, operation

VERBS = ("get", "post", "put", "patch", "delete")


class Start(Struct):
    """Where things are, by their names."""

    addresses: dict[str, str]


class Index(ApiView):
    """Where to begin."""

    authentication_classes = ()

    @operation("The addresses of the API", Start)
    def get(self, request: Request) -> HttpResponse:
        """Return all addresses without arguments."""
        paths = [path for path in document()["paths"] if "{" not in path]
        named = {
            path.removeprefix("/api/v1/").strip("/") or "start": request.build_absolute_uri(path) for path in paths
        }
        return json_answer(request, Start({**named, "document": request.build_absolute_uri(reverse("api_schema"))}))


@cache
def document() -> dict[str, Any]:
    """Return the OpenAPI document."""
    read: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(SchemaGenerator().get_schema(public=True)))  # noqa: TID251
    return read


class Document(ApiView):
    """The OpenAPI document, for programs."""

    authentication_classes = ()

    @extend_schema(exclude=True)
    @operation("The OpenAPI document", None)
    def get(self, request: Request) -> HttpResponse:
        """Return the document."""
        return json_answer(request, document())


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """The document as a page: every address, what it takes and answers, every type."""
    said_all = document()
    info = {**said_all["info"], "description": _plain(said_all["info"]["description"])}
    context = {"info": info, "groups": _groups(said_all), "types": _types(said_all)}
    return render(request, "docs/api.html", context)


class Missing(ApiView):
    """What there is at addresses below ``/api/`` at which there is nothing.

    A view of the API, so that the middleware against forged forms does not answer before it, with a page.
    """

    authentication_classes = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Count every request, whatever its method, and refuse it."""
        self.check_throttles(request)
        detail = "There is nothing at this address."
        if not request.path.endswith("/") and _is_there(f"{request.path}/"):
            detail += " Addresses end in a slash."
        raise Refused(404, "not_found", f"{detail} See {reverse('api_docs')}.")


def _is_there(path: str) -> bool:
    try:
        return getattr(resolve(path).func, "view_class", None) is not Missing
    except Resolver404:
        return False


def _groups(said_all: dict[str, Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the operations by what they are about, each as the page shows it."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, verbs in said_all["paths"].items():
        for verb in VERBS:
            if verb in verbs:
                one = verbs[verb]
                groups.setdefault(one.get("tags", ["start"])[0], []).append(_operation(path, verb, one))
    return sorted(groups.items())


def _operation(path: str, verb: str, one: dict[str, Any]) -> dict[str, Any]:
    body = one.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    answers = [
        (
            status,
            _plain(answer["description"]),
            _kind(answer.get("content", {}).get("application/json", {}).get("schema")),
        )
        for status, answer in one["responses"].items()
    ]
    return {
        "id": one["operationId"],
        "path": path,
        "verb": verb.upper(),
        "summary": one["summary"],
        "description": _plain(one["description"]) if one["description"] != one["summary"] else "",
        "token": any("token" in way for way in one.get("security", [])),
        "parameters": [{**each, "kind": _kind(each["schema"])} for each in one.get("parameters", [])],
        "body": _kind(body),
        "answers": answers,
    }


def _plain(text: str) -> str:
    """Return a text without the marks of Markdown that it has."""
    return text.replace("`", "")


def _types(said_all: dict[str, Any]) -> list[dict[str, Any]]:
    """Return all record types with their fields."""
    return [
        {
            "name": name,
            "description": schema.get("description", ""),
            "fields": [
                (field, _kind(kind), kind.get("description", ""), field in schema.get("required", ()))
                for field, kind in schema.get("properties", {}).items()
            ],
        }
        for name, schema in said_all["components"]["schemas"].items()
    ]


def _kind(schema: dict[str, Any] | None) -> str:
    """Return a schema in a few words."""
    if not schema:
        return ""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {_kind(schema.get('items')) or 'anything'}"
    inner = schema.get("additionalProperties")
    if kind == "object" and isinstance(inner, dict):
        return f"{_kind(inner)} by name"
    return str(kind)
