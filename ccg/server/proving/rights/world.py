"""Everybody and everything that rights are about: people of each kind, their decks and matches, a row of each table."""

from __future__ import annotations

from itertools import combinations
from typing import Any
from uuid import UUID

from allauth.account.models import EmailAddress
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.utils import timezone
from msgspec import Struct

from cards_data import catalog, saved
from cards_data.models import AuditEntry, Card, DataVersion, ImportDraft, Set
from ccg.outbox.models import Job
from ccg.server.proving.proof import ProofError
from decks import links, owning, table_decks
from decks import services as decks
from decks.building import drafts
from decks.models import Deck, Format, FormatEdition, Moderation, Preview, Report, new_uid
from decks.pictures import previews
from decks.social import moderation, opinions, reported
from matches.clocks.tempo import CORRESPONDENCE
from matches.lobby import invites
from matches.lobby import services as lobby
from matches.models import Match
from matches.notices.models import Wishes
from matches.pairing.tables import open_table
from matches.playing import archive, match_cache, moves
from matches.playtests import services as playtests
from matches.playtests.games import PlayedList
from matches.protocol.messages import Choose, Concede
from matches.ratings.models import RatedMatch, Rating, Sign
from matches.ratings.pools import USUAL
from matches.replays import packing
from matches.shuffles import services as shuffles
from matches.shuffles.fair import Given
from matches.shuffles.models import Commitment
from matches.table import table_view

BACKEND = settings.AUTHENTICATION_BACKENDS[-1]

ROLES = (
    "visitor", "guest", "stranger", "blocked", "holder", "alice", "bob", "staff", "moderator", "every", "owner"
)  # fmt: skip
"""Alice has the decks, plays against Bob, and ``blocked`` is whom she blocks. ``holder`` has opened every link before.
``staff`` is staff without a right, ``moderator`` staff who judges reports, ``every`` staff with every right, ``owner``
a superuser."""

HOST = "127.0.0.1"
"""Where everybody believes the site to be."""

PLAYED = ("watched", "unwatched")

MARK = "Canary"
"""In the names of all that is private: nothing else on the site is called so."""
OWNED = 987
"""Copies of a card in Alice's collection: no other number on the site is this."""


class World(Struct):
    """What there is, by the names that pages have for it."""

    people: dict[str, Any]
    hands: dict[str, dict[str, set[str]]]
    """For each match that is played, ids of cards that only one of the players may see."""
    sessions: dict[str, str]
    """The key of the session of each role but ``visitor``."""
    decks: dict[str, str]
    """What stands in the address of a deck, by its visibility; ``by its link`` is the unlisted one once more, ``by a
    revoked link`` the link of a deck that was unlisted once, and ``taken down`` a deck that moderators took down."""
    comments: dict[str, int]
    """A comment of Bob's on each deck that he sees, of Alice's on the one that was taken down."""
    draft: str
    saved_search: int
    """``uid`` of a deck that was begun and never published."""
    playtest: str
    """``uid`` of the playtest of Alice's private deck."""
    matches: dict[str, str]
    """``public_id`` of a match of each kind."""
    token: str
    """Of the invite link of the open match."""
    rows: dict[str, Any]
    """The primary key of a row of each model that the administration shows."""
    secrets: dict[str, str]
    """Texts that a page may show only to some, by what they are."""


def build() -> World:
    """Make it in a database that has cards and starter decks and nothing else."""
    people = _people()
    held = {visibility: _deck(people["alice"], visibility) for visibility in ("private", "unlisted", "public")}
    held["by its link"] = _link_of(held["unlisted"])
    held["by a revoked link"] = _revoked(people["alice"])
    comments = {name: _comment(people["bob"], held[name]) for name in held if name != "by a revoked link"}
    comments["by a revoked link"] = 0
    held["taken down"] = _taken_down(people)
    comments["taken down"] = _comment(people["alice"], held["taken down"])
    _drawn()
    opinions.block(people["alice"], "blocked")
    owning.take_in(people["alice"], {"BSG1-099": OWNED}, "replace")
    matches, token = _matches(people)
    Wishes.objects.create(user=people["alice"], mail=Wishes.Mail.ONCE)
    secret = Commitment.objects.get(seat__match__public_id=matches["watched"], seat__number=0)
    rows = _rows(people)
    sessions = {role: _session(people[role]) for role in ROLES if role in people}
    _open_links(sessions["holder"], [held["by its link"], held["by a revoked link"]])
    return World(
        people=people,
        hands={name: hands_of(Match.objects.get(public_id=matches[name])) for name in PLAYED},
        sessions=sessions,
        decks=held,
        comments=comments,
        draft=_draft(people["alice"]),
        saved_search=saved.save(people["alice"], "cards", f"{MARK} search", "viper").pk,
        playtest=_playtest(people["alice"], held["private"]),
        matches=matches,
        token=token,
        rows=rows,
        secrets={
            "private deck": f"{MARK} private deck",
            "deck that was taken down": f"{MARK} taken down deck",
            "deck with a revoked link": f"{MARK} revoked deck",
            "link of the unlisted deck": held["by its link"],
            "draft of a deck": f"{MARK} deck that is begun",
            "saved search": f"{MARK} search",
            "collection": f">{OWNED}<",
            "password hash": people["alice"].password.rpartition("$")[2][8:],
            "mail address": "alice@canary.example",
            "private match": matches["unwatched"],
            "open match": matches["open"],
            "invite": token,
            "words for the shuffles": f"{MARK} shuffle",
            "secret of the shuffles": bytes(secret.secret).hex(),
            "key": f"{MARK}:key",
            "payload": f"{MARK} payload",
            "error": f"{MARK} error",
            "typed": f"{MARK} typed",
            "draft": f"{MARK}.yaml",
        },
    )


