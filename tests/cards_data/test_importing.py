"""From an upload to a data version and back: who may, what is kept, what stands in the audit log."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser, Permission
from django.core.exceptions import PermissionDenied
from django.db import transaction

from cards_data import catalog, importing, imports, proposals, uses
from cards_data.catalog import CardData, UnknownVersion
from cards_data.importing import NotNow, Outdated
from cards_data.imports import import_sets
from cards_data.models import AppendOnlyError, AuditEntry, Card, DataVersion, ImportDraft, Printing
from cards_data.trials import Trial
from ccg.outbox.services import drain
from ccg.rules.cards.definitions import CardDef
from tests.cards_data.archives import WHOLE, zipped
from tests.cards_data.conftest import APOLLO, BASE, RAPTOR, WriteSet

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("work_here")]

State = ImportDraft.State
HELO = APOLLO.replace("Apollo", "Helo")
OLD = HELO + RAPTOR.replace("Raptor 9", "Raptor 8") + BASE
STRONGER = WHOLE.replace("power: 2", "power: 4")
ABILITY = "  abilities: [{cost: commit, do: [{ready: target ship}]}]\n"


def staff(name: str, *rights: str) -> Any:
    """Make a member of staff with these rights."""
    user = get_user_model().objects.create_user(name, password=f"{name}-password-1", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    return user


@pytest.fixture
def admin(db: None) -> Any:
    """A member of staff who may import and roll back."""
    return staff("adama", "import_set", "roll_back")


@pytest.fixture
def before(write_set: WriteSet) -> DataVersion:
    """Version 1: a small set of three cards."""
    version = import_sets([write_set("OLD", cards=OLD)]).version
    assert version is not None
    return version


def entries() -> list[tuple[str, str]]:
    """Who did what, oldest first, from the first thing that a person did."""
    return list(AuditEntry.objects.exclude(who="command line").order_by("id").values_list("who", "what"))


def tried(user: Any, text: str = WHOLE, games: int = 1) -> ImportDraft:
    """Upload, and let the simulated games be played."""
    draft = importing.begin_trial(importing.upload(user, "tst.yaml", text.encode()), user, games)
    drain()
    draft.refresh_from_db()
    assert draft.state == State.TRIED
    return draft


def test_a_set_is_uploaded_tried_published_and_taken_back(all_cards: None, admin: Any) -> None:
    draft = importing.upload(admin, "tst.yaml", WHOLE.encode())
    assert (draft.state, draft.problems, draft.base, draft.author) == (State.CHECKED, [], 1, admin)
    assert importing.changes_of(draft).new == ("TST-01",)
    assert draft.sets == [{"code": "TST", "name": "The TST Set", "cards": 1, "printings": 1}]

    draft = importing.begin_trial(draft, admin, games=3)
    assert draft.state == State.TRYING
    drain()
    draft.refresh_from_db()
    trial = Trial.of(draft)
    assert trial is not None
    assert (trial.played, trial.percent, trial.passed, trial.never_played) == (3, 100, True, [])
    assert trial.plays["TST-01"] > 0

    version = importing.publish(draft, admin)
    draft.refresh_from_db()
    assert (draft.state, draft.version) == (State.PUBLISHED, version)
    assert (version.number, version.author, version.source) == (2, admin, "TST from tst.yaml")
    assert "TST-01" in catalog.current()

    back = importing.roll_back(1, admin, "it was a test")
    assert (back.number, back.restores, back.author) == (3, 1, admin)
    assert back.source == "back to version 1: it was a test"
    assert catalog.current().fingerprint == DataVersion.objects.get(number=1).fingerprint
    assert Card.objects.get(pk="TST-01").withdrawn
    assert [*entries()] == [
        ("adama", "uploaded"),
        ("adama", "checked"),
        ("adama", "trial begun"),
        ("background work", "trial finished"),
        ("adama", "published"),
        ("adama", "rolled back"),
    ]


def test_rows_are_made_while_nothing_is_locked(
    write_set: WriteSet, admin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For thousands of cards that takes seconds, and on SQLite all tables would wait."""
    made: list[bool] = []
    locked, real, newest = [False], Card.from_definition, imports.newest

    @contextmanager
    def locking() -> Iterator[CardData]:
        with newest() as cards:
            locked[0] = True
            try:
                yield cards
            finally:
                locked[0] = False

    def make(card: CardDef) -> Card:
        made.append(locked[0])
        return real(card)

    monkeypatch.setattr(imports, "newest", locking)
    monkeypatch.setattr(Card, "from_definition", make)
    import_sets([write_set("OLD", cards=OLD)])
    importing.publish(tried(admin), admin)
    importing.roll_back(1, admin)
    assert made == [False] * (3 + 4 + 3)
    assert Card.objects.get(pk="TST-01").withdrawn


