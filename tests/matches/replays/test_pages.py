"""The page of a replay, what its forms do, and its API."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from ccg.outbox.services import drain
from decks.models import Report
from matches.models import Archive, Match, MatchSeat
from matches.playing import archive, moves
from matches.protocol.messages import Choose
from matches.replays import notes, pages, showing
from matches.replays.models import Film, Note
from matches.seats import rated
from tests.matches.replays.conftest import Finished, keep_private, replayed

SCHEMA = Path(__file__).parents[3] / "docs" / "replay.schema.json"


@pytest.fixture
def browser_of(client: Client) -> Any:
    """A browser for somebody; for a visitor without a name."""

    def open_one(user: Any = None) -> Client:
        browser = Client()
        if user is not None:
            browser.force_login(user)
        return browser

    return open_one


def address(match: Finished, more: str = "") -> str:
    return f"/matches/{match.id}/replay/{more}"


# -- the API


def api(browser: Client, match: Finished, sees: str = "") -> Any:
    return browser.get(f"/api/v1/matches/{match.id}/replay/{f'?sees={sees}' if sees else ''}")


def test_a_download_is_what_the_published_schema_says(finished: Finished, browser_of: Any, alice: Any) -> None:
    schema = json.loads(SCHEMA.read_text())
    for user, sees in ((None, "public"), (alice, "seat"), (None, "all")):
        told = api(browser_of(user), finished, sees).json()
        jsonschema.Draft202012Validator(schema).validate(told)
        assert (told["sees"], told["format"]) == (sees, showing.FORMAT)
    assert list(jsonschema.Draft202012Validator(schema).iter_errors({**told, "format": "another"}))


def test_the_recipe_in_the_documentation_gives_every_view(finished: Finished, browser_of: Any, alice: Any) -> None:
    told = (SCHEMA.parent / "replays.md").read_text()
    recipe: dict[str, Any] = {}
    exec(told.split("```python\n")[1].split("```")[0], recipe)
    downloaded = api(browser_of(alice), finished).json()
    for move in (0, 1, 17, len(finished.shown) - 1):
        assert recipe["view_at"](downloaded, move) == finished.shown[move][0]


def test_asking_for_more_than_one_may_see_is_refused(finished: Finished, browser_of: Any, charlie: Any) -> None:
    assert api(browser_of(charlie), finished, "seat").status_code == 403
    assert api(browser_of(charlie), finished, "everything").status_code == 400
    keep_private(finished, 0)
    answer = api(browser_of(charlie), finished, "all")
    assert (answer.status_code, answer.json()["code"]) == (403, "private_deck")


def test_running_missing_and_forbidden_matches_answer_alike(match: Match, browser_of: Any, alice: Any) -> None:
    browser = browser_of(alice)
    for more in ("", "?words"):
        running, missing = (
            browser.get(f"/matches/{match.public_id}/replay/{more}"),
            browser.get(f"/matches/2222222222222222/replay/{more}"),
        )
        assert running.status_code == missing.status_code == 404
    assert browser.get(f"/api/v1/matches/{match.public_id}/replay/").status_code == 404


# -- the page


def test_the_page_says_who_played_and_who_won_without_script(finished: Finished, browser_of: Any) -> None:
    page = browser_of().get(address(finished)).content.decode()
    winner = ["alice", "bob"][finished.row.result["winners"][0]]
    assert "alice vs bob" in page and f"{winner} won." in page
    words = browser_of().get(address(finished, "?words")).content.decode()
    assert "Turn 1" in words and "Setup" in words


def test_a_match_without_positions_says_so(finished: Finished, browser_of: Any) -> None:
    Film.objects.all().delete()
    answer = browser_of().get(address(finished))
    assert answer.status_code == 404 and b"There is no replay of this match yet" in answer.content
    assert b"data-refresh" in answer.content, "soon after the end the page waits for it"
    Match.objects.update(finished=timezone.now() - pages.MADE_WITHIN)
    late = browser_of().get(address(finished)).content
    assert b"data-refresh" not in late and b"load the page again" in late


def test_show_all_is_offered_to_who_may(finished: Finished, browser_of: Any, alice: Any, charlie: Any) -> None:
    keep_private(finished, 1)
    assert b"data-all" in browser_of(alice).get(address(finished)).content
    assert b"data-all" not in browser_of(charlie).get(address(finished)).content
    assert b"data-play-on" not in browser_of(charlie).get(address(finished)).content


def test_ones_finished_matches_lead_to_their_replays(finished: Finished, browser_of: Any, alice: Any) -> None:
    assert address(finished) in browser_of(alice).get("/play/mine/").content.decode()


# -- notes


def keep(browser: Client, match: Finished, **fields: str | list[str]) -> Any:
    return browser.post(address(match, "notes/"), fields)


def test_a_note_is_its_writers_until_they_share_it(
    finished: Finished, browser_of: Any, alice: Any, bob: Any, charlie: Any
) -> None:
    writer = browser_of(alice)
    kept = keep(writer, finished, do="keep", move="7", text="  Here I should\nhave passed. ").json()
    assert kept == {"lines": [{"move": 7, "text": "Here I should have passed."}], "link": None}
    page = writer.get(address(finished)).content.decode()
    assert "should have passed" in page
    for other in (bob, charlie, None):
        assert "should have passed" not in browser_of(other).get(address(finished)).content.decode()
    link = keep(writer, finished, do="share").json()["link"]
    for other in (bob, charlie, None):
        shown = browser_of(other).get(link).content.decode()
        assert "should have passed" in shown and '"writer": "alice"' in shown
    assert keep(writer, finished, do="hide").json()["link"] is None
    assert "should have passed" not in browser_of(bob).get(link).content.decode()


@pytest.mark.parametrize("wanted", ["", "unshare", "Share"])
def test_a_link_to_notes_goes_only_where_that_is_asked_for(
    finished: Finished, browser_of: Any, alice: Any, wanted: str
) -> None:
    writer = browser_of(alice)
    link = keep(writer, finished, do="share").json()["link"]
    assert keep(writer, finished, do=wanted).status_code == 400
    assert keep(writer, finished, do="keep", move="7", text="one").json()["link"] == link


def test_a_note_without_words_goes(finished: Finished, browser_of: Any, alice: Any) -> None:
    writer = browser_of(alice)
    keep(writer, finished, do="keep", move="7", text="one")
    assert keep(writer, finished, do="keep", move="7", text=" ").json()["lines"] == []


def test_a_note_on_no_move_is_refused(finished: Finished, browser_of: Any, alice: Any) -> None:
    for move in ("-1", "99999", "x", "", "1" * 50):
        answer = keep(browser_of(alice), finished, do="keep", move=move, text="one")
        assert answer.status_code == 400 and answer.json()["wrong"]
    assert not Note.objects.exists()


def test_a_note_that_arrives_late_does_not_take_back_a_later_one(
    finished: Finished, browser_of: Any, alice: Any
) -> None:
    browser = browser_of(alice)
    kept = keep(browser, finished, do="keep", move="2", text="Second.", was=["", "First."])
    assert kept.json()["lines"] == [{"move": 2, "text": "Second."}]

    late = keep(browser, finished, do="keep", move="2", text="First.", was=[""])

    assert late.status_code == 409
    assert "changed in another window" in late.json()["wrong"]
    assert late.json()["lines"] == [{"move": 2, "text": "Second."}]
    # One that did arrive, of which the page was not told, is no reason to refuse the next.
    again = keep(browser, finished, do="keep", move="2", text=" Second. ", was=["First."])
    assert again.status_code == 200
    gone = keep(browser, finished, do="keep", move="2", text="", was=["Second."])
    assert gone.json()["lines"] == []


def test_only_who_played_writes_notes_and_not_without_end(
    finished: Finished, browser_of: Any, alice: Any, charlie: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert keep(browser_of(charlie), finished, do="keep", move="1", text="one").status_code == 404
    assert keep(browser_of(), finished, do="share").status_code == 404
    monkeypatch.setattr(notes, "MOST_NOTES", 1)
    assert keep(browser_of(alice), finished, do="keep", move="1", text="one").status_code == 200
    assert keep(browser_of(alice), finished, do="keep", move="1", text="another").status_code == 200
    assert keep(browser_of(alice), finished, do="keep", move="2", text="two").status_code == 400


def test_who_is_suspended_is_told_why_their_notes_are_not_shared(
    finished: Finished, browser_of: Any, alice: Any
) -> None:
    browser = browser_of(alice)
    keep(browser, finished, do="keep", move="1", text="one")
    alice.suspended_until, alice.suspended_why = timezone.now() + timedelta(days=1), "Rude at tables."
    alice.save()
    answer = keep(browser, finished, do="share")
    assert answer.status_code == 403 and "Rude at tables." in answer.json()["wrong"]


def test_notes_go_with_the_account_of_their_writer(finished: Finished, browser_of: Any, alice: Any, bob: Any) -> None:
    keep(browser_of(alice), finished, do="keep", move="7", text="mine")
    keep(browser_of(bob), finished, do="keep", move="7", text="his")
    alice.delete()
    assert [note.text for note in Note.objects.all()] == ["his"]


# -- playing on


def play_on(browser: Client, match: Finished, **fields: str) -> Any:
    return browser.post(address(match, "play-on/"), {"move": "20", "seat": "0", **fields})


def test_playing_on_begins_a_match_in_that_position(finished: Finished, browser_of: Any, charlie: Any) -> None:
    answer = play_on(browser_of(charlie), finished, seat="1", level="easy")
    new = Match.objects.exclude(pk=finished.pk).get()
    assert answer["Location"] == new.get_absolute_url()
    assert (new.state, new.version, new.watchable) == (Match.State.RUNNING, 20, False)
    kinds = [(seat.kind, seat.policy, seat.deck_version) for seat in new.seats.order_by("number")]
    assert kinds == [("computer", "easy", ""), ("person", "", "")]
    table = browser_of(charlie).get(f"/api/v1/matches/{new.public_id}/").json()
    before = finished.shown[20][1]
    for seat in (0, 1):
        now, then = table["view"]["players"][seat], before["players"][seat]
        assert {**now, "name": ""} == {**then, "name": ""}
    assert [player["name"] for player in table["view"]["players"]] == ["Computer", "charlie"]


def test_who_plays_on_is_told_what_their_own_deck_is_called_and_no_other(
    finished: Finished, browser_of: Any, alice: Any
) -> None:
    for number in (0, 1):
        finished.row.seats.filter(number=number).update(deck_label=f"Plan of seat {number}")
    for seat in ("0", "1"):
        play_on(browser_of(alice), finished, seat=seat)
    new = MatchSeat.objects.exclude(match=finished.pk)
    assert sorted(new.values_list("user", "number", "deck_label").exclude(user=None)) == [
        (alice.pk, 0, "Plan of seat 0"),
        (alice.pk, 1, ""),
    ]
    assert "seat 1" not in browser_of(alice).get("/play/mine/").content.decode()


def test_it_is_a_match_like_others_to_its_end(finished: Finished, browser_of: Any, alice: Any) -> None:
    play_on(browser_of(alice), finished)
    new = Match.objects.exclude(pk=finished.pk).get()
    assert archive.replay(new).difference is None
    moves.act(new.public_id, moves.Actor.person(alice.pk), moves.Concede(id="enough"))
    drain()
    new.refresh_from_db()
    assert archive.replay(new).difference is None
    assert Archive.objects.get(match=new).film


def test_what_cannot_be_played_on_is_refused(finished: Finished, browser_of: Any, alice: Any) -> None:
    end = str(finished.row.version)
    for fields in ({"move": "x"}, {"move": "9999"}, {"seat": "2"}, {"seat": "-1"}, {"level": "best"}, {"move": end}):
        answer = play_on(browser_of(alice), finished, **fields)
        assert answer["Location"] == address(finished)
        assert Match.objects.count() == 1


def test_a_visitor_who_is_refused_becomes_no_guest(finished: Finished, browser_of: Any) -> None:
    end, guests = str(finished.row.version), get_user_model().objects.filter(is_guest=True)
    for fields in ({"move": "x"}, {"move": "9999"}, {"seat": "2"}, {"level": "best"}, {"move": end}):
        assert play_on(browser_of(), finished, **fields)["Location"] == address(finished)
    keep_private(finished, 0)
    assert play_on(browser_of(), finished)["Location"] == address(finished)
    assert not guests.exists() and Match.objects.count() == 1


def test_a_visitor_plays_on_as_a_guest(finished: Finished, browser_of: Any) -> None:
    play_on(browser_of(), finished)
    assert get_user_model().objects.filter(is_guest=True).count() == 1 and Match.objects.count() == 2


def test_nobody_plays_on_who_may_not_see_all(finished: Finished, browser_of: Any, charlie: Any, alice: Any) -> None:
    keep_private(finished, 0)
    play_on(browser_of(charlie), finished)
    assert Match.objects.count() == 1
    play_on(browser_of(alice), finished)
    assert Match.objects.count() == 2


def test_a_match_of_an_older_engine_is_not_played_on(finished: Finished, browser_of: Any, alice: Any) -> None:
    Match.objects.update(engine_version="1")
    assert b"data-play-on" not in browser_of(alice).get(address(finished)).content
    play_on(browser_of(alice), finished)
    assert Match.objects.count() == 1


# -- reports


def test_a_mistake_reaches_the_moderators_with_match_and_move(finished: Finished, browser_of: Any, bob: Any) -> None:
    browser = browser_of(bob)
    assert b'value="12"' in browser.get(address(finished, "report/?move=12")).content
    browser.post(address(finished, "report/"), {"move": "12", "words": "My Viper should have won."})
    report = Report.objects.get()
    assert (report.kind, report.subject) == ("match", f"{address(finished)}#move=12") and report.reason == "mistake"
    assert finished.id in report.told and "engine" in report.told


def test_moderators_read_of_a_mistake_and_have_nothing_to_take_down(
    finished: Finished, browser_of: Any, bob: Any
) -> None:
    for words in ("My Viper should have won.", "It was exhausted.", "It was exhausted."):
        browser_of(bob).post(address(finished, "report/"), {"move": "12", "words": words})
    reports = Report.objects.all()
    assert len(reports) == 2, "one for each mistake"
    staff = get_user_model().objects.create_superuser("owner", password="raptor in the dark 7")
    queue = browser_of(staff)
    page = queue.get("/admin/decks/report/").content.decode()
    assert page.count(">Match<") == 2
    assert f"{address(finished)}#move=12" in queue.get(f"/admin/decks/report/{reports[0].pk}/change/").content.decode()
    chosen = {"_selected_action": [report.pk for report in reports]}
    answer = queue.post("/admin/decks/report/", {"action": "take_down", **chosen}, follow=True)
    assert "nothing to take down" in answer.content.decode()
    queue.post("/admin/decks/report/", {"action": "dismiss", **chosen})
    assert {report.state for report in Report.objects.all()} == {"dismissed"}


def test_a_report_without_words_or_of_a_visitor_is_refused(finished: Finished, browser_of: Any, bob: Any) -> None:
    assert browser_of(bob).post(address(finished, "report/"), {"move": "1", "words": " "}).status_code == 400
    words = {"move": "1", "words": "My Viper should have won."}
    visitors = browser_of().post(address(finished, "report/"), words, headers={"Sec-Fetch-Site": "same-origin"})
    assert visitors.status_code == 400
    assert "My Viper should have won." in visitors.content.decode(), "it was signed out while they wrote, maybe"
    assert browser_of(bob).get(address(finished, "report/?move=%F0")).status_code == 200
    assert not Report.objects.exists()


def test_choosing_in_a_match_played_on_goes_as_anywhere(finished: Finished, browser_of: Any, alice: Any) -> None:
    seat = next(move.by for move in replayed(finished, alice, "all").moves[21:] if move.by is not None)
    play_on(browser_of(alice), finished, seat=str(seat))
    new = Match.objects.exclude(pk=finished.pk).get()
    option = replayed(finished, alice, "all").moves[21].option
    if new.must_decide(seat):
        said = moves.act(new.public_id, moves.Actor.person(alice.pk), Choose(id="a", version=20, option=option))
        assert isinstance(said, moves.Accepted)
        new.refresh_from_db()
        assert new.version == 21


# -- what other sites are told


def test_other_sites_show_who_played_and_how_it_ended(finished: Finished, browser_of: Any, charlie: Any) -> None:
    Match.objects.update(listed=True)
    page = browser_of().get(address(finished)).content.decode()
    assert '<meta property="og:title" content="alice vs bob">' in page and "noindex" not in page
    assert f'<meta property="og:url" content="http://testserver{address(finished)}">' in page
    assert " won. " in page[page.index("og:description") :][:80]


def test_search_engines_take_public_matches_alone(finished: Finished, browser_of: Any, alice: Any) -> None:
    among_friends = browser_of().get(address(finished)).content.decode()
    assert "noindex" in among_friends and "og:title" in among_friends, "whoever gets the link sees what it is"
    Match.objects.update(listed=True)
    assert "noindex" in browser_of().get(address(finished, "?notes=abc")).content.decode()
    Match.objects.update(watchable=False)
    closed = browser_of(alice).get(address(finished)).content.decode()
    assert "noindex" in closed and "og:" not in closed


def test_a_match_that_was_played_on_says_why_it_is_not_rated_and_has_no_shuffles(
    finished: Finished, browser_of: Any, charlie: Any
) -> None:
    browser = browser_of(charlie)
    said = browser.get(address(finished)).content.decode()
    assert "no shuffles of its own to check" in said
    table = play_on(browser, finished)["Location"]
    match = Match.objects.latest("pk")
    assert (match.unrated_why, "played on from a point" in rated.sentence(match)) == ("played_on", True)
    answer = browser.get(f"{table}shuffles/")
    assert answer.status_code == 404 and "played on from a point of another" in answer.content.decode()
    assert browser.get(f"/api/v1/matches/{match.public_id}/shuffles/").status_code == 404
    assert "played on" not in browser_of().get(f"{table}shuffles/").content.decode(), "to others it says nothing"
