"""Every address of the site with what it needs to be asked: whatever the site routes has to have a row here.

Pages without arguments and the pages of the administration are found by themselves; what takes arguments of its own
is written down in :func:`_with_arguments`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.contrib import admin
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import NoReverseMatch, URLResolver, get_resolver, reverse
from django.utils.http import int_to_base36
from msgspec import Struct, field

from matches.clocks.tempo import CORRESPONDENCE
from matches.notices import mails
from matches.table.table_settings import TableSettings, written

from .world import HOST, MARK, World

Body = Mapping[str, Any] | Callable[[], Mapping[str, Any]]


class Page(Struct, frozen=True):
    """One address, by its route and what it is about."""

    route: str
    url: str
    about: str = ""
    posts: Mapping[str, Body] = field(default_factory=lambda: {"": {}})
    """What is sent to it, each by a name."""
    query: str = ""
    verbs: Mapping[str, Body] = field(default_factory=dict)
    """What is sent by other verbs that this address knows."""
    json: bool = False
    """Whether bodies are JSON."""

    @property
    def name(self) -> str:
        """How the table calls it."""
        return f"{self.route} {self.about}".strip()


def routes() -> list[str]:
    """Return all routes of the site: by their names, and by their patterns where they have none."""
    known: dict[str, str] = {}
    for name, pattern in _walk(get_resolver(), "", ()):
        # A second route of the same name is one of its own, unless it is at the same address and so never reached.
        known.setdefault(name if known.get(name, pattern) == pattern else pattern, pattern)
    return list(known)


def pages(world: World) -> list[Page]:
    """Return a page, or several, for every route that is known; what is not is missing here."""
    known = _with_arguments(world)
    result: list[Page] = []
    for route in routes():
        if route in known:
            result += [one if isinstance(one, Page) else Page(route, *one) for one in known[route]]
        else:
            result += _plain(route) or _of_admin(route, world)
    return result


def _walk(resolver: URLResolver, before: str, spaces: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the name and the pattern of every route."""
    for one in resolver.url_patterns:
        pattern = before + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from _walk(one, pattern, (*spaces, one.namespace) if one.namespace else spaces)
        else:
            yield ":".join((*spaces, one.name)) if one.name else pattern, pattern


def _plain(route: str) -> list[Page]:
    try:
        return [Page(route, reverse(route))] if "/" not in route and not _is_of_model(route) else []
    except NoReverseMatch:
        return []


# --- the administration ---------------------------------------------------------------------------------


def _models() -> dict[str, tuple[Any, Any]]:
    """Return registered models with their admin class, by how their addresses are called."""
    registry = admin.site._registry.items()
    return {f"{model._meta.app_label}_{model._meta.model_name}": (model, known) for model, known in registry}


def _is_of_model(route: str) -> bool:
    return route.removeprefix("admin:").rpartition("_")[0] in _models()


def _of_admin(route: str, world: World) -> list[Page]:
    """Return the page of a route that Django makes for a registered model."""
    called, _, kind = route.removeprefix("admin:").rpartition("_")
    if "/<path:object_id>/" in route:
        called, kind = "_".join(route.split("/")[1:3]), "short"
    if called not in _models():
        return []
    model, known = _models()[called]
    pk = world.rows.get(model._meta.label)
    if kind == "short":
        return [Page(route, f"/{route}".replace("<path:object_id>", str(pk)))]
    if kind == "changelist":
        secret = {"accounts_user": "password", "matches_match": "seed", "outbox_job": "payload"}.get(called, "pk")
        filtered = Page(route, reverse(route), f"by {secret}", {}, f"?{secret}__startswith=a")
        return [Page(route, reverse(route), "", _actions(known, pk)), filtered]
    if kind == "add":
        return [Page(route, reverse(route), "", {"": _form(called, world)})]
    bodies: dict[str, Mapping[str, Body]] = {
        "change": {"": _form(called, world)},
        "delete": {"": {"post": "yes"}},
        "history": {"": {}},
    }
    return [Page(route, reverse(route, args=[pk]), "", bodies[kind])] if kind in bodies else []


def _actions(known: Any, pk: Any) -> dict[str, Body]:
    """Return what can be asked to be done with a chosen row, deleting it always among that."""
    names = {"delete_selected", *(name for _, name, _ in known._get_base_actions())}
    return {name: {"action": name, "_selected_action": [pk], "post": "yes"} for name in sorted(names)}


