"""What is kept of a match.

The database is the match: a row with the engine's saved state and a version, and one row for each
accepted move. Everything else (process caches, hints between processes, background workers) may vanish
at any moment without loss. A match keeps its own copy of every deck, so foreign keys point only to people.
"""

from __future__ import annotations

import secrets
from typing import Any, Literal

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from msgspec import structs

from ccg.rules import Catalog, Game, Seat
from ccg.rules.game import DrawReason
from ccg.rules.saving import ENGINE_VERSION
from matches.players import level_of
from matches.storage import seat_sets

ID_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
ID_LENGTH = 16
"""Sixteen of 31 signs: 79 bits, so ids of matches cannot be guessed in practice."""


TABLE, TAKEBACK = "table ", "takeback "
"""How moves begin in a record that are not the game's: what changes nothing in it, and a return to a version."""

AGREED_DRAW = "draw agreed"
"""The option of the agreement that ends a match."""

FOR_ALL = "all"
"""How the options of concessions begin with which a match ends for everybody at once, as a draw."""


def draw_option(why: DrawReason) -> str:
    """Return the option of the concession with which a match ends as a draw, for this reason."""
    return FOR_ALL if why == "draw" else f"{FOR_ALL} {why}"


ENDED_BY_SITE = draw_option("draw")
"""That of a match which whoever runs the site has ended, as nothing was left that could be chosen."""


Outcome = Literal["Won", "Lost", "Draw"]
"""What a finished match was for one of its seats, as pages say it."""


