"""Pages of long lists: which one is asked for, and how it is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any, Generic, TypeVar
from urllib.parse import urlencode

from msgspec import Meta, Struct
from rest_framework.request import Request

from ccg.api.errors import Refused
from ccg.api.parameters import number

USUAL = 100
MOST = 400
PAGING = (
    number("page", "Which page, from 1.", 1, 100_000, 1),
    number("page_size", f"How many a page, up to {MOST}.", 1, MOST, USUAL),
)
"""The parameters of every list."""

Row = TypeVar("Row")


class Page(Struct, Generic[Row], kw_only=True):
    """A page of a list."""

    count: Annotated[int, Meta(description="How many there are on all pages.")]
    next: Annotated[str | None, Meta(description="Address of the next page.")]
    previous: Annotated[str | None, Meta(description="Address of the page before.")]
    results: list[Row]


def page_of(
    request: Request, asked: dict[str, Any], rows: Any, made: Callable[[list[Any]], Iterable[Any]]
) -> Page[Any]:
    """Return the page of ``rows`` (a list or a query set) that is asked for; ``made`` makes answers of them.

    Raises Refused for a page behind the last one; the first is there even if it is empty.
    """
    at, size = asked["page"], asked["page_size"]
    count = len(rows) if isinstance(rows, (list, tuple)) else rows.count()
    last = max(1, -(-count // size))
    if at > last:
        raise Refused(404, "no_such_page", f"There are {last} pages of {size}.", parameter="page")
    results = list(made(list(rows[(at - 1) * size : at * size])))
    return Page(
        count=count,
        next=_address(request, at + 1) if at < last else None,
        previous=_address(request, at - 1) if at > 1 else None,
        results=results,
    )


def _address(request: Request, page: int) -> str:
    parameters = {**request.query_params.dict(), "page": str(page)}
    return request.build_absolute_uri(f"{request.path}?{urlencode(parameters)}")
