"""The import wizard of the admin site: what it shows, who may do what, what it refuses without changing anything."""

from __future__ import annotations

import uuid
import zipfile
from io import BytesIO
from typing import Any

import msgspec
import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from cards_data import catalog, importing
from cards_data.imports import import_sets
from cards_data.models import AuditEntry, Card, DataVersion, ImportDraft
from cards_data.trials import STALE, Finding, Trial
from cards_data.uploads import MAX_UPLOAD
from ccg.outbox.services import drain
from tests.cards_data.conftest import APOLLO, RAPTOR, WriteSet
from tests.people import signed_in
from tests.shown import words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("work_here")]

User = get_user_model()
State = ImportDraft.State
LIST = reverse("admin:cards_data_importdraft_changelist")
VERSIONS = reverse("admin:cards_data_dataversion_changelist")
AUDIT = reverse("admin:cards_data_auditentry_changelist")
HEAD = "set: {code: TST, name: The TST Set, year: 2030, digits: 2}\ncards:"
BOTH = "import_set roll_back"
STRONGER = APOLLO.replace("power: 2", "power: 4")


def browser(rights: str = BOTH, name: str = "adama", **facts: Any) -> Client:
    """The browser of somebody on the staff with these rights to imports."""
    user = User.objects.create_user(name, **{"is_staff": True, **facts})
    user.user_permissions.set(
        Permission.objects.filter(content_type__app_label="cards_data", codename__in=rights.split())
    )
    return signed_in(user)


def upload(client: Client, cards: str, name: str = "tst.yaml") -> Any:
    """Upload a set with these cards; return the answer."""
    return client.post(LIST, {"file": SimpleUploadedFile(name, (HEAD + cards).encode())})


def draft_of(answer: Any) -> ImportDraft:
    """The draft to whose page an answer leads."""
    return ImportDraft.objects.get(pk=answer["Location"].split("/")[-3])


def page_of(client: Client, draft: ImportDraft, expected: int = 200) -> str:
    answer = client.get(reverse("admin:cards_data_importdraft_change", args=[draft.pk]))
    assert answer.status_code == expected
    return answer.content.decode()


def do(client: Client, what: str, draft: ImportDraft, **fields: Any) -> Any:
    return client.post(reverse(f"admin:cards_data_importdraft_{what}", args=[draft.pk]), fields, follow=True)


def tried(draft: ImportDraft, **more: Any) -> ImportDraft:
    """The draft as it is after a trial, which is not really played here."""
    draft.refresh_from_db()
    now = timezone.now()
    cards = list(importing.changes_of(draft).played)
    facts = {"run": "r", "seed": 1, "cards": cards, "games": 4, "played": 4, "began": now, "news": now, "ended": now}
    draft.trial = msgspec.to_builtins(Trial(**{"plays": dict.fromkeys(cards, 3), **facts, **more}))
    draft.state = State.TRIED
    draft.save()
    return draft


def told(answer: Any) -> str:
    """What the page says happened."""
    return " ".join(str(message) for message in answer.context["messages"])


@pytest.fixture
def stored(write_set: WriteSet) -> DataVersion:
    """Version 1: the test set with both its cards."""
    version = import_sets([write_set("TST", cards=APOLLO + RAPTOR)]).version
    assert version is not None
    return version


# --- the way through ----------------------------------------------------------------------------------


