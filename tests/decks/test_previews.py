"""Pictures of public decks for other sites: when they are drawn, from what, and when they go."""

from __future__ import annotations

import re
import struct
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from cards_data import isolated
from cards_data.isolated import Done
from ccg.outbox.models import Job
from ccg.outbox.services import drain
from decks import services
from decks.models import Deck, Preview
from decks.pictures import drawing, previews

pytestmark = pytest.mark.django_db(transaction=True)

SCRIPT = "globalThis.drawPreview = (facts) => `<svg xmlns='http://www.w3.org/2000/svg' width='1200' height='630'/>`"


@pytest.fixture
def drawn(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The facts that pictures were drawn from, in a site whose client is built; nothing is really drawn."""
    settings.DECK_PREVIEWS, settings.CLIENT_DIST = True, tmp_path
    (tmp_path / "preview").mkdir()
    (tmp_path / "preview" / "draw.js").write_text(SCRIPT)
    asked: list[dict[str, Any]] = []

    def run(module: str, request: drawing.Request, *_: Any) -> Done:
        assert module == "decks.pictures.drawing"
        asked.append(request.facts)
        return Done([drawing.Drawn(f"picture {len(asked)}".encode())])

    monkeypatch.setattr(isolated, "run", run)
    return asked


def address(deck: Deck) -> str:
    return f"/decks/{deck.uid}/preview.png"


def test_a_public_deck_gets_its_picture_in_the_background(deck: Deck, drawn: list[Any], client: Client) -> None:
    drain()
    assert drawn == []
    services.set_visibility(deck, "public")
    assert drawn == []
    assert client.get(address(deck)).status_code == 404
    assert "og:image" not in client.get(deck.get_absolute_url()).content.decode()

    drain()
    (facts,) = drawn
    assert (facts["name"], facts["size"], facts["base"]["name"]) == ("Viper Wing", 60, "Battlestar Galactica")
    assert sum(facts["types"].values()) == 60
    assert len(facts["cards"]) == previews.CARDS

    answer = client.get(address(deck))
    assert (answer.status_code, answer["Content-Type"], answer.content) == (200, "image/png", b"picture 1")
    assert "public" in answer["Cache-Control"]
    assert "max-age=3600" in answer["Cache-Control"]
    assert client.get(address(deck), headers={"if-none-match": answer["ETag"]}).status_code == 304

    page = client.get(deck.get_absolute_url()).content.decode()
    found = re.search(r'property="og:image" content="([^"]+)"', page)
    assert found
    picture = unescape(found[1])
    assert picture.startswith(f"http://testserver{address(deck)}?v=")
    assert client.get(picture).content == b"picture 1"
    told = client.get("/oembed/", {"url": f"http://testserver{deck.get_absolute_url()}"}).json()
    assert (told["thumbnail_url"], told["thumbnail_width"], told["thumbnail_height"]) == (picture, 1200, 630)


def test_it_is_drawn_again_for_another_name_or_list_and_for_nothing_else(public: Deck, drawn: list[Any]) -> None:
    drain()
    services.rename(public, "Falcon Wing")
    services.rename(public, "Viper Wing")
    drain()
    assert len(drawn) == 1  # by the time it is looked at, it has its old name
    services.rename(public, "Raptor Wing")
    drain()
    assert [facts["name"] for facts in drawn] == ["Viper Wing", "Raptor Wing"]
    services.new_version(public, "4 Fury")
    drain()
    assert [facts["size"] for facts in drawn] == [60, 60, 4]
    before = Job.objects.filter(task=previews.TASK).count()
    public.write_up = "Text"
    public.save(update_fields=["write_up", "changed"])
    assert Job.objects.filter(task=previews.TASK).count() == before


@pytest.mark.parametrize("how", ["private", "unlisted", "taken down", "deleted"])
def test_it_goes_with_the_deck_from_the_public(public: Deck, drawn: list[Any], client: Client, how: str) -> None:
    drain()
    assert client.get(address(public)).status_code == 200
    if how == "taken down":
        services.take_down(public)
    elif how == "deleted":
        services.delete(public)
    else:
        services.set_visibility(public, how)
    assert not Preview.objects.exists()
    assert client.get(address(public)).status_code == 404
    drain()
    assert not Preview.objects.exists()


@pytest.mark.parametrize("how", ["private", "deleted"])
def test_a_deck_that_goes_from_the_public_while_it_is_drawn_has_none(
    public: Deck, drawn: list[Any], monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    real = isolated.run

    def run(*args: Any) -> Done:
        if how == "deleted":
            services.delete(Deck.objects.get())
        else:
            services.set_visibility(Deck.objects.get(), how)
        return real(*args)

    monkeypatch.setattr(isolated, "run", run)
    drain()
    assert not Job.objects.exclude(error="").exists()
    assert len(drawn) == 1
    assert not Preview.objects.exists()


def test_what_is_missing_or_old_is_drawn_after_a_start(starters: None, drawn: list[Any], settings: Any) -> None:
    previews.ask_for_all()
    drain()
    assert len(drawn) == Deck.objects.starters().count() > 0
    previews.ask_for_all()
    drain()
    assert len(drawn) == Deck.objects.starters().count()
    # Another release with other drawings.
    (Path(settings.CLIENT_DIST) / "preview" / "draw.js").write_text(f"{SCRIPT}; // new")
    previews.ask_for_all()
    drain()
    assert len(drawn) == 2 * Deck.objects.starters().count()


def test_while_one_is_drawn_another_waits(public: Deck, drawn: list[Any]) -> None:
    Job.objects.all().delete()
    previews.ask_for(public.pk)
    with previews._drawing:
        drain()
    assert drawn == []
    assert Job.objects.filter(task=previews.TASK, state=Job.State.WAITING).count() == 1
    previews.ask_for_all()
    with previews._drawing:
        drain()
    assert Job.objects.filter(task=previews.TASK, state=Job.State.WAITING).count() == 1
    Job.objects.filter(state=Job.State.WAITING).update(due=timezone.now())
    drain()
    assert len(drawn) == 1


def test_changes_without_end_leave_one_row(public: Deck, drawn: list[Any]) -> None:
    """A deck renamed twice a second, while each picture takes two, would else leave rows that beget rows."""
    drain()
    before = Job.objects.filter(task=previews.TASK).count()
    with previews._drawing:
        for number in range(5):
            services.rename(public, f"Viper Wing {number}")
            Job.objects.filter(state=Job.State.WAITING).update(due=timezone.now())
            drain()
    assert Job.objects.filter(task=previews.TASK).count() == before + 1
    Job.objects.filter(state=Job.State.WAITING).update(due=timezone.now())
    drain()
    assert drawn[-1]["name"] == "Viper Wing 4"


def test_a_change_while_a_picture_is_drawn_asks_for_another(
    public: Deck, drawn: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = isolated.run

    def run(*args: Any) -> Done:
        if not drawn:
            services.rename(Deck.objects.get(), "Falcon Wing")
        return real(*args)

    monkeypatch.setattr(isolated, "run", run)
    drain()
    assert drawn[-1]["name"] == "Falcon Wing"


def test_a_picture_that_fails_is_tried_again(public: Deck, drawn: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated, "run", lambda *_: Done([], "it needs more memory than it may have"))
    drain()
    job = Job.objects.filter(task=previews.TASK).latest("id")
    assert job.state == Job.State.WAITING
    assert "more memory" in job.error


def test_a_round_draws_one_at_a_time_and_is_not_held_up_by_one(
    starters: None, drawn: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, failed = isolated.run, []

    def run(module: str, request: drawing.Request, *rest: Any) -> Done:
        if not failed:
            failed.append(request.facts["name"])
            return Done([], "not today")
        return real(module, request, *rest)

    monkeypatch.setattr(isolated, "run", run)
    Job.objects.all().delete()  # what the import of the cards has asked for
    previews.ask_for_all()
    for count in range(3):
        assert drain(1) == 1
        assert len(drawn) == count
        assert Job.objects.filter(task=previews.ROUND, state=Job.State.WAITING).count() == 1
    drain()
    assert {facts["name"] for facts in drawn} >= set(Deck.objects.starters().values_list("name", flat=True)) - set(
        failed
    )


@pytest.mark.parametrize("off", ["by the operator", "as the client is not built"])
def test_a_site_can_be_without(public: Deck, drawn: list[Any], settings: Any, off: str) -> None:
    if off == "by the operator":
        settings.DECK_PREVIEWS = False
    else:
        (Path(settings.CLIENT_DIST) / "preview" / "draw.js").unlink()
    drain()
    assert drawn == []
    assert set(Job.objects.filter(task=previews.TASK).values_list("state", flat=True)) == {"done"}
    rounds = Job.objects.filter(task=previews.ROUND)
    before = rounds.count()
    previews.ask_for_all()
    drain()
    assert drawn == []
    assert rounds.count() <= before + 1, "no deck was looked at, of which there may be a hundred thousand"


def test_a_deck_of_cards_that_are_gone_can_be_drawn(all_cards: None, alice: Any) -> None:
    deck = services.create_from_text(alice, "4 Fury", visibility="public")
    assert deck.head is not None
    deck.head.base, deck.head.counts = "GONE-1", {"GONE-2": 4}
    facts = previews.facts_of(deck)
    assert (facts["base"], facts["cards"], facts["types"], facts["size"]) == (None, [], {}, 4)


def test_the_child_runs_the_script_and_makes_a_png(tmp_path: Path) -> None:
    (tmp_path / "draw.js").write_text(SCRIPT)
    done = isolated.run("decks.pictures.drawing", drawing.Request({"name": "x"}, str(tmp_path)), previews._DRAWN, 20.0)
    assert done.stopped == ""
    (answer,) = done.answers
    assert answer.png[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", answer.png[16:24]) == (1200, 630)


def test_a_script_that_never_ends_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "draw.js").write_text("globalThis.drawPreview = () => { for (;;) {} }")
    done = isolated.run("decks.pictures.drawing", drawing.Request({}, str(tmp_path)), previews._DRAWN, 1.0)
    assert done.answers == []
    assert "not done" in done.stopped
