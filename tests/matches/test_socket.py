"""The table over a real server, real HTTP and real WebSockets."""

from __future__ import annotations

import contextlib
import json
import re
import secrets
import threading
import time
from collections.abc import Iterator
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from ccg.server.proving.client import visits
from ccg.server.proving.client.visits import Visitor
from tests.matches.conftest import MOSTLY_EMBEDDED
from tests.matches.live import SECONDS, Game, Message, at, choose
from tests.running import Site

# On a busy machine the server is gone before our end has answered its close, and then the client's library drops what
# it had read before (ClientConnection.recv_events): the sentence that we wait for.
LAST_WORDS = pytest.mark.flaky(reruns=2, only_rerun=["ConnectionClosedError"])


@pytest.fixture(scope="module")
def game(site: Site) -> Game:
    return Game(site)


@pytest.fixture(autouse=True)
def quiet_log(site: Site) -> Iterator[None]:
    """Whatever a test sends: nothing is logged as a crash."""
    before = len(site.said())
    yield
    said = site.said()[before:]
    assert "Traceback" not in said and "ERROR" not in said, said


# -- seeing


def test_each_seat_sees_its_own_view_and_a_visitor_the_public_one(site: Site, game: Game) -> None:
    shown = []
    for visitor in (*game.guests, None):
        with at(site, game.id, visitor) as tab:
            shown.append(tab.hello())
    assert [table["you"] for table in shown] == [0, 1, None]
    for table, open_hand in zip(shown, (0, 1, None), strict=True):
        hands = {p["seat"] for p in table["view"]["players"] if p.get("hand_cards")}
        assert hands == ({open_hand} if open_hand is not None else set())
        deciding = table["view"]["decision"]["seat"]
        assert bool(table["view"]["decision"].get("options")) == (deciding == table["you"])
    assert [person["name"] for person in shown[0]["people"]] == [p["name"] for p in shown[0]["view"]["players"]]


def test_a_table_that_is_not_there_says_so_and_closes(site: Site) -> None:
    with at(site, "2" * 16) as tab:
        assert tab.receive("refused")["code"] == "no_such_table"
        assert tab.closed_with() == 4404


def test_an_address_that_is_none_is_refused(site: Site) -> None:
    with pytest.raises((InvalidStatus, ConnectionClosed)), at(site, "nothing") as tab:
        tab.hello()


def test_a_match_that_has_not_begun_says_so_and_closes(site: Site) -> None:
    guest = visits.guest(site.url)
    match_id, _ = guest.invite(2)
    with at(site, match_id, guest) as tab:
        assert tab.receive("refused")["code"] == "not_running"
        assert tab.closed_with() == 4409


def test_another_origin_is_refused(site: Site, game: Game) -> None:
    with pytest.raises(InvalidStatus), at(site, game.id, game.guests[0], "http://evil.example") as tab:
        tab.hello()


def test_the_heartbeat_says_version_and_who_is_there(game: Game) -> None:
    with game.tab(0) as first, game.tab(1):
        table = first.hello()
        beat = first.receive("heartbeat", seconds=8)
        assert (beat["version"], beat["present"], beat["rematch"]) == (table["version"], [0, 1], None)


# -- choosing


def test_both_tabs_and_the_other_player_hear_of_a_choice(game: Game) -> None:
    version, seat, options = game.decision()
    with game.tab(seat) as one, game.tab(seat) as two, game.tab(1 - seat) as other:
        for tab in (one, two, other):
            assert tab.hello()["version"] == version
        assert one.ask(choose(version, options[0], "tabs"), "accepted") == {
            "type": "accepted", "id": "tabs", "version": version + 1,
        }  # fmt: skip
        for tab in (one, two, other):
            table = tab.receive("table")
            assert (table["version"], table["since"]) == (version + 1, version)
            assert [told["version"] for told in table["events"]] == [version + 1]


def test_of_two_tabs_that_choose_at_once_exactly_one_is_heard(game: Game) -> None:
    version, seat, options = game.decision()
    with game.tab(seat) as one, game.tab(seat) as two:
        one.send(choose(version, options[0], "tab-one"))
        two.send(choose(version, options[-1], "tab-two"))
        answers = [one.receive("accepted", "refused"), two.receive("accepted", "refused")]
        assert sorted(answer["type"] for answer in answers) == ["accepted", "refused"]
        assert next(answer for answer in answers if answer["type"] == "refused")["code"] in ("late", "busy")
        assert one.hello()["version"] == two.hello()["version"] == version + 1