def test_from_upload_to_publishing_and_back(all_cards: None) -> None:
    client = browser()
    draft = draft_of(upload(client, APOLLO + RAPTOR))
    page = page_of(client, draft)
    assert 'card="TST-01"' in page
    assert "None of the decks stored here holds a changed or gone card." in page
    assert "Play simulated games" in page

    assert do(client, "try", draft, games="2").status_code == 200
    page = page_of(client, draft)
    assert "<progress" in page
    assert '<noscript><meta http-equiv="refresh"' in page
    progress = reverse("admin:cards_data_importdraft_progress", args=[draft.pk])
    assert client.get(progress).json() == {"over": False, "played": 0, "percent": 0, "crashes": 0, "endless": 0}
    drain()
    assert client.get(progress).json()["over"]
    page = page_of(client, draft)
    assert ("All 2 games ended well" in page) is ("not over after 500 choices" not in page)
    assert "2 games ended well" in page or "None of 2 games broke" in page

    publish = reverse("admin:cards_data_importdraft_publish", args=[draft.pk])
    assert "Publish tst.yaml?" in client.get(publish).content.decode()
    assert catalog.current_number() == 1, "looking changes nothing"
    assert "Published: data version 2" in told(client.post(publish, follow=True))
    assert "TST-01" in catalog.current()
    assert "TST from tst.yaml" in client.get(VERSIONS).content.decode()

    back = reverse("admin:cards_data_dataversion_roll_back", args=[1])
    asked = client.get(back)
    assert "Apollo, Test Pilot" in asked.content.decode()
    answer = client.post(back, {"reason": "only a test", "newest": 2}, follow=True)
    assert "as they were in version 1" in told(answer)
    assert "back to version 1: only a test" in answer.content.decode()
    assert (catalog.current_number(), "TST-01" in catalog.current()) == (3, False)

    log = client.get(AUDIT).content.decode()
    for what in ("Uploaded", "Checked", "Trial Begun", "Trial Finished", "Published", "Rolled Back"):
        assert f'<td class="field-what">{what}</td>' in log
    assert "only a test" in client.get(AUDIT, {"what__exact": "rolled back"}).content.decode()
    assert "field-what" not in client.get(AUDIT, {"what__exact": "permission denied"}).content.decode()


def test_all_problems_are_in_a_table_with_their_places() -> None:
    client = browser()
    wrong = APOLLO.replace("power: 2", "powr: 2").replace("{security: 3}", "{securty: 3}") + RAPTOR.replace(
        "type: ship", "type: shi"
    )
    draft = draft_of(upload(client, wrong))
    page = client.get(reverse("admin:cards_data_importdraft_change", args=[draft.pk]))
    assert draft.state == State.REFUSED
    rows = page.context["problems"]
    apollo = "card 1 Apollo, Test Pilot"
    assert [row.suggestion for row in rows if row.text == "unknown key 'powr'"] == ["did you mean 'power'?"]
    assert [(row.file, row.place, row.suggestion) for row in rows if row.text == "'securty' is not known"] == [
        ("tst.yaml", "cost", "did you mean 'security'?")
    ]
    assert {row.where.split(", line")[0] for row in rows} == {apollo, "card 2 Raptor 9"}
    for row in rows:
        assert row.text in page.content.decode().replace("&#x27;", "'")
    assert "Nothing can be imported yet" in page.content.decode()
    assert "Publish …" not in page.content.decode()


def test_names_from_files_are_shown_as_text_and_nothing_else(stored: DataVersion) -> None:
    evil = "<script>alert(1)</script>"
    client = browser()
    draft = draft_of(upload(client, APOLLO.replace("Apollo", "Artemis & Co") + RAPTOR, name=f"{evil}.yaml"))
    assert draft.state == State.CHECKED
    tried(draft, crashes=1, findings=[Finding(kind="crash", game=1, message=evil)])
    assert "<script>alert" not in page_of(client, draft)
    pages = [LIST, reverse("admin:cards_data_importdraft_change", args=[draft.pk]), AUDIT]
    tried(draft)
    pages.append(reverse("admin:cards_data_importdraft_publish", args=[draft.pk]))
    importing.publish(draft, None)
    pages += [VERSIONS, reverse("admin:cards_data_dataversion_change", args=[2])]
    pages.append(reverse("admin:cards_data_dataversion_roll_back", args=[1]))
    for address in pages:
        page = client.get(address, follow=True).content.decode()
        assert "<script>alert" not in page, address
    assert "Artemis &amp; Co" in client.get(pages[-1]).content.decode()
    for wrong in (APOLLO.replace("rarity: rare", f"rarity: '{evil}'"), APOLLO.replace("Apollo", evil)):
        page = page_of(client, draft_of(upload(client, wrong)))
        assert "&lt;script&gt;" in page
        assert "<script>alert" not in page


def test_changed_and_gone_cards_are_told_field_by_field(stored: DataVersion) -> None:
    client = browser()
    page = page_of(client, draft_of(upload(client, APOLLO.replace("power: 2", "power: 4"))))
    row = page[page.index("Changed cards") :].replace("\n", "")
    assert "Apollo, Test Pilot" in row
    assert ">power</td>" in row.replace("  ", "")
    assert 'import-before">2</td>' in row
    assert 'import-after">4</td>' in row
    gone = page[page.index("Gone cards") :]
    assert "Raptor 9" in gone


