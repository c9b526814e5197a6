"""Getting in: guests, accounts, and from one to the other."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from smtplib import SMTPRecipientsRefused, SMTPServerDisconnected
from types import SimpleNamespace
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from axes.models import AccessAttempt
from django.apps import apps
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ccg import mailing
from ccg.outbox.models import Job
from ccg.outbox.services import drain
from ccg.people import name_key
from ccg.server.accounts.names import NAME_TAKEN, look_key, refuse_taken, validate_display_name
from ccg.server.too_often import handler429
from tests.shown import words

User = get_user_model()
PASSWORD = "raptor in the dark 7"

pytestmark = pytest.mark.django_db


def signed_in(client: Client) -> Any:
    """The user behind this browser, or None."""
    return User.objects.filter(pk=client.session.get("_auth_user_id")).first()


def sign_up(client: Client, name: str, url: str = "account_signup", **more: str) -> Any:
    fields = {"username": name, "password1": PASSWORD, "password2": PASSWORD, **more}
    return client.post(reverse(url), fields)


def give_password_again(client: Client) -> Any:
    """Give the password once more, as pages of addresses ask for it; return the answer."""
    return client.post(f"{reverse('account_reauthenticate')}?next={reverse('account_email')}", {"password": PASSWORD})


def test_one_post_makes_a_guest_and_goes_on(client: Client) -> None:
    answer = client.post(reverse("guest"), {"next": "/cards/"})
    assert (answer.status_code, answer["Location"]) == (302, "/cards/")
    guest = signed_in(client)
    assert guest.is_guest
    assert guest.display_name.startswith("Guest ")
    assert not guest.has_usable_password()


@pytest.fixture
def taken_meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let somebody else be called so between the check of a form and saving it, as after a second click."""

    def take(name: str) -> None:
        def checked_first(*args: Any) -> None:
            refuse_taken(*args)
            User.objects.bulk_create([User(username="the-first", display_name=name)], ignore_conflicts=True)

        for module in ("adapter", "forms"):
            monkeypatch.setattr(f"ccg.server.accounts.{module}.refuse_taken", checked_first)

    return take


TAKEN = [("Kara", "Another player has this name."), ("K\u0430r\u0430", "This looks like the name of another player.")]


@pytest.mark.parametrize(("name", "said"), TAKEN)
@pytest.mark.parametrize("guest", [False, True])
def test_a_name_taken_while_one_signs_up_is_told(
    client: Client, taken_meanwhile: Callable[[str], None], guest: bool, name: str, said: str
) -> None:
    if guest:
        client.post(reverse("guest"))
    taken_meanwhile(name)

    answer = sign_up(client, "kara", "account_upgrade" if guest else "account_signup")

    assert (answer.status_code, answer.context["form"].errors["username"]) == (200, [said])
    assert not User.objects.filter(username="kara").exists()
    assert guest == bool(signed_in(client) and signed_in(client).is_guest)


@pytest.mark.parametrize(("name", "said"), TAKEN)
def test_a_name_taken_while_one_renames_oneself_is_told(
    client: Client, taken_meanwhile: Callable[[str], None], name: str, said: str
) -> None:
    sign_up(client, "lee")
    taken_meanwhile(name)

    answer = client.post(reverse("account_me"), {"display_name": "Kara"})

    assert (answer.status_code, answer.context["form"].errors["display_name"]) == (200, [said])
    assert signed_in(client).display_name == "lee"
    assert answer.wsgi_request.user.display_name == "lee", "the header names who one is"


def test_a_guest_stays_the_same_guest(client: Client) -> None:
    client.post(reverse("guest"))
    first = signed_in(client)
    client.post(reverse("guest"))
    assert signed_in(client) == first
    assert User.objects.count() == 1


def test_looking_makes_no_guest(client: Client) -> None:
    assert client.get(reverse("guest")).status_code == 405
    assert client.get("/").status_code == 200
    assert not User.objects.exists()


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://example.org/",
        "//example.org/",
        "javascript:alert(1)",
        "foo",
        "é",
        "",
        "home",
        "/" + "x" * 3000,
        "/\\x.org",
        "//[::1",
    ],
)
def test_next_leads_nowhere_else(client: Client, elsewhere: str) -> None:
    assert client.post(reverse("guest"), {"next": elsewhere})["Location"] == "/"


def test_next_may_hold_any_letters(client: Client) -> None:
    assert client.post(reverse("guest"), {"next": "/decks/é/"})["Location"] == "/decks/%C3%A9/"


def test_one_address_makes_only_so_many_guests(settings: Any) -> None:
    settings.GUESTS_PER_HOUR = 3
    answers = [Client().post(reverse("guest")).status_code for _ in range(5)]
    assert answers == [302, 302, 302, 429, 429]
    assert User.objects.count() == 3


def test_guest_names_are_never_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    names = iter(["Guest Viper 1000", "guest viper 1000", "Guest Viper 1001"])
    monkeypatch.setattr("ccg.server.accounts.models.new_guest_name", lambda: next(names))
    assert [str(User.objects.create_guest()) for _ in range(2)] == ["Guest Viper 1000", "Guest Viper 1001"]


def test_signing_up_needs_a_name_and_a_password(client: Client) -> None:
    assert sign_up(client, "Kara_Thrace")["Location"] == "/"
    user = signed_in(client)
    assert (user.username, user.display_name, user.is_guest, user.email) == ("kara_thrace", "Kara_Thrace", False, "")


