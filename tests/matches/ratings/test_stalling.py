"""Matches that are let run out when behind: what staff are shown, and what they are not bothered with."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.utils import timezone

from ccg.outbox.services import drain
from decks.table_decks import TableDeck
from matches.clocks.tempo import UNTIMED
from matches.lobby import services as lobby
from matches.models import Match, Move
from matches.ratings import services, stalling
from matches.ratings.models import RatedMatch, RunOut, Sign
from matches.runners import clock_sweep
from matches.table import ending
from matches.table.ending import Ending, TurnEnd
from tests.matches.conftest import Table, person
from tests.matches.ratings.test_services import DAYS, bare
from tests.people import signed_in


@pytest.fixture
def kara(transactional_db: None) -> Any:
    return person("kara")


def course(*influence: list[int]) -> Ending:
    return Ending(1, [], [TurnEnd(number, at) for number, at in enumerate(influence)], [])


def ran_out(
    kara: Any, other: Any, monkeypatch: pytest.MonkeyPatch, *, behind: bool, kind: str = "time", option: str = ""
) -> None:
    """Let Kara, in the first seat, lose a rated match by correspondence that she has left alone."""
    match = bare([kara, other], [2, 1])
    Match.objects.filter(pk=match.pk).update(tempo=DAYS, catalog="some cards")
    seat = 0 if kind == "time" else 1
    Move.objects.create(
        match=match, seq=1, seat=seat, kind=kind, option=option, action_id="c", digest="", events=b""
    )  # fmt: skip
    # Her base begins with less, so that what is left of it says nothing.
    monkeypatch.setattr(ending, "of", lambda match: course([8, 10], [6, 9] if behind else [7, 8]))
    services.handle({"match": match.public_id})


def shown() -> list[tuple[str, str, int]]:
    return [(sign.kind, str(sign.user), sign.matches) for sign in Sign.objects.all()]


@pytest.mark.parametrize(("kind", "option"), [("time", ""), ("claim", "0")])
def test_who_lets_matches_run_out_when_behind_is_shown_also_where_only_one_counts(
    kara: Any, monkeypatch: pytest.MonkeyPatch, kind: str, option: str
) -> None:
    others = [person(f"other{number}") for number in range(stalling.STALLS)]
    for number, other in enumerate(others):
        assert shown() == [], number
        ran_out(kara, other, monkeypatch, behind=True, kind=kind, option=option)
    assert shown() == [("stalls", "kara", stalling.STALLS)]
    assert RatedMatch.objects.count() == (1 if kind == "time" else stalling.STALLS)
    for match in Match.objects.all():
        stalling.note(match)
    assert shown() == [("stalls", "kara", stalling.STALLS)], "what is done again counts once"


def test_who_stays_away_from_good_matches_too_is_not_shown(kara: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    other = person("other")
    for number in range(2 * stalling.STALLS):
        ran_out(kara, other, monkeypatch, behind=bool(number % 2))
    assert RunOut.objects.filter(behind=True).count() == stalling.STALLS and shown() == []


def test_what_is_long_ago_is_forgotten(kara: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(stalling.STALLS):
        ran_out(kara, person(f"other{number}"), monkeypatch, behind=True)
        RunOut.objects.update(noted=timezone.now() - 2 * stalling.WINDOW)
    assert shown() == []


def test_a_match_without_clocks_that_nobody_comes_back_to_was_let_run_out_by_who_was_asked(
    alice: Any, bob: Any, deck: TableDeck, settings: Any
) -> None:
    """Played by chance until one who is asked is behind."""
    table = Table(lobby.join(lobby.invite(alice, deck, 2, tempo=UNTIMED), bob, deck))
    Match.objects.update(rated=True)  # one from when those could be rated
    for _ in range(300):
        table.play(moves=1, seed=table.row.version)
        asked = table.game.deciding
        if len(asked) == 1 and stalling._is_behind(table.row, asked[0]):
            break
    (late,) = table.game.deciding
    Match.objects.update(changed=timezone.now() - timedelta(days=settings.MATCH_ABANDONED_DAYS + 1))
    assert clock_sweep.end_abandoned() == 1
    drain()
    row = RunOut.objects.get()
    assert (row.user_id, row.behind) == (table._users[late], True)


def test_a_match_that_was_played_to_its_end_was_let_run_out_by_nobody(
    kara: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran_out(kara, person("other"), monkeypatch, behind=True, kind="choose")
    ran_out(kara, person("third"), monkeypatch, behind=True, kind="concede")
    services.handle({"match": bare([kara, person("fourth")], [2, 1]).public_id})
    assert not RunOut.objects.exists()


def test_staff_are_told_which_matches(kara: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(stalling.STALLS):
        ran_out(kara, person(f"other{number}"), monkeypatch, behind=True)
    saul = person("saul")
    saul.is_staff = True
    saul.save()
    saul.user_permissions.set(Permission.objects.filter(codename="change_sign"))
    page = signed_in(saul).get(f"/admin/ratings/sign/{Sign.objects.get().pk}/change/").content.decode()
    assert all(f"{match.public_id} (behind)" in page for match in Match.objects.all())