def test_a_trait_that_no_card_had_before_is_told(stored: DataVersion) -> None:
    client = browser()
    assert "No card had" not in page_of(client, draft_of(upload(client, STRONGER + RAPTOR)))
    draft = draft_of(upload(client, APOLLO.replace("Pilot]", "Piolt, Xenon]") + RAPTOR))
    said = words(client.get(reverse("admin:cards_data_importdraft_change", args=[draft.pk])))
    assert "No card had these traits before: Piolt (1 card; did you mean Pilot?), Xenon (1 card)." in said


def test_before_publishing_it_is_said_how_many_games_were_not_over(stored: DataVersion) -> None:
    client = browser()
    draft = tried(draft_of(upload(client, APOLLO.replace("power: 2", "power: 4") + RAPTOR)), unfinished=3)
    page = client.get(reverse("admin:cards_data_importdraft_publish", args=[draft.pk])).content.decode()
    assert "4 simulated games, 0 crashed, 0 cut off, 3 not over after 500 choices." in page


def test_decks_that_hold_a_changed_card_are_counted(all_cards: None) -> None:
    from decks.starter_decks import load_starters

    decks = load_starters()
    client = browser()
    changed = next(card for card in catalog.current() if card.id == decks[0].head.base)
    draft = ImportDraft.objects.create(file_name="x.yaml", content=b"x", state=State.CHECKED, base=1)
    draft.changes = {"changed": [{"card": changed.id, "name": changed.name, "fields": []}]}
    from cards_data import uses

    draft.uses = uses.count({changed.id})
    draft.save()
    assert "<strong>1</strong> of the decks stored here holds" in page_of(client, draft)


def test_what_is_stored_already_cannot_be_tried(stored: DataVersion) -> None:
    client = browser()
    draft = draft_of(upload(client, APOLLO + RAPTOR))
    assert "All of this is stored already" in page_of(client, draft)
    assert "stored already: there is nothing to try" in told(do(client, "try", draft))


def test_the_sets_own_scenarios_are_shown() -> None:
    scenario = """
scenario: A pilot is there
given:
  players: [{name: Ana, alert: ["Apollo, Test Pilot"]}, {name: Ben}]
then:
  - Ana alert has Apollo, Test Pilot
"""
    whole = BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("tst/set.yaml", "code: TST\nname: The TST Set\nyear: 2030\ndigits: 2\n")
        archive.writestr("tst/cards.yaml", APOLLO)
        archive.writestr("tst/scenarios/pilot.yaml", scenario)
    client = browser()
    draft = draft_of(client.post(LIST, {"file": SimpleUploadedFile("tst.zip", whole.getvalue())}))
    page = page_of(client, draft)
    assert "A pilot is there" in page
    assert "tst/scenarios/pilot.yaml" in page


def test_a_trial_tells_what_broke_and_what_was_never_played(stored: DataVersion) -> None:
    client = browser()
    draft = draft_of(upload(client, APOLLO.replace("power: 2", "power: 4") + RAPTOR.replace("power: 1", "power: 2")))
    crash = Finding(kind="crash", game=2, message="KeyError: it fell over", cards=["TST-02", "BSG1-001"])
    unused = [("TST-01", "ability 1")]
    tried(draft, crashes=1, endless=1, findings=[crash], plays={"TST-01": 7}, unused=unused)
    page = page_of(client, draft)
    assert "1 of 4 games crashed" in page
    assert "1 of 4 games did not end" in page
    assert "KeyError: it fell over" in page
    assert "1 card never played" in page
    assert "Publish …" not in page
    assert "1 ability never used" in page
    shown = client.get(reverse("admin:cards_data_importdraft_change", args=[draft.pk])).context
    assert shown["counts"] == [("TST-02", "Raptor 9", 0, []), ("TST-01", "Apollo, Test Pilot", 7, ["ability 1"])]
    assert shown["findings"] == [(crash, [("TST-02", "Raptor 9"), ("BSG1-001", "BSG1-001")])]
    assert "did not go well" in told(do(client, "publish", draft))
    assert catalog.current_number() == 1


def test_a_trial_on_which_nobody_works_can_be_begun_anew(stored: DataVersion) -> None:
    client = browser()
    draft = tried(draft_of(upload(client, STRONGER)), played=1, news=timezone.now() - 2 * STALE)
    draft.state = State.TRYING
    draft.save()
    page = page_of(client, draft)
    assert "begin anew" in page
    assert "data-progress" not in page
    assert "Play anew" in page
    assert do(client, "try", draft, games="3").status_code == 200
    draft.refresh_from_db()
    assert draft.trial["games"] == 3