def _form(called: str, world: World) -> dict[str, Any]:
    """Return a form that would be saved, trying to gain as much as it can."""
    rights = list(Permission.objects.values_list("pk", flat=True))
    user = world.people["other"].pk
    forms: dict[str, dict[str, Any]] = {
        "accounts_user": {
            "username": "taken", "display_name": "Renamed", "email": "staff@canary.example", "is_staff": "on",
            "is_superuser": "on", "user_permissions": rights, "password1": "so say we all 75",
            "password2": "so say we all 75", "usable_password": "true",
        },
        "auth_group": {"name": "All of it", "permissions": rights},
        "account_emailaddress": {"user": user, "email": "staff@canary.example", "verified": "on", "primary": "on"},
        "decks_format": {
            "code": "canary", "name": "Another", "editions-TOTAL_FORMS": "0", "editions-INITIAL_FORMS": "0",
        },
    }  # fmt: skip
    usual = {"name": "Another", "state": "finished", "seats-TOTAL_FORMS": "0", "seats-INITIAL_FORMS": "0"}
    return forms.get(called, usual)


# --- what takes arguments -------------------------------------------------------------------------------

PageArguments = tuple[str, str, Mapping[str, Body]] | Page
NOTHING: Mapping[str, Body] = {"": {}}
SCENARIO = "rules/winning/twenty-wins/a-player-who-reaches-20-influence-wins"
"""The address of one of the scenarios that can be watched."""


def _with_arguments(world: World) -> dict[str, list[PageArguments]]:
    """Return the pages of routes with arguments, and of those that are worth more than an empty form."""
    return {
        **_of_site(world), **_of_people(world), **_of_decks(world), **_of_playtests(world), **_of_matches(world),
        **_of_notices(world), **_of_staff(world), **_of_api(world),
    }  # fmt: skip


def _of_site(world: World) -> dict[str, list[PageArguments]]:
    return {
        "rules_chapter": [(reverse("rules_chapter", args=["table"]), "", NOTHING)],
        "played": [(reverse("played", args=[SCENARIO]), "", NOTHING)],
        "played_data": [(reverse("played_data", args=[SCENARIO]), "", NOTHING)],
        "cards_data:card": [("/cards/BSG1-001/", "", NOTHING)],
        "cards_data:set": [("/sets/BSG1/", "", NOTHING)],
    }


def _of_people(world: World) -> dict[str, list[PageArguments]]:
    new = {"password1": "so say we all 75", "password2": "so say we all 75"}
    alice = world.people["alice"]
    signing_in = {"login": "alice", "password": "alice of the fleet 75"}
    key = f"{int_to_base36(alice.pk)}-set-password"
    uid, _, rest = key.partition("-")
    return {
        "account_login": [(reverse("account_login"), "", {"": {**signing_in, "password": "no"}, "right": signing_in})],
        "account_signup": [(reverse("account_signup"), "", {"": {"username": "newcomer", **new}})],
        "account_upgrade": [(reverse("account_upgrade"), "", {"": {"username": "newcomer", **new}})],
        "account_me": [(reverse("account_me"), "", {"": {"display_name": "New"}, "taken": {"display_name": "bob"}})],
        "account_settings": [(reverse("account_settings"), "", {"": written(TableSettings())})],
        "account_settings_kept": [
            Page(
                "account_settings_kept",
                reverse("account_settings_kept"),
                verbs={"PUT": written(TableSettings(sound="on"))},
                json=True,
            )
        ],
        "account_delete": [
            (reverse("account_delete"), "", {"": {"decks": "leave", "password": "alice of the fleet 75"}})
        ],
        "account_change_password": [
            (reverse("account_change_password"), "", {"": {"oldpassword": "alice of the fleet 75", **new}})
        ],
        "account_set_password": [(reverse("account_set_password"), "", {"": new})],
        "account_email": [
            (reverse("account_email"), "", {"": {"action_add": "", "email": "new@canary.example"},
                                            "of another": {"action_primary": "", "email": "owner@canary.example"}}),
        ],
        "account_reset_password": [(reverse("account_reset_password"), "", {"": {"email": "owner@canary.example"}})],
        "account_reauthenticate": [(reverse("account_reauthenticate"), "", {"": {"password": "wrong"}})],
        "account_confirm_email": [("/accounts/confirm-email/canary/", "", NOTHING)],
        "account_reset_password_from_key": [
            (reverse("account_reset_password_from_key", args=[uid, rest]), "without its mail", {"": new})
        ],
    }  # fmt: skip


