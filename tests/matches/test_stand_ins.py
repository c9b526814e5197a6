"""Somebody else plays on for who has left a table of three: by consent, with the rights that go with the seat."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from typing import Any
from zipfile import ZipFile

import pytest
from django.test import Client
from django.utils import timezone

from ccg.outbox.services import drain
from ccg.server.accounts import own_data
from ccg.server.accounts.leaving import leave
from decks.table_decks import TableDeck
from matches.chat import services as chat
from matches.clocks import site_time
from matches.clocks import standing as standings
from matches.clocks.standing import Standing
from matches.clocks.tempo import LIVE
from matches.lobby import invites, leaving, rematches
from matches.lobby import services as lobby
from matches.lobby.errors import LobbyError
from matches.models import LeftSeat, Match, MatchSeat
from matches.notices import waiting
from matches.orders import services as orders
from matches.orders.matching import Terms
from matches.orders.models import StandingOrder
from matches.playing import archive, consequences, match_cache, moves
from matches.playing.moves import Accepted, Refusal
from matches.protocol.messages import Agree, Claim, Concede, Decline, OfferIt
from matches.ratings import services as ratings
from matches.ratings.models import Rating, RatingChange
from matches.replays import showing
from matches.runners import computer_runner
from matches.seats import former, stand_ins
from matches.shuffles.models import Commitment
from matches.sockets.consumers import TableConsumer
from matches.table import table_view
from tests.matches.conftest import Table, match_of, person
from tests.matches.test_former import pushed
from tests.people import signed_in
from tests.shown import words


class Three(Table):
    """A table of three at which who must decide has been away for days."""

    def __init__(self, match: Match) -> None:
        super().__init__(match)
        self.only_one_decides()
        self.gone = self.deciding
        self.first, self.second = (seat for seat in range(3) if seat != self.gone)
        self.left()

    def left(self, days: float = 4) -> None:
        """Let so many days go by without whoever has gone."""
        self.let_pass(timedelta(days=days))
        ago = timezone.now() - timedelta(days=days)
        MatchSeat.objects.filter(match__public_id=self.id, number=self.gone).update(seen=ago)

    def user(self, seat: int) -> Any:
        """Return who sits there."""
        return self.row.seats.get(number=seat).user

    def propose(self, what: str, seat: int | None = None) -> moves.Outcome:
        """Let the first of the others propose it for who has gone."""
        of = self.gone if seat is None else seat
        return self.act(self.first, OfferIt(id=f"o{self.row.version}", what=what, seat=of))  # type: ignore[arg-type]

    def agree(self, what: str, seat: int | None = None) -> moves.Outcome:
        """Let the other one agree."""
        by = self.second if seat is None else seat
        return self.act(by, Agree(id=f"a{self.row.version}", what=what))  # type: ignore[arg-type]

    def give(self, what: str) -> None:
        """Propose it, and agree."""
        assert isinstance(self.propose(what), Accepted)
        assert isinstance(self.agree(what), Accepted)

    @property
    def standing(self) -> Standing:
        """What stands at the table."""
        return standings.read(bytes(self.row.standing), 3, self.row.version)


@pytest.fixture
def three(alice: Any, bob: Any, charlie: Any, deck: TableDeck) -> Three:
    """A rated table of three."""
    match = match_of(deck, alice, bob, charlie, rated=True, tempo=LIVE[0])
    return Three(match)


@pytest.fixture
def dana(cards: None) -> Any:
    """Somebody who has not played."""
    return person("dana")


def ended(three: Three) -> Match:
    """Let the two who sat down and still play concede, and the work that follows be done; return the match."""
    for seat in (three.second, three.first):
        three.act(seat, Concede(id=f"c{seat}"))
    drain()
    return three.row


def seen_by(table: Three, user: Any) -> Any:
    snapshot = table_view.read(table.id, user.pk, None)
    assert isinstance(snapshot, table_view.Snapshot)
    return table_view.table(snapshot)


def test_the_computer_plays_on_when_all_who_still_play_agree(three: Three) -> None:
    leaver = three.user(three.gone)
    assert isinstance(three.propose("computer"), Accepted)
    assert [(one.what, one.of) for one in seen_by(three, leaver).offers] == [("computer", three.gone)]
    three.left()
    assert isinstance(three.agree("computer"), Accepted)
    seat = three.row.seats.get(number=three.gone)
    assert (seat.kind, seat.user, seat.stand_in) == ("computer", None, "Computer")
    assert list(LeftSeat.objects.values_list("seat", "user", "version")) == [(three.gone, leaver.pk, three.row.version)]
    assert three.row.computer_to_move and computer_runner.take_turn(three.id)
    assert waiting.between_people().filter(pk=three.row.pk).exists(), "the others are still told that it is their move"
    shown = seen_by(three, three.user(three.first))
    assert [(one.kind, one.stand_in) for one in shown.people if one.seat == three.gone] == [("computer", "Computer")]
    assert "has left the table, and the computer plays on" in str(shown.events)


def test_who_has_left_finds_the_match_among_theirs(three: Three, dana: Any) -> None:
    leaver = three.user(three.gone)
    three.give("substitute")
    lobby.take_seat(three.row, dana)
    page = signed_in(leaver).get("/play/mine/").content.decode()
    assert "dana plays on for you" in page and "No match yet" not in page
    others = [seat.name for seat in three.row.seats.exclude(number=three.gone).order_by("number")]
    assert f"against {', '.join(others)}" in page and three.row.get_absolute_url() in page
    assert "plays on for you" not in signed_in(dana).get("/play/mine/").content.decode()
    Match.objects.update(watchable=False)
    page = signed_in(leaver).get("/play/mine/").content.decode()
    assert "dana plays on for you" in page and three.row.get_absolute_url() not in page, "they may look on no more"


def test_no_id_that_the_leaver_has_used_keeps_the_computer_from_choosing(three: Three) -> None:
    leaver, version = three.gone, three.row.version
    three.act(leaver, OfferIt(id=f"computer-{version + 4}", what="draw"))
    three.left()
    three.act(three.first, Decline(id="no", what="draw"))
    three.left()
    three.give("computer")
    assert three.row.version == version + 4
    assert computer_runner.take_turn(three.id)


@pytest.mark.parametrize("what", ["computer", "substitute"])
def test_nobody_is_replaced_who_is_there_or_without_consent(three: Three, what: str) -> None:
    assert isinstance(three.propose(what, three.first), Refusal), "oneself"
    assert isinstance(three.propose(what, three.second), Refusal), "somebody who need not decide"
    MatchSeat.objects.filter(number=three.gone).update(seen=timezone.now())
    assert isinstance(three.propose(what), Refusal), "somebody who is there"
    three.left()
    assert isinstance(three.propose(what), Accepted)
    assert isinstance(three.agree(what, three.gone), Refusal), "whose seat it is need not agree"
    MatchSeat.objects.filter(number=three.gone).update(seen=timezone.now())
    assert isinstance(three.agree(what), Refusal), "they are back"
    three.act(three.second, Decline(id="no", what=what))  # type: ignore[arg-type]
    assert not three.standing.offers and not LeftSeat.objects.exists()
    assert three.row.seats.get(number=three.gone).user is not None


def test_two_at_a_table_claim_and_need_nobody_else(table: Table) -> None:
    table.let_pass(timedelta(days=4))
    offered = table.act(table.waiting, OfferIt(id="o", what="computer", seat=table.deciding))
    assert isinstance(offered, Refusal) and "claim" in offered.message
    offered = table.act(table.deciding, OfferIt(id="p", what="computer"))
    assert isinstance(offered, Refusal) and "claim" not in offered.message, "nobody is away there"


def test_who_comes_back_and_plays_keeps_the_seat(three: Three, dana: Any) -> None:
    three.propose("computer")
    three.give("substitute")
    assert lobby.free_seats(three.row) == (three.gone,)
    three.play(1)
    assert three.standing.offers == () and lobby.free_seats(three.row) == ()
    with pytest.raises(LobbyError, match="free any more"):
        lobby.take_seat(three.row, dana)


def test_a_seat_that_is_free_is_not_proposed_again(three: Three) -> None:
    three.give("substitute")
    again = three.propose("substitute")
    assert isinstance(again, Refusal) and "link" in again.message
    assert isinstance(three.propose("computer"), Accepted), "who does not want to wait for somebody else"


def test_somebody_else_takes_the_seat_by_the_link_and_has_its_rights(three: Three, dana: Any) -> None:
    leaver, gone = three.user(three.gone), three.gone
    secret = seen_by(three, leaver).view.players[gone]
    three.give("substitute")
    link = f"/play/invite/{invites.token_of(three.row)}/"
    assert link in signed_in(three.user(three.first)).get(f"/table/{three.id}/").content.decode()
    assert link not in signed_in(dana).get(f"/table/{three.id}/").content.decode()
    browser = signed_in(dana)
    assert "Play on for" in browser.get(link).content.decode()
    assert browser.post(link)["Location"] == three.row.get_absolute_url()
    assert seen_by(three, dana).you == gone and seen_by(three, dana).view.players[gone] == secret
    assert seen_by(three, leaver).you is None and seen_by(three, leaver).view.players[gone] != secret
    refused = moves.act(three.id, moves.Actor.person(leaver.pk), three.choice("late"))
    assert isinstance(refused, Refusal) and (refused.code, refused.message) == ("no_seat", stand_ins.REPLACED)
    with pytest.raises(orders.OrderError, match="another player plays on with your cards"):
        orders.listing(three.id, leaver.pk)
    assert isinstance(moves.act(three.id, moves.Actor.person(dana.pk), three.choice("mine")), Accepted)
    assert "All seats at this table are taken" in Client().get(link).content.decode()
    assert list(LeftSeat.objects.values_list("seat", "user")) == [(gone, leaver.pk)]


def test_each_line_of_a_chat_has_the_name_of_who_wrote_it(three: Three, dana: Any) -> None:
    leaver = three.user(three.gone)
    chat.say(three.id, leaver, "a", "I have to go.")
    three.give("substitute")
    lobby.take_seat(three.row, dana)
    chat.say(three.id, dana, "b", "Here I am.")
    told = chat.lines_after(three.id, ["players"], 0)
    assert [(line.name, line.seat) for line in told] == [(str(leaver), three.gone), (str(dana), three.gone)]


@pytest.mark.parametrize("what", ["computer", "substitute"])
def test_orders_of_who_has_left_answer_nothing_for_who_plays_on(three: Three, dana: Any, what: str) -> None:
    leaver, other = three.user(three.gone), three.user(three.first)
    terms = Terms("action", until="end")
    for user in (leaver, other):
        orders.give(three.id, user.pk, "before", three.row.version, terms)
    three.left()
    three.give(what)
    if what == "substitute":
        lobby.take_seat(three.row, dana)
    assert list(StandingOrder.objects.values_list("seat", flat=True)) == [three.first]
    assert three.row.orders == 1 << three.first


def test_who_sits_at_the_table_takes_no_second_seat(three: Three) -> None:
    three.give("substitute")
    with pytest.raises(LobbyError, match="have a seat"):
        lobby.take_seat(three.row, three.user(three.first))


def test_who_knows_the_hand_of_the_seat_that_they_have_left_takes_no_other(three: Three, dana: Any) -> None:
    leaver = three.user(three.gone)
    three.give("computer")
    while three.deciding == three.gone:
        assert computer_runner.take_turn(three.id)
    three.first, three.gone = three.first + three.second - three.deciding, three.deciding
    three.left()
    three.propose("substitute")
    assert lobby.free_seats(three.row) == (three.gone,)
    with pytest.raises(LobbyError, match="know a hand"):
        lobby.take_seat(three.row, leaver)
    lobby.take_seat(three.row, dana)
    assert three.user(three.gone) == dana


def test_a_process_that_remembers_who_sat_there_lets_nobody_in_by_it(three: Three, dana: Any) -> None:
    leaver = three.user(three.gone)
    three.give("substitute")
    old = match_cache.facts_of(three.id)
    lobby.take_seat(three.row, dana)
    seen_by(three, dana)
    assert old is not None and old.seat_of(leaver.pk) == three.gone
    match_cache._facts[three.id] = old
    stale = moves.act(three.id, moves.Actor.person(leaver.pk), three.choice("late"))
    assert isinstance(stale, Refusal) and stale.code == "no_seat"
    match_cache._facts[three.id] = old
    assert seen_by(three, leaver).you is None
    match_cache._facts[three.id] = old
    version = three.row.version
    assert table_view.from_cache(three.id, leaver.pk, version, version, []) is None
    assert moves.remembered(three.id, moves.Actor.person(leaver.pk), three.choice("again")) is None


def test_the_socket_of_who_has_left_is_closed_and_comes_back_as_a_looker_on(three: Three, dana: Any) -> None:
    leaver = three.user(three.gone)
    three.give("substitute")
    lobby.take_seat(three.row, dana)
    snapshot = table_view.read(three.id, leaver.pk, None)
    assert isinstance(snapshot, table_view.Snapshot)
    socket, sent = TableConsumer(), []
    socket.seat = three.gone
    socket.left = False

    async def send(message: Any) -> None:
        sent.append(message)

    socket.base_send = send
    asyncio.run(socket._show_snapshot(snapshot))
    assert [(message["type"], message.get("code")) for message in sent] == [("websocket.close", 1013)]


def test_who_left_is_rated_as_who_left_and_nobody_is_for_standing_in(three: Three, dana: Any) -> None:
    leaver, first, second = three.user(three.gone), three.user(three.first), three.user(three.second)
    three.give("substitute")
    lobby.take_seat(three.row, dana)
    for seat in (three.second, three.first):
        three.act(seat, Concede(id=f"c{seat}"))
    match = three.row
    assert match.result is not None and match.result["winners"] == [three.gone], "who stands in has won"
    ratings.handle({"match": three.id})
    places = dict(RatingChange.objects.values_list("rating__user", "rank"))
    assert places == {first.pk: 1, second.pk: 2, leaver.pk: 3} and not Rating.objects.filter(user=dana).exists()
    assert Rating.objects.get(user=leaver).won == 0
    assert archive.replay(match).difference is None


def test_a_match_that_a_computer_plays_on_is_rated_for_those_who_began_it(three: Three) -> None:
    from ccg.outbox.models import Job

    three.give("computer")
    for seat in (three.second, three.first):
        three.act(seat, Concede(id=f"c{seat}"))
    assert three.row.state == "finished"
    assert Job.objects.filter(task=consequences.RATE_TASK, key__contains=three.id).exists()
    ratings.handle({"match": three.id})
    assert RatingChange.objects.count() == 3


def test_a_rematch_asks_for_somebody_in_the_place_of_who_left(three: Three) -> None:
    three.give("computer")
    for seat in (three.second, three.first):
        three.act(seat, Concede(id=f"c{seat}"))
    new = rematches.rematch(three.row, three.row.seats.get(number=three.first).user)
    assert new.seats.get(number=three.gone).kind == MatchSeat.Kind.FREE


def test_who_played_on_for_somebody_cannot_ask_for_a_rematch_with_their_deck(three: Three, dana: Any) -> None:
    three.give("substitute")
    lobby.take_seat(three.row, dana)
    for seat in (three.second, three.first):
        three.act(seat, Concede(id=f"c{seat}"))
    browser = signed_in(dana)
    asked = browser.post(f"/table/{three.id}/rematch/")
    assert (asked.status_code, asked["Location"]) == (302, f"/table/{three.id}/")
    page = browser.get("/play/mine/")
    assert "played on for somebody else" in words(page)
    assert "Rematch" not in words(page)
    assert "data-rematch" not in browser.get(f"/table/{three.id}/").content.decode()
    assert Match.objects.count() == 1


def test_who_has_their_own_seat_back_stands_in_for_nobody(three: Three, dana: Any) -> None:
    leaver = three.user(three.gone)
    for user in (dana, leaver):
        three.left()
        three.give("substitute")
        lobby.take_seat(three.row, user)
    match = ended(three)
    assert match.seats.get(number=three.gone).player == leaver.display_name
    new = rematches.rematch(match, leaver)
    assert new.seats.get(number=three.gone).user == leaver
    assert "Rematch" in words(signed_in(leaver).get("/play/mine/"))
    places = dict(RatingChange.objects.values_list("rating__user", "rank"))
    assert places[leaver.pk] == 3, "that they had left is on record all the same"


def test_who_plays_on_for_somebody_is_not_told_what_their_deck_is_called(three: Three, dana: Any) -> None:
    three.row.seats.update(deck_label="A secret plan")
    three.give("substitute")
    lobby.take_seat(three.row, dana)
    assert "A secret plan" not in signed_in(dana).get("/play/mine/").content.decode()
    assert "A secret plan" in signed_in(three.user(three.first)).get("/play/mine/").content.decode()


def test_the_data_of_who_plays_on_tell_the_deck_of_nobody_else(three: Three, dana: Any) -> None:
    """Of a deck that may be private they know what was played; the list is told to whoever sat down with it."""
    leaver, seat = three.user(three.gone), three.row.seats.get(number=three.gone)
    three.give("substitute")
    lobby.take_seat(three.row, dana)
    [hers] = told(dana, "matches")
    assert (hers["seat"], hers["name"], hers["base"], hers["cards"]) == (three.gone, "dana", seat.base, None)
    [left] = told(leaver, "seats_left")
    assert (left["base"], left["cards"]) == (seat.base, seat.cards)
    [other] = told(three.user(three.first), "matches")
    assert other["cards"] == three.row.seats.get(number=three.first).cards

    three.left()
    three.give("substitute")
    lobby.take_seat(three.row, leaver)
    [left] = told(dana, "seats_left")
    assert (left["seat"], left["base"], left["cards"]) == (three.gone, seat.base, None)
    [back] = told(leaver, "matches")
    assert back["cards"] == seat.cards, "it is their own again"


def test_what_somebody_downloads_has_only_their_own_words(three: Three, dana: Any) -> None:
    leaver, other = three.user(three.gone), three.user(three.first)
    for seat in (three.gone, three.first):
        own = three.row.seats.get(number=seat)
        Commitment.objects.update_or_create(
            seat=own, defaults={"digest": f"{seat}" * 64, "secret": b"x", "words": f"of {seat}"}
        )
    three.give("substitute")
    lobby.take_seat(three.row, dana)

    assert told(dana, "shuffle_words") == []
    assert [row["words"] for row in told(leaver, "shuffle_words")] == [f"of {three.gone}"]
    assert [row["words"] for row in told(other, "shuffle_words")] == [f"of {three.first}"]

    three.left()
    three.give("substitute")
    lobby.take_seat(three.row, leaver)
    assert told(dana, "shuffle_words") == []
    assert [row["words"] for row in told(leaver, "shuffle_words")] == [f"of {three.gone}"]


def told(user: Any, table: str) -> list[dict[str, Any]]:
    """Return one table of what somebody is sent as their data."""
    with own_data.archive(user) as made, ZipFile(made) as file:
        return json.loads(file.read(f"{table}.json"))


def test_names_go_with_accounts_also_of_those_who_have_left_or_stand_in(three: Three, dana: Any) -> None:
    leaver = three.user(three.gone)
    three.give("substitute")
    lobby.take_seat(three.row, dana)
    leaving.leave_all(dana)
    leaving.take_names_out(dana)
    seat = three.row.seats.get(number=three.gone)
    assert (seat.name, seat.stand_in) == (leaver.display_name, former.FORMER_PLAYER)
    leaving.leave_all(leaver)
    leaving.take_names_out(leaver)
    leaver.delete()
    assert three.row.seats.get(number=three.gone).name == former.FORMER_PLAYER
    assert former.seats_of(three.row.pk) == {three.gone}


def test_a_table_is_pushed_without_the_name_of_who_has_left_it_and_the_site(three: Three, dana: Any) -> None:
    """They are not out of the game: another one plays on, and no move tells that their account is deleted."""
    leaver = three.user(three.gone)
    three.give("substitute")
    lobby.take_seat(three.row, dana)
    leave(leaver, keep_decks=False)
    since = three.row.version
    assert isinstance(moves.act(three.id, moves.Actor.person(dana.pk), three.choice("on")), Accepted)
    for viewer in (dana, three.user(three.first), None):
        told = pushed(three, viewer, since)
        assert leaver.display_name not in told and former.FORMER_PLAYER in told


def test_who_has_only_stood_in_takes_the_name_of_nobody_along(three: Three, dana: Any) -> None:
    leaver = three.user(three.gone)
    three.give("substitute")
    lobby.take_seat(three.row, dana)
    three.left()
    three.give("computer")
    leave(dana, keep_decks=False)
    assert three.row.seats.get(number=three.gone).name == leaver.display_name
    assert former.seats_of(three.row.pk) == frozenset()


def test_lists_name_who_plays_now(three: Three, dana: Any) -> None:
    leaver, other = three.user(three.gone), three.user(three.first)
    three.give("substitute")
    lobby.take_seat(three.row, dana)
    for page in (Client().get("/watch/"), signed_in(other).get("/play/mine/"), signed_in(other).get("/")):
        assert "dana" in page.content.decode() and leaver.display_name not in page.content.decode()


def test_a_replay_says_who_sat_down_and_calls_nobody_a_computer(three: Three) -> None:
    leaver, asks = three.user(three.gone), three.user(three.second)
    three.give("computer")
    for seat in (three.first, three.second):
        three.act(seat, Concede(id=f"c{seat}"))
    drain()
    access = showing.access(three.id, asks.pk)
    assert access is not None
    film = showing.film_of(access.match)
    assert film is not None
    shown = showing.replay(access, film, "public").players[three.gone]
    assert (shown.name, shown.kind, shown.level) == (leaver.display_name, "person", None)
    assert "(normal)" not in signed_in(asks).get(f"/matches/{three.id}/replay/").content.decode()


def test_a_takeback_and_what_is_left_on_a_clock_do_not_bring_who_left_back(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck
) -> None:
    from matches.clocks.tempo import LIVE

    match = match_of(deck, alice, bob, charlie, tempo=LIVE[2])
    three = Three(match)
    for _ in range(40):
        if three.standing.began[three.first] >= 0 or three.row.state != "running":
            break
        three.play(1)
    three.gone = three.deciding
    three.first, three.second = (seat for seat in range(3) if seat != three.gone)
    three.left()
    three.give("computer")
    assert not three.standing.clocks.running & 1 << three.gone  # type: ignore[union-attr]
    assert three.standing.seated == three.row.version
    by = next(seat for seat in (three.first, three.second) if three.standing.began[seat] >= 0)
    other = three.first + three.second - by
    assert isinstance(three.act(by, OfferIt(id="t", what="takeback")), Accepted)
    assert isinstance(three.act(other, Agree(id="u", what="takeback")), Accepted)
    assert three.standing.seated > 0 and not three.standing.clocks.running & 1 << three.gone  # type: ignore[union-attr]


def test_what_somebody_downloads_has_only_their_own_moves_of_a_seat(three: Three, dana: Any) -> None:
    three.play(6)
    three.gone = three.deciding
    three.first, three.second = (seat for seat in range(3) if seat != three.gone)
    three.left()
    leaver = three.user(three.gone)
    before = own_moves(leaver)
    three.give("substitute")
    given = three.row.version
    lobby.take_seat(three.row, dana)
    later = Table(three.row)
    later.play(40)
    played = set(three.row.moves.filter(seat=three.gone, seq__gt=given).values_list("seq", flat=True))
    assert before and own_moves(leaver) == before
    assert played and played <= own_moves(dana) and not before & own_moves(dana)


def own_moves(user: Any) -> set[int]:
    return set(own_data.TABLES["moves"].rows(user).values_list("seq", flat=True))


def test_who_left_has_played_and_sees_the_replay_and_the_shuffles_as_players_do(three: Three, dana: Any) -> None:
    """They are rated for the match, and it was their deck."""
    leaver, stranger = three.user(three.gone), person("stranger")
    Match.objects.update(watchable=False)
    three.row.seats.update(deck_private=True)
    three.give("substitute")
    lobby.take_seat(three.row, dana)
    shuffles = f"/api/v1/matches/{three.id}/shuffles/"
    assert signed_in(leaver).get(shuffles).status_code == 404, "they may not look on"
    match = ended(three)
    for user in (leaver, dana):
        access = showing.access(three.id, user.pk)
        assert access is not None and access.sees_all and access.seat == three.gone
        assert signed_in(user).get(f"/matches/{three.id}/replay/").status_code == 200
        assert signed_in(user).get(shuffles).json()["seats"][0]["deck"]
    assert showing.access(three.id, stranger.pk) is None and showing.access(three.id, None) is None
    assert signed_in(stranger).get(shuffles).status_code == 404
    page = signed_in(leaver).get("/play/mine/").content.decode()
    assert f"/matches/{three.id}/replay/" in page and match.get_absolute_url() not in page


def test_who_is_out_of_the_game_takes_nobody_else_out(three: Three) -> None:
    """They have nothing to lose by it, and those who play on may want to wait."""
    three.act(three.second, Concede(id="c"))
    three.left()
    claim = Claim(id="grudge", seat=three.gone)
    assert isinstance(three.act(three.second, claim), Refusal)
    assert isinstance(three.act(three.first, claim), Accepted)


def test_nobody_takes_the_seat_of_who_is_back_and_thinks(
    three: Three, dana: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor of who could not be there: after a start of the site they are waited for once more."""
    three.give("substitute")
    MatchSeat.objects.filter(number=three.gone).update(seen=timezone.now())
    with pytest.raises(LobbyError, match="is back"):
        lobby.take_seat(three.row, dana)
    assert lobby.free_seats(three.row) == (three.gone,)
    three.left()
    with monkeypatch.context() as restarted:
        restarted.setattr(site_time, "up_since", timezone.now)
        with pytest.raises(LobbyError, match="or may be"):
            lobby.take_seat(three.row, dana)
    lobby.take_seat(three.row, dana)
    assert three.user(three.gone) == dana


def test_an_order_that_comes_as_somebody_is_replaced_is_not_given(
    three: Three, dana: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaver, version, lock = three.user(three.gone), three.row.version, orders._lock
    three.give("substitute")

    def late(match_pk: int) -> Match:
        if three.user(three.gone) == leaver:
            lobby.take_seat(three.row, dana)
        return lock(match_pk)

    monkeypatch.setattr(orders, "_lock", late)
    with pytest.raises(orders.OrderError, match="another player plays on with your cards"):
        orders.give(three.id, leaver.pk, "late", version, Terms("action", until="end"))
    assert not StandingOrder.objects.exists()