def test_two_who_answer_at_once_about_their_opening_hands_are_both_heard(site: Site) -> None:
    game = Game(site)
    for number in range(20):
        if number:
            game.id, link = game.guests[0].invite(2, "untimed")
            game.guests[1].accept(link)
        with game.tab(0) as one, game.tab(1) as two:
            shown = [tab.hello() for tab in (one, two)]
            assert [(table["version"], table["view"]["decision"]["seat"]) for table in shown] == [(0, 0), (0, 1)]
            for tab, option in ((one, "keep"), (two, "redraw")):
                tab.send(choose(0, option, "at-once"))
            answers = [tab.receive("accepted", "refused") for tab in (one, two)]
            assert [answer["type"] for answer in answers] == ["accepted", "accepted"], answers
            assert sorted(answer["version"] for answer in answers) == [1, 2]
            for tab in (one, two):
                table = tab.hello()
                while table["version"] < 2:  # what was pushed before the answer to hello
                    table = tab.receive("table")
                assert table["view"]["turn"] == 1
            one.ask({"type": "concede", "id": "enough"}, "accepted")


def test_a_double_click_is_one_choice_with_one_answer(game: Game) -> None:
    version, seat, options = game.decision()
    with game.tab(seat) as tab:
        command = choose(version, options[0], "double")
        tab.send(command)
        tab.send(command)
        assert tab.receive("accepted") == tab.receive("accepted")
    with game.tab(seat) as tab:
        assert tab.ask(command, "accepted")["version"] == version + 1
        assert tab.hello()["version"] == version + 1
        other = {**command, "option": "something else"}
        assert tab.ask(other, "refused")["code"] == "id_reused"


def test_everything_since_a_version(game: Game) -> None:
    for number in range(4):
        version, seat, options = game.decision()
        with game.tab(seat) as tab:
            tab.ask(choose(version, options[0], f"since-{number}"), "accepted")
    with game.tab(0) as tab:
        whole = tab.hello()
        assert whole["since"] == 0
        for since in range(whole["version"] + 1):
            part = tab.hello(since)
            assert part["since"] == since
            assert part["events"] == whole["events"][since:]
            assert part["view"] == whole["view"]


# -- why not


def test_players_are_told_why_not_and_nobody_else(site: Site, game: Game) -> None:
    version, seat, _ = game.decision()
    with game.tab(seat) as mine, game.tab(1 - seat) as other, at(site, game.id) as visitor:
        hand = mine.hello()["view"]["players"][seat]["hand_cards"]
        answer = mine.ask({"type": "why", "version": version}, "why", "refused")
        assert answer["version"] == version
        assert {use["card"] for use in answer["uses"] if use["verb"] == "play"} == set(hand)
        waiting = other.ask({"type": "why", "version": version}, "why", "refused")
        assert {use["reason"] for use in waiting["uses"]} == {"not_your_decision"}
        for tab, about, code in (
            (visitor, version, "no_seat"),
            (mine, version + 1, "ahead"),
            (mine, -1, "malformed"),
        ):
            assert tab.ask({"type": "why", "version": about}, "why", "refused")["code"] == code
            assert tab.is_open()
        if version:
            assert mine.ask({"type": "why", "version": version - 1}, "why", "refused")["code"] == "late"


# -- refusals


def test_refusals_change_nothing_and_the_socket_stays_open(site: Site, game: Game) -> None:
    version, seat, options = game.decision()
    with game.tab(seat) as mine, game.tab(1 - seat) as other, at(site, game.id) as visitor:
        before = mine.hello()
        cases = [
            (other, choose(version, options[0], "wrong-seat"), "not_your_decision"),
            (mine, choose(version, "win the game", "not-offered"), "not_offered"),
            (mine, choose(version + 1, options[0], "ahead"), "ahead"),
            (visitor, choose(version, options[0], "visitor"), "no_seat"),
            (visitor, {"type": "concede", "id": "visitor"}, "no_seat"),
        ]
        if version:
            cases.append((mine, choose(version - 1, options[0], "late"), "late"))
        for tab, command, code in cases:
            answer = tab.ask(command, "refused", "accepted")
            assert (answer["type"], answer.get("code"), answer["id"]) == ("refused", code, command["id"])
            assert answer["version"] == version and answer["message"].endswith(".")
            assert tab.is_open()
        after = mine.hello()
        assert {**before, "present": []} == {**after, "present": []}