def test_a_zip_with_scenarios_of_its_own(before: DataVersion, admin: Any, write_set: WriteSet) -> None:
    scenario = """
scenario: {name}
given:
  players:
    - {{name: Ana, base: OLD-03, fill: Raptor 8, alert: [TST-01]}}
    - {{name: Ben, base: OLD-03, fill: Raptor 8}}
then: ["{check}"]
"""
    folder = write_set(cards=APOLLO)
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "one.yaml").write_text(
        scenario.format(name="Apollo has power 2", check="Apollo, Test Pilot: power 2")
    )
    draft = importing.upload(admin, "tst.zip", zipped(folder))
    assert draft.problems == []
    assert draft.scenarios == [
        {"file": "tst/scenarios/one.yaml", "name": "Apollo has power 2", "passed": True, "message": ""}
    ]

    (folder / "scenarios" / "two.yaml").write_text(
        scenario.format(name="Apollo has power 3", check="Apollo, Test Pilot: power 3")
    )
    draft = importing.upload(admin, "tst.zip", zipped(folder))
    assert draft.state == State.REFUSED
    [problem] = map(str, draft.found)
    assert problem.startswith("tst/scenarios/two.yaml: Apollo has power 3: line 1 of the story")
    assert [one["passed"] for one in draft.scenarios] == [True, False]
    with pytest.raises(NotNow, match="cannot be tried: it is refused"):
        importing.begin_trial(draft, admin)


def test_everything_that_is_wrong_is_kept_with_the_refused_draft(before: DataVersion, admin: Any) -> None:
    wrong = WHOLE.replace("power: 2", "powr: 2").replace("security: 3", "securty: 3")
    draft = importing.upload(admin, "tst.yaml", wrong.encode())
    assert (draft.state, draft.checked, importing.changes_of(draft).nothing) == (State.REFUSED, b"", True)
    assert len(draft.problems) == 3
    assert all(str(problem).startswith("tst.yaml, card 1") for problem in draft.found)
    assert entries() == [("adama", "uploaded"), ("adama", "refused")]
    assert AuditEntry.objects.latest("id").detail == {"problems": 3, "base": 1}
    assert catalog.current_number() == 1


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("../../etc/passwd", b"x", "expected a .yaml file"),
        ("bomb.yaml", b"a: &a [x, x]\nb: [*a, *a]", "aliases"),
        ("deep.yaml", b"[" * 100_000, "nested deeper"),
        ("code.yaml", b"set: !!python/object/apply:os.system ['true']\ncards: []", "tag"),
        ("zero.zip", b"PK\x03\x04" + b"\0" * 100, "damaged"),
    ],
)
def test_hostile_files_are_refused_and_change_nothing(
    before: DataVersion, admin: Any, name: str, data: bytes, says: str
) -> None:
    draft = importing.upload(admin, name, data)
    assert draft.state == State.REFUSED
    assert says in str(draft.found[0])
    assert "/" not in draft.file_name
    assert (catalog.current_number(), Card.objects.count()) == (1, 3)


def test_the_difference_is_told_field_by_field_with_abilities_in_words(before: DataVersion, admin: Any) -> None:
    importing.publish(tried(admin), admin)
    draft = importing.upload(admin, "tst.yaml", (STRONGER + ABILITY).encode())
    [change] = importing.changes_of(draft).changed
    fields = {field.field: (field.before, field.after) for field in change.fields}
    assert (change.card, change.name) == ("TST-01", "Apollo, Test Pilot")
    assert fields.keys() == {"power", "abilities", "words on the card"}
    assert fields["power"] == ("2", "4")
    assert fields["abilities"] == ("none", "- cost: commit\n  do:\n  - ready: target ship")
    assert fields["words on the card"][0] == "none"
    assert "target ship" in fields["words on the card"][1]


