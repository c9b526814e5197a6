"""The words of the game for players: data, the chapter made from it, and what the drawer at the table reads."""

from __future__ import annotations

import json

from django.test import Client

from ccg.rules.cards.definitions import KEYWORDS
from ccg.server import glossary
from ccg.server.card_rulings import rulings
from ccg.server.rules_pages import clauses


def test_every_word_is_explained_shortly_and_by_a_clause_or_ruling() -> None:
    known = {clause.id for clause in clauses()} | {f"ruling-{number}" for number in rulings()}
    for one in glossary.words():
        assert one.clause in known, one.word
        assert one.meaning.endswith(".") and 1 <= one.meaning.count(". ") + 1 <= 2, one.word
        assert all(form == form.lower() and form != one.word.lower() for form in one.forms), one.word


def test_no_word_stands_twice_and_all_keywords_are_among_them() -> None:
    forms = [form for one in glossary.words() for form in (one.word.lower(), *one.forms)]
    assert len(forms) == len(set(forms))
    assert set(KEYWORDS) <= set(forms)


def test_the_words_are_in_order_and_the_chapter_is_made_from_them() -> None:
    names = [one.word.lower() for one in glossary.words()]
    assert names == sorted(names)
    assert glossary.CHAPTER.read_text(encoding="utf-8") == glossary.chapter(), "run manage.py glossary"


def test_a_card_in_reserve_is_not_said_to_do_nothing() -> None:
    """Its text works there, also what is used without committing it (EFF-2, CHAL-6)."""
    told = next(one.meaning for one in glossary.words() if one.word == "commit")
    assert "nothing" not in told and "goes on working" in told


def test_the_drawer_reads_all_clauses_and_rulings(client: Client) -> None:
    answer = client.get("/rules/data.json")
    assert answer["Cache-Control"] == "public, max-age=3600"
    told = json.loads(answer.content)
    assert [one["id"] for one in told["clauses"]] == [clause.id for clause in clauses()]
    assert [one["number"] for one in told["rulings"]] == list(rulings())
    assert all("<" not in one["text"] and "**" not in one["text"] for one in told["rulings"])
    assert set(told["phases"]) == {"setup", "ready", "execution", "challenge", "cylon"}
    assert client.post("/rules/data.json").status_code == 405