@MOSTLY_EMBEDDED
@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("", "malformed"),
        ("{", "malformed"),
        ("[1,2]", "malformed"),
        ('{"type":"cheat"}', "malformed"),
        ('{"type":"choose","id":"x","version":"1","option":"keep"}', "malformed"),
        ('{"type":"choose","id":"x\\u0000","version":1,"option":"keep"}', "malformed"),
        ('{"type":"hello","since":' + "9" * 400 + "}", "malformed"),
        ('{"type":"hello","a":' + "[" * 8000, "malformed"),
        (b"\x00\xff\xfe", "malformed"),
        ('{"type":"ping","a":"' + "x" * 17_000 + '"}', "too_long"),
        ("é" * 16_000, "too_long"),
        (b"x" * 900_000, "too_long"),
    ],
)
def test_a_bad_frame_is_answered_and_the_socket_stays_open(game: Game, frame: str | bytes, code: str) -> None:
    with game.tab(0) as tab:
        before = tab.hello()
        assert tab.ask(frame, "refused")["code"] == code
        assert tab.is_open()
        assert tab.hello()["version"] == before["version"]


@MOSTLY_EMBEDDED
def test_a_monstrous_frame_closes_the_socket(game: Game) -> None:
    with game.tab(0) as tab:
        tab.hello()
        try:
            tab.send("x" * 3_000_000)
        except ConnectionClosed:
            return
        assert tab.closed_with() in (None, 1009)


@MOSTLY_EMBEDDED
def test_too_many_frames_are_refused_and_a_flood_closes_the_socket(site: Site, game: Game) -> None:
    with game.tab(0) as tab:
        tab.hello()
        for _ in range(60):
            tab.send({"type": "ping"})
        answers = {tab.receive("pong", "refused")["type"] for _ in range(60)}
        assert answers == {"pong", "refused"}
        time.sleep(1.5)
        assert tab.is_open()
    with game.tab(0) as tab:
        tab.hello()
        for _ in range(40):
            with contextlib.suppress(ConnectionClosed):
                tab.ask_often(20)
        assert tab.closed_with() == 1008
    assert f"closed a flooding socket at match {game.id}" in site.said()
    with game.tab(0) as tab:
        assert tab.hello()["you"] == 0


@MOSTLY_EMBEDDED
def test_leaving_a_half_read_socket_behind_harms_nobody(game: Game) -> None:
    with game.tab(0) as tab:
        tab.send({"type": "hello"})
        tab.connection.socket.close()
    with game.tab(0) as tab:
        assert tab.is_open()


@MOSTLY_EMBEDDED
def test_a_client_that_falls_hopelessly_behind_is_closed(game: Game) -> None:
    version, _, _ = game.decision()
    for number in range(max(0, 51 - version)):
        version, seat, options = game.decision()
        with game.tab(seat) as tab:
            tab.ask(choose(version, options[0], f"behind-{number}"), "accepted")
    with game.tab(0) as tab:
        version = tab.hello()["version"]
        assert tab.ask({"type": "ping", "seen": version - 50}, "pong")
        tab.send({"type": "ping", "seen": 0})
        assert tab.closed_with() == 1013


# -- people


@LAST_WORDS
def test_a_page_that_comes_back_with_the_session_of_somebody_else_is_closed(site: Site, game: Game) -> None:
    """What it has kept to be sent again would be theirs."""
    mine, other = game.guests
    page = mine.get(f"/table/{game.id}/").text
    asked = re.findall(r'data-socket="/ws/matches/[a-z0-9]+/(\?as=\d+)"', page)
    assert len(asked) == 1
    with at(site, game.id, mine, asked=asked[0]) as tab:
        assert tab.hello()["you"] == 0
    for visitor in (other, None):
        with at(site, game.id, visitor, asked=asked[0]) as tab:
            assert tab.receive("refused")["code"] == "logged_out"
            assert tab.closed_with() == 4401
    assert 'data-socket="/ws/matches/' in visits.Visitor(site.url).get(f"/table/{game.id}/").text


@LAST_WORDS
def test_signing_out_closes_the_sockets_of_that_session(site: Site) -> None:
    game = Game(site)
    guest = game.guests[0]
    with game.tab(0) as mine, game.tab(1) as others:
        mine.hello()
        others.hello()
        guest.post("/accounts/logout/")
        assert mine.receive("refused")["code"] == "logged_out"
        assert mine.closed_with() == 4401
        assert others.is_open()


