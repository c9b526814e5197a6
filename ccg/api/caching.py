"""How long browsers keep an answer whose address names the version of what it holds."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.cache import patch_cache_control

FOR_EVER = 365 * 24 * 3600
"""The longest time that caches accept, in seconds (RFC 9111 sets none; a year is the custom)."""


def keep_version(answer: HttpResponse, *, asked: str | None, version: str) -> HttpResponse:
    """Return ``answer``, to be kept for ever if ``asked``, the version in its address, is the ``version`` it holds.

    Without a version in the address, or with another one, what the address leads to may change: a cache may keep the
    answer, and has to ask each time whether it is still the same.
    """
    if asked == version:
        patch_cache_control(answer, public=True, max_age=FOR_EVER, immutable=True)
    else:
        patch_cache_control(answer, public=True, no_cache=True)
    return answer
