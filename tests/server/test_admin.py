"""The admin site: who gets in, who sees and changes what, and how the first owner comes to be."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.admin import site as admin_site
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from ccg.outbox.models import Job
from ccg.server.accounts import admin
from ccg.server.admin_site import APPS
from decks.models import Report
from tests.people import signed_in

User = get_user_model()
PASSWORD = "raptor in the dark 7"
INDEX = "/admin/"

pytestmark = pytest.mark.django_db


def person(name: str = "kara", *rights: str, **facts: Any) -> Any:
    """Somebody with an account and these rights ("app.codename")."""
    user = User.objects.create_user(name, password=PASSWORD, **facts)
    for right in rights:
        app, codename = right.split(".")
        user.user_permissions.add(Permission.objects.get(content_type__app_label=app, codename=codename))
    return User.objects.get(pk=user.pk)


def staff(*rights: str) -> Client:
    return signed_in(person("saul", *rights, is_staff=True))


def owner() -> Client:
    return signed_in(User.objects.create_superuser("bill", "bill@example.org", PASSWORD))


# --- getting in ---------------------------------------------------------------------------------------


def test_staff_sign_in_as_everybody_does_and_come_back(client: Client) -> None:
    person("saul", is_staff=True)
    page = client.get(reverse("admin:accounts_user_changelist"), follow=True)
    assert page.redirect_chain[-1][0].startswith(reverse("account_login"))
    wanted = page.context["redirect_field_value"]
    answer = client.post(reverse("account_login"), {"login": "saul", "password": PASSWORD, "next": wanted})
    assert answer["Location"] == reverse("admin:accounts_user_changelist")
    assert client.get(INDEX).status_code == 200


def test_no_password_is_taken_beside_the_page_that_counts_them(client: Client) -> None:
    person("saul", is_staff=True)
    answer = client.post("/admin/login/", {"username": "saul", "password": PASSWORD})
    assert answer["Location"].startswith(reverse("account_login"))
    assert "_auth_user_id" not in client.session


def test_guessing_a_password_of_staff_is_stopped(client: Client, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = False
    person("saul", is_staff=True)
    for number in range(settings.AXES_FAILURE_LIMIT):
        client.post(reverse("account_login"), {"login": "saul", "password": f"guess {number}", "next": INDEX})
    late = client.post(reverse("account_login"), {"login": "saul", "password": PASSWORD, "next": INDEX})
    assert late.status_code == 429
    assert client.get(INDEX).status_code == 302


def test_an_account_without_the_right_is_told_so_and_not_sent_round_in_circles() -> None:
    client = signed_in(person())
    answer = client.get(INDEX, follow=True)
    assert answer.status_code == 403
    assert len(answer.redirect_chain) == 1
    assert "as kara, and that does not allow it" in answer.content.decode()
    assert client.post(reverse("admin:decks_format_add"), follow=True).status_code == 403


def test_a_guest_may_sign_in_to_an_account_of_staff(client: Client) -> None:
    client.post(reverse("guest"))
    answer = client.get(INDEX, follow=True)
    assert answer.status_code == 200
    assert answer.redirect_chain[-1][0].startswith(reverse("account_login"))


def test_who_is_locked_out_is_out_of_the_admin_site_too() -> None:
    user = person("saul", is_staff=True)
    client = signed_in(user)
    assert client.get(INDEX).status_code == 200
    user.is_active = False
    user.save()
    assert client.get(INDEX).status_code == 302


def test_only_staff_are_shown_the_way() -> None:
    me = reverse("account_me")
    assert f'href="{INDEX}"' not in signed_in(person()).get(me).content.decode()
    assert f'href="{INDEX}"' in staff().get(me).content.decode()


def test_leaving_and_new_passwords_are_the_sites_own() -> None:
    client = staff()
    assert client.post(reverse("admin:logout"))["Location"] == reverse("account_logout")
    assert client.get(reverse("admin:password_change"))["Location"] == reverse("account_change_password")


# --- the first owner ----------------------------------------------------------------------------------


def make_owner(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command("createsuperuser", interactive=False, username=name, email="", stdout=StringIO())


@pytest.mark.parametrize("name", ["Bill", "admin"])
def test_the_owner_made_on_the_command_line_can_sign_in(
    client: Client, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    make_owner(name, monkeypatch)
    answer = client.post(reverse("account_login"), {"login": name, "password": PASSWORD, "next": INDEX})
    assert answer["Location"] == INDEX
    assert client.get(INDEX).status_code == 200


def test_two_owners_do_not_share_a_name_in_other_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    make_owner("bill", monkeypatch)
    with pytest.raises(CommandError, match="already taken"):
        make_owner("BILL", monkeypatch)
    person("lee", display_name="Apollo")
    with pytest.raises(CommandError, match="called apollo at the tables"):
        make_owner("apollo", monkeypatch)


# --- who sees and changes what ------------------------------------------------------------------------

CHANGED_ELSEWHERE = ["cards_data_card", "cards_data_set", "cards_data_dataversion", "matches_match", "outbox_job"]


def pages(kind: str) -> list[str]:
    return [reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{kind}") for model in admin_site._registry]


def test_every_list_opens_for_an_owner(client: Client) -> None:
    client = owner()
    for address in [INDEX, *pages("changelist")]:
        assert client.get(address).status_code == 200, address


def test_staff_without_rights_see_nothing() -> None:
    client = staff()
    index = client.get(INDEX)
    assert index.context["app_list"] == []
    for address in [*pages("changelist"), *pages("add")]:
        answer = client.get(address, follow=True)
        assert answer.status_code == 403, address
        assert "as saul" in answer.content.decode()


@pytest.mark.parametrize("model", CHANGED_ELSEWHERE)
def test_what_changes_elsewhere_is_only_looked_at(model: str) -> None:
    client = owner()
    assert client.get(reverse(f"admin:{model}_changelist")).status_code == 200
    assert client.get(reverse(f"admin:{model}_add")).status_code == 403
    page = client.get(reverse(f"admin:{model}_changelist")).content.decode()
    assert "delete_selected" not in page


def test_a_match_is_shown_without_what_its_players_may_not_know() -> None:
    from matches.models import Match, MatchSeat

    match = Match.objects.create(players=2, state="running", saved=b"all-hands", seed=b"top-secret")
    MatchSeat.objects.create(match=match, number=0, cards=["BSG1-144"], base="BSG1-007", deck_label="My secret wing")
    client = staff("matches.view_match", "matches.view_matchseat")
    page = client.get(reverse("admin:matches_match_change", args=[match.pk])).content.decode()
    assert match.public_id in page
    for secret in ("all-hands", "top-secret", "BSG1-144", "BSG1-007", "My secret wing", match.invite_nonce):
        assert secret not in page


def test_the_front_page_says_what_waits_to_those_who_may_look_at_it() -> None:
    bob = person("bob")
    for number in range(3):
        Job.objects.create(key=f"a:{number}", task="a", state=Job.State.FAILED if number < 2 else Job.State.WAITING)
    Report.objects.create(reporter=bob, kind="deck", reason="spam")
    Report.objects.create(reporter=bob, kind="gone", reason="spam", state=Report.State.DISMISSED)
    front = owner().get(INDEX).content.decode()
    assert ">1 open report</a>" in front
    assert ">2 failed pieces of work</a>" in front
    judge = staff("decks.change_report")
    judging = judge.get(INDEX).content.decode()
    assert "1 open report" in judging and "failed" not in judging
    address = re.search(r'href="([^"]*)">1 open report', judging)[1]  # type: ignore[index]
    assert judge.get(address).context["cl"].result_count == 1


def test_failed_work_is_tried_again_by_those_who_may() -> None:
    failed = Job.objects.create(key="a:1", task="a", state=Job.State.FAILED, attempts=12, error="broken")
    waiting = Job.objects.create(key="a:2", task="a", attempts=3)
    address = reverse("admin:outbox_job_changelist")
    again = {"action": "try_again", "_selected_action": [failed.pk, waiting.pk]}
    looking = signed_in(person("ana", "outbox.view_job", is_staff=True))
    looking.post(address, again)
    failed.refresh_from_db()
    assert failed.state == Job.State.FAILED
    said = signed_in(person("sam", "outbox.change_job", is_staff=True)).post(address, again, follow=True)
    assert "1 piece of failed work" in said.content.decode()
    failed.refresh_from_db()
    waiting.refresh_from_db()
    assert (failed.state, failed.attempts, waiting.attempts) == (Job.State.WAITING, 0, 3)


# --- people -------------------------------------------------------------------------------------------


def change(client: Client, user: Any, **fields: Any) -> Any:
    given = {"display_name": user.display_name, "is_active": "on", **fields}
    return client.post(reverse("admin:accounts_user_change", args=[user.pk]), given)


def test_an_owner_makes_somebody_staff_with_the_rights_they_need() -> None:
    kara = person()
    right = Permission.objects.get(codename="view_match")
    answer = change(owner(), kara, is_staff="on", user_permissions=[right.pk])
    assert answer.status_code == 302
    kara = User.objects.get(pk=kara.pk)
    assert kara.is_staff
    assert kara.has_perm("matches.view_match")
    assert signed_in(kara).get(reverse("admin:matches_match_changelist")).status_code == 200


def test_staff_rename_and_lock_out_players_and_give_no_rights() -> None:
    kara = person()
    client = staff("accounts.change_user")
    everything = {"is_staff": "on", "is_superuser": "on", "user_permissions": [1, 2]}
    answer = change(client, kara, display_name="Hotshot", is_active="", username="other", **everything)
    assert answer.status_code == 302
    kara = User.objects.get(pk=kara.pk)
    assert (kara.display_name, kara.is_active, kara.username) == ("Hotshot", False, "kara")
    assert not (kara.is_staff or kara.is_superuser or kara.user_permissions.exists())


def test_staff_do_not_touch_staff_nor_owners_nor_themselves() -> None:
    client = staff("accounts.change_user")
    for other in (
        person("lee", is_staff=True),
        User.objects.create_superuser("bill", "", PASSWORD),
        User.objects.get(username="saul"),
    ):
        before = User.objects.filter(pk=other.pk).values().get()
        assert change(client, other, display_name="Changed").status_code == 403
        new = {"password1": "battlestar 75 ages", "password2": "battlestar 75 ages", "usable_password": "true"}
        assert client.post(f"/admin/accounts/user/{other.pk}/password/", new).status_code == 403
        assert User.objects.filter(pk=other.pk).values().get() == before


def test_a_name_from_before_a_check_keeps_nobody_from_being_locked_out() -> None:
    kara = person("kara", display_name="Kara/Thrace")
    assert change(staff("accounts.change_user"), kara, is_active="").status_code == 302
    kara.refresh_from_db()
    assert (kara.display_name, kara.is_active) == ("Kara/Thrace", False)


def test_names_that_deceive_are_refused_here_too() -> None:
    person("lee")
    kara = person()
    for bad in ("LEE", "Guest Viper 1234", "two  spaces"):
        answer = change(
            owner() if bad == "LEE" else signed_in(User.objects.get(username="bill")), kara, display_name=bad
        )
        assert answer.status_code == 200
        assert "display_name" in answer.context["adminform"].form.errors


@pytest.mark.parametrize(
    ("name", "said"),
    [("Apollo", "Another player has this name."), ("ApoIIo", "This looks like the name of another player.")],
)
def test_a_name_taken_while_staff_rename_somebody_is_told(
    monkeypatch: pytest.MonkeyPatch, name: str, said: str
) -> None:
    kara, client = person(), owner()
    person("lee", display_name="Apollo")
    real, checks = admin.free_display_name, ["free"]

    def free_at_first(name: str, who: Any) -> str:
        return name if checks and checks.pop() else real(name, who)

    monkeypatch.setattr(admin, "free_display_name", free_at_first)
    answer = change(client, kara, display_name=name)
    assert answer.status_code == 200
    assert answer.context["adminform"].form.errors["display_name"] == [said]
    kara.refresh_from_db()
    assert kara.display_name == "kara"


def test_a_guest_is_given_no_rights() -> None:
    guest = User.objects.create_guest()
    change(owner(), guest, is_staff="on", is_superuser="on")
    guest.refresh_from_db()
    assert not (guest.is_staff or guest.is_superuser)


def test_groups_are_for_owners() -> None:
    client = staff("auth.view_group", "auth.change_group", "auth.add_group")
    assert client.get(reverse("admin:auth_group_changelist")).status_code == 403
    assert client.post(reverse("admin:auth_group_add"), {"name": "All of it"}).status_code == 403
    assert owner().post(reverse("admin:auth_group_add"), {"name": "Importers"}).status_code == 302


# --- safety -------------------------------------------------------------------------------------------


def test_forms_of_the_admin_site_want_their_token() -> None:
    kara = person()
    careful = signed_in(User.objects.create_superuser("bill", "", PASSWORD), strict=True)
    assert change(careful, kara, display_name="Changed").status_code == 403
    kara.refresh_from_db()
    assert kara.display_name == "kara"


def test_no_page_needs_scripts_or_styles_that_the_policy_forbids() -> None:
    kara = person()
    client = owner()
    for address in [INDEX, *pages("changelist"), reverse("admin:accounts_user_change", args=[kara.pk])]:
        answer = client.get(address)
        assert "default-src 'self'" in answer["Content-Security-Policy"]
        page = answer.content.decode()
        assert "<script>" not in page, address
        assert " style=" not in page, address
        assert " onclick=" not in page, address


def test_the_page_for_operators_names_what_rights_are_about() -> None:
    """It promises that a right which is not in its table gives nothing."""
    page = (Path(__file__).parents[2] / "docs" / "operating.md").read_text("utf-8")
    table = page[page.index("| Right |") : page.index("What is not in this table")]
    for model in admin_site._registry:
        app, name = APPS[model._meta.app_label], str(model._meta.verbose_name)
        if model is not Group and app != "Card database":  # owners alone; "can view …" names all of those
            assert any(f"| *{app}*, can" in row and name in row for row in table.splitlines()), (app, name)


# --- whoever hears the pages ---------------------------------------------------------------------------


class Fields(HTMLParser):
    """The fields of a page's forms, and which of them have a name for those who hear the page."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.named: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        facts = dict(attrs)
        if tag == "label":
            self.named.add(facts.get("for") or "")
        elif tag in ("input", "select", "textarea") and facts.get("type") not in ("hidden", "submit", "button"):
            self.ids.add(facts.get("id") or str(facts))
            if facts.get("aria-label") or facts.get("title") or facts.get("aria-labelledby"):
                self.named.add(facts.get("id") or str(facts))


@pytest.mark.parametrize("model", admin_site._registry, ids=lambda model: model._meta.label)
def test_each_field_of_a_form_has_a_label(model: Any) -> None:
    asking = owner()
    add = f"admin:{model._meta.app_label}_{model._meta.model_name}_add"
    change = reverse("admin:accounts_user_change", args=[person().pk]) if model is User else ""
    for address in filter(None, (reverse(add), change)):
        page = asking.get(address)
        assert page.status_code in (200, 302, 403), address  # some are made elsewhere, or by the site alone
        if page.status_code == 200:
            fields = Fields()
            fields.feed(page.content.decode())
            assert fields.ids and fields.ids <= fields.named, address