@LAST_WORDS
@MOSTLY_EMBEDDED
def test_who_is_locked_out_is_put_out_of_the_table(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    name, password = f"owner{secrets.token_hex(4)}", "so say we all 75"
    monkeypatch.setitem(site.env, "DJANGO_SUPERUSER_PASSWORD", password)
    site.manage("createsuperuser", "--noinput", "--username", name, "--email", "")
    owner, game = Visitor(site.url), Game(site)
    owner.post("/accounts/login/", login=name, password=password)
    newest = re.search(r"/admin/accounts/user/\d+/change/", owner.get("/admin/accounts/user/?is_guest__exact=1").text)
    assert newest is not None
    with game.tab(0) as others, game.tab(1) as tab:
        others.hello()
        tab.hello()
        owner.post(newest[0], _save="Save")  # without a mark at "Active"
        assert tab.receive("refused")["code"] == "logged_out"
        assert tab.closed_with() == 4401
        assert others.is_open()


@LAST_WORDS
@MOSTLY_EMBEDDED
def test_a_new_password_puts_the_other_browsers_of_the_account_out_of_the_table(site: Site) -> None:
    name, old, new = f"kara{secrets.token_hex(4)}", "raptor in the dark 7", "viper in the light 8"
    game, second = Game(site), Visitor(site.url)
    first = game.guests[0]
    first.post("/accounts/upgrade/", username=name, password1=old, password2=old)
    second.post("/accounts/login/", login=name, password=old)
    with at(site, game.id, second) as tab, game.tab(1) as others:
        assert tab.hello()["you"] == 0
        others.hello()
        first.post("/accounts/password/change/", oldpassword=old, password1=new, password2=new)
        assert tab.receive("refused")["code"] == "logged_out"
        assert tab.closed_with() == 4401
        assert others.is_open()
    with at(site, game.id, first) as tab:
        assert tab.hello()["you"] == 0


def test_the_api_says_the_same_as_the_socket(site: Site, game: Game) -> None:
    with game.tab(1) as tab:
        by_socket = tab.hello()
    request = Request(f"{site.url}/api/v1/matches/{game.id}/", headers={"Cookie": game.guests[1].cookie_header})
    with urlopen(request, timeout=SECONDS) as answer:
        by_http = json.load(answer)
    assert {key: by_http[key] for key in ("type", "version", "you", "view", "events")} == {
        key: by_socket[key] for key in ("type", "version", "you", "view", "events")
    }
    with pytest.raises(HTTPError, match="404"):
        urlopen(f"{site.url}/api/v1/matches/{'2' * 16}/", timeout=SECONDS)


# -- kill -9


def prompt_of(game: Game, seat: int) -> tuple[Message, list[Message]]:
    with game.tab(seat) as tab:
        table = tab.hello()
    return {**table, "present": []}, table["events"]


def test_kill_9_in_the_middle_loses_nothing_and_both_come_back_to_the_same_prompt(site: Site) -> None:
    game = Game(site)
    for number in range(25):
        version, seat, options = game.decision()
        with game.tab(seat) as tab:
            tab.ask(choose(version, options[number % len(options)], f"before-{number}"), "accepted")
    before = [prompt_of(game, seat) for seat in (0, 1)]
    site.kill()
    site.start()
    assert [prompt_of(game, seat) for seat in (0, 1)] == before
    version, seat, options = game.decision()
    with game.tab(seat) as tab:
        again = choose(version - 1, "whatever", "before-24")
        assert tab.ask(again, "refused", "accepted")["type"] in ("refused", "accepted")
        assert tab.ask(choose(version, options[0], "after"), "accepted")["version"] == version + 1
    assert "26 moves, every digest equal" in site.manage("replay", game.id)


@pytest.mark.ci
def test_a_whole_match_is_played_through_while_the_server_is_killed(site: Site) -> None:
    """Four players; `manage.py prove faults` kills hundreds of times."""
    said: list[str] = []
    playing = threading.Thread(
        target=lambda: said.append(site.manage("play_through", "--players", "4", "--url", site.url))
    )
    playing.start()
    for _ in range(3):
        time.sleep(1.5)
        if not playing.is_alive():
            break
        site.kill()
        site.start()
    playing.join(120)
    found = re.search(r"match (\w+): .*?, (\d+) turns, (\d+) choices", said[0])
    assert found is not None, said
    assert f"{found[3]} moves, every digest equal" in site.manage("replay", found[1])


@pytest.mark.ci
def test_a_match_against_the_computer_goes_on_after_a_kill(site: Site) -> None:
    guest = visits.guest(site.url)
    match_id = guest.play_computer()
    moved = 0
    for number in range(200):
        with at(site, match_id, guest) as tab:
            table = tab.hello()
            while not table["over"] and table["view"]["decision"]["seat"] != 0:
                table = tab.receive("table", seconds=20)
            if table["over"] or moved >= 8:
                break
            option = table["view"]["decision"]["options"][-1]["key"]
            tab.send(choose(table["version"], option, f"move-{number}"))
            tab.receive("accepted")
            moved += 1
        if number == 5:
            site.kill()
            site.start()
    assert moved >= 6
    assert "every digest equal" in site.manage("replay", match_id)
