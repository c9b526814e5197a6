"""Every page of the site with somebody who may see it: found by the site's own addresses, so a new one is among them.

What stands in the addresses comes from the proof of rights, which fails for an address that it has no row for.
"""

from __future__ import annotations

from tests.running import Site

LOOKERS = ("alice", "stranger", "visitor", "owner")
"""Who looks at a page, if it answers them: the owner of the decks, somebody else, nobody, the owner of the site."""
ONE_LOOKER = (
    "admin", "rules", "played", "docs", "schema", "healthz", "make_a_card_set", "card_set_schema", "ability_language",
)  # fmt: skip
"""What begins so is the same for all who may see it."""


def pages_of(site: Site, *, every: bool) -> list[dict[str, str]]:
    """Make decks, matches and drafts on ``site``; return name, address, looker and session of each page of it.

    With ``every``, one page of each kind is not enough: all that there are, each as everybody who sees it otherwise.
    """
    from ccg.server.proving.inside import call

    found: list[dict[str, str]] = call(f"{__name__}:found", {"every": every}, site.env)
    return found


def found(asked: dict[str, bool]) -> list[dict[str, str]]:
    """Return what :func:`pages_of` says; with the site's code, on its database."""
    from django.conf import settings
    from django.test import Client

    from ccg.server.proving.rights import routes, world
    from ccg.server.proving.rights.asking import undone

    place = world.build()
    browser = Client(raise_request_exception=False, SERVER_NAME=world.HOST)
    told, seen, kinds = [], set(), set()
    for page in routes.pages(place):
        address = page.url + page.query
        if address in seen or (page.route in kinds and not asked["every"]):
            continue
        seen.add(address)
        for looker in LOOKERS:
            browser.cookies.clear()
            if looker in place.sessions:
                browser.cookies[settings.SESSION_COOKIE_NAME] = place.sessions[looker]
            with undone():
                answer = browser.get(address)
            if answer.status_code != 200 or not answer.get("Content-Type", "").startswith("text/html"):
                continue
            told.append(
                {
                    "name": page.name,
                    "address": address,
                    "looker": looker,
                    "cookie": settings.SESSION_COOKIE_NAME,
                    "session": place.sessions.get(looker, ""),
                }
            )
            kinds.add(page.route)
            if not asked["every"] or page.route.partition(":")[0].startswith(ONE_LOOKER):
                break
    return told