def hands_of(match: Match) -> dict[str, set[str]]:
    """Return for each player ids of cards that are in their hand and that nobody else at the table can name."""
    _, game, _ = table_view.current_game(match)
    views = [game.view(seat) for seat in (0, 1)]
    decks_of = [set(seat.cards) for seat in match.seats.order_by("number")]
    own = [set(views[seat].players[seat].hand_cards) - decks_of[1 - seat] for seat in (0, 1)]
    shown = str(game.view(None))
    return {
        f"hand of {who}": {card for card in own[seat] if card not in shown} for seat, who in enumerate(("alice", "bob"))
    }


def _people() -> dict[str, Any]:
    make = get_user_model().objects
    people = {
        name: make.create_user(name, f"{name}@canary.example", f"{name} of the fleet 75")
        for name in ("alice", "bob", "stranger", "blocked", "holder", "staff", "moderator", "every", "other")
    }
    for name in ("staff", "moderator", "every", "other"):
        people[name].is_staff = True
        people[name].save()
    people["moderator"].user_permissions.set(Permission.objects.filter(codename="change_report"))
    people["every"].user_permissions.set(Permission.objects.all())
    people["guest"] = make.create_guest()
    people["owner"] = make.create_superuser("owner", "owner@canary.example", "owner of the fleet 75")
    return people


def _session(user: Any) -> str:
    browser = Client()
    browser.force_login(user, backend=BACKEND)
    return str(browser.session.session_key)


def _open_links(session: str, refs: list[str]) -> None:
    """Open the pages of decks as whom the session is of, as nothing may come of having been there."""
    browser = Client(SERVER_NAME=HOST)
    browser.cookies[settings.SESSION_COOKIE_NAME] = session
    for ref in refs:
        browser.get(f"/decks/{ref}/")


def _deck(owner: Any, visibility: str, called: str = "") -> str:
    text = decks.as_text(starter := Deck.objects.starters()[0], starter.head)
    name = f"{MARK} {called or visibility} deck"
    return str(decks.create_from_text(owner, text, name=name, visibility=visibility).uid)


def _link_of(uid: str) -> str:
    """Return what stands for an unlisted deck in the addresses of whoever was given its link."""
    return links.address_of(Deck.objects.get(uid=uid)).split("/")[2]


def _revoked(owner: Any) -> str:
    """Return the link of a deck that has been private since."""
    uid = _deck(owner, "unlisted", "revoked")
    link = _link_of(uid)
    decks.revoke_link(Deck.objects.get(uid=uid))
    return link


def _taken_down(people: dict[str, Any]) -> str:
    """Return a deck that was public until a moderator looked at it."""
    uid = _deck(people["alice"], "public", "taken down")
    moderation.take_down(people["owner"], reported.report_deck(people["bob"], Deck.objects.get(uid=uid), "spam"))
    return uid


def _drawn() -> None:
    """Put a picture beside every deck, those that should have none among them: it has to be shown for none of these.

    None is asked for any more, so that what asks for one is seen to.
    """
    now = timezone.now()
    Preview.objects.bulk_create(
        (Preview(deck=deck, mark="canary", png=b"picture", drawn=now) for deck in Deck.objects.all()),
        ignore_conflicts=True,
    )
    Job.objects.filter(task=previews.TASK).delete()


def _comment(author: Any, ref: str) -> int:
    deck = Deck.objects.filter(uid=ref).first() or decks.visible(author, ref)
    return int(opinions.comment(author, deck, "It flies").pk)


def _draft(owner: Any) -> str:
    uid, content = new_uid(), {"name": f"{MARK} deck that is begun", "counts": {"BSG1-001": 4}}
    sent = {"sender": "canary-page", "revision": 0, "content": content, "known": {}}
    return drafts.save(owner, uid, drafts.read(sent)).uid


def _playtest(user: Any, uid: str) -> str:
    version = Deck.objects.get(uid=uid).versions.get()
    asked = playtests.ask(user, PlayedList(version.base, dict(version.counts)), f"{MARK} private deck", "/decks/mine/")
    return asked.uid


