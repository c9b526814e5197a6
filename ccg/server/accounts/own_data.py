"""All that the site has stored about somebody, as a file for them: one table of JSON for each kind of thing.

:data:`TABLES` names every model that points at a person; a test looks that none is missing. Left out of them is only
what opens something (passwords, tokens, secret links), what is worked out anew from the rest, and who waits in a queue
and has played them last: that is the other one's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from tempfile import SpooledTemporaryFile
from typing import IO, Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, When

from cards_data.models import AuditEntry, DataVersion, ImportDraft, SavedSearch
from decks.models import Block, Collection, Comment, Deck, DeckTag, DeckVersion, Draft, Like, Moderation, Report
from matches.chat.models import Line
from matches.clocks.models import Vacation
from matches.models import LeftSeat, MatchSeat, Move
from matches.notices.models import Subscription, Wishes
from matches.orders.models import StandingOrder
from matches.pairing.models import QueueEntry
from matches.playtests.models import AskedFor, Playtest
from matches.ratings.models import Device, Rating, RatingChange, RunOut, Sign
from matches.replays.models import NoteSheet
from matches.shuffles.models import Commitment

from .models import ApiToken, User

IN_MEMORY = 2**20
"""Bytes of a file that are kept in memory; a larger one is written to the disk as it is made."""


class Table(NamedTuple):
    """One kind of thing: the rows that are somebody's, and what is told of each (a name and the path to the value)."""

    rows: Callable[[User], QuerySet[Any]]
    columns: dict[str, str]


def _own(names: str, **paths: str) -> dict[str, str]:
    """Return columns that are called as in the database, and others with their paths."""
    return {name: name for name in names.split()} | paths


