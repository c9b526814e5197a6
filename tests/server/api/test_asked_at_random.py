"""Every operation asked for what the document says, and for what it does not: no fault of ours, every answer fits.

The long form is ``API_EXAMPLES=1000 pytest tests/server/api/test_asked_at_random.py``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from cards_data import bulk
from ccg.server.api import tokens
from ccg.server.api.views import VERBS, document
from decks.models import Deck
from tests.at_length import AT_LENGTH

EXAMPLES = int(os.environ.get("API_EXAMPLES", "8" if AT_LENGTH else "3"))
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


def operations() -> Iterator[tuple[str, str, GenerationMode]]:
    """Every operation with what the document says, and with what it does not where something can be said wrongly."""
    for path, verbs in document()["paths"].items():
        for verb in VERBS:
            if verb in verbs:
                yield path, verb, GenerationMode.POSITIVE
                asked = [one for one in verbs[verb].get("parameters", ()) if one["in"] == "query"]
                if asked or "requestBody" in verbs[verb]:
                    yield path, verb, GenerationMode.NEGATIVE


@pytest.fixture(scope="module")
def asked() -> Iterator[Any]:
    """The API as schemathesis knows it."""
    read = schemathesis.openapi.from_dict(document())
    read.app = get_wsgi_application()
    ends = (request_started, request_finished)
    for signal in ends:  # as Django's own test client does, for the transaction of the test to go on
        signal.disconnect(close_old_connections)
    yield read
    for signal in ends:
        signal.connect(close_old_connections)


@pytest.mark.parametrize(("path", "verb", "mode"), list(operations()), ids=str)
def test_every_answer_fits(asked: Any, deck: Deck, path: str, verb: str, mode: GenerationMode) -> None:
    bulk.handle({"name": "sets"})
    there = {"uid": deck.uid, "card_id": "BSG1-136", "code": "BSG1", "number": 1, "name": "sets"}
    nobody = {"Accept-Encoding": "identity"}
    mine = {**nobody, "Authorization": f"Bearer {tokens.make(deck.owner, 'a program')}"}

    @given(case=asked[path][verb].as_strategy(generation_mode=mode))
    @settings(max_examples=EXAMPLES, derandomize=True, suppress_health_check=list(HealthCheck))
    def every(case: Any) -> None:
        for headers in (nobody, mine):
            case.call_and_validate(headers=headers, checks=CHECKS)
        if case.path_parameters:
            case.path_parameters = {name: there.get(name, value) for name, value in case.path_parameters.items()}
            case.call_and_validate(headers=mine, checks=CHECKS)

    every()