@pytest.mark.parametrize("name", ["ab", "Admin", "guest", "with space", "dráma", "<b>x</b>", ".dot", "a" * 41])
def test_names_that_cannot_be_had(client: Client, name: str) -> None:
    answer = sign_up(client, name)
    assert answer.status_code == 200
    assert answer.context["form"].errors["username"]
    assert not User.objects.exists()


def test_a_name_is_taken_whatever_its_case_and_whoever_shows_it(client: Client) -> None:
    sign_up(Client(), "Kara")
    kara = User.objects.get(username="kara")
    kara.display_name = "Starbuck"
    kara.save(update_fields=["display_name"])
    for taken in ("kara", "KARA", "starbuck"):
        assert sign_up(client, taken).context["form"].errors["username"]


def test_a_guest_who_signs_up_stays_the_same_user(client: Client) -> None:
    client.post(reverse("guest"))
    guest = signed_in(client)
    assert sign_up(client, "Kara", "account_upgrade").status_code == 302
    user = signed_in(client)
    assert user.pk == guest.pk
    assert (user.username, user.display_name, user.is_guest) == ("kara", "Kara", False)
    assert user.check_password(PASSWORD)
    assert User.objects.count() == 1


@pytest.mark.parametrize("guest", [False, True])
@pytest.mark.django_db(transaction=True)
def test_no_table_waits_while_the_password_of_a_new_account_is_hashed(
    client: Client, monkeypatch: pytest.MonkeyPatch, guest: bool
) -> None:
    if guest:
        client.post(reverse("guest"))
    hashed, set_password = [], User.set_password

    def noted(self: User, password: str | None) -> None:
        hashed.append(connection.in_atomic_block)
        set_password(self, password)

    monkeypatch.setattr(User, "set_password", noted)
    assert sign_up(client, "Kara", "account_upgrade" if guest else "account_signup").status_code == 302
    assert hashed == [False], "SQLite has one writer, and hashing takes a third of a second"


def test_who_makes_an_account_is_told_what_came_with_them(client: Client) -> None:
    sign_up(client, "kara")
    assert "You are signed in as kara." in words(client.get("/"))
    guest = Client()
    guest.post("/guest/")
    sign_up(guest, "lee", "account_upgrade")
    assert "You are lee now. Decks and matches of the guest came with you." in words(guest.get("/"))


def test_the_first_page_asks_nobody_for_an_account_who_has_one(client: Client) -> None:
    assert "No account needed." in words(client.get("/"))
    sign_up(client, "kara")
    assert "No account needed." not in words(client.get("/"))


def test_a_failed_sign_up_leaves_the_guest_as_it_was(client: Client) -> None:
    client.post(reverse("guest"))
    before = signed_in(client)
    sign_up(client, "Kara", password2="something else 99")
    after = signed_in(client)
    assert (after.username, after.display_name, after.is_guest) == (before.username, before.display_name, True)


def test_an_account_comes_back_with_its_password(client: Client) -> None:
    sign_up(Client(), "Kara")
    answer = client.post(reverse("account_login"), {"login": "KARA", "password": PASSWORD, "next": "/decks/"})
    assert answer["Location"] == "/decks/"
    assert signed_in(client).username == "kara"


@pytest.mark.parametrize("wanted", ["foo", "é", "//x.org", "//[::1", "/" + "x" * 3000, "\0"])
def test_an_odd_next_at_the_other_pages_leads_home(client: Client, wanted: str) -> None:
    sign_up(Client(), "Kara")
    fields = {"login": "kara", "password": PASSWORD, "next": wanted}
    answer = client.post(reverse("account_login"), fields)
    assert answer.status_code < 500
    assert answer.get("Location", "/") == "/"
    assert sign_up(client, "Lee", next=wanted).status_code < 500
    assert client.post(reverse("account_logout"), {"next": wanted}).status_code < 500


def test_a_guest_may_sign_in_to_an_account(client: Client) -> None:
    sign_up(Client(), "Kara")
    client.post(reverse("guest"))
    page = client.get(reverse("account_login")).content.decode()
    assert "its matches and decks stay behind, and nobody can come back" in page
    client.post(reverse("account_login"), {"login": "kara", "password": PASSWORD})
    assert signed_in(client).username == "kara"


@pytest.mark.parametrize("guest", [False, True])
def test_who_makes_an_account_comes_back_to_where_they_were(client: Client, guest: bool) -> None:
    if guest:
        client.post(reverse("guest"))
    name = "account_upgrade" if guest else "account_login"
    assert f'href="{reverse(name)}?next=/play/others/"' in client.get("/play/others/").content.decode()
    page = client.get(f"{reverse('account_login')}?next=/play/others/").content.decode()
    assert guest or f'href="{reverse("account_signup")}?next=%2Fplay%2Fothers%2F"' in page
    signup = reverse("account_upgrade" if guest else "account_signup")
    form = client.get(f"{signup}?next=/play/others/").content.decode()
    assert 'name="next" value="/play/others/"' in form and "without spaces" in form
    assert sign_up(client, "kara", "account_upgrade", next="/play/others/")["Location"] == "/play/others/"


def test_a_page_that_is_not_there_is_the_same_for_all_addresses() -> None:
    assert Client().get("/play/none/").content == Client().get("/play/nothing/").content


@pytest.mark.parametrize("elsewhere", ["https://example.org/", "//example.org/", "/\\example.org"])
def test_signing_up_leads_to_no_other_site(client: Client, elsewhere: str) -> None:
    assert sign_up(client, "kara", next=elsewhere)["Location"] == "/"