def test_the_cards_of_a_draft_are_given_to_those_who_may_look_only() -> None:
    client = browser()
    draft = draft_of(upload(client, APOLLO + RAPTOR))
    address = reverse("admin:cards_data_importdraft_catalog", args=[draft.pk])
    cards = client.get(address).json()["cards"]
    assert (cards["TST-01"]["name"], cards["TST-02"]["set"]) == ("Apollo, Test Pilot", "TST")
    assert browser("", "tigh").get(address).status_code == 403
    assert address in page_of(client, draft)


def test_the_cards_of_a_draft_that_have_no_page_are_named(stored: DataVersion) -> None:
    client = browser()
    draft = draft_of(
        upload(client, STRONGER + RAPTOR + RAPTOR.replace("number: 2", "number: 3").replace("Raptor 9", "Raptor 10"))
    )
    file = client.get(reverse("admin:cards_data_importdraft_catalog", args=[draft.pk])).json()
    pages = {card: client.get(f"/cards/{card}/").status_code for card in file["cards"]}
    assert pages == {"TST-01": 200, "TST-02": 200, "TST-03": 404}
    assert file["unpublished"] == ["TST-03"]


# --- who may ------------------------------------------------------------------------------------------


def everything(draft: ImportDraft) -> list[tuple[str, dict[str, Any]]]:
    """Every POST there is, with fields that would be good."""
    posts = [
        (reverse(f"admin:cards_data_importdraft_{what}", args=[draft.pk]), {})
        for what in ("try", "check", "discard", "publish")
    ]
    back = (reverse("admin:cards_data_dataversion_roll_back", args=[1]), {"reason": "x", "newest": 2})
    return [(LIST, {"file": SimpleUploadedFile("tst.yaml", b"x")}), *posts, back]


def pages(draft: ImportDraft) -> list[str]:
    drafts = [
        reverse(f"admin:cards_data_importdraft_{what}", args=[draft.pk])
        for what in ("change", "publish", "progress", "catalog")
    ]
    return [LIST, VERSIONS, AUDIT, *drafts, reverse("admin:cards_data_dataversion_change", args=[1])]


def state_of_things() -> Any:
    return [list(model.objects.order_by("pk").values()) for model in (ImportDraft, DataVersion, Card)]


@pytest.fixture
def ready(stored: DataVersion, write_set: WriteSet) -> ImportDraft:
    """A draft that could be published, over version 2."""
    import_sets([write_set("TST", cards=APOLLO)])
    return tried(importing.upload(None, "tst.yaml", (HEAD + RAPTOR).encode()))


@pytest.mark.parametrize("who", ["visitor", "guest"])
def test_strangers_are_sent_to_sign_in(ready: ImportDraft, client: Client, who: str) -> None:
    if who == "guest":
        client.post(reverse("guest"))
    before = state_of_things()
    for address, fields in [*everything(ready), *((page, {}) for page in pages(ready))]:
        answer = client.post(address, fields, follow=True)
        assert answer.redirect_chain[-1][0].startswith(reverse("account_login")), address
    assert state_of_things() == before


def test_players_see_nothing_and_do_nothing(ready: ImportDraft) -> None:
    client = browser(BOTH, "kara", is_staff=False)
    before = state_of_things()
    for address, fields in everything(ready):
        assert client.post(address, fields, follow=True).status_code == 403, address
    for address in pages(ready):
        assert client.get(address, follow=True).status_code == 403, address
    assert state_of_things() == before


def test_staff_without_the_right_are_refused_and_that_is_written_down(ready: ImportDraft) -> None:
    client = browser("", "gaeta")
    before = state_of_things()
    for address, fields in everything(ready):
        assert client.post(address, fields).status_code == 403, address
    for address in pages(ready):
        assert client.get(address).status_code == 403, address
    assert state_of_things() == before
    denied = AuditEntry.objects.filter(what=AuditEntry.What.DENIED, who="gaeta")
    wanted = sorted(entry.detail["wanted"] for entry in denied)
    assert wanted == ["check", "discard", "publish", "roll back", "try", "upload"]