TABLES: dict[str, Table] = {
    "account": Table(
        lambda user: User.objects.filter(pk=user.pk),
        _own(
            "username display_name email date_joined last_login is_guest is_staff is_superuser table_settings"
            " settings_revision suspended_until suspended_why"
        ),
    ),
    "mail_addresses": Table(
        lambda user: EmailAddress.objects.filter(user=user).order_by("pk"), _own("email verified primary")
    ),
    "tokens": Table(
        lambda user: ApiToken.objects.filter(user=user).order_by("pk"), _own("name created used expires read_only")
    ),
    "decks": Table(
        lambda user: Deck.objects.filter(owner=user).order_by("pk"),
        _own("uid name visibility write_up liked played games taken_down created changed", format="format_id",
             version="head__number", copied_from="origin__deck__uid"),
    ),
    "deck_tags": Table(
        lambda user: DeckTag.objects.filter(deck__owner=user).order_by("pk"), {"deck": "deck__uid", "tag": "word"}
    ),
    "deck_versions": Table(
        lambda user: DeckVersion.objects.filter(deck__owner=user).order_by("deck_id", "number"),
        _own("number base counts considering tags note created", deck="deck__uid"),
    ),
    "deck_drafts": Table(
        lambda user: Draft.objects.filter(owner=user).order_by("pk"),
        _own("uid content created changed", deck="deck__uid"),
    ),
    "collection": Table(lambda user: Collection.objects.filter(owner=user), _own("counts changed")),
    "likes": Table(lambda user: Like.objects.filter(user=user).order_by("pk"), _own("created", deck="deck__uid")),
    "comments": Table(
        lambda user: Comment.objects.filter(author=user).order_by("pk"), _own("text hidden created", deck="deck__uid")
    ),
    "people_you_block": Table(
        lambda user: Block.objects.filter(by=user).order_by("pk"), _own("created", person="person__display_name")
    ),
    "reports": Table(
        lambda user: Report.objects.filter(reporter=user).order_by("pk"),
        _own("kind subject reason words state created"),
    ),
    "saved_searches": Table(
        lambda user: SavedSearch.objects.filter(owner=user).order_by("pk"), _own("about name query")
    ),
    "matches": Table(
        lambda user: seats_of(user).order_by("match_id"),
        {
            "match": "match__public_id", "state": "match__state", "players": "match__players", "tempo": "match__tempo",
            "created": "match__created", "started": "match__started", "finished": "match__finished",
            "result": "match__result", "seat": "number", "joined": "joined", "name": "own_name", "deck": "deck_label",
            "base": "base", "cards": "own_cards", "last_seen": "seen",
        },
    ),
    "vacations": Table(lambda user: Vacation.objects.filter(user=user).order_by("pk"), _own("begin end over")),
    "moves": Table(
        lambda user: moves_of(user).order_by("pk"),
        _own("kind option created", match="match__public_id", number="seq"),
    ),
    "standing_orders": Table(
        lambda user: StandingOrder.objects.filter(match__seats__user=user, match__seats__number=F("seat")),
        _own("decision when number scope until turn phase state why created", match="match__public_id"),
    ),
    "shuffle_words": Table(
        lambda user: words_of(user).order_by("pk"),
        _own("words made", match="seat__match__public_id", commitment="digest"),
    ),
    "notices": Table(lambda user: Wishes.objects.filter(user=user), _own("mail endings mailed digested tested")),
    "notices_in_browsers": Table(
        lambda user: Subscription.objects.filter(user=user).order_by("pk"), _own("created")
    ),
    "notes_on_matches": Table(
        lambda user: NoteSheet.objects.filter(writer=user).order_by("pk", "lines__move"),
        _own("", match="match__public_id", move="lines__move", text="lines__text"),
    ),
    "chat": Table(
        lambda user: Line.objects.filter(author=user).order_by("pk"),
        _own("room text hidden created", match="match__public_id"),
    ),
    "playtests": Table(
        lambda user: AskedFor.objects.filter(user=user).order_by("pk"),
        _own("label address created", playtest="playtest__uid", base="playtest__base", counts="playtest__counts"),
    ),
    "playtests_begun": Table(
        lambda user: Playtest.objects.filter(began_by=user).order_by("pk"), _own("uid base counts created")
    ),
    "ratings": Table(
        lambda user: Rating.objects.filter(user=user).order_by("pk"),
        _own("pool season mu sigma matches won changed"),
    ),
    "rating_changes": Table(
        lambda user: RatingChange.objects.filter(rating__user=user).order_by("pk"),
        _own("rank mu_before sigma_before mu sigma matches", match="rated__match__public_id", pool="rated__pool",
             season="rated__season", when="rated__created"),
    ),
    "seats_left": Table(
        lambda user: seats_left_by(user).order_by("pk"),
        _own("seat version left", match="match__public_id", base="own_base", cards="own_cards"),
    ),
    "queue": Table(
        lambda user: QueueEntry.objects.filter(user=user),
        _own("queue base cards deck_label mu commitment words joined until sent_away", match="match__public_id",
             last_opponent="last_opponent__display_name"),
    ),
    "devices": Table(lambda user: Device.objects.filter(user=user).order_by("pk"), _own("seen")),
    "signs_gained": Table(
        lambda user: Sign.objects.filter(user=user).order_by("pk"), _own("kind matches state changed")
    ),
    "signs_given": Table(
        lambda user: Sign.objects.filter(other=user).order_by("pk"), _own("kind matches state changed")
    ),
    "matches_run_out": Table(
        lambda user: RunOut.objects.filter(user=user).order_by("pk"), _own("behind noted", match="match__public_id")
    ),
    # What only those have who look after the site.
    "moderation": Table(
        lambda user: Moderation.objects.filter(user=user).order_by("pk"), _own("when what", report="report_id")
    ),
    "card_drafts": Table(
        lambda user: ImportDraft.objects.filter(author=user).order_by("pk"), _own("file_name state created changed")
    ),
    "card_versions": Table(
        lambda user: DataVersion.objects.filter(author=user).order_by("pk"), _own("number source created")
    ),
    "card_audit": Table(lambda user: AuditEntry.objects.filter(user=user).order_by("pk"), _own("when what who")),
    "administration": Table(
        lambda user: LogEntry.objects.filter(user=user).order_by("pk"),
        _own("action_time object_repr change_message"),
    ),
}  # fmt: skip


