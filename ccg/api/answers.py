"""Answers as JSON, with a mark by which who has one already can ask whether it still holds."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
from django.http import HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.http import parse_etags
from rest_framework.request import Request

TYPE = "application/json"


def etag_of(body: bytes) -> str:
    """Return the mark of a body."""
    return f'"{hashlib.sha256(body).hexdigest()[:24]}"'


def json_answer(request: Request, value: Any, status: int = 200, *, private: bool = False) -> HttpResponse:
    """Return ``value`` as JSON; 304 without a body for whoever has it already.

    What is ``private`` no cache stores; all else may be kept and is asked for again each time.
    """
    body = msgspec.json.encode(value)
    etag = etag_of(body)
    if status == 200 and request.method in ("GET", "HEAD") and has(request, etag):
        response = HttpResponse(status=304)
    else:
        response = HttpResponse(body, status=status, content_type=TYPE)
    response["ETag"] = etag
    if private:
        patch_cache_control(response, private=True, no_store=True)
    elif request.method in ("GET", "HEAD"):
        patch_cache_control(response, public=True, no_cache=True)
    return response


def has(request: Request, etag: str) -> bool:
    """Return whether whoever asks has said to have what has this mark."""
    held = parse_etags(request.headers.get("If-None-Match", ""))
    return "*" in held or etag in {one.removeprefix("W/") for one in held}
