"""Getting in: guests, accounts, and from one to the other."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from ccg.server.accounts.names import validate_display_name

User = get_user_model()
PASSWORD = "raptor in the dark 7"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_counters() -> None:
    from django.core.cache import cache

    cache.clear()


def signed_in(client: Client) -> Any:
    """The user behind this browser, or None."""
    return User.objects.filter(pk=client.session.get("_auth_user_id")).first()


def sign_up(client: Client, name: str, url: str = "account_signup", **more: str) -> Any:
    fields = {"username": name, "password1": PASSWORD, "password2": PASSWORD, **more}
    return client.post(reverse(url), fields)


def test_one_post_makes_a_guest_and_goes_on(client: Client) -> None:
    answer = client.post(reverse("guest"), {"next": "/cards/"})
    assert (answer.status_code, answer["Location"]) == (302, "/cards/")
    guest = signed_in(client)
    assert guest.is_guest
    assert guest.display_name.startswith("Guest ")
    assert not guest.has_usable_password()


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
    User.objects.filter(username="kara").update(display_name="Starbuck")
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


@pytest.mark.parametrize("wanted", ["foo", "é", "//x.org", "/" + "x" * 3000, "\0"])
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
    assert "stay behind" in page
    client.post(reverse("account_login"), {"login": "kara", "password": PASSWORD})
    assert signed_in(client).username == "kara"


def test_who_has_an_account_needs_no_second_one(client: Client) -> None:
    sign_up(client, "Kara")
    for name in ("account_login", "account_signup", "account_upgrade"):
        assert client.get(reverse(name))["Location"] == "/"


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


def test_neither_does_asking_for_a_new_password(settings: Any, mailoutbox: list[Any]) -> None:
    settings.EMAIL_HOST = "mail.example"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    sign_up(Client(), "Kara", email="kara@example.org")
    answers = []
    for address in ("kara@example.org", "nobody@example.org"):
        answer = Client().post(reverse("account_reset_password"), {"email": address}, follow=True)
        answers.append((answer.redirect_chain, answer.status_code, answer.content))
    assert answers[0] == answers[1]
    assert [mail.to for mail in mailoutbox] == [["kara@example.org"], ["nobody@example.org"]], "a mail each"


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


@pytest.mark.parametrize("name", ["two  spaces", " edge", "tab\there", "zero\u200bwidth", "right\u202eleft", "Guest X"])
def test_names_that_deceive_are_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        validate_display_name(name)


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