def test_who_may_look_only_looks(ready: ImportDraft) -> None:
    client = browser("view_importdraft view_dataversion view_auditentry", "gaeta")
    for address in pages(ready):
        assert client.get(address).status_code == 200, address
    assert "<form" not in client.get(LIST).content.decode().split("</header>")[1]
    assert "<form" not in page_of(client, ready).split("</header>")[1]
    before = state_of_things()
    for address, fields in everything(ready):
        assert client.post(address, fields).status_code == 403, address
    assert state_of_things() == before


def test_importing_and_going_back_are_two_rights(ready: ImportDraft) -> None:
    importer, rescuer = browser("import_set", "gaeta"), browser("roll_back", "helo")
    back = reverse("admin:cards_data_dataversion_roll_back", args=[1])
    assert importer.get(back).status_code == 403
    assert importer.post(back, {"reason": "x", "newest": 2}).status_code == 403
    assert "Go back" not in importer.get(VERSIONS).content.decode()
    assert rescuer.get(back).status_code == 200
    assert "Go back" in rescuer.get(VERSIONS).content.decode()
    for address, fields in everything(ready)[:-1]:
        assert rescuer.post(address, fields).status_code == 403
    assert catalog.current_number() == 2


def test_every_form_wants_its_token(ready: ImportDraft) -> None:
    user = User.objects.create_superuser("bill", "", "x")
    careful = signed_in(user, strict=True)
    before = state_of_things()
    for address, fields in everything(ready):
        assert careful.post(address, fields).status_code == 403, address
    assert state_of_things() == before


def test_what_changes_something_is_not_done_by_looking(ready: ImportDraft) -> None:
    client = browser()
    before = state_of_things()
    for what in ("try", "check", "discard"):
        assert client.get(reverse(f"admin:cards_data_importdraft_{what}", args=[ready.pk])).status_code == 405
    for what in ("progress", "catalog"):
        assert client.post(reverse(f"admin:cards_data_importdraft_{what}", args=[ready.pk])).status_code == 405
    assert state_of_things() == before


# --- what is refused, politely --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (SimpleUploadedFile("big.yaml", b"x" * (MAX_UPLOAD + 1)), "a set has at most 2,000,000"),
        (SimpleUploadedFile("none.yaml", b""), "empty"),
        ("", "required"),
        (SimpleUploadedFile("x" * 250 + ".yaml", b"x"), "at most 200"),
    ],
)
def test_files_that_cannot_be_sets_are_refused_where_they_were_chosen(file: Any, said: str) -> None:
    answer = browser().post(LIST, {"file": file})
    assert answer.status_code == 200
    assert said in str(answer.context["form"].errors)
    assert not ImportDraft.objects.exists()


def test_a_file_that_is_no_set_becomes_a_draft_that_says_so() -> None:
    client = browser()
    for name, data in (("a.exe", b"MZ"), ("a.zip", b"PK\x03\x04junk"), ("a.yaml", b"\xff\xfe")):
        draft = draft_of(client.post(LIST, {"file": SimpleUploadedFile(name, data)}))
        assert draft.state == State.REFUSED
        assert "1 problem" in page_of(client, draft)


def test_a_draft_older_than_the_cards_is_not_published_and_can_be_checked_again(
    ready: ImportDraft, write_set: WriteSet
) -> None:
    client = browser()
    import_sets([write_set("NEW", cards=APOLLO.replace("Apollo", "Athena"))])
    assert "The cards have changed since this was checked" in page_of(client, ready)
    assert "now it is 3. Check it again" in told(do(client, "publish", ready))
    assert catalog.current_number() == 3
    assert "checked against the cards as they are now" in told(do(client, "check", ready))
    ready.refresh_from_db()
    assert (ready.state, ready.base) == (State.CHECKED, 3)


def test_what_comes_too_early_or_twice_is_told_and_changes_nothing(stored: DataVersion) -> None:
    client = browser()
    draft = draft_of(upload(client, STRONGER))
    publish = reverse("admin:cards_data_importdraft_publish", args=[draft.pk])
    assert "Only what has been tried" in told(do(client, "publish", draft))
    assert "cannot be published as it is" in told(client.get(publish, follow=True))
    do(client, "try", draft, games="nonsense")
    assert "played already" in told(do(client, "try", draft))
    assert "cannot be checked again" in told(do(client, "check", draft))
    tried(draft)
    assert "Published" in told(do(client, "publish", draft, removing="1"))
    assert "published already: it is version 2" in told(do(client, "publish", draft))
    assert "published already" in told(client.get(publish, follow=True))
    for what, said in (("try", "cannot be tried"), ("discard", "cannot be discarded"), ("check", "cannot be checked")):
        assert said in told(do(client, what, draft)), what
    assert catalog.current_number() == 2


