"""What should not be there: reports, the queue of moderators, and people whom one does not want to hear of."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.test import Client

from decks import links, services
from decks.models import Block, Comment, Deck, Moderation, Report
from decks.social import moderation, opinions, reported
from tests.decks.conftest import LEGAL_LIST
from tests.decks.test_opinions import say
from tests.people import signed_in
from tests.shown import PAYLOADS, harmless, queries, words

QUEUE = "/admin/decks/report/"


@pytest.fixture
def moderator(db: None) -> Any:
    """Staff with the one right to judge reports."""
    user = get_user_model().objects.create_user("moderator-1", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="change_report"))
    return user


def judge(moderator: Any, action: str) -> Any:
    chosen = list(Report.objects.filter(state__in=("open", "taken down")).values_list("pk", flat=True))
    return signed_in(moderator).post(QUEUE, {"action": action, "_selected_action": chosen}, follow=True)


def test_a_deck_is_reported_once_and_its_owner_not_told(public: Deck, as_bob: Client, as_alice: Client) -> None:
    report = f"{public.get_absolute_url()}report/"
    assert "is not told who said so" in words(as_bob.get(report))
    for _ in range(2):
        as_bob.post(report, {"reason": "spam", "words": "It sells things"})
    made = Report.objects.get()
    assert (made.reporter.username, made.author, made.told, made.words) == (  # type: ignore[union-attr]
        "bob", "alice", "Viper Wing", "It sells things",
    )  # fmt: skip
    assert "bob" not in words(as_alice.get(public.get_absolute_url()))


@pytest.mark.parametrize(("form", "why"), [({}, "Say what is wrong"), ({"reason": "nothing"}, "Say what is wrong")])
def test_a_report_says_why(public: Deck, as_bob: Client, form: Any, why: str) -> None:
    page = as_bob.post(f"{public.get_absolute_url()}report/", form)
    assert (page.status_code, Report.objects.count()) == (400, 0)
    assert why in words(page)


def test_a_report_leads_to_what_it_is_about_and_is_judged_where_it_is_read(
    public: Deck, bob: Any, as_bob: Client, as_alice: Client, moderator: Any
) -> None:
    comment = opinions.comment(bob, public, "Buy **this**")
    as_alice.post(f"{public.get_absolute_url()}comment/{comment.pk}/report/", {"reason": "spam"})
    as_bob.post(f"{public.get_absolute_url()}report/", {"reason": "spam"})
    of_deck, of_comment = Report.objects.order_by("-kind")
    queue = signed_in(moderator)
    page = queue.get(f"{QUEUE}{of_comment.pk}/change/").content.decode()
    assert f'href="{public.get_absolute_url()}#comment-{comment.pk}"' in page
    assert f'href="{public.get_absolute_url()}"' in queue.get(f"{QUEUE}{of_deck.pk}/change/").content.decode()
    for act in ("take_down", "dismiss", "bring_back"):
        assert f'name="action" value="{act}"' in page
    assert f'name="_selected_action" value="{of_comment.pk}"' in page
    looking = get_user_model().objects.create_user("looker-1", is_staff=True)
    looking.user_permissions.add(Permission.objects.get(codename="view_report"))
    assert 'name="action"' not in signed_in(looking).get(f"{QUEUE}{of_comment.pk}/change/").content.decode()


def test_visitors_sign_in_and_guests_may_report(public: Deck, client: Client, as_guest: Client) -> None:
    report = f"{public.get_absolute_url()}report/"
    assert client.post(report, {"reason": "spam"}).status_code == 400
    as_guest.post(report, {"reason": "spam"})
    assert Report.objects.count() == 1


def test_who_reports_very_much_waits(
    public: Deck,
    as_bob: Client,
    bob: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(moderation, "REPORTS_AN_HOUR", 0)
    assert "a lot within one hour" in words(as_bob.post(f"{public.get_absolute_url()}report/", {"reason": "spam"}))


def test_guests_together_cannot_bury_the_queue(
    public: Deck, bob: Any, as_guest: Client, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moderation, "REPORTS_OF_GUESTS_AN_HOUR", 1)
    comments = [opinions.comment(bob, public, f"Number {number}") for number in (1, 2)]
    addresses = [f"{public.get_absolute_url()}comment/{comment.pk}/report/" for comment in comments]
    as_guest.post(addresses[0], {"reason": "spam"})
    refused = as_guest.post(addresses[1], {"reason": "spam"})
    assert "Guests have reported a lot" in words(refused)
    reported.report_comment(get_user_model().objects.create_user("carol"), comments[1], "spam")
    assert Report.objects.count() == 2


def test_what_was_reported_often_is_not_reported_more(public: Deck, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moderation, "TOLD_OFTEN_ENOUGH", 2)
    people = [get_user_model().objects.create_user(f"person-{number}") for number in range(4)]
    for person in people:
        reported.report_deck(person, public, "spam")
    assert Report.objects.count() == 2


def test_a_comment_is_taken_down_and_brought_back(
    public: Deck,
    bob: Any,
    as_alice: Client,
    as_bob: Client,
    moderator: Any,
) -> None:
    comment = opinions.comment(bob, public, "Buy **this**")
    address = f"{public.get_absolute_url()}comment/{comment.pk}/report/"
    assert "Buy" in words(as_alice.get(address))
    as_alice.post(address, {"reason": "spam"})
    signed_in(get_user_model().objects.create_user("carol")).post(address, {"reason": "spam"})

    assert "Buy **this**" in words(signed_in(moderator).get(f"{QUEUE}{Report.objects.first().pk}/change/"))  # type: ignore[union-attr]
    signed_in(moderator).post(QUEUE, {"action": "take_down", "_selected_action": [Report.objects.first().pk]})  # type: ignore[union-attr]
    for client in (as_alice, as_bob):
        assert "Buy" not in words(client.get(public.get_absolute_url()))
    assert set(Report.objects.values_list("state", flat=True)) == {"taken down"}, "both reports of it"

    judge(moderator, "bring_back")
    assert "Buy" in words(as_bob.get(public.get_absolute_url()))
    assert set(Moderation.objects.values_list("who", "what")) == {
        ("moderator-1", "taken down"), ("moderator-1", "brought back"),
    }  # fmt: skip


def test_a_deck_is_taken_down_and_brought_back(public: Deck, bob: Any, as_alice: Client, moderator: Any) -> None:
    link = links.address_of(public)
    reported.report_deck(bob, public, "offensive")
    judge(moderator, "take_down")
    assert Client().get(public.get_absolute_url()).status_code == 404
    assert not link or Client().get(link).status_code == 404
    assert "Moderators have taken this deck down" in words(as_alice.get(public.get_absolute_url()))
    settings = f"{public.get_absolute_url()}settings/"
    for visibility in ("public", "unlisted"):
        refused = as_alice.post(settings, {"name": "Mine", "visibility": visibility}, follow=True)
        assert "taken this deck down" in words(refused)
        assert Deck.objects.get().visibility == "private"

    judge(moderator, "bring_back")
    as_alice.post(settings, {"name": "Mine", "visibility": "public"})
    assert Client().get(public.get_absolute_url()).status_code == 200


def test_what_may_stay_stays(public: Deck, bob: Any, moderator: Any) -> None:
    reported.report_deck(bob, public, "other")
    assert "1 dismissed." in words(judge(moderator, "dismiss"))
    assert (Report.objects.get().state, Deck.objects.get().visibility) == ("dismissed", "public")


def test_nobodys_deck_is_taken_down_and_brought_back(public: Deck, bob: Any, moderator: Any) -> None:
    services.give_up(public.owner, keep_public=True)
    report = reported.report_deck(bob, Deck.objects.get(), "other")
    moderation.take_down(moderator, report)
    assert Client().get(public.get_absolute_url()).status_code == 404
    moderation.bring_back(moderator, Report.objects.get())
    assert Client().get(public.get_absolute_url()).status_code == 200


def test_a_starter_deck_stays(starters: None, bob: Any, moderator: Any) -> None:
    reported.report_deck(bob, Deck.objects.starters()[0], "other")
    assert "comes with the site" in words(judge(moderator, "take_down"))
    assert (Report.objects.get().state, Moderation.objects.count()) == ("open", 0)


def test_a_report_outlives_what_it_is_about(public: Deck, bob: Any, moderator: Any) -> None:
    opinions.describe(public, "Buy this", "spam")
    reported.report_deck(bob, public, "spam")
    services.delete(public)
    bob.delete()
    page = words(signed_in(moderator).get(f"{QUEUE}{Report.objects.get().pk}/change/"))
    assert "gone since" in page
    assert "Buy this" in page
    judge(moderator, "take_down")
    assert Report.objects.get().state == "taken down"


def test_moderators_neither_see_nor_judge_what_is_said_of_them(public: Deck, bob: Any, moderator: Any) -> None:
    comment = opinions.comment(moderator, public, "Buy this")
    reported.report_comment(bob, comment, "spam")
    Deck.objects.update(owner=moderator)
    reported.report_deck(bob, Deck.objects.get(), "spam")
    queue = signed_in(moderator)
    assert "bob" not in words(queue.get(QUEUE))
    assert "open report" not in words(queue.get("/admin/"))
    for report in Report.objects.all():
        assert queue.get(f"{QUEUE}{report.pk}/change/").status_code == 302
    judge(moderator, "dismiss")
    assert {one.state for one in Report.objects.all()} == {"open"}
    Deck.objects.update(owner=bob)
    Report.objects.filter(kind="deck").update(whose=bob)
    judge(moderator, "dismiss")
    assert sorted(one.state for one in Report.objects.all()) == ["dismissed", "open"]
    owner = get_user_model().objects.create_superuser("owner-1")
    assert queue.get(QUEUE).status_code == 200
    assert "bob" in words(signed_in(owner).get(QUEUE))


def test_nor_once_what_was_reported_is_deleted(public: Deck, bob: Any, moderator: Any) -> None:
    mine = services.create_from_text(moderator, LEGAL_LIST, visibility="public")
    comment = opinions.comment(moderator, public, "Rude words")
    reported.report_deck(bob, mine, "spam")
    reported.report_comment(bob, comment, "offensive")
    opinions.remove(public.owner, comment)
    services.delete(mine)
    queue = signed_in(moderator)
    assert "bob" not in words(queue.get(QUEUE))
    judge(moderator, "dismiss")
    assert {one.state for one in Report.objects.all()} == {"open"}
    owner = get_user_model().objects.create_superuser("owner-1")
    assert words(signed_in(owner).get(QUEUE)).count("bob") >= 2


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_a_report_tells_nothing_of_a_deck_that_is_not_public_but_what_it_said(
    public: Deck, bob: Any, moderator: Any, visibility: str
) -> None:
    comment = opinions.comment(bob, public, "Buy this")
    reported.report_deck(bob, public, "spam")
    reported.report_comment(public.owner, comment, "spam")
    services.settle(public, name="How to beat the moderator", visibility=visibility)
    for report in Report.objects.all():
        page = words(signed_in(moderator).get(f"{QUEUE}{report.pk}/change/"))
        assert "How to beat" not in page
        assert report.told in page
        assert "not public now" in page


def test_staff_without_the_right_judge_nothing(public: Deck, bob: Any) -> None:
    reported.report_deck(bob, public, "spam")
    staff = get_user_model().objects.create_user("staff-1", is_staff=True)
    assert judge(staff, "take_down").status_code == 403
    staff.user_permissions.add(Permission.objects.get(codename="view_report"))
    looking = get_user_model().objects.get(pk=staff.pk)
    assert signed_in(looking).get(QUEUE).status_code == 200
    judge(looking, "take_down")
    assert (Report.objects.get().state, Deck.objects.get().visibility) == ("open", "public")


def test_who_blocks_somebody_hears_no_more_of_them(
    public: Deck,
    as_alice: Client,
    as_bob: Client,
    client: Client,
    bob: Any,
    alice: Any,
    legal_list: str,
) -> None:
    say(as_bob, public, "Here I am")
    assert "Block bob" in as_alice.get(public.get_absolute_url()).content.decode()
    assert "You block them" not in words(as_alice.get("/players/bob/"))
    assert "hear nothing more of bob" in words(as_alice.post("/decks/blocks/", {"name": "Bob"}, follow=True))
    assert "You block them" in words(as_alice.get("/players/bob/"))
    assert "You block them" not in words(as_bob.get("/players/alice/")), "they are not told"

    assert "Here I am" not in words(as_alice.get(public.get_absolute_url()))
    assert "Comments Your comment" in words(as_alice.get(public.get_absolute_url())), "nor are they counted"
    for other in (client, as_bob):
        assert "Here I am" in words(other.get(public.get_absolute_url()))
    refused = say(as_bob, public, "Hear me")
    assert "does not want to hear from you" in words(refused)
    assert "does not want to hear" in words(as_bob.post(f"{public.get_absolute_url()}like/", follow=True))

    services.create_from_text(bob, legal_list, visibility="public")
    assert "You block them" in words(as_alice.get("/decks/by/bob/"))
    as_alice.post("/decks/blocks/", {"name": "bob", "do": "unblock"})
    assert "You block them" not in words(as_alice.get("/decks/by/bob/"))
    assert "Here I am" in words(as_alice.get(public.get_absolute_url()))


def test_what_blocked_people_wrote_below_ones_own_deck_can_be_reported_and_removed(
    public: Deck, as_alice: Client, bob: Any, alice: Any
) -> None:
    page = public.get_absolute_url()
    made = opinions.comment(bob, public, "Here I am")
    opinions.block(alice, "bob")
    found = as_alice.get(page)
    assert "By people you block: 1" in words(found) and "Nobody has said anything" not in words(found)

    url = f"{page}comment/{made.pk}/"
    for part in ("report/", "remove/"):
        assert f'href="{url}{part}"' in found.content.decode()
    assert "Here I am" in words(as_alice.get(f"{url}report/")), "before it is judged, it is read"
    assert "Moderators look" in words(as_alice.post(f"{url}report/", {"reason": "spam", "words": ""}, follow=True))
    assert "is removed" in words(as_alice.post(f"{url}remove/", follow=True))
    assert not public.comments.exists()
    assert "By people you block" not in words(as_alice.get(page))


def test_what_blocked_people_wrote_elsewhere_is_not_there(
    public: Deck, as_alice: Client, as_bob: Client, bob: Any, alice: Any
) -> None:
    deck = services.create_from_text(bob, "4 Stims", visibility="public")
    made, hidden = opinions.comment(bob, deck, "Here I am"), opinions.comment(bob, public, "Hidden")
    hidden.hidden = True
    hidden.save(update_fields=["hidden"])
    opinions.block(alice, "bob")
    for one, found in ((deck, made), (public, hidden)):
        page = one.get_absolute_url()
        assert "By people you block" not in words(as_alice.get(page))
        for part in ("report/", "remove/"):
            assert as_alice.get(f"{page}comment/{found.pk}/{part}").status_code == 404
    opinions.block(bob, "alice")
    assert "By people you block" not in words(as_bob.get(deck.get_absolute_url())), "alice wrote nothing"


def test_odd_names_block_nobody(as_alice: Client, alice: Any, client: Client) -> None:
    for name in ("", "nobody", "alice", "\0", "x" * 5000):
        as_alice.post("/decks/blocks/", {"name": name})
        as_alice.post("/decks/blocks/", {"name": name, "do": "unblock"})
    assert not Block.objects.exists()
    assert client.get("/decks/blocks/").status_code == 302


def test_the_list_of_blocked_people_takes_few_queries(as_alice: Client, alice: Any) -> None:
    make = get_user_model().objects.create_user
    opinions.block(alice, str(make("pilot-a")))
    few = queries(as_alice, "/decks/blocks/")
    for number in range(5):
        opinions.block(alice, str(make(f"pilot-{number}")))
    assert queries(as_alice, "/decks/blocks/") == few


def test_an_author_has_a_page_of_public_decks(
    public: Deck,
    as_bob: Client,
    bob: Any,
    alice: Any,
    legal_list: str,
    client: Client,
) -> None:
    opinions.like(bob, public)
    services.create_from_text(alice, legal_list, name="Hidden")
    page = words(client.get("/decks/by/Alice/"))
    assert "1 public deck, 1 like," in page
    assert "Viper Wing" in page
    assert "Hidden" not in page
    few = queries(client, "/decks/by/alice/")
    for _ in range(4):
        services.create_from_text(alice, legal_list, visibility="public")
    assert queries(client, "/decks/by/alice/") == few
    nobody = client.get("/decks/by/nobody/")
    assert (client.get("/decks/by/bob/").content, nobody.status_code) == (nobody.content, 404)
    for odd in ("%00", "a/b", "x" * 300, "%ED%A0%80"):
        assert client.get(f"/decks/by/{odd}/").status_code == 404


def test_decks_are_shown_in_the_order_asked_for(
    public: Deck,
    bob: Any,
    alice: Any,
    legal_list: str,
    client: Client,
) -> None:
    newer = services.create_from_text(alice, legal_list, name="Newer", visibility="public")
    opinions.like(bob, public)
    services.count_match({newer.head.content_hash})  # type: ignore[union-attr]
    services.new_version(newer, "4 Stims")
    services.count_match({public.head.content_hash})  # type: ignore[union-attr]
    assert list(Deck.objects.order_by("pk").values_list("played", flat=True)) == [2, 1]
    for order, first in (("new", newer), ("liked", public), ("played", public)):
        page = client.get(f"/decks/?q=order:{order}")
        assert page.context["rows"][0]["deck"] == first
        assert [query for _, query, chosen in page.context["orders"] if chosen] == [f"order:{order}"]
    assert "?q=viper%20order%3Aliked" in client.get("/decks/?q=viper order:new").content.decode()


@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_report_is_obeyed(public: Deck, bob: Any, moderator: Any, payload: str) -> None:
    comment = opinions.comment(bob, public, payload)
    address = f"{public.get_absolute_url()}comment/{comment.pk}/report/"
    bobs = signed_in(bob)
    assert harmless(bobs.get(address))
    assert harmless(bobs.post(address, {"reason": payload, "words": payload}))
    bobs.post(address, {"reason": "spam", "words": payload})
    told = signed_in(moderator).get(f"{QUEUE}{Report.objects.get().pk}/change/").content.decode()
    for obeyed in ("<script>alert", "<img src", "<svg/", "<iframe src", "<style>*", "<form action=//"):
        assert obeyed not in told
    assert Comment.objects.get() == comment