def test_who_has_an_account_needs_no_second_one(client: Client) -> None:
    sign_up(client, "Kara")
    for name in ("account_login", "account_signup", "account_upgrade"):
        assert client.get(reverse(name))["Location"] == "/"


@pytest.mark.parametrize("name", ["account_login", "account_signup"])
def test_who_has_signed_in_in_another_tab_goes_on_to_the_page_that_asked_for_it(client: Client, name: str) -> None:
    sign_up(client, "Kara")
    client.get("/")  # where it is told who has signed in
    assert client.get(f"{reverse(name)}?next=/decks/mine/")["Location"] == "/decks/mine/"
    assert "You are signed in as Kara." in words(client.get("/decks/mine/"))
    assert client.get(f"{reverse(name)}?next=//x.org")["Location"] == "/"


def test_leaving_asks_first_and_warns_a_guest(client: Client) -> None:
    client.post(reverse("guest"))
    page = client.get(reverse("account_logout"))
    assert signed_in(client) is not None
    assert "nobody can come back" in page.content.decode()
    client.post(reverse("account_logout"))
    assert signed_in(client) is None


def test_unknown_names_and_wrong_passwords_are_told_the_same(client: Client) -> None:
    sign_up(Client(), "Kara")
    pages = []
    for login in ("kara", "nobody"):
        answer = client.post(reverse("account_login"), {"login": login, "password": "wrong"})
        pages.append(answer.context["form"].non_field_errors())
    assert pages[0] == pages[1]
    assert pages[0]


def guess(name: str, address: str, password: str = "wrong", times: int = 1) -> list[int]:
    browser = Client(REMOTE_ADDR=address)
    fields = {"login": name, "password": password}
    return [browser.post(reverse("account_login"), fields).status_code for _ in range(times)]


@pytest.fixture
def kara(settings: Any) -> Client:
    """A browser in which Kara is signed in."""
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": None, "login": None, "signup": None}
    browser = Client()
    sign_up(browser, "Kara")
    return browser


def test_guessing_at_a_name_from_one_address_is_stopped_there(kara: Client) -> None:
    assert guess("kara", "1.1.1.1", times=12) == [200] * 9 + [429] * 3
    assert guess("kara", "1.1.1.1", PASSWORD) == [429], "the right password comes too late"
    assert guess("kara", "2.2.2.2", PASSWORD) == [302], "its owner comes in from elsewhere"
    assert guess("kara", "1.1.1.1", PASSWORD) == [429], "which opens nothing for the guesser"
    page = Client(REMOTE_ADDR="1.1.1.1").post(reverse("account_login"), {"login": "kara", "password": "x"})
    assert "15 minutes" in page.content.decode()


def test_guessing_at_a_name_from_everywhere_is_stopped_everywhere(kara: Client) -> None:
    answers = [code for number in range(8) for code in guess("kara", f"1.1.1.{number}", times=5)]
    assert answers.count(200) == 29
    assert guess("kara", "2.2.2.2", PASSWORD) == [429]


def test_one_address_alone_closes_a_name_for_nobody_else(kara: Client) -> None:
    assert guess("kara", "1.1.1.1", times=40).count(429) == 31
    assert guess("kara", "2.2.2.2", PASSWORD) == [302]


def test_a_name_is_open_again_after_a_while_whoever_goes_on_asking(kara: Client) -> None:
    assert guess("kara", "1.1.1.1", times=10)[-1] == 429
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=14))
    assert guess("kara", "1.1.1.1") == [429]
    AccessAttempt.objects.update(attempt_time=F("attempt_time") - timedelta(minutes=2))
    assert guess("kara", "1.1.1.1", PASSWORD) == [302]


@pytest.mark.parametrize("spellings", [["kara", "KARA", "kArA"], ["kara", "\uff4bara", " kara "]])
def test_a_name_is_one_name_however_it_is_spelt(kara: Client, spellings: list[str]) -> None:
    answers = [guess(spellings[number % 3], "1.1.1.1")[0] for number in range(12)]
    assert answers == [200] * 9 + [429] * 3


def test_one_address_guesses_at_only_so_many_names(kara: Client, settings: Any) -> None:
    answers = [guess(f"name-{number}", "1.1.1.1")[0] for number in range(70)]
    assert answers.count(200) == settings.GUESSES[2] - 1


def test_signing_in_to_a_name_of_ones_own_forgets_nothing_about_others(kara: Client) -> None:
    sign_up(Client(), "Mallory")
    taken = []
    for _ in range(4):
        taken += guess("kara", "1.1.1.1", times=4) + guess("mallory", "1.1.1.1", PASSWORD)
    assert [code for code in taken if code != 302].count(200) == 9


def test_who_is_signed_in_is_told_and_opens_their_name_again(kara: Client) -> None:
    other = Client()
    sign_up(other, "Lee")
    assert "wrong passwords" not in kara.get("/cards/").content.decode()
    for number in range(3):
        guess("kara", f"1.1.1.{number}", times=10)
    assert "Somebody tried many wrong passwords for your name" in kara.get("/cards/").content.decode()
    for somebody in (other, Client()):
        assert "wrong passwords" not in somebody.get("/cards/").content.decode()
    assert other.post(reverse("account_open")).status_code == 302
    assert guess("kara", "2.2.2.2", PASSWORD) == [429], "others cannot open it"
    answer = kara.post(reverse("account_open"), follow=True)
    assert "open again" in answer.content.decode()
    assert "Somebody tried" not in answer.content.decode()
    assert guess("kara", "2.2.2.2", PASSWORD) == [302]
    assert kara.get(reverse("account_open")).status_code == 405
    assert Client().post(reverse("account_open"))["Location"].startswith(reverse("account_login"))


