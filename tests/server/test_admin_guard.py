"""What every list and form of the admin site can be asked, whoever wrote it, and what it answers to all else."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.contrib import admin
from django.contrib.admin import site
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission
from django.db.models import Model
from django.test import Client, RequestFactory
from django.urls import NoReverseMatch, reverse

from ccg.outbox.models import Job
from ccg.server import admin_guard
from ccg.server.admin_site import FleetAdminSite
from decks.models import Deck, Format
from matches.models import Match, MatchSeat
from tests.people import signed_in
from tests.server.test_admin import PASSWORD, owner, person

pytestmark = pytest.mark.django_db

TIMES = ("gte", "lt")
DAYS = ("day", "month", "year")
ALLOWED = {
    "account.EmailAddress": {"primary__exact", "primary__isnull", "verified__exact", "verified__isnull"},
    "accounts.User": {
        *(f"{flag}__exact" for flag in ("is_staff", "is_superuser", "is_guest", "is_active")),
        *(f"{flag}__isnull" for flag in ("is_staff", "is_superuser", "is_guest", "is_active")),
        "groups__id__exact", "groups__isnull",
    },
    "auth.Group": set(),
    "axes.AccessAttempt": {
        "path_info", "path_info__isnull", "locked_out",
        *(f"attempt_time__{how}" for how in (*TIMES, *DAYS)),
    },
    "cards_data.AuditEntry": {"what__exact", "what__isnull", *(f"when__{how}" for how in (*TIMES, *DAYS))},
    "cards_data.Card": {
        "type__exact", "type__isnull", "produces__exact", "produces__isnull",
        "ability_pending__exact", "ability_pending__isnull",
        "withdrawn__exact", "withdrawn__isnull", "printings__set__code__exact", "printings__set__isnull",
    },
    "cards_data.DataVersion": set(),
    "cards_data.ImportDraft": set(),
    "cards_data.Set": set(),
    "decks.Format": set(),
    "decks.Moderation": {f"when__{how}" for how in TIMES},
    "decks.Report": {
        "state__exact", "state__isnull", "reason__exact", "reason__isnull", *(f"created__{how}" for how in TIMES),
    },
    "matches.Match": {
        "state__exact", "state__isnull", "players", "players__isnull",
        "computer_to_move__exact", "computer_to_move__isnull", *(f"created__{how}" for how in TIMES),
    },
    "outbox.Job": {"state__exact", "state__isnull", "task", "task__isnull"},
    "ratings.RatedMatch": {"pool", "pool__isnull", "season", "season__isnull"},
    "ratings.Rating": {"pool", "pool__isnull", "season", "season__isnull"},
    "ratings.Sign": {"kind__exact", "kind__isnull", "state__exact", "state__isnull"},
}  # fmt: skip
"""All that lists can be asked beside searching, ordering and leafing; nothing here names a secret."""

LISTS = list(site._registry)
SOME = ("accounts.User", "decks.Format", "matches.Match")
SAMPLE = [
    pytest.param(model, marks=() if model._meta.label in SOME else pytest.mark.thorough, id=model._meta.label)
    for model in LISTS
]
"""All lists. `make test` asks a few of them odd things: the guard is one for all, and seen to stand before each."""


def list_of(model: type[Model]) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def as_owner() -> Any:
    request = RequestFactory().get("/")
    request.user = get_user_model()(is_staff=True, is_superuser=True)
    return request


def unguarded(one: admin.AdminSite) -> list[str]:
    return [model._meta.label for model, known in one._registry.items() if not isinstance(known, admin_guard.Guarded)]


def questions(model: type[Model], depth: int = 2, before: str = "") -> Iterator[str]:
    """Yield every field and every way over relations that could be written into the address of a list."""
    for field in model._meta.get_fields(include_hidden=True):
        yield f"{before}{field.name}"
        if field.is_relation and depth > 1 and field.related_model:
            yield from questions(field.related_model, depth - 1, f"{before}{field.name}__")


# --- one guard for all ---------------------------------------------------------------------------------


def test_every_class_has_the_guard_before_it() -> None:
    assert unguarded(site) == []
    assert len(site._registry) == len(ALLOWED)


def test_a_class_that_knows_nothing_of_the_guard_gets_it() -> None:
    one = FleetAdminSite()
    one.register(Match)
    one.register([Format, Group], admin.ModelAdmin)
    assert unguarded(one) == []


def test_a_class_that_came_in_past_it_is_noticed() -> None:
    one = FleetAdminSite()
    one._registry[Match] = admin.ModelAdmin(Match, one)
    assert unguarded(one) == ["matches.Match"]


def test_these_are_all_the_filters_there_are() -> None:
    found = {model._meta.label: set(admin_guard.lookups(known, as_owner())) for model, known in site._registry.items()}
    assert found == ALLOWED


@pytest.mark.parametrize("model", LISTS, ids=lambda model: model._meta.label)
def test_no_field_and_no_relation_can_be_asked_beside_them(model: type[Model]) -> None:
    known = site._registry[model]
    request = as_owner()
    hows = ("", "__exact", "__startswith", "__regex", "__contains", "__gt", "__in", "__isnull", "__pk")
    asked = 0
    for question, how in itertools.product(set(questions(model)), hows):
        allowed = known.lookup_allowed(question + how, "1", request)
        assert allowed == (question + how in ALLOWED[model._meta.label]), question + how
        asked += 1
    assert asked > 30


@pytest.mark.parametrize("model", SAMPLE)
def test_odd_questions_are_answered_by_400_and_nothing_else(model: type[Model]) -> None:
    client, address = owner(), list_of(model)
    assert client.get(address).status_code == 200
    names = [field.name for field in model._meta.get_fields()]
    odd = [
        *(f"{name}__startswith=a" for name in names),
        *(f"{name}__regex=(a%2B)%2B$" for name in names),
        *(f"{name}__id__gt=0" for name in names),
        "nothing=1", "pk=1", "pk__in=1,2", "id__gte=0", "__=", "=1", "e=1", "%00=1", "_to_field=seed", "_to_field=",
        "_popup=2", "o=abc", "o=99", "o=1.1", "o=" + "1." * 300, "o=-", "p=0", "p=x", f"p={10**30}", "all=x",
        "q=%00", "q=%ED%A0%80", "q=%FF", "q=" + "a+" * 50, "q=" + "a" * 5000, "q=a&q=b", "_facets=x", "page=%00",
    ]  # fmt: skip
    for question in odd:
        answer = client.get(f"{address}?{question}")
        assert answer.status_code == 400, question
        assert client.post(f"{address}?{question}", {"action": ""}).status_code in (400, 403), question


@pytest.mark.parametrize("model", [model for model in LISTS if ALLOWED[model._meta.label]], ids=lambda m: m._meta.label)
def test_filters_refuse_what_can_be_no_value_of_theirs(model: type[Model]) -> None:
    client, address = owner(), list_of(model)
    never = ["%00", "%ED%A0%80", "%FF", "a" * 300, "%0A", "1&{0}=1"]
    for lookup in ALLOWED[model._meta.label]:
        # Any text is a value of these columns, and what no row has is simply not found.
        free = lookup in (
            "task", "path_info", "pool", "printings__set__code__exact", "groups__id__exact", "produces__exact",
        )  # fmt: skip
        for value in [*never, *([] if free else ["", "x", "9" * 40, "-1", "1e5", "None", "{}"])]:
            question = f"{lookup}={value.format(lookup)}"
            assert client.get(f"{address}?{question}").status_code == 400, question
    for time in ("0001-01-01 00:00:00%2B23:59", "9999-12-31 23:59:59-23:00", "2026-01-01", "2026-02-30 00:00:00Z"):
        for lookup in (one for one in ALLOWED[model._meta.label] if one.endswith(("__gte", "__lt"))):
            assert client.get(f"{address}?{lookup}={time}").status_code == 400, time


def test_filters_answer_what_their_links_ask(all_cards: None) -> None:
    from cards_data.models import Card

    client = owner()
    Match.objects.create(players=2)
    AccessAttempt.objects.create(username="x", path_info="/accounts/login/", failures_since_start=1)
    Job.objects.create(key="a", task="a")
    asked = {
        Match: [
            "state__exact=open", "players=2", "created__gte=2026-01-01 00:00:00%2B00:00",
            "o=-1.2", "q=abc", "_facets=True",
        ],
        Card: ["printings__set__code__exact=BSG1&type__exact=personnel", "all=", "p=2", "o=", "q=viper 442"],
        AccessAttempt: ["locked_out=yes", "attempt_time__year=2026&attempt_time__month=2&attempt_time__day=3"],
        Job: ["state__exact=failed&task=a"],
        get_user_model(): ["is_staff__exact=1", "groups__isnull=True", "_popup=1&_to_field=id"],
    }  # fmt: skip
    for model, questions in asked.items():
        for question in questions:
            assert client.get(f"{list_of(model)}?{question}").status_code == 200, question
    assert (
        client.get(
            f"{list_of(AccessAttempt)}?attempt_time__year=2026&attempt_time__month=2&attempt_time__day=31"
        ).status_code
        == 400
    )


def test_the_secrets_of_a_match_cannot_be_asked_for_bit_by_bit() -> None:
    match = Match.objects.create(players=2, state="running", saved=b"all-hands", seed=b"top-secret")
    MatchSeat.objects.create(match=match, number=0, cards=["BSG1-144"], base="BSG1-007")
    client = signed_in(person("saul", "matches.view_match", is_staff=True))
    for question in (
        "seed__startswith=top", "seed__regex=^t", "saved__contains=hands", "invite_nonce__startswith=a",
        "invite_hash__startswith=a", "digest__startswith=a", "seats__base=BSG1-007", "seats__cards__contains=BSG1-144",
        "moves__option__startswith=1", "archive__record__startswith=a", "seats__user__password__startswith=md5",
        "seats__deck_label__startswith=a", "rematch_of__seed__startswith=a",
    ):  # fmt: skip
        assert client.get(f"{list_of(Match)}?{question}").status_code == 400, question


def test_what_is_refused_is_no_traceback_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    client = owner()
    for name in ("django.request", "django.security"):
        caplog.set_level("WARNING", name)
    for question in ("seed__startswith=a", "nothing=1", "_to_field=seed", "p=x"):
        assert client.get(f"{list_of(Match)}?{question}").status_code == 400
    assert client.get(f"{reverse('admin:auth_group_add')}?_to_field=name").status_code == 400
    assert caplog.records and not any(record.exc_info for record in caplog.records)


# --- rows ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", SAMPLE)
def test_ids_that_are_none_lead_nowhere(model: type[Model]) -> None:
    client = owner()
    name = f"{model._meta.app_label}_{model._meta.model_name}"
    for page in ("change", "history", "delete"):
        for odd in ("_00", "a" * 400, "9" * 40, "-1", "%FF", "_ED_A0_80", "x", "1e9", "0", "_0A"):
            for method in (client.get, client.post):
                answer = method(f"/admin/{model._meta.app_label}/{model._meta.model_name}/{odd}/{page}/")
                assert answer.status_code in (302, 403, 404), (name, page, odd, answer.status_code)


def test_rows_chosen_by_what_is_no_id_are_refused() -> None:
    failed = Job.objects.create(key="a:1", task="a", state=Job.State.FAILED)
    client = owner()
    for chosen in ("x", "", "9" * 400, "\0", "1; drop", "1.5"):
        said = {"action": "try_again", "_selected_action": chosen}
        assert client.post(list_of(Job), said).status_code == 400, chosen
    failed.refresh_from_db()
    assert failed.state == Job.State.FAILED
    for said in ({"action": "nothing"}, {"action": "try_again", "index": "x"}, {"action": "delete_selected"}):
        assert client.post(list_of(Job), {"_selected_action": failed.pk, **said}).status_code in (200, 302)


def test_a_link_fills_in_no_form() -> None:
    rights = ",".join(str(pk) for pk in Permission.objects.values_list("pk", flat=True)[:5])
    page = owner().get(reverse("admin:auth_group_add"), {"name": "Harmless", "permissions": rights}).content.decode()
    assert "Harmless" not in page
    assert "selected" not in page


def test_no_address_of_a_private_row_is_told_by_its_number() -> None:
    with pytest.raises(NoReverseMatch):
        reverse("admin:view_on_site", args=[1, 1])
    from django.contrib.contenttypes.models import ContentType

    deck = Deck.objects.create(
        name="Shared by link",
        owner=person(),
        format=Format.objects.create(code="mine", name="Mine"),
        visibility="unlisted",
    )
    kind = ContentType.objects.get_for_model(Deck)
    answer = signed_in(person("saul", is_staff=True)).get(f"/admin/r/{kind.pk}/{deck.pk}/")
    assert answer.status_code == 404


def test_deleting_a_format_names_nobodys_deck() -> None:
    known = Format.objects.create(code="mine", name="Mine")
    Deck.objects.create(name="Hidden wing", format=known, owner=person(), visibility="private")
    client = signed_in(person("saul", "decks.view_format", "decks.delete_format", is_staff=True))
    for answer in (
        client.get(reverse("admin:decks_format_delete", args=[known.pk])),
        client.post(list_of(Format), {"action": "delete_selected", "_selected_action": known.pk}),
    ):
        assert answer.status_code == 200
        assert "1 that use it" in answer.content.decode()
        assert "Hidden wing" not in answer.content.decode()


# --- passwords, addresses, locks -----------------------------------------------------------------------


def password_page(user: Any) -> str:
    return reverse("admin:auth_user_password_change", args=[user.pk])


NEW = {"password1": "battlestar 75 ages", "password2": "battlestar 75 ages", "usable_password": "true"}


@pytest.mark.parametrize(
    "rights", [["accounts.change_user"], ["accounts.change_user", "accounts.view_user", "accounts.add_user"]]
)
def test_staff_set_nobodys_password(rights: list[str]) -> None:
    kara, guest = person(), get_user_model().objects.create_guest()
    saul = person("saul", *rights, is_staff=True)
    client = signed_in(saul)
    for user in (kara, guest, saul):
        before = user.password
        for said in (NEW, {**NEW, "usable_password": "false", "unset-password": "1"}):
            assert client.get(password_page(user)).status_code == 403
            assert client.post(password_page(user), said).status_code == 403
        user.refresh_from_db()
        assert user.password == before
    said = {"login": "kara", "password": NEW["password1"]}
    assert Client().post(reverse("account_login"), said).status_code == 200
    page = client.get(reverse("admin:accounts_user_change", args=[kara.pk])).content.decode()
    assert "password/" not in page
    assert "algorithm" not in page


def test_an_owner_sets_a_players_password() -> None:
    kara = person()
    client = owner()
    assert "password/" in client.get(reverse("admin:accounts_user_change", args=[kara.pk])).content.decode()
    assert client.post(password_page(kara), NEW).status_code == 302
    kara.refresh_from_db()
    assert kara.check_password(NEW["password1"])


def test_mail_addresses_are_looked_at_and_nothing_else() -> None:
    from allauth.account.models import EmailAddress

    bill = get_user_model().objects.create_superuser("bill", "bill@example.org", PASSWORD)
    address = EmailAddress.objects.create(user=bill, email="bill@example.org", primary=True, verified=False)
    rights = [f"account.{verb}_emailaddress" for verb in ("add", "change", "delete", "view")]
    said = {"user": bill.pk, "email": "saul@example.org", "verified": "on", "primary": "on"}
    for client in (signed_in(person("saul", *rights, is_staff=True)), signed_in(bill)):
        page = client.get(list_of(EmailAddress)).content.decode()
        assert "bill@example.org" in page and "make_verified" not in page
        assert client.get(reverse("admin:account_emailaddress_change", args=[address.pk])).status_code == 200
        for name, args in (("change", [address.pk]), ("delete", [address.pk]), ("add", [])):
            assert client.post(reverse(f"admin:account_emailaddress_{name}", args=args), said).status_code == 403
        for action in ("make_verified", "delete_selected"):
            client.post(list_of(EmailAddress), {"action": action, "_selected_action": address.pk})
    before = EmailAddress.objects.values("email", "user", "verified", "primary")
    assert list(before) == [{"email": "bill@example.org", "user": bill.pk, "verified": False, "primary": True}]


def test_locks_are_seen_and_taken_off_by_those_who_may_and_tell_nothing_typed() -> None:
    attempt = AccessAttempt.objects.create(
        username="kara", path_info="/accounts/login/", failures_since_start=10, ip_address="127.0.0.1",
        get_data="next=/play/invite/abcdefghijklmnopqrstuv/", post_data="login=kara-secret",
    )  # fmt: skip
    looking = signed_in(person("saul", "axes.view_accessattempt", "axes.change_accessattempt", is_staff=True))
    page = looking.get(reverse("admin:axes_accessattempt_change", args=[attempt.pk]))
    assert page.status_code == 200
    for secret in ("abcdefghijklmnopqrstuv", "kara-secret"):
        assert secret not in page.content.decode()
    looking.post(list_of(AccessAttempt), {"action": "cleanup_expired_attempts", "_selected_action": attempt.pk})
    assert (
        looking.post(reverse("admin:axes_accessattempt_delete", args=[attempt.pk]), {"post": "yes"}).status_code == 403
    )
    assert AccessAttempt.objects.count() == 1
    rights = ("axes.view_accessattempt", "axes.delete_accessattempt")
    deleting = signed_in(person("ana", *rights, is_staff=True))
    assert (
        deleting.post(reverse("admin:axes_accessattempt_delete", args=[attempt.pk]), {"post": "yes"}).status_code == 302
    )
    assert not AccessAttempt.objects.exists()


NOTHING = [
    f"{app}.{verb}_{model}"
    for app, model in (
        ("cards_data", "card"), ("cards_data", "set"), ("cards_data", "dataversion"), ("matches", "match"),
        ("axes", "accessattempt"), ("account", "emailaddress"),
    )
    for verb in ("add", "change", "delete")
    if (verb, model) != ("delete", "accessattempt")
]  # fmt: skip
"""Rights that Django makes for what nobody adds, changes or deletes here."""


@pytest.mark.parametrize("right", NOTHING)
def test_a_right_to_change_what_does_not_change_opens_no_page(right: str) -> None:
    client = signed_in(person("saul", right, is_staff=True))
    assert client.get(reverse("admin:index")).context["app_list"] == []
    for model in LISTS:
        assert client.get(list_of(model)).status_code == 403, model


def test_parts_of_a_page_need_a_right_to_look_at_them_too() -> None:
    match = Match.objects.create(players=2, state="running", saved=b"state", seed=b"seed")
    MatchSeat.objects.create(match=match, number=0, name="Starbuck")
    address = reverse("admin:matches_match_change", args=[match.pk])
    changing = signed_in(person("saul", "matches.view_match", "matches.change_matchseat", is_staff=True))
    assert "Starbuck" not in changing.get(address).content.decode()
    looking = signed_in(person("ana", "matches.view_match", "matches.view_matchseat", is_staff=True))
    assert "Starbuck" in looking.get(address).content.decode()


def test_who_changes_players_sees_players_and_not_staff() -> None:
    kara, lee = person(), person("lee", is_staff=True)
    client = signed_in(person("saul", "accounts.change_user", is_staff=True))
    assert client.get(reverse("admin:accounts_user_change", args=[kara.pk])).status_code == 200
    assert client.get(reverse("admin:accounts_user_change", args=[lee.pk])).status_code == 403


def test_keys_of_background_work_are_for_owners() -> None:
    """They have the address of the match that the work is about."""
    job = Job.objects.create(key="matches.turn:secretmatch:7", task="matches.turn")
    client = signed_in(person("saul", "outbox.view_job", "outbox.change_job", is_staff=True))
    pages = [list_of(Job), *(reverse(f"admin:outbox_job_{kind}", args=[job.pk]) for kind in ("change", "history"))]
    for page in pages:
        said = client.get(page)
        assert said.status_code == 200, page
        assert "secretmatch" not in said.content.decode(), page
    assert client.get(list_of(Job), {"q": "secretmatch"}).context["cl"].result_count == 0
    bill = owner()
    for page in pages[:2]:
        assert "secretmatch" in bill.get(page).content.decode(), page
    assert bill.get(list_of(Job), {"q": "secretmatch"}).context["cl"].result_count == 1


def test_payloads_and_errors_of_background_work_are_for_owners() -> None:
    job = Job.objects.create(
        key="a:1", task="a", state=Job.State.FAILED, payload={"card": "BSG1-144"},
        error="Traceback …\nccg.rules.RulesError: unit 3 (BSG1-007) is not in the hand of seat 1\n",
    )  # fmt: skip
    address = reverse("admin:outbox_job_change", args=[job.pk])
    page = signed_in(person("saul", "outbox.change_job", is_staff=True)).get(address).content.decode()
    assert "ccg.rules.RulesError" in page
    assert "BSG1" not in page
    assert "BSG1-144" in owner().get(address).content.decode()
    found = signed_in(get_user_model().objects.get(username="saul")).get(list_of(Job), {"q": "BSG1-007"})
    assert found.context["cl"].result_count == 0