def seats_of(user: User) -> QuerySet[MatchSeat]:
    """Return the seats of ``user``, with the name and the cards that are theirs.

    Whoever plays on for somebody who has left has sat down at that one's deck, and knows of it what was played.
    """
    first_left = LeftSeat.objects.filter(match=OuterRef("match"), seat=OuterRef("number")).order_by("version")
    own = Q(stand_in="") | Q(first_left_by=user.pk)
    return (
        MatchSeat.objects.filter(user=user)
        .annotate(first_left_by=Subquery(first_left.values("user")[:1]))
        .annotate(
            own_name=Case(When(stand_in="", then="name"), default="stand_in"),
            own_cards=Case(When(own, then="cards"), default=None),
        )
    )


def words_of(user: User) -> QuerySet[Commitment]:
    """Return the commitments to which ``user`` gave words: whoever plays on for somebody else has given none."""
    first_left = LeftSeat.objects.filter(match=OuterRef("seat__match"), seat=OuterRef("seat__number")).order_by(
        "version"
    )
    own = Q(seat__user=user, seat__stand_in="") | Q(first_left_by=user.pk)
    matches = MatchSeat.objects.filter(user=user).order_by().values("match")
    left = LeftSeat.objects.filter(user=user).order_by().values("match")
    return (
        Commitment.objects.filter(seat__match__in=matches.union(left))
        .annotate(first_left_by=Subquery(first_left.values("user")[:1]))
        .filter(own)
    )


def seats_left_by(user: User) -> QuerySet[LeftSeat]:
    """Return the seats that ``user`` has left, with the deck of those at which they had sat down with theirs."""
    of_seat = {"match": OuterRef("match"), "seat": OuterRef("seat")}
    earlier = LeftSeat.objects.filter(**of_seat, version__lt=OuterRef("version"))
    seat = MatchSeat.objects.filter(match=OuterRef("match"), number=OuterRef("seat"))
    return (
        LeftSeat.objects.filter(user=user)
        .annotate(stood_in=Exists(earlier), own_base=Subquery(seat.values("base")))
        .annotate(own_cards=Case(When(stood_in=False, then=Subquery(seat.values("cards"))), default=None))
    )


def moves_of(user: User) -> QuerySet[Move]:
    """Return the moves of ``user``: of a seat that changed hands, only those of the time that it was theirs."""
    seats, left = (model.objects.filter(user=user).order_by() for model in (MatchSeat, LeftSeat))
    of_seat = {"match": OuterRef("match"), "seat": OuterRef("seat")}
    left_later = LeftSeat.objects.filter(**of_seat, version__gt=OuterRef("seq")).order_by("version")
    sits_there = MatchSeat.objects.filter(match=OuterRef("match"), number=OuterRef("seat"), user=user)
    # One set of matches: PostgreSQL would look through all moves of the site for those of one set or the other.
    return (
        Move.objects.filter(match__in=seats.values("match").union(left.values("match")))
        .annotate(later=Exists(left_later), left_by=Subquery(left_later.values("user")[:1]))
        .filter(Q(later=True, left_by=user.pk) | Q(Exists(sits_there), later=False))
    )


def archive(user: User) -> IO[bytes]:
    """Return a ZIP file with a table of JSON for every kind of thing that is stored about ``user``, ready to be read.

    It takes one query for each table. The caller closes the file.
    """
    file: IO[bytes] = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the answer closes it when it is sent
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, table in TABLES.items():
            with archive.open(f"{name}.json", "w") as part:
                for text in _json(table, user):
                    part.write(text.encode())
    file.seek(0)
    return file


def _json(table: Table, user: User) -> Iterator[str]:
    """Yield the rows of ``table`` as the text of a JSON list, one row at a time."""
    rows = table.rows(user).values_list(*table.columns.values()).iterator(chunk_size=500)
    before = "[\n"
    for row in rows:
        yield before + json.dumps(
            dict(zip(table.columns, row, strict=True)), cls=DjangoJSONEncoder, ensure_ascii=False
        )  # fmt: skip
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"