def test_signing_up_does_not_tell_whether_a_mail_address_is_known(client: Client, settings: Any) -> None:
    settings.EMAIL_HOST = "mail.example"
    sign_up(Client(), "Kara", email="kara@example.org")
    known = sign_up(client, "Mallory", email="KARA@example.org")
    unknown = sign_up(Client(), "Lee", email="lee@example.org")
    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"]) == (302, "/")
    assert User.objects.get(username="kara").email == "kara@example.org"


@pytest.fixture
def mails(settings: Any, mailoutbox: list[Any]) -> list[Any]:
    """The mails that a site sends which has a server for them."""
    settings.EMAIL_HOST = "mail.example"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    return mailoutbox


def test_neither_does_asking_for_a_new_password(mails: list[Any]) -> None:
    sign_up(Client(), "Kara", email="kara@example.org")
    answers = []
    for address in ("kara@example.org", "nobody@example.org"):
        answer = Client().post(reverse("account_reset_password"), {"email": address}, follow=True)
        answers.append((answer.redirect_chain, answer.status_code, answer.content))
    assert answers[0] == answers[1]
    assert not mails, "nobody has waited for the mail server"
    drain()
    assert [mail.to for mail in mails] == [["kara@example.org"], ["nobody@example.org"]], "a mail each"


def test_a_new_password_is_set_by_the_link_and_only_once(mails: list[Any]) -> None:
    sign_up(Client(), "Kara", email="kara@example.org")
    browser = Client()
    browser.post(reverse("account_reset_password"), {"email": "kara@example.org"})
    drain()
    link = re.search(r"http://[^/]+(/\S+)", mails[-1].body)
    assert link
    page = browser.get(link[1], follow=True)
    assert "Set the password" in page.content.decode()
    new = {"password1": "viper in the dark 8", "password2": "viper in the dark 8"}
    done = browser.post(page.redirect_chain[-1][0], new, follow=True)
    assert "Your new password holds" in done.content.decode()
    assert f'href="{reverse("account_login")}"' in done.content.decode().split("<main", 1)[1]
    assert User.objects.get(username="kara").check_password("viper in the dark 8")
    used = Client().get(link[1], follow=True).content.decode()
    assert "This link works no more" in used
    assert reverse("account_reset_password") in used


@pytest.mark.parametrize(("name", "confirmed", "told"), [
    ("www.evil.example", False, False), ("www.evil.example", True, True), ("kara", False, True),
])  # fmt: skip
def test_a_name_that_mail_programs_make_a_link_of_is_in_no_mail_to_somebody_else(
    mails: list[Any], name: str, confirmed: bool, told: bool
) -> None:
    sign_up(Client(), name, email="somebody@example.org")
    EmailAddress.objects.update(verified=confirmed)
    Client().post(reverse("account_reset_password"), {"email": "somebody@example.org"})
    drain()
    assert [mail.to for mail in mails] == [["somebody@example.org"]]
    assert (name in mails[0].body) == told


def test_who_has_asked_for_a_new_password_is_told_what_comes_next(settings: Any) -> None:
    settings.EMAIL_HOST = "mail.example"
    answer = Client().post(reverse("account_reset_password"), {"email": "kara@example.org"}, follow=True)
    told = answer.content.decode().split("<main", 1)[1]
    assert "Look into your mail" in told
    assert reverse("account_login") in told
    assert reverse("account_reset_password") in told


def test_an_address_is_confirmed_by_the_link_and_a_used_one_says_so(client: Client, mails: list[Any]) -> None:
    sign_up(client, "Kara")
    give_password_again(client)
    client.post(reverse("account_email"), {"email": "kara@example.org", "action_add": ""})
    drain()
    link = re.search(r"http://[^/]+(/\S+)", mails[-1].body)
    assert link
    asked = client.get(link[1]).content.decode().split("<main", 1)[1]
    assert "kara@example.org" in asked
    assert "mailto:" not in asked
    assert "action_send" in client.get(reverse("account_email")).content.decode()
    client.post(link[1])
    assert EmailAddress.objects.get().verified
    assert "action_send" not in client.get(reverse("account_email")).content.decode(), "there is none to confirm"
    used = client.get(link[1]).content.decode().split("<main", 1)[1]
    assert "This link works no more" in used
    assert reverse("account_email") in used


@pytest.mark.parametrize("host", ["localhost:6666", "LOCALHOST.:9"])
def test_links_in_mails_lead_to_the_site_whatever_host_was_asked(settings: Any, mails: list[Any], host: str) -> None:
    settings.ALLOWED_HOSTS = ["localhost"]
    sign_up(Client(headers={"Host": "localhost"}), "Kara", email="kara@example.org")
    for address in ("kara@example.org", "nobody@example.org"):
        Client(headers={"Host": host}).post(reverse("account_reset_password"), {"email": address})
    drain()
    assert len(mails) == 2
    for mail in mails:
        assert mail.subject.startswith("[Ragtag Fleet] ")
        assert re.findall(r"https?://[^/\s]+", mail.body) == [settings.SITE_ORIGINS[0]]
        assert host not in mail.subject + mail.body


def test_what_a_sent_mail_said_is_not_kept(mails: list[Any]) -> None:
    Client().post(reverse("account_reset_password"), {"email": "nobody@example.org"})
    assert Job.objects.get().payload["to"] == ["nobody@example.org"]
    drain()
    assert (Job.objects.get().state, Job.objects.get().payload) == ("done", {})


