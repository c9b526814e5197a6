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


@pytest.mark.parametrize("elsewhere", ["https://example.org/", "//example.org/", "javascript:alert(1)"])
def test_next_leads_nowhere_else(client: Client, elsewhere: str) -> None:
    assert client.post(reverse("guest"), {"next": elsewhere})["Location"] == "/"


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


def test_guessing_passwords_is_stopped(client: Client, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = False
    sign_up(Client(), "Kara")
    answers = [
        client.post(reverse("account_login"), {"login": "kara", "password": f"guess {number}"}).status_code
        for number in range(settings.AXES_FAILURE_LIMIT + 2)
    ]
    assert answers[0] == 200
    assert answers[-1] == 429
    late = client.post(reverse("account_login"), {"login": "kara", "password": PASSWORD})
    assert late.status_code == 429, "the right password comes too late"
    assert "15 minutes" in late.content.decode()


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