def _of_decks(world: World) -> dict[str, list[PageArguments]]:
    pages_by_route: dict[str, list[PageArguments]] = {}
    changed = {"": {"name": "Renamed", "visibility": "public"}}
    for about, uid in world.decks.items():
        for name, posts in (
            ("deck", NOTHING), ("edit", {"": {"do": "save", "text": "4 Apollo"}}),
            ("settings", changed), ("delete", NOTHING),
            ("copy", {"": {"do": "save as guest"}}), ("link", {"": {"do": "renew"}, "revoke": {"do": "revoke"}}),
            ("about", {"": {"text": "Canary", "tags": "new", "do": "save"}}), ("draw", NOTHING),
            ("like", {"": {}, "unlike": {"do": "unlike"}}), ("comment", {"": {"text": "It flies well"}}),
            ("report", {"": {"reason": "spam"}}),
        ):  # fmt: skip
            pages_by_route.setdefault(f"decks:{name}", []).append((reverse(f"decks:{name}", args=[uid]), about, posts))
        for name in ("version", "version_copy", "version_draw", "revert"):
            pages_by_route.setdefault(f"decks:{name}", []).append(
                (reverse(f"decks:{name}", args=[uid, 1]), about, NOTHING)
            )
        for name, sent in (("remove_comment", NOTHING), ("report_comment", {"": {"reason": "spam"}})):
            page = reverse(f"decks:{name}", args=[uid, world.comments[about]])
            pages_by_route.setdefault(f"decks:{name}", []).append((page, about, sent))
        told = (f"{reverse('decks:oembed')}?url=http://{HOST}/decks/{uid}/", about, NOTHING)
        pages_by_route.setdefault("decks:oembed", []).append(told)
        compared = (f"{reverse('decks:compare')}?from={uid}", about, NOTHING)
        pages_by_route.setdefault("decks:compare", []).append(compared)
        for name in ("version_print", "version_proxies", "version_qr"):
            pages_by_route.setdefault(f"decks:{name}", []).append(
                (reverse(f"decks:{name}", args=[uid, 1]), about, NOTHING)
            )
        for name in ("print", "proxies", "qr", "preview"):
            pages_by_route.setdefault(f"decks:{name}", []).append(
                (reverse(f"decks:{name}", args=[uid]), about, NOTHING)
            )
        for name, version in (("export", ()), ("version_export", (1,))):
            pages_by_route.setdefault(f"decks:{name}", []).append(
                (reverse(f"decks:{name}", args=[uid, *version, "json"]), about, NOTHING)
            )
    for about, uid in (("private", world.decks["private"]), ("draft", world.draft)):
        for name, posts in (("draft", NOTHING), ("publish", {"": {"revision": "1", "visibility": "public"}})):
            pages_by_route.setdefault(f"decks:{name}", []).append((reverse(f"decks:{name}", args=[uid]), about, posts))
    pages_by_route["decks:edit"].append((reverse("decks:edit", args=[world.draft]), "draft", NOTHING))
    saving = {"": {"do": "save", "text": "# nothing"}}
    pages_by_route["decks:author"] = [(reverse("decks:author", args=["alice"]), "", NOTHING)]
    pages_by_route["decks:blocks"] = [
        (reverse("decks:blocks"), "", {"": {"name": "bob"}, "unblock": {"name": "blocked", "do": "unblock"}})
    ]
    saving_searches = {
        "": {"about": "cards", "name": "New", "query": "t:ship"},
        "odd": {"about": "cards", "name": "", "query": "("},
    }
    pages_by_route["cards_data:save_search"] = [(reverse("cards_data:save_search"), "", saving_searches)]
    pages_by_route["cards_data:saved_search"] = [
        (reverse("cards_data:saved_search", args=[world.saved_search]), "alice", {"": {}})
    ]
    pages_by_route["decks:collection"] = [
        (reverse("decks:collection"), "", {"": {"do": "add", "text": "4 Fury"}, "forget": {"do": "forget"}})
    ]
    pages_by_route["decks:collection_change"] = [
        (reverse("decks:collection_change"), "", {"": {"more": "BSG1-099"}, "odd": {"more": "none"}})
    ]
    return {**pages_by_route, "decks:new": [(reverse("decks:new"), "", saving)]}