def ask_for_mail(email: str, source: str) -> int:
    """Ask for a new password; return the status of the answer."""
    return Client(REMOTE_ADDR=source).post(reverse("account_reset_password"), {"email": email}).status_code


def test_nobody_makes_the_site_write_to_everybody(settings: Any) -> None:
    settings.EMAIL_HOST, settings.MAILS_PER_HOUR = "mail.example", 3
    asked = [ask_for_mail(f"{number}@example.org", "1.1.1.1") for number in range(5)]
    assert asked == [302, 302, 302, 429, 429]
    assert ask_for_mail("lee@example.org", "2.2.2.2") == 302, "nobody else is kept from it"
    assert Job.objects.count() == 4


def test_nobody_is_written_to_without_end(settings: Any) -> None:
    settings.EMAIL_HOST, settings.MAILS_TO_ONE_PER_HOUR = "mail.example", 3
    asked = [ask_for_mail(email, f"1.1.1.{number}") for number, email in enumerate(["a@b.example", "A@b.example"] * 2)]
    assert asked == [302, 302, 302, 429]
    assert ask_for_mail("c@b.example", "1.1.1.1") == 302


def test_a_mail_to_confirm_an_address_has_no_words_of_who_asked_for_it(client: Client, mails: list[Any]) -> None:
    sign_up(client, "Mallory")
    give_password_again(client)
    User.objects.update(display_name="Win at http://elsewhere.example")
    client.post(reverse("account_email"), {"email": "kara@example.org", "action_add": ""})
    drain()
    assert [mail.to for mail in mails] == [["kara@example.org"]]
    assert "elsewhere" not in mails[0].subject + mails[0].body
    assert "/confirm-email/" in mails[0].body


def test_without_a_mail_server_no_address_is_asked_for_or_taken(client: Client) -> None:
    assert 'name="email"' not in client.get(reverse("account_signup")).content.decode()
    sign_up(client, "Kara", email="kara@example.org")
    assert "this site sends none" in client.get("/accounts/notices/").content.decode()
    added = client.post(reverse("account_email"), {"email": "kara@example.org", "action_add": ""})
    assert "sends no mail" in added.content.decode()
    assert User.objects.get().email == "" and not EmailAddress.objects.exists()


def test_with_a_mail_server_an_address_is_asked_for(client: Client, settings: Any) -> None:
    settings.EMAIL_HOST = "mail.example"
    assert 'name="email"' in client.get(reverse("account_signup")).content.decode()


def test_who_finds_a_browser_signed_in_cannot_give_the_account_another_address(client: Client, settings: Any) -> None:
    settings.EMAIL_HOST = "mail.example"
    sign_up(client, "Kara", email="kara@example.org")
    asked = client.post(reverse("account_email"), {"email": "thief@example.org", "action_add": ""})
    again = reverse("account_reauthenticate")
    assert asked["Location"].startswith(again)
    assert client.post(again, {"password": "not the password"}).status_code == 200
    assert not EmailAddress.objects.filter(email="thief@example.org").exists()
    client = Client()
    client.post(reverse("account_login"), {"login": "kara", "password": PASSWORD})
    assert give_password_again(client)["Location"] == reverse("account_email")
    client.post(reverse("account_email"), {"email": "kara@example.com", "action_add": ""})
    assert EmailAddress.objects.filter(email="kara@example.com").exists()


@pytest.mark.parametrize("page", ["account_email", "account_set_password", "account_change_password"])
def test_nothing_is_left_behind_in_the_browser_of_a_guest(client: Client, settings: Any, page: str) -> None:
    """Whoever had it for a moment could come back as the guest from elsewhere, and have a new password sent."""
    settings.EMAIL_HOST = "mail.example"
    client.post(reverse("guest"))
    sent = {"email": "thief@example.org", "action_add": "", "password1": PASSWORD, "password2": PASSWORD}
    for answer in (client.get(reverse(page)), client.post(reverse(page), sent)):
        assert answer["Location"] == reverse("account_upgrade")
    guest = signed_in(client)
    assert not EmailAddress.objects.exists() and not guest.has_usable_password()


def test_what_was_left_behind_before_does_not_come_along_into_the_account(client: Client, settings: Any) -> None:
    settings.EMAIL_HOST = "mail.example"
    client.post(reverse("guest"))
    EmailAddress.objects.create(user=signed_in(client), email="thief@example.org", verified=True, primary=True)
    assert sign_up(client, "Kara", "account_upgrade", email="kara@example.org").status_code == 302
    assert [one.email for one in EmailAddress.objects.all()] == ["kara@example.org"]
    assert User.objects.get(username="kara").email == "kara@example.org"


def test_nobody_keeps_mail_addresses_without_end(client: Client, settings: Any) -> None:
    settings.EMAIL_HOST = "mail.example"
    sign_up(client, "Kara", email="kara@example.org")
    give_password_again(client)
    for number in range(5):
        client.post(reverse("account_email"), {"email": f"{number}@example.org", "action_add": ""})
    assert EmailAddress.objects.count() == 3


@pytest.fixture
def unreachable(settings: Any, monkeypatch: pytest.MonkeyPatch) -> list[Exception]:
    """What sending mails raises, one after the other; and settings with which mails would be sent."""
    settings.EMAIL_HOST = "mail.example"
    errors: list[Exception] = []

    def fail(*args: Any) -> None:
        raise errors.pop(0)

    monkeypatch.setattr("django.core.mail.EmailMessage.send", fail)
    monkeypatch.setattr(mailing._Pause, "until", 0.0)
    return errors