def test_a_trial_has_a_sensible_number_of_games(stored: DataVersion) -> None:
    client = browser()
    draft = draft_of(upload(client, STRONGER))
    assert "1 to 2,000 games" in told(do(client, "try", draft, games="5000"))
    assert "1 to 2,000 games" in told(do(client, "try", draft, games="0"))
    draft.refresh_from_db()
    assert draft.state == State.CHECKED


def test_what_is_put_aside_stays_so(stored: DataVersion) -> None:
    client = browser()
    draft = draft_of(upload(client, RAPTOR))
    assert "put aside" in told(do(client, "discard", draft))
    assert "Nothing more can be done with this upload" in page_of(client, draft)
    assert "cannot be tried" in told(do(client, "try", draft))


def test_going_back_wants_a_reason_and_that_nothing_has_changed_meanwhile(
    ready: ImportDraft, write_set: WriteSet
) -> None:
    client = browser()
    back = reverse("admin:cards_data_dataversion_roll_back", args=[1])
    for fields in ({"newest": 2}, {"reason": " ", "newest": 2}, {"reason": "x"}, {"reason": "x", "newest": "two"}):
        answer = client.post(back, fields)
        assert answer.status_code == 200
        assert answer.context["form"].errors
    import_sets([write_set("NEW", cards=APOLLO.replace("Apollo", "Athena"))])
    answer = client.post(back, {"reason": "x", "newest": 2}, follow=True)
    assert "Meanwhile version 3 has become the newest" in told(answer)
    assert catalog.current_number() == 3
    assert client.post(back, {"reason": "x", "newest": 3}).status_code == 302
    twice = client.post(back, {"reason": "x", "newest": 3}, follow=True)
    assert "Meanwhile version 4" in told(twice)
    same = client.post(back, {"reason": "x", "newest": 4}, follow=True)
    assert "Nothing would change" in told(same)
    assert "Nothing would change" in client.get(back).content.decode()
    assert catalog.current_number() == 4


