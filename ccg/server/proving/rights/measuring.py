"""Fill the table: every page for every role, every right by itself, and what holds whatever the table says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.contrib.auth.models import Permission
from msgspec import Struct, field

from . import routes
from .asking import Asker
from .routes import Page
from .table import Table
from .world import ROLES, World

OTHER_VERBS = ("HEAD", "OPTIONS", "PUT", "PATCH", "DELETE")
ALONE = "staff"
"""The role to which each right is given by itself."""


class Measured(Struct):
    """What was found: the table, what breaks a wall, and how many cells were asked."""

    table: Table = field(default_factory=dict)
    tried: set[str] = field(default_factory=set)
    """What each right was tried on: its title and the key."""
    broken: list[str] = field(default_factory=list)
    cells: int = 0
    by_right: int = 0
    """How many of the cells are about staff with one right."""


def measure_pages(
    world: World, asker: Asker, wanted: Callable[[Page], bool], measured: Measured, *, thorough: bool = False
) -> None:
    """Ask every wanted page as everybody, by GET and POST; ``thorough``: in all other ways that there are too."""
    for page in filter(wanted, routes.pages(world)):
        for verb, name, body in ways(page):
            cells = {role: asker.ask(role, verb, page, body) for role in ROLES}
            measured.table[title(verb, page, name)] = cells
            measured.cells += len(cells)
            measured.broken += [line for role, answer in cells.items() for line in walls(verb, page, role, answer)]
        if thorough:
            _other_verbs(page, asker, measured)
            _forged(page, asker, measured)


def measure_rights(
    world: World,
    asker: Asker,
    rights: Iterable[Permission],
    wanted: Callable[[Permission, Page], bool],
    measured: Measured,
) -> None:
    """Give staff each right by itself, and keep what is another answer than staff without any gets."""
    known = [page for page in routes.pages(world) if page.route.startswith("admin")]
    without: dict[str, str] = {}
    user = world.people[ALONE]
    for right in rights:
        called = f"RIGHT {right.content_type.app_label}.{right.codename}"
        cells = measured.table.setdefault(called, {})
        for page in (page for page in known if wanted(right, page)):
            for verb, name, body in ways(page):
                key = title(verb, page, name)
                if key not in without:
                    user.user_permissions.clear()
                    without[key] = asker.ask(ALONE, verb, page, body)
                user.user_permissions.set([right])
                answer = asker.ask(ALONE, verb, page, body)
                measured.tried.add(f"{called} {key}")
                measured.cells += 1
                measured.by_right += 1
                measured.broken += walls(verb, page, f"staff with {called}", answer)
                if answer != without[key]:
                    cells[key] = answer
    user.user_permissions.clear()


def missing(world: World) -> list[str]:
    """Return the routes that nothing is known of."""
    known = {page.route for page in routes.pages(world)}
    return [f"route {route}: has no row" for route in routes.routes() if route not in known]


def ways(page: Page) -> list[tuple[str, str, Any]]:
    """Return in which ways a page is asked: the verb, a name where there are several, and what is sent."""
    posts = [("POST", name, body) for name, body in page.posts.items()]
    return [("GET", "", None), *posts, *((verb, "", body) for verb, body in page.verbs.items())]


def title(verb: str, page: Page, name: str) -> str:
    """Return how the table calls a way to ask a page."""
    return f"{verb} {page.name}{f' ({name})' if name else ''}"


# --- what holds whatever the table says -----------------------------------------------------------------

PRIVATE = {
    "private deck": {"alice"},
    "deck that was taken down": {"alice", "moderator", "every", "owner"},
    "deck with a revoked link": {"alice"},
    "link of the unlisted deck": {"alice"},
    "draft of a deck": {"alice"},
    "collection": {"alice"},
    "saved search": {"alice"},
    "hand of alice": {"alice"},
    "hand of bob": {"bob"},
    "words for the shuffles": set(),
    "secret of the shuffles": set(),
    "password hash": set(),
    "key": {"owner"},
    "payload": {"owner"},
    "error": {"owner"},
    "typed": set(),
}
"""Who may be told each of these; the rest of the secrets is for the table alone."""
OUTSIDERS = {"visitor", "guest", "stranger", "blocked", "holder", "alice", "bob"}
"""Those whom the administration never lets in."""
TAKING_RIGHTS = {"account_delete"}
"""Routes that can only take rights away, with the account that has them."""
BY_LINK = {"notices:stop"}
"""Routes whose secret address is the right to what they do, for anybody and without the token of a form."""
OWNERS_TABLES = {"auth_group", "auth_group_permissions", "accounts_user_user_permissions", "accounts_user_groups"}


def walls(verb: str, page: Page, role: str, answer: str) -> list[str]:
    """Return the violations in one cell of what holds whatever the table says, as sentences."""
    secrets = answer.partition("tells ")[2].split(", ") if "tells " in answer else []
    wrote = set(answer.partition("writes ")[2].partition(";")[0].split())
    of_admin = page.route.startswith("admin")
    wrong = [
        (answer.startswith("5"), "is a fault of the server"),
        (any(role not in PRIVATE.get(one, {role}) for one in secrets), "tells a secret"),
        (verb not in ("POST", "GET", *page.verbs) and bool(wrote), "writes"),
        (verb == "GET" and bool(wrote - READING_WRITES), "writes although it only asks"),
        (bool(wrote & OWNERS_TABLES) and role != "owner" and page.route not in TAKING_RIGHTS, "gives rights"),
        (of_admin and "account_emailaddress" in wrote, "changes a mail address"),
        ("user_password_change" in page.route and bool(wrote) and role != "owner", "sets a password"),
        (of_admin and bool(wrote & {"matches_match", "matches_matchseat", "matches_move"}), "changes a match"),
        (of_admin and bool(wrote) and role in OUTSIDERS, "lets in who is not staff"),
        (
            role == "visitor" and not of_admin and page.route not in BY_LINK and bool(wrote - NEWCOMERS),
            "lets a visitor change something",
        ),
    ]
    return [f"{title(verb, page, '')} as {role} {what}: {answer}" for so, what in wrong if so]


READING_WRITES = {"cards_data_auditentry", "matches_matchseat"}
"""Refusals are noted in the audit log, and being at a table is noted for those who sit there."""
NEWCOMERS = {
    "accounts_user", "account_emailaddress", "axes_accessattempt", "matches_match", "matches_matchseat",
    "outbox_job", "decks_deck", "decks_deckversion", "decks_preview", "playtests_playtest", "playtests_askedfor",
    "pairing_queueentry",
    "shuffles_commitment",
}  # fmt: skip
"""What a visitor who signs in, or begins to play as a guest, leaves behind."""


def _other_verbs(page: Page, asker: Asker, measured: Measured) -> None:
    """See that no other verb does more than asking: what matters of the answer is that nothing is written."""
    for verb in (one for one in OTHER_VERBS if one not in page.verbs):
        for role in ("alice", "owner"):
            measured.cells += 1
            measured.broken += walls(verb, page, role, asker.ask(role, verb, page))


def _forged(page: Page, asker: Asker, measured: Measured) -> None:
    """See that a form made by another site changes nothing, for those who could change most."""
    for name, body in page.posts.items():
        for role in ("alice", "owner"):
            measured.cells += 1
            answer = asker.without_token(role, page, body)
            if "writes" in answer and page.route not in BY_LINK:
                measured.broken.append(f"{title('POST', page, name)} as {role} without its token: {answer}")