@pytest.mark.parametrize("error", [ConnectionRefusedError(), TimeoutError(), SMTPServerDisconnected()])
def test_a_mail_server_that_is_away_keeps_nobody_from_anything(unreachable: list[Exception], error: Exception) -> None:
    unreachable.append(error)  # once: a second try would fail the test
    for address in ("kara@example.org", "lee@example.org"):
        answer = Client().post(reverse("account_reset_password"), {"email": address})
        assert answer["Location"] == reverse("account_reset_password_done")
    drain()
    assert not unreachable
    assert [job.state for job in Job.objects.all()] == ["waiting", "waiting"], "both are tried again"


def test_an_address_that_there_is_not_holds_up_no_other_mail(unreachable: list[Exception]) -> None:
    unreachable += [SMTPRecipientsRefused({"a@b.example": (550, b"no")}), SMTPRecipientsRefused({"c": (450, b"later")})]
    for address in ("nobody@example.org", "grey@example.org"):
        Client().post(reverse("account_reset_password"), {"email": address})
    drain()
    assert not unreachable
    assert [job.state for job in Job.objects.order_by("id")] == ["done", "waiting"]


def test_a_locked_account_is_told_so(client: Client) -> None:
    sign_up(Client(), "Kara")
    User.objects.filter(username="kara").update(is_active=False)
    told = client.post(reverse("account_login"), {"login": "kara", "password": PASSWORD}, follow=True).content.decode()
    assert "This account is locked" in told
    assert "Its matches and decks are kept" in told


def test_nor_does_the_time_that_takes(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.EMAIL_HOST, settings.RESET_SECONDS = "mail.example", 1000.0
    slept: list[float] = []
    monkeypatch.setattr("ccg.server.accounts.views.time.sleep", slept.append)
    Client().post(reverse("account_reset_password"), {"email": "nobody@example.org"})
    assert len(slept) == 1
    assert 900 < slept[0] <= 1000


def test_the_name_others_see_can_be_changed(client: Client) -> None:
    sign_up(Client(), "Lee")
    sign_up(client, "Kara")
    me = reverse("account_me")
    assert client.post(me, {"display_name": "Hotshot Pilot"})["Location"] == me
    assert str(signed_in(client)) == "Hotshot Pilot"
    assert client.post(me, {"display_name": "HOTSHOT pilot"}).status_code == 302, "one's own name in other letters"
    for taken in ("lee", "Guest Viper 1234"):
        assert client.post(me, {"display_name": taken}).context["form"].errors
    assert signed_in(client).username == "kara"


def test_the_account_leads_to_the_page_that_others_see(client: Client) -> None:
    sign_up(client, "Kara")
    client.post(reverse("account_me"), {"display_name": "Hotshot Pilot"})
    page = client.get(reverse("account_me")).content.decode()
    assert 'href="/players/Hotshot%20Pilot/"' in page
    assert client.get("/players/Hotshot%20Pilot/").status_code == 200


def test_who_looks_after_the_site_may_be_called_so(client: Client) -> None:
    sign_up(client, "Kara")
    me = reverse("account_me")
    assert client.post(me, {"display_name": "Moderator"}).context["form"].errors
    User.objects.update(is_staff=True)
    assert client.post(me, {"display_name": "Moderator"})["Location"] == me


@pytest.mark.parametrize("name", ["two  spaces", " edge", "tab\there", "zero\u200bwidth", "right\u202eleft", "Guest X"])
def test_names_that_deceive_are_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        validate_display_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "\u3164", "\u2800", "\uffa0", "Ka\u3164ra", "\u0301", "\u0301\u0302", "Kara\ufe0f", "Kara \ufe0f", "Ka\u034fra",
        "Kara\U000e0101", "K\u0301\u0302\u0303\u0304ara", "K\u0316\u0317\u0318\u0319", "\u0301Kara",
        "Kara \u0301Thrace", "\u00a8Kara", "O\u00b4Neill", ".", "..", "\u2024", "\u2025", "a/b", "/", "a\uff0fb",
        "\u2100", "Computer", "COMPUTER", "computer 2", "Com-puter", "\uff23omputer", "\U0001d402omputer",
        "Former player", "former_PLAYER", "Guest 1", "\uff27\uff55\uff45\uff53\uff54 Viper",
        "\U0001d406uest Viper 1234", "\u24bcuest", "G-uest Viper", "_Guest Viper",
        "Admin", "ADMINISTRATOR", "moderator", "Moderators", "Site admin", "The staff", "Ragtag Fleet",
        "ragtag_fleet staff", "Ad-min 1", "\uff21dmin", "Support team", "system",
        "Adm\u0131n", "M0derator", "Admln", "\u00c1dmin", "4dm1n 10", "System Administrator", "Official support",
        "Site team", "The Ragtag Fleet team", "C0mputer", "Comp\u00fcter 2", "\u0262uest Viper", "Former p1ayer",
        "\u0430lice", "\u0421omputer", "Gu\u0435st Viper 1234", "K\u03b1ra", "Kara Thr\u0430ce",
        "Apoll\u0966", "M\u0e50derat\u0e50r", "Ap\u05e1llo", "Apo\u01c0\u01c0o", "Apo\u2502\u2502o", "Adm\u0964n",
        "Apoll\u3007", "Apo\u0661lo", "Apoll\u10ff", "Apoll\u3147", "Apoll\u25e6", "Kara \ufffd",
    ],
)  # fmt: skip
def test_names_that_cannot_be_seen_or_are_ours_are_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        validate_display_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "Kara", "Kára", "Ka\u0301ra", "Tôn Nữ Thị", "प्रिया", "สมชาย", "李雷", "Łukasz 2.", "...", "?!", "<3",
        "❤\ufe0f", "🚀 Kara", "Computer fan", "My computer", "Player", "O'Neill", "a.b", "Großer Bär", "ﬁve",
        "Кара", "Κάρα", "Kara Ω", "李Kara", "Kara♥Lee", "Admiral Adama", "Rooter", "Fleet", "Systemic", "Staffan",
        "Rootie", "Team", "Officer 5", "Head of State", "Com", "7 of 9", "Gus",
        "DJ\u592a\u90ce", "Iron\ucca0\uc218", "\u02bbIolani", "Kara \u0967\u0968", "\u05e9\u05dc\u05d5\u05dd99",
        "Viper\u00b2",
    ],
)  # fmt: skip
def test_names_of_all_languages_are_fine(name: str) -> None:
    validate_display_name(name)