def test_the_decks_that_are_touched_are_counted(
    before: DataVersion, admin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[set[str]] = []

    def counter(cards: Any) -> int:
        asked.append(set(cards))
        return 7

    monkeypatch.setattr(uses, "_counters", {"decks": counter})
    importing.publish(tried(admin, WHOLE + RAPTOR), admin)
    asked.clear()
    draft = importing.upload(admin, "tst.yaml", STRONGER.encode())
    assert draft.uses == {"decks": 7}
    assert asked == [{"TST-01", "TST-02"}]


# --- what stands in the way of publishing ---------------------------------------------------------------


def test_only_what_was_tried_is_published(before: DataVersion, admin: Any) -> None:
    draft = importing.upload(admin, "tst.yaml", WHOLE.encode())
    with pytest.raises(NotNow, match="this draft is checked, but not tried"):
        importing.publish(draft, admin)
    importing.begin_trial(draft, admin, games=1)
    with pytest.raises(NotNow, match="this draft is being tried"):
        importing.publish(draft, admin)
    assert catalog.current_number() == 1


def test_a_draft_is_published_once(before: DataVersion, admin: Any) -> None:
    draft = tried(admin)
    importing.publish(draft, admin)
    with pytest.raises(NotNow, match="this draft is published"):
        importing.publish(draft, admin)
    for verb in (importing.discard, importing.check_again, importing.begin_trial):
        with pytest.raises(NotNow, match="it is published"):
            verb(draft, admin)
    assert catalog.current_number() == 2


def test_a_draft_checked_against_older_cards_is_checked_and_tried_again(
    before: DataVersion, admin: Any, write_set: WriteSet
) -> None:
    draft = tried(admin)
    import_sets([write_set("NEW", cards=RAPTOR.replace("Raptor 9", "Raptor 10"))])
    with pytest.raises(Outdated, match=r"then version 1 was the newest, now it is 2\. Check it again\."):
        importing.publish(draft, admin)
    draft = importing.check_again(draft, admin)
    assert (draft.state, draft.base, draft.trial) == (State.CHECKED, 2, {})
    importing.begin_trial(draft, admin, games=1)
    drain()
    assert importing.publish(draft, admin).number == 3
    assert {"OLD-01", "NEW-02", "TST-01"} <= catalog.current().index.keys()


def test_a_refused_draft_may_be_good_once_the_cards_are_others(
    before: DataVersion, admin: Any, write_set: WriteSet
) -> None:
    again = "{number: 1, title: Apollo, subtitle: Test Pilot, rarity: rare, reprint_of: TST-01}"
    reprint = f"set: {{code: AGN, name: Again, year: 2031}}\ncards:\n- {again}\n"
    draft = importing.upload(admin, "agn.yaml", reprint.encode())
    assert draft.state == State.REFUSED
    import_sets([write_set(cards=APOLLO)])
    assert importing.check_again(draft, admin).state == State.CHECKED


def broken(draft: ImportDraft, **report: int) -> None:
    """Let the trial of a draft have found something."""
    draft.trial.update(report)
    draft.save()


@pytest.mark.parametrize(("found", "says"), [({"crashes": 2}, "2 broke"), ({"endless": 1}, "1 did not end")])
def test_a_trial_with_broken_games_stands_in_the_way(
    before: DataVersion, admin: Any, found: dict[str, int], says: str
) -> None:
    draft = tried(admin)
    broken(draft, **found)
    with pytest.raises(NotNow, match=says):
        importing.publish(draft, admin)
    assert catalog.current_number() == 1


def test_cards_that_no_game_saw_do_not_stand_in_the_way(before: DataVersion, admin: Any) -> None:
    draft = tried(admin)
    draft.trial["plays"] = {"TST-01": 0}
    draft.save()
    trial = Trial.of(draft)
    assert trial is not None
    assert trial.never_played == ["TST-01"]
    assert importing.publish(draft, admin).number == 2


def test_nothing_new_is_not_tried(before: DataVersion, admin: Any) -> None:
    importing.publish(tried(admin), admin)
    draft = importing.upload(admin, "tst.yaml", WHOLE.encode())
    assert importing.changes_of(draft).nothing
    with pytest.raises(NotNow, match="stored already"):
        importing.begin_trial(draft, admin)


def test_a_set_that_only_loses_cards_needs_no_games(before: DataVersion, admin: Any) -> None:
    importing.publish(tried(admin, WHOLE + RAPTOR), admin)
    draft = importing.begin_trial(importing.upload(admin, "tst.yaml", WHOLE.encode()), admin)
    assert draft.state == State.TRIED
    importing.publish(draft, admin, removing=1)
    assert Card.objects.get(pk="TST-02").withdrawn


@pytest.mark.parametrize("removing", [None, 0, 2, -1])
def test_cards_go_only_if_whoever_publishes_says_how_many(
    before: DataVersion, admin: Any, removing: int | None
) -> None:
    importing.publish(tried(admin, WHOLE + RAPTOR), admin)
    draft = importing.begin_trial(importing.upload(admin, "tst.yaml", WHOLE.encode()), admin)
    with pytest.raises(
        importing.Removes, match=r"would take 1 card of TST out.*type 1 before you publish.*Nothing was"
    ):
        importing.publish(draft, admin, removing=removing)
    draft.refresh_from_db()
    assert (draft.state, catalog.current_number()) == (State.TRIED, 2)


def test_a_draft_that_is_checked_again_while_it_is_published(
    before: DataVersion, admin: Any, write_set: WriteSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is written is what was found out against the version before, not against an older one."""
    draft = tried(admin)
    real = proposals.of_sets

    def slow(*args: Any) -> Any:
        found = real(*args)
        import_sets([write_set("NEW", cards=APOLLO.replace("Apollo", "Athena"))])
        importing.begin_trial(importing.check_again(draft, admin), admin, 1)
        drain()
        return found

    monkeypatch.setattr(proposals, "of_sets", slow)
    with pytest.raises(NotNow, match="has been checked again"):
        importing.publish(draft, admin)
    assert (catalog.current_number(), "NEW-01" in catalog.current()) == (2, True)


def test_a_fault_while_publishing_undoes_all_of_it(
    before: DataVersion, admin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = tried(admin)

    def fail(*args: Any, **more: Any) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr("cards_data.importing.audit.note", fail)
    with pytest.raises(RuntimeError):
        importing.publish(draft, admin)
    draft.refresh_from_db()
    assert (draft.state, draft.version, catalog.current_number()) == (State.TRIED, None, 1)
    assert not Card.objects.filter(pk="TST-01").exists()


def test_the_digits_of_a_set_never_change(before: DataVersion, admin: Any) -> None:
    importing.publish(tried(admin), admin)
    draft = importing.upload(admin, "tst.yaml", WHOLE.replace("digits: 2", "digits: 3").encode())
    assert [str(problem) for problem in draft.found] == ["TST-001 was TST-01 before: the digits of a set cannot change"]


def named(title: str, subtitle: str = "", **facts: str) -> str:
    """The whole set with its one card called so, and other facts."""
    text = WHOLE.replace("  title: Apollo\n", f"  title: {title}\n" if title else "")
    text = text.replace("  subtitle: Test Pilot\n", f"  subtitle: {subtitle}\n" if subtitle else "")
    for key, value in facts.items():
        text = re.sub(rf"  {key}: .*\n", f"  {key}: {value}\n" if value else "", text)
    return text


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        (("Apollo", "Test Pilot"), ("Quite", "Different"), "Apollo, Test Pilot (personnel) and cannot become Quite, "),
        (("", "Raptor 101"), ("", "Raptor 234"), "Raptor 101 (personnel) and cannot become Raptor 234 (personnel)"),
        (
            ("Apollo", ""),
            ("Athena", "Test Pilot"),
            "Apollo (personnel) and cannot become Athena, Test Pilot (personnel)",
        ),
        (("Apolo", "Test Pilott"), ("Apollo", "Test Pilot"), ""),
        (("Apollo", "Test Pilot"), ("Apollo", "Commander"), ""),
        (("Apollo", "Test Pilot"), ("Boomer", "Test Pilot"), ""),
        (("Test Pilot", ""), ("", "Test Pilot"), ""),
        (("", "Raptor 101"), ("", "Raptor 102"), ""),
        (("", "Viper Mark"), ("", "Viper Mark Two"), ""),
    ],
)
def test_an_id_never_becomes_another_card(
    before: DataVersion, admin: Any, was: tuple[str, str], now: tuple[str, str], told: str
) -> None:
    importing.publish(tried(admin, named(*was)), admin)
    draft = importing.upload(admin, "tst.yaml", named(*now).encode())
    if not told:
        assert draft.problems == []
        return
    [problem] = map(str, draft.found)
    assert problem.startswith(f"TST-01 is known as {told}")
    assert problem.endswith("ids are for ever, so give the other card a new number")


def test_an_id_never_becomes_a_card_of_another_type_even_once_it_is_withdrawn(before: DataVersion, admin: Any) -> None:
    importing.publish(tried(admin), admin)
    importing.roll_back(1, admin)
    assert Card.objects.get(pk="TST-01").withdrawn
    other = named("Apollo", "Test Pilot", type="event", power="", produces="")
    draft = importing.upload(admin, "tst.yaml", other.encode())
    assert draft.state == State.REFUSED
    assert "TST-01 is known as Apollo, Test Pilot (personnel) and cannot become Apollo, Test Pilot (event)" in str(
        draft.found[0]
    )


def test_another_card_under_a_known_id_is_told_together_with_what_else_is_wrong(
    before: DataVersion, admin: Any
) -> None:
    importing.publish(tried(admin, WHOLE + RAPTOR), admin)
    reprint = "- {number: 1, title: Apollo, subtitle: Test Pilot, rarity: rare, reprint_of: TST-01}\n"
    again = f"set: {{code: TWO, name: Two, year: 2031, digits: 2}}\ncards:\n{reprint}"
    importing.publish(tried(admin, again), admin)
    wrong_code = named("Quite", "Different").replace("number: 1\n", "number: 2\n")

    told = [str(problem) for problem in importing.upload(admin, "tst.yaml", wrong_code.encode()).found]

    assert len(told) == 2
    assert "TWO-01 reprints TST-01, which would not be there any more" in told[0]
    assert told[1].startswith("TST-02 is known as Raptor 9 (ship) and cannot become Quite, Different (personnel)")


def test_a_discarded_draft_is_at_rest(before: DataVersion, admin: Any) -> None:
    draft = importing.begin_trial(importing.upload(admin, "tst.yaml", WHOLE.encode()), admin, games=1)
    importing.discard(draft, admin)
    drain()
    draft.refresh_from_db()
    assert (draft.state, draft.trial["slices"]) == (State.DISCARDED, 0)
    assert entries()[-1] == ("adama", "discarded")
    with pytest.raises(NotNow):
        importing.discard(draft, admin)


# --- going back -----------------------------------------------------------------------------------------


def test_going_back_brings_back_cards_and_withdraws_others(
    before: DataVersion, admin: Any, write_set: WriteSet
) -> None:
    import_sets([write_set("OLD", cards=HELO + BASE)])
    importing.publish(tried(admin), admin)
    assert Card.objects.get(pk="OLD-02").withdrawn
    importing.roll_back(1, admin)
    withdrawn = {
        model: set(model.objects.filter(withdrawn=True).values_list("pk", flat=True)) for model in (Card, Printing)
    }
    assert withdrawn == {Card: {"TST-01"}, Printing: {"TST-01"}}
    assert catalog.current().ids == ("OLD-01", "OLD-02", "OLD-03")
    importing.roll_back(3, admin)
    assert catalog.current().ids == ("OLD-01", "OLD-03", "TST-01")
    assert list(DataVersion.objects.order_by("number").values_list("restores", flat=True)) == [None, None, None, 1, 3]


@pytest.mark.parametrize("number", [0, -1, 2, 10**12])
def test_going_back_to_what_never_was(before: DataVersion, admin: Any, number: int) -> None:
    with pytest.raises(UnknownVersion):
        importing.roll_back(number, admin)


def test_going_back_to_what_is_there(before: DataVersion, admin: Any) -> None:
    with pytest.raises(NotNow, match="Nothing would change: the cards are as they were in version 1"):
        importing.roll_back(1, admin)


def test_going_back_to_cards_that_cannot_be_played_any_more(before: DataVersion, admin: Any) -> None:
    importing.publish(tried(admin, WHOLE + ABILITY), admin)
    content = bytes(DataVersion.objects.get(number=2).content).replace(b"target ship", b"target shop")
    DataVersion.objects.filter(number=2).update(content=content, digest=catalog.digest(content))
    importing.roll_back(1, admin)
    with pytest.raises(NotNow, match="This program cannot play the cards of version 2: TST-01"):
        importing.roll_back(2, admin)
    assert catalog.current_number() == 3


# --- rights and the audit log ---------------------------------------------------------------------------

Verb = Callable[[Any, ImportDraft], object]
VERBS: dict[str, Verb] = {
    "upload": lambda user, draft: importing.upload(user, "tst.yaml", WHOLE.encode()),
    "check": lambda user, draft: importing.check_again(draft, user),
    "try": lambda user, draft: importing.begin_trial(draft, user),
    "publish": lambda user, draft: importing.publish(draft, user),
    "discard": lambda user, draft: importing.discard(draft, user),
    "roll back": lambda user, draft: importing.roll_back(1, user),
}


@pytest.mark.parametrize("wanted", VERBS)
def test_only_staff_with_the_right_may(before: DataVersion, admin: Any, wanted: str) -> None:
    draft = tried(admin)
    right = "roll_back" if wanted == "roll back" else "import_set"
    other = "import_set" if wanted == "roll back" else "roll_back"
    gone, player = staff("gone", right), staff("player", right)
    gone.is_active, player.is_staff = False, False
    gone.save()
    player.save()
    people = [AnonymousUser(), get_user_model().objects.create_user("guest"), staff("starbuck", other), gone, player]
    rows = DataVersion.objects.count(), ImportDraft.objects.count()
    for person in people:
        with pytest.raises(PermissionDenied):
            VERBS[wanted](person, draft)
        entry = AuditEntry.objects.latest("id")
        assert (entry.what, entry.detail["wanted"]) == ("permission denied", wanted)
        assert entry.who == (person.get_username() or "a visitor")
    draft.refresh_from_db()
    assert (DataVersion.objects.count(), ImportDraft.objects.count(), draft.state) == (*rows, State.TRIED)


def test_entries_of_the_audit_log_are_never_changed_or_deleted(before: DataVersion, admin: Any) -> None:
    importing.upload(admin, "tst.yaml", WHOLE.encode())
    entry = AuditEntry.objects.latest("id")
    plain = AuditEntry._base_manager
    for attempt in (
        entry.save,
        lambda: entry.save_base(force_update=True),
        entry.delete,
        lambda: plain.update(who="somebody"),
        lambda: plain.update(user=None, who="somebody"),
        lambda: plain.filter(pk=entry.pk).delete(),
        lambda: plain.filter(pk=entry.pk)._raw_delete(None),
        AuditEntry.objects.all().delete,
        lambda: AuditEntry.objects.update(who="somebody"),
        lambda: AuditEntry.objects.bulk_update([entry], ["who"]),
        lambda: AuditEntry.objects.bulk_create(
            [entry], update_conflicts=True, unique_fields=["id"], update_fields=["who"]
        ),
    ):
        with pytest.raises(AppendOnlyError), transaction.atomic():
            attempt()
    entry = AuditEntry.objects.get(pk=entry.pk)
    assert (entry.who, entry.user) == ("adama", admin)


def test_every_user_name_is_kept_whole(before: DataVersion) -> None:
    longest = get_user_model()._meta.get_field("username").max_length
    user = staff("x" * longest, "import_set")
    importing.upload(user, "tst.yaml", WHOLE.encode())
    entry = AuditEntry.objects.latest("id")
    assert entry.who == user.username
    assert len(entry.who) <= AuditEntry._meta.get_field("who").max_length


def test_the_audit_log_outlives_the_account(before: DataVersion, admin: Any) -> None:
    draft = importing.upload(admin, "tst.yaml", WHOLE.encode())
    admin.delete()
    draft.refresh_from_db()
    assert draft.author is None
    assert entries() == [("adama", "uploaded"), ("adama", "checked")]