def test_nothing_comes_between_what_is_confirmed_and_going_back(
    ready: ImportDraft, write_set: WriteSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = importing.roll_back

    def late(*args: Any) -> Any:
        import_sets([write_set("NEW", cards=APOLLO.replace("Apollo", "Athena"))])
        return real(*args)

    monkeypatch.setattr(importing, "roll_back", late)
    back = reverse("admin:cards_data_dataversion_roll_back", args=[1])
    answer = browser().post(back, {"reason": "x", "newest": 2}, follow=True)
    assert "Meanwhile version 3 has become the newest" in told(answer)
    assert (catalog.current_number(), "NEW-01" in catalog.current()) == (3, True)


def test_what_is_published_is_what_was_confirmed(ready: ImportDraft, write_set: WriteSet) -> None:
    client = browser()
    page = client.get(reverse("admin:cards_data_importdraft_publish", args=[ready.pk])).content.decode()
    assert '<input type="hidden" name="base" value="2">' in page
    import_sets([write_set("NEW", cards=APOLLO.replace("Apollo", "Athena"))])
    again = tried(importing.check_again(ready, None))
    assert "has been checked again" in told(do(client, "publish", again, base="2", removing="1"))
    assert catalog.current_number() == 3
    assert "Published: data version 4" in told(do(client, "publish", again, base="3", removing="1"))


def test_a_page_that_takes_cards_out_asks_how_many(all_cards: None) -> None:
    client = browser()
    whole = "set: {code: BSG2, name: Ours, year: 2030}\ncards:" + APOLLO.replace("number: 1", "number: 900")
    draft = tried(importing.upload(None, "wrong.yaml", whole.encode()))
    publish = reverse("admin:cards_data_importdraft_publish", args=[draft.pk])
    page = client.get(publish).content.decode()
    assert "This takes 164 cards of BSG2 out." in page
    assert 'name="removing"' in page
    for wrong in ("", "163", "1640", "all", "BSG2", "-164", "\u0661", "9" * 40):
        answer = do(client, "publish", draft, base="1", removing=wrong)
        assert answer.redirect_chain[-1][0] == publish, wrong
        assert "would take 164 cards of BSG2 out" in told(answer)
    assert catalog.current_number() == 1
    assert "Published: data version 2" in told(do(client, "publish", draft, base="1", removing=" 164 "))


def test_a_page_that_takes_nothing_out_asks_nothing(stored: DataVersion) -> None:
    client = browser()
    draft = tried(draft_of(upload(client, APOLLO + RAPTOR.replace("power: 1", "power: 2"))))
    assert (
        'name="removing"'
        not in client.get(reverse("admin:cards_data_importdraft_publish", args=[draft.pk])).content.decode()
    )
    assert "Published" in told(do(client, "publish", draft, base="1"))


@pytest.mark.parametrize("number", ["0", "99", "99999999999999999999"])
def test_there_is_no_way_back_to_a_version_that_never_was(stored: DataVersion, number: str) -> None:
    client = browser()
    address = f"/admin/cards_data/dataversion/{number}/roll-back/"
    assert client.get(address).status_code == 404
    assert client.post(address, {"reason": "x", "newest": 1}).status_code == 404
    assert client.get(f"/admin/cards_data/dataversion/{number}/change/").status_code == 404
    assert catalog.current_number() == 1


@pytest.mark.parametrize("wrong", ["nothing", "1", "a" * 400, "%00", "../../x"])
def test_addresses_of_drafts_that_never_were(wrong: str) -> None:
    client = browser()
    assert client.get(f"/admin/cards_data/importdraft/{wrong}/change/").status_code == 404
    assert client.get(f"/admin/cards_data/importdraft/{uuid.uuid4()}/progress/").status_code == 404
    assert client.post(f"/admin/cards_data/importdraft/{uuid.uuid4()}/publish/").status_code == 404


def test_an_entry_of_the_log_can_only_be_looked_at(ready: ImportDraft) -> None:
    client = signed_in(User.objects.create_superuser("bill", "", "x"))
    entry = AuditEntry.objects.first()
    assert entry is not None
    one = reverse("admin:cards_data_auditentry_change", args=[entry.pk])
    assert client.get(one).status_code == 200
    assert client.post(one, {"who": "nobody"}).status_code == 403
    assert (
        client.post(reverse("admin:cards_data_auditentry_delete", args=[entry.pk]), {"post": "yes"}).status_code == 403
    )
    assert (
        client.post(AUDIT, {"action": "delete_selected", "_selected_action": [entry.pk], "post": "yes"}).status_code
        == 200
    )
    assert AuditEntry.objects.filter(pk=entry.pk, who=entry.who).exists()


def test_the_log_and_the_lists_do_not_fetch_what_was_uploaded(
    ready: ImportDraft, django_assert_max_num_queries: Any
) -> None:
    client = browser()
    for _ in range(3):
        importing.upload(None, "tst.yaml", (HEAD + RAPTOR).encode())
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    for address in (LIST, AUDIT, VERSIONS):
        with (
            CaptureQueriesContext(
                connection,
            ) as asked,
            django_assert_max_num_queries(20),
        ):
            client.get(address)
        assert not [one["sql"] for one in asked if '"content"' in one["sql"].split("FROM")[0]], address


def test_a_draft_of_before_whose_problems_are_lines_is_shown(stored: DataVersion) -> None:
    client = browser()
    draft = draft_of(upload(client, APOLLO.replace("power: 2", "powr: 2")))
    page = reverse("admin:cards_data_importdraft_change", args=[draft.pk])
    assert client.get(page).context["problems"][0].path == ()
    assert draft.problems[0]["card"] == "card 1"
    ImportDraft.objects.filter(pk=draft.pk).update(problems=["tst.yaml, card 1 (line 1): something", "and <b>more</b>"])

    answer = client.get(page)

    assert [str(row) for row in answer.context["problems"]] == [
        "tst.yaml, card 1 (line 1): something",
        "and <b>more</b>",
    ]
    assert "and &lt;b&gt;more&lt;/b&gt;" in answer.content.decode()


def test_a_file_inside_an_archive_is_named_with_it(stored: DataVersion) -> None:
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("tst/set.yaml", "{code: TST, name: Test Set, year: 2030}")
        packed.writestr("tst/cards.yml", "[]")
    client = browser()
    draft = draft_of(client.post(LIST, {"file": SimpleUploadedFile("tst.zip", archive.getvalue())}))
    page = client.get(reverse("admin:cards_data_importdraft_change", args=[draft.pk])).content.decode()
    assert "tst.zip › tst/cards.yml" in page
    assert "<td>card files end in .yaml</td>" in page
    assert '<td class="import-advice">rename it</td>' in page