def _of_playtests(world: World) -> dict[str, list[PageArguments]]:
    """Return the addresses of what is tested, which lie below decks and drafts, and those of a playtest."""
    asked: list[tuple[str, str, list[Any]]] = [("deck", about, [uid]) for about, uid in world.decks.items()]
    asked += [("version", about, [uid, 1]) for about, uid in world.decks.items()]
    drafts = (("private", world.decks["private"]), ("draft", world.draft))
    asked += [(name, about, [uid]) for about, uid in drafts for name in ("draft", "try")]
    asked += [(name, "", [world.playtest]) for name in ("playtest", "stop", "go_on")]
    found: dict[str, list[PageArguments]] = {}
    for name, about, arguments in asked:
        route = f"playtests:{name}"
        found.setdefault(route, []).append((reverse(route, args=arguments), about, NOTHING))
    return found


def _of_notices(world: World) -> dict[str, list[PageArguments]]:
    browser: Mapping[str, Body] = {"": {"endpoint": "https://fcm.googleapis.com/canary"}}
    page = reverse("notices:browser")
    return {
        "notices:settings": [(reverse("notices:settings"), "", {"": {"mail": "daily", "endings": "on"}})],
        "notices:browser": [
            Page("notices:browser", page, posts=browser, verbs={"DELETE": browser[""]}, json=True),
        ],
        "notices:stop": [
            (reverse("notices:stop", args=[mails.token_of(world.people["alice"].pk)]), "alice", NOTHING),
            (reverse("notices:stop", args=["1-aaaaaaaaaaaaaaaaaaaaaa"]), "guessed", NOTHING),
        ],
    }


def _of_api(world: World) -> dict[str, list[PageArguments]]:
    """Return the addresses of the API that take arguments or bodies; with the verbs that they know."""
    text = {"text": "# Renamed\n4 Fury"}
    changes: Mapping[str, Body] = {"PUT": text, "PATCH": {"visibility": "public"}, "DELETE": {}}
    found: dict[str, list[PageArguments]] = {
        "api_missing": [("/api/nothing/", "", NOTHING)],
        "account_tokens": [(reverse("account_tokens"), "", {"": {"name": "for a program"}, "revoke": {"revoke": "1"}})],
        "cards_data:api_bulk_file": [("/api/v1/bulk/decks.json", "", NOTHING)],
        "cards_data:api_card": [("/api/v1/cards/BSG1-001/", "", NOTHING)],
        "cards_data:api_printing": [("/api/v1/printings/BSG1-001/", "", NOTHING)],
        "cards_data:api_set": [("/api/v1/sets/BSG1/", "", NOTHING)],
        "decks:api_card_legality": [("/api/v1/cards/BSG1-001/legality/", "", NOTHING)],
        "decks:api_format": [("/api/v1/formats/standard-2006/", "", NOTHING)],
        "decks:api_check": [Page("decks:api_check", reverse("decks:api_check"), "", {"": text}, json=True)],
        "decks:api_decks": [
            Page("decks:api_decks", reverse("decks:api_decks"), "", {"": text}, json=True),
            Page("decks:api_decks", reverse("decks:api_decks"), "mine", query="?mine=true"),
        ],
    }
    for about, uid in world.decks.items():
        address = reverse("decks:api_deck", args=[uid])
        found.setdefault("decks:api_deck", []).append(Page("decks:api_deck", address, about, verbs=changes, json=True))
        for name, more in (("api_versions", ()), ("api_version", (1,))):
            found.setdefault(f"decks:{name}", []).append((reverse(f"decks:{name}", args=[uid, *more]), about, NOTHING))
    return found


