"""What each right gives, proved in short; and the table that says so."""

from __future__ import annotations

import pytest

from ccg.server.proving.rights import table
from ccg.server.proving.rights.world import ROLES
from tests.proving import short


# Two minutes alone, a quarter of an hour beside all the other tests on a slow machine: the end that is set for the rest
# of them (pyproject.toml) is not ten times that.
@pytest.mark.timeout(3600)
@pytest.mark.ci
@pytest.mark.slow
def test_every_cell_is_as_the_table_says() -> None:
    proof = short("rights")
    assert proof["figures"]["first_wrong"] == []
    assert proof["figures"]["cells"] >= 900
    assert proof["figures"]["cells_by_right"] >= 500
    assert len(proof["planted"]) >= 10


def test_the_table_is_read_as_it_was_written() -> None:
    text = table.KEPT.read_text(encoding="utf-8")
    assert table.written(table.read(text)) == text


def test_every_right_is_in_the_table_by_itself() -> None:
    rights = [title for title in table.read(table.KEPT.read_text(encoding="utf-8")) if title.startswith("RIGHT ")]
    assert len(rights) >= 100
    assert "RIGHT accounts.change_user" in rights


def test_staff_who_change_users_rename_lock_and_suspend_and_nothing_else() -> None:
    gives = table.read(table.KEPT.read_text(encoding="utf-8"))["RIGHT accounts.change_user"]
    writing = {what for what, outcome in gives.items() if "writes" in outcome}
    users = "POST admin:accounts_user_changelist"
    suspending = {f"{users} ({action})" for action in ("suspend_for_a_week", "suspend_without_end", "end_suspension")}
    assert suspending <= writing
    assert {what.split(" (")[0] for what in writing - suspending} == {
        "POST admin:accounts_user_change player",
        "POST admin:accounts_user_change guest",
    }
    assert not any("password_change" in what for what in gives)


def test_every_address_is_asked_as_everybody() -> None:
    kept = table.read(table.KEPT.read_text(encoding="utf-8"))
    asked = {title: set(cells) for title, cells in kept.items() if not title.startswith("RIGHT ")}
    assert {title: ROLES for title, roles in asked.items() if roles != set(ROLES)} == {}


def test_a_link_that_is_revoked_and_a_deck_that_is_taken_down_open_nothing_to_others() -> None:
    kept = table.read(table.KEPT.read_text(encoding="utf-8"))
    for what, mine in (("by a revoked link", set()), ("taken down", {"alice"})):
        cells = {title: cell for title, cell in kept.items() if what in title}
        assert len(cells) > 40
        for title, cell in cells.items():
            let_in = {role for role, outcome in cell.items() if outcome[0] in "23" and "login" not in outcome}
            assert let_in <= mine, title


def test_who_is_blocked_writes_nothing_on_the_decks_of_who_blocks() -> None:
    kept = table.read(table.KEPT.read_text(encoding="utf-8"))
    for what in ("public", "by its link"):
        for title in (f"POST decks:like {what}", f"POST decks:comment {what}"):
            assert "writes" in kept[title]["stranger"] and "writes" not in kept[title]["blocked"]


EXPECTED: table.Table = {
    "GET home": {"visitor": "200", "alice": "200; tells invite"},
    "RIGHT a.b": {"GET admin:index": "200", "GET admin:more": "200"},
}


def test_a_cell_that_differs_is_named() -> None:
    found = {"GET home": {"visitor": "200; tells invite", "alice": "200; tells invite"}}
    assert table.differences(EXPECTED, found, ()) == ["GET home, visitor: 200; tells invite; expected: 200"]


def test_what_has_no_row_and_who_has_no_cell_is_named() -> None:
    assert table.differences(EXPECTED, {"GET new": {"visitor": "404"}}, ()) == ["GET new: has no row"]
    lost = table.differences(EXPECTED, {"GET home": {"visitor": "200"}}, ())
    assert lost == ["GET home, alice: as without; expected: 200; tells invite"]


def test_a_right_that_gives_more_or_less_is_named_where_it_was_tried() -> None:
    found: table.Table = {"RIGHT a.b": {"POST admin:index": "302"}}
    assert table.differences(EXPECTED, found, {"RIGHT a.b GET admin:index", "RIGHT a.b POST admin:index"}) == [
        "RIGHT a.b, GET admin:index: as without; expected: 200",
        "RIGHT a.b, POST admin:index: 302; expected: as without",
    ]