@pytest.mark.parametrize(
    ("name", "other"), [("Änne", "änne"), ("Кара", "КАРА"), ("Großer Bär", "GROSSER BÄR"), ("Σίσυφος", "ΣΊΣΥΦΟΣ")]
)
def test_case_makes_no_other_name_in_any_alphabet(client: Client, name: str, other: str) -> None:
    """SQLite itself knows the case of A to Z alone."""
    sign_up(Client(), "Lee")
    sign_up(client, "Kara")
    User.objects.bulk_create([User(username="first", display_name=name)])
    me = reverse("account_me")
    assert client.post(me, {"display_name": other}).context["form"].errors["display_name"] == [NAME_TAKEN]
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("second", display_name=other)
    lee = User.objects.get(username="lee")
    lee.display_name = other
    with pytest.raises(IntegrityError), transaction.atomic():
        lee.save(update_fields=["display_name"])


def test_names_from_before_that_are_now_the_same_get_a_number() -> None:
    User.objects.bulk_create(User(username=name, display_name=name) for name in ("first", "second", "third", "fourth"))
    for username, name in (("second", "Änne"), ("third", "änne"), ("first", "ÄNNE 2")):
        User.objects.filter(username=username).update(display_name=name)
    User.objects.update(name_key=F("username"))  # no two the same, and none as it will be
    migration = import_module("ccg.server.accounts.migrations.0005_names_without_case")
    migration.keep_keys(apps, SimpleNamespace(connection=connection))
    names = User.objects.order_by("pk").values_list("display_name", "name_key")
    assert list(names) == [("ÄNNE 2", "änne 2"), ("Änne", "änne"), ("änne 3", "änne 3"), ("fourth", "fourth")]


def test_names_that_look_alike_from_before_get_a_number() -> None:
    cyrillic = "\u0410l\u0456\u0441\u0435"
    names = {"first": "Alice 2", "second": "Alice", "third": cyrillic, "fourth": "A1ice", "fifth": "Lee"}
    User.objects.bulk_create(User(username=name, display_name=name) for name in names)
    for username, name in names.items():
        User.objects.filter(username=username).update(display_name=name, name_key=name_key(name), look_key="")
    migration = import_module("ccg.server.accounts.migrations.0008_no_two_look_alike")
    for _ in range(2):
        migration.keep_apart(apps, SimpleNamespace(connection=connection))
        assert list(User.objects.order_by("pk").values_list("display_name", flat=True)) == [
            "Alice 2", "Alice", f"{cyrillic} 3", "A1ice 4", "Lee",
        ]  # fmt: skip
    for person in User.objects.all():
        assert (person.name_key, person.look_key) == (name_key(person.display_name), look_key(person.display_name))


def test_an_owner_is_not_called_what_looks_like_a_player() -> None:
    User.objects.create_user("somebody", display_name="\u0410l\u0456\u0441\u0435")
    with pytest.raises(ValidationError, match="Alice looks like what somebody is called"):
        User.objects.create_superuser("Alice", password="x")


def test_a_name_in_other_signs_is_the_same_name(client: Client) -> None:
    sign_up(Client(), "Lee")
    sign_up(client, "Kara")
    me = reverse("account_me")
    for taken in ("\uff2c\uff45\uff45", "\U0001d40bee"):
        assert client.post(me, {"display_name": taken}).context["form"].errors["display_name"] == [NAME_TAKEN]
    client.post(me, {"display_name": "\uff2botshot"})
    assert str(signed_in(client)) == "Kotshot"
    assert client.post(me, {"display_name": "\ufdfa" * 3}).context["form"].errors, (
        "longer in plain signs than there is room"
    )


@pytest.mark.parametrize(
    "name", ["\u0430\u04cf\u0456\u0441\u0435", "\u0410\u0406\u0456\u0421\u0415", "aIice", "a1ice", "AL|CE", "Aiice"]
)
def test_a_name_that_looks_like_that_of_another_player_is_refused(client: Client, name: str) -> None:
    sign_up(Client(), "Alice")
    sign_up(client, "Kara")
    [said] = client.post(reverse("account_me"), {"display_name": name}).context["form"].errors["display_name"]
    assert said == "This looks like the name of another player."
    assert client.post(reverse("account_me"), {"display_name": "\u0421\u043e\u0440\u0430"}).status_code == 302
    if re.fullmatch(r"\w+", name, re.ASCII):
        assert sign_up(Client(), name).context["form"].errors["username"] == [said]
    assert client.post(reverse("account_me"), {"display_name": "l" * 40}).status_code == 302, "a name of many twins"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("\u0441\u043e\u0441\u043e", "coco"),
        ("\u0391\u039d\u039d\u0391", "Anna"),
        ("\u13da\u13aa\u13b7", "SAM"),
        ("\u03b1\u03bd\u03b1", "AVA"),
        ("d\u0131no", "Dino"),
        ("A" + "l" * 20, "AI" + "1" * 19),
    ],
)
def test_it_is_no_matter_which_of_two_names_that_look_alike_was_there_first(
    client: Client, first: str, second: str
) -> None:
    for taken, wanted in ((first, second), (second, first)):
        User.objects.all().delete()
        User.objects.create_user("somebody", display_name=taken)
        sign_up(client, "Kara")
        answer = client.post(reverse("account_me"), {"display_name": wanted})
        assert answer.context["form"].errors["display_name"] == ["This looks like the name of another player."]
        client.logout()