def new_public_id() -> str:
    """Return a fresh id as it stands in addresses."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


def new_nonce() -> str:
    """Return fresh secret text from which the token of an invite link is made."""
    return secrets.token_urlsafe(24)


def by_correspondence(match: str = "") -> Q:
    """Return the condition that a match is played by correspondence; ``match`` is how it is come to, as "match__"."""
    return Q(**{f"{match}tempo__startswith": "correspondence"})


class Match(models.Model):
    """One match, from the invite to the archive.

    Changed only by ``matches.playing.moves`` and ``matches.lobby``.
    """

    class State(models.TextChoices):
        """How far a match is."""

        OPEN = "open"
        RUNNING = "running"
        FINISHED = "finished"
        ABANDONED = "abandoned"

    public_id = models.CharField(max_length=ID_LENGTH, unique=True, default=new_public_id, editable=False)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    players = models.PositiveSmallIntegerField()
    watchable = models.BooleanField(default=True)
    """Whether people without a seat may look on; they see public knowledge only."""
    delay = models.PositiveSmallIntegerField(default=0)
    """How many full turns they are behind (``matches.watching.delay``); set before the match begins."""

    engine_version = models.CharField(max_length=32, default="", blank=True)
    catalog = models.CharField(max_length=64, default="", blank=True)
    """Fingerprint of the card data it is played with."""
    seed = models.BinaryField(default=b"", editable=False)
    """Secret: never in a view, a log or an answer."""

    version = models.PositiveIntegerField(default=0)
    """Number of accepted moves; every change of a running match is conditional on it."""
    saved = models.BinaryField(null=True, editable=False)
    digest = models.CharField(max_length=64, default="", blank=True)
    deciders = models.PositiveSmallIntegerField(default=0)
    """The seats that must decide in the saved state (``matches.storage.seat_sets``); 0 when it is over."""
    computer_to_move = models.BooleanField(default=False)
    """Whether one of those seats is a computer's: what the sweep for waiting computers looks for."""

    orders = models.PositiveSmallIntegerField(default=0, editable=False)
    """The seats that have standing orders (``matches.orders``), a bit for each; written there alone."""
    answer_due = models.BooleanField(default=False, editable=False)
    """Whether the site is to look at the question that is asked: it may be able to answer (``matches.orders``)."""

    tempo = models.CharField(max_length=40, default="untimed", editable=False)
    """How much time players have, as ``matches.clocks.tempo`` writes it."""
    standing = models.BinaryField(default=b"", editable=False)
    """What stands at the table besides the game: clocks, offers (``matches.clocks.standing``)."""
    deadline = models.BigIntegerField(null=True, blank=True)
    """When the first clock runs out, in milliseconds of the site's time (``matches.clocks.site_time``)."""

    invite_nonce = models.CharField(max_length=64, default=new_nonce, editable=False)
    invite_hash = models.CharField(max_length=64, null=True, unique=True, editable=False)  # noqa: DJ001 - unique
    """Hash of the invite token; the token itself is not stored (see ``matches.lobby.invites``)."""
    lesson = models.CharField(max_length=40, default="", blank=True)
    """The lesson (``matches.lessons``) that this match is, "" for an ordinary one. Nobody's record counts lessons."""
    rated = models.BooleanField(default=False)
    """Whether it counts for ratings: what its players ask for, and once it has begun what ``seats.rated`` says."""
    unrated_why = models.CharField(max_length=20, default="", blank=True)
    """Why a match that has begun is not rated: a code of ``matches.seats.rated.REASONS``."""
    listed = models.BooleanField(default=False)
    """Whether it is a public match: its invitation stands among the open tables, or it comes from a queue."""
    from_queue = models.BooleanField(default=False, db_default=False)
    """Whether a queue has begun it (``matches.pairing``)."""
    rematch_of = models.OneToOneField("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="rematch")

    result = models.JSONField(null=True, blank=True)
    """``{"winners": [seat], "losers": [seat], "reason": text}`` when finished."""
    created = models.DateTimeField(auto_now_add=True)
    started = models.DateTimeField(null=True, blank=True)
    finished = models.DateTimeField(null=True, blank=True)
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "matches"
        constraints = [
            models.CheckConstraint(condition=Q(players__gte=2, players__lte=8), name="match_two_to_eight_players"),
            models.CheckConstraint(
                condition=~Q(state="running") | Q(saved__isnull=False), name="match_running_has_saved_state"
            ),
        ]
        indexes = [
            models.Index(fields=["state", "changed"], name="match_state_changed"),
            models.Index(fields=["created"], condition=Q(state="open", listed=True), name="match_open_tables"),
            models.Index(
                fields=["changed"], condition=Q(state="running", computer_to_move=True), name="match_computer_to_move"
            ),
            models.Index(fields=["changed"], condition=Q(state="running", answer_due=True), name="match_answer_due"),
            models.Index(
                fields=["deadline"], condition=Q(state="running", deadline__isnull=False), name="match_deadline"
            ),
        ]

    def __str__(self) -> str:
        return f"match {self.public_id} ({self.state}, version {self.version})"

    def get_absolute_url(self) -> str:
        """Return the address of its table."""
        return reverse("matches:table", args=[self.public_id])

    def must_decide(self, seat: int | None) -> bool:
        """Return whether ``seat`` is one of those that must decide; None, for whoever looks on, never is."""
        return seat_sets.has(self.deciders, seat)

    @property
    def is_by_correspondence(self) -> bool:
        """Whether players have days for a turn, as :func:`by_correspondence` finds it."""
        return self.tempo.startswith("correspondence")

    @property
    def winners(self) -> list[int]:
        """The seats that have won; empty for a draw, and while it is not over."""
        return self.result["winners"] if self.result else []

    @property
    def losers(self) -> list[int]:
        """The seats that have lost; empty for a draw, and while it is not over."""
        return self.result["losers"] if self.result else []

    def outcome(self, seat: int) -> Outcome:
        """Return what it was for ``seat``, once it is over."""
        if seat in self.winners:
            return "Won"
        return "Lost" if seat in self.losers else "Draw"

    def record_seats(self) -> list[Seat]:
        """Return its seats as the engine is to be started with them, by the names they have now."""
        return [Seat(seat.name, seat.base, tuple(seat.cards)) for seat in self.seats.order_by("number")]

    def seats_at_start(self, catalog: Catalog) -> list[Seat]:
        """Return its seats as its game was started with them, with the cards of ``catalog``.

        Digests are made of names, and the row of a seat may have another one by now (``matches.seats.former``).
        Raises ``ccg.rules.StateError`` for a match that another version of the engine has saved.
        """
        game = Game.load(bytes(self.saved or b""), catalog)
        return [
            structs.replace(seat, name=game.engine.player(number).name)
            for number, seat in enumerate(self.record_seats())
        ]

    @property
    def outdated(self) -> bool:
        """Whether it was played with another version of the engine, which alone can read its saved state."""
        return bool(self.catalog) and self.engine_version != str(ENGINE_VERSION)


class MatchSeat(models.Model):
    """One seat of a match with its own copy of the deck taken to it."""

    class Kind(models.TextChoices):
        """Who sits there."""

        FREE = "free"
        PERSON = "person"
        COMPUTER = "computer"

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.FREE)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="match_seats"
    )
    joined = models.BooleanField(default=False)
    """A seat of a rematch is kept for somebody before they have said yes."""
    policy = models.CharField(max_length=40, default="", blank=True)
    """Name of the computer player (``matches.players.PLAYERS``)."""
    name = models.CharField(max_length=80, default="", blank=True)
    base = models.CharField(max_length=40, default="", blank=True)
    cards = models.JSONField(default=list, blank=True)
    deck_label = models.CharField(max_length=120, default="", blank=True)
    deck_version = models.CharField(max_length=64, default="", blank=True)
    """Hash of the list played, the same for equal lists: what win rates can be counted by."""
    deck_private = models.BooleanField(default=True)
    """Whether the deck was not public as the match began: then only those who played ever see all of it."""
    stand_in = models.CharField(max_length=80, default="", db_default="", blank=True)
    """Who plays on here, by name, since whoever sat down (``name``) has left; see :class:`LeftSeat`."""
    out_at = models.PositiveIntegerField(null=True, blank=True)
    """The version at which its person was out of the game, where other people play on; null for all others."""
    deck_public = models.BooleanField(default=False)
    """Whether everybody found the deck in the lists then: only so does the match count for its list."""
    deck_format = models.CharField(max_length=40, default="", blank=True)
    """The code of the format that the deck is made for."""
    seen = models.DateTimeField(null=True, blank=True)
    """When its socket, or before the match began its page, was last known to be open."""

    class Meta:
        ordering = ["match_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="seat_once_in_match"),
            models.UniqueConstraint(
                fields=["match", "user"], condition=Q(user__isnull=False), name="seat_one_for_each_person"
            ),
            models.CheckConstraint(condition=Q(number__lte=7), name="seat_number_below_eight"),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of match {self.match_id} ({self.name or self.kind})"

    @property
    def kind_at_start(self) -> str:
        """Who sat down here: only people leave their seat to somebody else."""
        return self.Kind.PERSON if self.stand_in else self.kind

    @property
    def player(self) -> str:
        """Who plays here, or played here last, as lists name them."""
        return self.stand_in or self.name

    @property
    def level(self) -> str:
        """How well the computer in this seat plays; empty for people."""
        return level_of(self.policy) if self.kind == self.Kind.COMPUTER else ""


class LeftSeat(models.Model):
    """Somebody has left a table of three and more, and another one plays on in their seat since ``version``.

    Whoever sat down there first is rated for the match, as somebody who has left; nobody is for standing in.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="left_seats")
    seat = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="left_seats"
    )
    """Who has left."""
    version = models.PositiveIntegerField()
    left = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["match_id", "version"]
        constraints = [models.UniqueConstraint(fields=["match", "version"], name="left_seat_once_for_each_version")]

    def __str__(self) -> str:
        return f"seat {self.seat} of match {self.match_id} left at version {self.version}"


class Move(models.Model):
    """One accepted move, never changed afterwards. ``seq`` is the version that it made."""

    class Kind(models.TextChoices):
        """What sort of move it is."""

        CHOOSE = "choose"
        BACK = "back"
        CONCEDE = "concede"
        TIME = "time"
        CLAIM = "claim"
        OFFER = "offer"
        AGREE = "agree"
        DECLINE = "decline"
        RESUME = "resume"
        VACATION = "vacation"
        SEAT = "seat"

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="moves")
    seq = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=8, choices=Kind.choices)
    option = models.CharField(max_length=200, default="", blank=True)
    action_id = models.CharField(max_length=64)
    """The client's own name for this move: sent again, it is the same move."""
    digest = models.CharField(max_length=64)
    standing = models.BinaryField(default=b"")
    """What stood at the table after it, so that a takeback finds the clocks of then."""
    events = models.BinaryField()
    """What happened, as ``storage.stored_events`` packs it; ``stored_events.seen_by`` is the only way to a viewer."""
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["match_id", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["match", "seq"], name="move_once_for_each_version"),
            models.UniqueConstraint(fields=["match", "seat", "action_id"], name="move_once_for_each_action"),
        ]

    def __str__(self) -> str:
        return f"move {self.seq} of match {self.match_id}"

    def as_recorded(self) -> str:
        """Return the move as it stands in a game's record."""
        match self.kind:
            case self.Kind.CHOOSE:
                return self.option
            case self.Kind.BACK:
                return "back"
            case self.Kind.CONCEDE:
                return f"concede {self.option or self.seat}"
            case self.Kind.TIME:
                return f"concede {self.seat} time"
            case self.Kind.CLAIM:
                return f"concede {self.option} absent"
            case self.Kind.AGREE if self.option == AGREED_DRAW:
                return f"concede {draw_option('agreed')}"
            case self.Kind.AGREE if self.option.startswith(TAKEBACK):
                return self.option
        return f"{TABLE}{self.kind} {self.option}".rstrip()


class Archive(models.Model):
    """A finished match packed up by a background worker: all that a replay needs, in one row."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="archive")
    record: models.BinaryField[bytes, bytes] = models.BinaryField()
    """Compressed JSON: engine version, card data, seed, seats with decks, moves with digests."""
    events: models.BinaryField[bytes, bytes] = models.BinaryField()
    """Compressed packed events of all versions."""
    moves = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    result: models.JSONField[Any, Any] = models.JSONField()
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"archive of match {self.match_id}"


def result_of(game: Game) -> dict[str, Any] | None:
    """Return the result of ``game`` as :attr:`Match.result` has it; None while it goes on."""
    result = game.result
    if result is None:
        return None
    return {"winners": list(result.winners), "losers": list(result.losers), "reason": result.reason}