def _of_matches(world: World) -> dict[str, list[PageArguments]]:
    pages_by_route: dict[str, list[PageArguments]] = {}
    for about, match in world.matches.items():
        for name in ("table", "rematch", "withdraw", "begin_now", "new_link", "api_match", "api_ending"):
            pages_by_route.setdefault(f"matches:{name}", []).append(
                (reverse(f"matches:{name}", args=[match]), about, NOTHING)
            )
        for name in ("table", "table_here"):
            pages_by_route.setdefault(f"pairing:{name}", []).append(
                (reverse(f"pairing:{name}", args=[match]), about, NOTHING)
            )
        pages_by_route.setdefault("ratings:api_rating", []).append(
            (reverse("ratings:api_rating", args=[match]), about, NOTHING)
        )
        pages_by_route |= _of_replay(match, about, pages_by_route)
        for name in ("match", "api_match"):
            pages_by_route.setdefault(f"shuffles:{name}", []).append(
                (reverse(f"shuffles:{name}", args=[match]), about, NOTHING)
            )
    invited = reverse("matches:invited", args=[world.token])
    private = {
        "": {},
        "private deck": {"deck": world.decks["private"]},
        "words without a commitment": {"shuffle_commitment": "ab" * 32, "shuffle_words": "words"},
    }
    by_days = {"tempo": str(CORRESPONDENCE[0])}
    private_deck = {"private deck": {"queue": "casual", "deck": world.decks["private"]}}
    return {
        **pages_by_route,
        "ratings:player": [(reverse("ratings:player", args=["alice"]), "", NOTHING)],
        "pairing:join": [
            (reverse("pairing:join"), "", {"": {"queue": "casual"}, "ranked": {"queue": "ranked"}, **private_deck})
        ],
        "pairing:tables": [
            (reverse("pairing:tables"), "", {"": {"players": "3"}, "rated": {"players": "3", "rated": "on", **by_days}})
        ],
        "matches:invited": [(invited, "", private), ("/play/invite/aaaaaaaaaaaaaaaaaaaaaa/", "guessed", NOTHING)],
        "matches:play_computer": [(reverse("matches:play_computer"), "", private)],
        "matches:invite": [(reverse("matches:invite"), "", private)],
        "matches:lesson": [
            (reverse("matches:lesson", args=["first-match"]), "", NOTHING),
            ("/learn/no-such-lesson/", "unknown", NOTHING),
        ],
    }


def _of_replay(match: str, about: str, known: Mapping[str, list[PageArguments]]) -> dict[str, list[PageArguments]]:
    """Return the addresses of the replay of a match, after those of others that are known."""
    sent: dict[str, Mapping[str, Body]] = {
        "notes": {"": {"do": "keep", "move": "0", "text": "A note"}, "share": {"do": "share"}},
        "play_on": {"": {"move": "0", "seat": "0"}},
        "report": {"": {"move": "0", "words": "It went wrong."}},
    }
    found: dict[str, list[PageArguments]] = {}
    for name in ("replay", "notes", "play_on", "report", "api_replay"):
        route = f"replays:{name}"
        page = (reverse(route, args=[match]), about, sent.get(name, NOTHING))
        found[route] = [*known.get(route, []), page]
    found["replays:api_replay"].append(
        Page("replays:api_replay", reverse("replays:api_replay", args=[match]), f"all {about}", query="?sees=all")
    )
    return found


def _of_staff(world: World) -> dict[str, list[PageArguments]]:
    new = {"password1": "so say we all 75", "password2": "so say we all 75", "usable_password": "true"}
    draft = world.rows["cards_data.ImportDraft"]
    lists = "admin:cards_data_importdraft"
    renamed = {"": {"display_name": "Renamed", "is_active": ""}, "rights": _form("accounts_user", world)}
    pages_by_route: dict[str, list[PageArguments]] = {
        "admin:auth_user_password_change": [
            (f"/admin/accounts/user/{world.people[who].pk}/password/", about, {"": new})
            for who, about in (("bob", "player"), ("other", "staff"), ("owner", "owner"))
        ],
        "admin:accounts_user_change": [
            (reverse("admin:accounts_user_change", args=[world.people[who].pk]), about, renamed)
            for who, about in (("bob", "player"), ("guest", "guest"), ("other", "staff"), ("owner", "owner"))
        ],
        "admin:app_list": [("/admin/matches/", "", NOTHING)],
        "admin/(?P<url>.*)$": [("/admin/nothing/", "", NOTHING)],
        "admin:cards_data_dataversion_roll_back": [
            (reverse("admin:cards_data_dataversion_roll_back", args=[1]), "", {"": {"reason": "for once", "newest": 1}})
        ],
        f"{lists}_changelist": [(reverse(f"{lists}_changelist"), "", {"": _upload})],
    }
    for name in ("try", "check", "discard", "publish", "progress", "catalog"):
        pages_by_route[f"{lists}_{name}"] = [(reverse(f"{lists}_{name}", args=[draft]), "", NOTHING)]
    return pages_by_route


def _upload() -> Mapping[str, Any]:
    return {"file": SimpleUploadedFile(f"{MARK}.txt", b"no card set")}