def _matches(people: dict[str, Any]) -> tuple[dict[str, str], str]:
    deck, other = _different()
    alice, bob = people["alice"], people["bob"]

    def running(*, watchable: bool, said: str = f"{MARK} shuffle") -> Match:
        for _ in range(50):
            words = [Given(shuffles.commit(), said) for _ in range(2)]
            opened = lobby.invite(alice, deck, 2, watchable=watchable, given=words[0])
            match = lobby.join(opened, bob, other, words[1])
            # Words give the seats; what is asked of the world later has Alice in the first one.
            if all(hands_of(match).values()) and match.seats.get(number=0).user_id == alice.pk:
                # Opening hands are asked of both at once; somebody has to have a seat and nothing to choose.
                moves.act(match.public_id, moves.Actor.person(bob.pk), Choose(id="kept", version=0, option="keep"))
                return match
            match.delete()
        raise ProofError("Fifty matches, and in none Alice sits first and each has a card that only one player has.")

    made = {"watched": running(watchable=True), "unwatched": running(watchable=False)}
    over = "Told when it is over"
    made["finished"] = running(watchable=False, said=over)
    moves.act(made["finished"].public_id, moves.Actor.person(bob.pk), Concede(id="away"))
    made["replayed"] = running(watchable=True, said=over)
    made["private deck"] = running(watchable=True, said=over)
    made["private deck"].seats.filter(number=0).update(deck_private=True)
    for name in ("replayed", "private deck"):
        moves.act(made[name].public_id, moves.Actor.person(bob.pk), Concede(id="away"))
    for name in ("finished", "replayed", "private deck"):
        archive.handle({"match": made[name].public_id})
        packing.handle({"match": made[name].public_id})
    made["open"] = lobby.invite(alice, deck, 2, watchable=False)
    made["listed"] = open_table(alice, deck, 3, rated=True, tempo=CORRESPONDENCE[0])
    made["withdrawn"] = lobby.invite(alice, deck, 2)
    lobby.withdraw(made["withdrawn"], alice)
    token = invites.open_link(made["open"])
    match_cache.clear()
    return {name: match.public_id for name, match in made.items()}, token


def _different() -> tuple[table_decks.TableDeck, table_decks.TableDeck]:
    """Return two decks with as few cards in common as there are."""
    taken = [table_decks.take_to_table(None, deck.uid) for deck in Deck.objects.starters()]
    return min(combinations(taken, 2), key=lambda pair: len(set(pair[0].cards) & set(pair[1].cards)))


def _rows(people: dict[str, Any]) -> dict[str, Any]:
    """Make a row of everything that the administration has a list of, with secrets where there could be some."""
    custom = Format.objects.create(code="canary", name="Without decks")
    edition = FormatEdition.objects.create(format=custom, starts="2026-01-01", sets=["BSG1"])
    draft = ImportDraft.objects.create(
        id=UUID(int=9), file_name=f"{MARK}.yaml", state=ImportDraft.State.CHECKED, base=catalog.current_number()
    )
    public = Deck.objects.get(owner=people["alice"], visibility="public")
    judged = reported.report_deck(people["bob"], public, "spam")
    moderation.dismiss(people["owner"], judged)
    finished = Match.objects.filter(state="finished").order_by("pk").first()
    rated = RatedMatch.objects.create(match=finished, pool=USUAL.code, season=20264)
    sign = Sign.objects.create(kind="short", user=people["alice"], other=people["bob"], matches=3, last=rated)
    made = {
        RatedMatch: rated,
        Rating: Rating.objects.create(user=people["bob"], pool=USUAL.code, mu=25.0, sigma=8.0),
        Sign: sign,
        Report: reported.report_deck(people["bob"], public, "offensive", f"{MARK} words"),
        Moderation: judged.done.get(),
        Format: custom,
        FormatEdition: edition,
        Group: Group.objects.create(name="Importers"),
        get_user_model(): people["bob"],
        EmailAddress: _addresses(people),
        AccessAttempt: AccessAttempt.objects.create(
            username="nobody", path_info="/accounts/login/", failures_since_start=10, ip_address="127.0.0.9",
            get_data=f"next={MARK} typed", post_data=f"{MARK} typed",
        ),
        Job: Job.objects.create(
            key=f"{MARK}:key", task="canary", state=Job.State.FAILED, payload={"for": f"{MARK} payload"},
            error=f"ValueError: {MARK} error",
        ),
        Match: Match.objects.filter(seats__user=people["bob"], watchable=False, state="running").get(),
        ImportDraft: draft,
        AuditEntry: AuditEntry.objects.order_by("pk").first(),
        DataVersion: DataVersion.objects.order_by("pk").first(),
        Card: Card.objects.order_by("pk").first(),
        Set: Set.objects.order_by("pk").first(),
    }  # fmt: skip
    return {model._meta.label: row.pk for model, row in made.items() if row is not None}


def _addresses(people: dict[str, Any]) -> EmailAddress:
    """Note everybody's mail address as signing up would, and return the owner's."""
    for user in people.values():
        if user.email:
            EmailAddress.objects.create(user=user, email=user.email, primary=True)
    return EmailAddress.objects.get(user=people["owner"])