def test_servers_that_know_nothing_of_looks_go_on_making_guests() -> None:
    """They serve while the database is brought up to date."""
    guest = User.objects.create_guest()
    columns = ", ".join(f.column for f in User._meta.concrete_fields if f.name not in ("id", "look_key"))
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM accounts_user WHERE id = %s", [guest.pk])
        values = [
            f.get_db_prep_save(f.value_from_object(guest), connection)
            for f in User._meta.concrete_fields
            if f.name not in ("id", "look_key")
        ]
        marks = ", ".join(["%s"] * len(values))
        cursor.execute(f"INSERT INTO accounts_user ({columns}) VALUES ({marks})", values)
    assert User.objects.get().look_key == ""


@pytest.mark.parametrize("name", ["FormerPlayer", "former-player", "Guest_Viper_1234", "computer2"])
def test_nobody_signs_up_under_a_name_of_ours(client: Client, name: str) -> None:
    assert sign_up(client, name).context["form"].errors["username"]
    assert not User.objects.exists()


def test_a_guest_is_led_from_the_account_page_to_keeping_it(client: Client) -> None:
    client.post(reverse("guest"))
    assert client.get(reverse("account_me"))["Location"] == reverse("account_upgrade")


def test_the_account_page_is_for_those_who_are_signed_in(client: Client) -> None:
    assert client.get(reverse("account_me"))["Location"].startswith(reverse("account_login"))


def test_a_new_password_is_offered_only_where_one_can_be_sent(client: Client, settings: Any) -> None:
    login, change, reset = (reverse(f"account_{name}") for name in ("login", "change_password", "reset_password"))
    member = Client()
    sign_up(member, "Kara")
    assert reset not in client.get(login).content.decode()
    assert reset not in member.get(change).content.decode()
    assert "sends no mail" in client.get(reset).content.decode()
    settings.EMAIL_HOST = "mail.example"
    assert reset in client.get(login).content.decode()
    assert reset in member.get(change).content.decode()
    assert "Send the link" in client.get(reset).content.decode()


def test_changing_the_password_keeps_this_browser_and_ends_the_others(client: Client) -> None:
    sign_up(client, "Kara")
    elsewhere = Client()
    elsewhere.post(reverse("account_login"), {"login": "kara", "password": PASSWORD})
    fields = {"oldpassword": PASSWORD, "password1": "battlestar 75 ages", "password2": "battlestar 75 ages"}
    assert client.post(reverse("account_change_password"), fields).status_code == 302
    assert client.get(reverse("account_me")).status_code == 200
    assert elsewhere.get(reverse("account_me")).status_code == 302


@pytest.mark.parametrize(("name", "most"), [("account_signup", 20), ("account_login", 30)])
def test_who_sends_a_form_too_often_reads_when_to_come_back_and_keeps_what_was_typed(name: str, most: int) -> None:
    browser, address = Client(), reverse(name)
    typed = {"username": "Boomer", "login": "Boomer", "password1": "not the same", "password2": "as this one"}
    for _ in range(most):
        assert browser.post(address, typed).status_code == 200
    page = browser.post(address, {**typed, "password": "secret-1"})
    said = page.content.decode()
    assert (page.status_code, page["Retry-After"]) == (429, "60")
    assert "wait a minute" in said
    assert 'value="Boomer"' in said
    assert not {"not the same", "as this one", "secret-1"} & set(re.findall(r'value="([^"]*)"', said))
    assert not User.objects.filter(username="boomer").exists()

    told = browser.post(address, typed, headers={"accept": "application/json"})
    assert (told.status_code, told["Retry-After"]) == (429, "60")
    assert told.json()["code"] == "too_many_requests"
    assert "Wait a minute" in told.json()["detail"]


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_all_other_limits_answer_with_a_page_of_ours_or_json(
    rf: Any, client: Client, settings: Any, accept: str
) -> None:
    settings.GUESTS_PER_HOUR = 0
    headers = {"accept": accept}
    answers = {
        "3600": [client.post(reverse("guest"), headers=headers)],
        "900": [Client(REMOTE_ADDR="3.3.3.3").post(
            reverse("account_login"), {"login": "kara", "password": "x"}, headers=headers
        ) for _ in range(12)][-1:],
        "60": [handler429(_from(rf.post("/", headers=headers)))],
    }  # fmt: skip
    for seconds, some in answers.items():
        for answer in some:
            assert (answer.status_code, answer["Retry-After"]) == (429, seconds)
            if accept == "text/html":
                assert "Ragtag Fleet</title>" in answer.content.decode()
            else:
                assert json.loads(answer.content)["code"] == "too_many_requests"


def _from(request: Any) -> Any:
    """Let a stranger send ``request``."""
    request.user, request.session = AnonymousUser(), {}
    return request
