"""Every message between a browser and its table, one struct each, one list for each direction.

``matches/protocol/messages.py`` and the generated ``ccg/client/src/protocol.ts`` can be read next to each other;
``manage.py protocol`` writes the latter, ``docs/protocol.schema.json`` and the reference in
``docs/protocol.md``. Docstrings and the notes in ``Annotated`` types end up there, so they are written
for somebody who writes a client.

Bounds come before work: a frame is at most :data:`FRAME_LIMIT` bytes, texts and numbers have limits
in their types, and no message has anything nested, so the schema bounds the depth.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from ccg.rules import EventView, UseView, View
from ccg.rules.decoding import Decoder
from matches.players import LevelName

FRAME_LIMIT = 16 * 1024
"""Bytes in the longest frame that a client may send."""

VERSION_LIMIT = 1_000_000_000

ActionId = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern=r"^[A-Za-z0-9_.:-]+$(?!\n)",  # Python's $ alone would let a line end pass
        description="The client's own name for one action, new for each (a random UUID will do): not empty, and of"
        " A to Z, a to z, 0 to 9 and _ . : - only.",
    ),
]
Version = Annotated[int, Meta(ge=0, le=VERSION_LIMIT, description="Number of moves accepted so far.")]
OptionKey = Annotated[str, Meta(min_length=1, max_length=200, description="Key of an offered option; opaque text.")]
SeatNumber = Annotated[int, Meta(ge=0, le=7, description="A seat, from 0 in turn order.")]


# -- client to server


class ClientMessage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """What all messages of a client share."""


class Hello(ClientMessage, frozen=True, tag="hello"):
    """Asks for the table. The first thing to send, and again whenever a version was missed.

    With ``since`` the answer has every event after that version; without it, or when too much has
    happened since, the latest ones (the answer says from where). A ``since`` above the version of the
    table counts as none. The view is always whole.
    """

    since: Version | None = None


class Choose(ClientMessage, frozen=True, tag="choose"):
    """Takes one of the options of the decision that the view of ``version`` showed.

    Sent again with the same ``id`` it is the same move and gets the same answer, so a client that
    lost its connection may simply repeat what was not answered.
    """

    id: ActionId
    version: Version
    option: OptionKey
    by_hand: Annotated[
        bool,
        Meta(
            description="False where the client passes for its player by itself: a takeback goes back to before the"
            " last choice by hand.",
        ),
    ] = True


class Back(ClientMessage, frozen=True, tag="back"):
    """Takes back the half-made move that the view of ``version`` showed (if ``can_take_back``)."""

    id: ActionId
    version: Version


class Concede(ClientMessage, frozen=True, tag="concede"):
    """Leaves the game as a loser, at any time."""

    id: ActionId


OfferWhat = Annotated[
    Literal["draw", "pause", "takeback", "computer", "substitute"],
    Meta(
        description="What is offered: to end the match as a draw; to stop the clocks; to go back to before the last"
        " move of whoever offers it, with the clocks as they were; at a table of three and more, that the computer or"
        " somebody else plays on in the seat of whoever has been away for too long.",
    ),
]


class OfferIt(ClientMessage, frozen=True, tag="offer"):
    """Offers something to the others at the table, at any time. It is done when all people there have agreed.

    Where only computers could agree, a takeback is done at once, and a draw is refused (``not_allowed``). An
    offered takeback is gone with the next move, an offered draw or pause once somebody plays on who could have agreed:
    that declines it. Whoever has been away for too long is not asked; that they have been is what the heartbeat says
    (``absent``, as for a claim). Once it is agreed that somebody else plays on, whoever has the link of the
    invitation may take the seat, unless its player is back. They see its hand from then on, and whoever has left does
    not any more. Each player may offer something 100 times in a match.
    """

    id: ActionId
    what: OfferWhat
    seat: Annotated[SeatNumber | None, Meta(description="Whose seat, for `computer` and `substitute`.")] = None


class Agree(ClientMessage, frozen=True, tag="agree"):
    """Agrees to what somebody has offered."""

    id: ActionId
    what: OfferWhat


class Decline(ClientMessage, frozen=True, tag="decline"):
    """Declines what somebody has offered, or takes one's own offer back. The offer is gone for all."""

    id: ActionId
    what: OfferWhat


class Resume(ClientMessage, frozen=True, tag="resume"):
    """Asks to end a pause. The clocks go on once all people who are still in the game have asked (``resuming``).

    By itself a pause ends after 30 days by correspondence. Live it ends after a day, though not within 12 hours of the
    first who asks: if some have asked by then and others not, those others leave the game as absent.
    """

    id: ActionId


class Claim(ClientMessage, frozen=True, tag="claim"):
    """Takes a player out of the game who has been away for too long while they had to decide.

    The heartbeat says who is (``absent``) and when that may be done: by those who are still in the game. At a table of
    two it ends the match.
    """

    id: ActionId
    seat: SeatNumber


class Ping(ClientMessage, frozen=True, tag="ping"):
    """Keeps the socket alive and says up to which version the client has seen the table.

    Send one at least every 20 seconds. A client that stops telling what it has seen while many
    versions go by is cut off with close code 1013 and may connect again.
    """

    seen: Version | None = None


class AskWhy(ClientMessage, frozen=True, tag="why"):
    """Asks what the player could do with their cards, and why not now, in the view of ``version``.

    Only players are answered, and only for the newest version.
    """

    version: Version


LineNumber = Annotated[int, Meta(ge=0, le=2**53, description="A line of the chat; later ones have greater numbers.")]


OrderWhen = Annotated[
    Literal["always", "they_pass", "undefended", "not_by_ship", "not_by_personnel", "at_most"],
    Meta(
        description="Always; only if all others have passed since; only where nobody defends; unless the challenge is"
        " by a ship, or by personnel; only where no more influence than `number` is lost.",
    ),
]
OrderNumber = Annotated[int, Meta(ge=0, le=20, description="For `at_most`; else 0.")]
OrderScope = Annotated[
    Literal["phase", "challenge"],
    Meta(description="For the phase of its kind, this one or the next; or for this challenge."),
]
OrderUntil = Annotated[
    Literal["event", "end"],
    Meta(description="Whether something that it was not meant for disarms it, or it holds to the end of its scope."),
]


class ReadChat(ClientMessage, frozen=True, tag="read_chat"):
    """Asks for what people have written at this table after line ``since``, and for what they will write.

    Players read what players write, and what those wrote who look on once the match is over; who looks on reads the
    others who do. Send it after each hello; 0 is for all lines.
    """

    since: LineNumber = 0


class Say(ClientMessage, frozen=True, tag="say"):
    """Writes a line. Sent again with the same ``id`` it is the same line."""

    id: ActionId
    text: Annotated[str, Meta(min_length=1, max_length=600, description="What is beyond 300 signs is cut off.")]


class BlockWriter(ClientMessage, frozen=True, tag="block_writer"):
    """Hides what the writer of this line says from this player, here and elsewhere on the site."""

    id: ActionId
    line: LineNumber


class ReportLine(ClientMessage, frozen=True, tag="report_line"):
    """Brings a line before the site's moderators."""

    id: ActionId
    line: LineNumber
    reason: Literal["offensive", "spam", "private", "other"]
    words: Annotated[str, Meta(max_length=500)] = ""


class ReadOrders(ClientMessage, frozen=True, tag="read_orders"):
    """Asks for this player's standing orders. The answer is `orders`; from then on they come again as they change."""

    id: ActionId


class SetOrder(ClientMessage, frozen=True, tag="set_order"):
    """Gives a standing order: the site answers decisions of this kind for the player, at once and whoever is there.

    Take the fields from an order that is `offered` in `orders`; a kind of decision that no order can answer is refused
    (`not_allowed`) with a sentence that says why. `version` is that of the view as the player gave it: what happens
    after that counts. With `always` it answers what is asked now, too. Sent again with the same `id` it is the same
    order; one with equal fields takes the place of an older one. The answer is `orders`.
    """

    id: ActionId
    version: Version
    decision: Annotated[str, Meta(min_length=1, max_length=20, description="The kind of decision, as in views.")]
    when: OrderWhen
    scope: OrderScope
    until: OrderUntil
    number: OrderNumber = 0


class DropOrder(ClientMessage, frozen=True, tag="drop_order"):
    """Takes a standing order off, or puts away one that was disarmed. The answer is `orders`."""

    id: ActionId
    number: Annotated[int, Meta(ge=1, le=2**53, description="Its `number` in `orders`.")]


FromClient = (
    Hello
    | Choose
    | Back
    | Concede
    | OfferIt
    | Agree
    | Decline
    | Resume
    | Claim
    | Ping
    | AskWhy
    | ReadChat
    | Say
    | BlockWriter
    | ReportLine
    | ReadOrders
    | SetOrder
    | DropOrder
)


# -- server to client


class ServerMessage(Struct, frozen=True, kw_only=True, tag_field="type"):
    """What all messages of the server share."""


class Person(Struct, frozen=True, kw_only=True):
    """Who sits at the table."""

    seat: SeatNumber
    name: str
    kind: Literal["person", "computer"]
    level: Annotated[LevelName | None, Meta(description="How well a computer plays; null for a person.")]
    stand_in: Annotated[str, Meta(description="Who plays on here since that person has left; empty if nobody does.")]


class Happened(Struct, frozen=True, kw_only=True):
    """The events of one move, as this viewer may know them."""

    version: Version
    events: list[EventView]


Milliseconds = Annotated[int, Meta(ge=0)]


class SeatClock(Struct, frozen=True, kw_only=True):
    """The clock of a seat, as it stood when the message was made."""

    seat: SeatNumber
    left: Annotated[
        Milliseconds, Meta(description="All that is left, in milliseconds: of this turn's allowance, and of the bank.")
    ]
    bank: Annotated[Milliseconds, Meta(description="What of that is bank, in milliseconds.")]
    running: Annotated[bool, Meta(description="Whether it runs: the seat must decide, and nothing stops the clock.")]
    vacation: Annotated[bool, Meta(description="Whether the player is on vacation: their clock stands still.")]


class TableClocks(Struct, frozen=True, kw_only=True):
    """The clocks of a match. Only the server measures; a client counts down between messages, and not below zero."""

    tempo: Annotated[
        str,
        Meta(
            description="`live BANK+INCREMENT` or `correspondence ALLOWANCE+BANK`, in seconds.",
        ),
    ]
    low: Annotated[Milliseconds, Meta(description="A player with no more left (milliseconds) is short of time.")]
    paused: Annotated[bool, Meta(description="Whether the clocks are stopped by agreement.")]
    resuming: Annotated[list[SeatNumber], Meta(description="Who has asked to end the pause.")]
    pause_left: Annotated[
        Milliseconds | None,
        Meta(description="Milliseconds until the pause ends by itself; null where there is none."),
    ]
    seats: list[SeatClock]


class Offered(Struct, frozen=True, kw_only=True):
    """Something that a player has offered, and that is not answered yet."""

    what: OfferWhat
    seat: SeatNumber
    agreed: Annotated[list[SeatNumber], Meta(description="Who wants it, the one who has offered it included.")]
    of: Annotated[SeatNumber | None, Meta(description="Whose seat it is about, if it is about one.")]


class Absent(Struct, frozen=True, kw_only=True):
    """A player who is away while they must decide."""

    seat: SeatNumber
    claim_in: Annotated[int, Meta(ge=0, description="Seconds after which `claim` is accepted; 0 now.")]


class Table(ServerMessage, frozen=True, tag="table"):
    """The whole table as this viewer may know it, and what has happened since ``since``.

    Comes in answer to a hello and whenever the version has grown. Apply it as it is: the view
    replaces the one before. ``events`` has one entry for each version after ``since`` up to
    ``version``; if ``since`` is greater than the version the client holds, something was left out.
    """

    match: Annotated[str, Meta(description="Id of the match, as in its address.")]
    version: Version
    since: Version
    you: SeatNumber | None
    people: list[Person]
    view: View
    events: list[Happened]
    over: bool
    present: Annotated[list[SeatNumber], Meta(description="Seats that are at the table now; computers always are.")]
    rematch: Annotated[str | None, Meta(description="Id of the rematch, once somebody has asked for one.")]
    clocks: Annotated[TableClocks | None, Meta(description="Null in a match without clocks.")]
    offers: list[Offered]
    may_offer: Annotated[
        list[OfferWhat],
        Meta(description="What this viewer may offer now, without what is for the seat of somebody who is away."),
    ]
    free: Annotated[
        list[SeatNumber], Meta(description="Seats that somebody else may take by the link of the invitation.")
    ]
    lesson: Annotated[
        int | None,
        Meta(
            description="In a lesson: how many of its moves lead to this position; null where the match has left the"
            " lesson, and in every other match.",
        ),
    ]


class Accepted(ServerMessage, frozen=True, tag="accepted"):
    """The move with this id is part of the match and made ``version``. Sent only when it is stored."""

    id: ActionId
    version: Version


RefusalCode = Literal[
    "malformed",
    "too_long",
    "too_fast",
    "late",
    "ahead",
    "not_your_decision",
    "not_offered",
    "not_allowed",
    "paused",
    "out_of_time",
    "id_reused",
    "no_chat",
    "no_seat",
    "not_running",
    "over",
    "no_such_table",
    "outdated",
    "logged_out",
    "busy",
    "unavailable",
    "cannot_save",
    "fault",
]


class Refused(ServerMessage, frozen=True, tag="refused"):
    """What was asked did not happen, and nothing has changed. ``message`` is a sentence for people.

    ``id`` is that of the action, where there was one, also of a ``malformed`` frame that tells one. It is null for
    ``too_long`` and ``too_fast``, as those frames are not looked into: whatever is unanswered may have been meant.
    ``version`` is where the match stands (0 if that is not known). For the code ``fault`` the message
    holds a number under which the server's log tells more.
    ``unavailable`` without an ``id`` comes in place of heartbeats while the server cannot read its database.
    """

    id: str | None
    code: RefusalCode
    message: str
    version: Version


class Heartbeat(ServerMessage, frozen=True, tag="heartbeat"):
    """Comes every five seconds from the database: a version that the client has not seen means
    that a message was lost, and that it should say hello. `onlookers` is how many look on without a seat."""

    version: Version
    present: list[SeatNumber]
    rematch: str | None
    onlookers: int
    clocks: Annotated[TableClocks | None, Meta(description="As they stand now; null in a match without clocks.")]
    absent: list[Absent]


class Pong(ServerMessage, frozen=True, tag="pong"):
    """Answers a ping."""


class Why(ServerMessage, frozen=True, tag="why"):
    """Answers why: each use of the player's cards, in hand and in play, with the reason against it now, if any."""

    version: Version
    uses: list[UseView]


class ChatLine(Struct, frozen=True, kw_only=True):
    """Something that somebody wrote."""

    number: LineNumber
    to: Annotated[Literal["players", "lookers_on"], Meta(description="Among whom it was written.")]
    seat: SeatNumber | None
    name: str
    text: str
    phrase: Annotated[bool, Meta(description="It is one of the site's quick phrases.")]
    at: Annotated[int, Meta(description="Seconds since 1970.")]
    mine: bool


class Chat(ServerMessage, frozen=True, tag="chat"):
    """What was written. Comes in answer to read_chat, and after that whenever somebody has written.

    Lines may come twice, and know each other by their numbers. People whom the viewer blocks are left out.
    """

    reads: Annotated[bool, Meta(description="Whether there is a chat for this viewer.")]
    writes: Annotated[bool, Meta(description="Whether they may write.")]
    lines: list[ChatLine]
    phrases: Annotated[list[str], Meta(description="Quick phrases, in the answer to read_chat.")]


class Done(ServerMessage, frozen=True, tag="done"):
    """What was asked for with this id about the chat has been done."""

    id: ActionId
    did: Literal["said", "blocked", "reported"]


class GivenOrder(Struct, frozen=True, kw_only=True):
    """A standing order of this player.

    No message tells others of it; but what it answers is answered at once, so others may guess that there is one.
    """

    number: int
    text: str
    answered: Annotated[int, Meta(description="How many decisions it has answered.")]
    why: Annotated[str, Meta(description="What has disarmed it, in a sentence; empty while it is armed.")]


class OfferedOrder(Struct, frozen=True, kw_only=True):
    """An order that could be given now, with its words."""

    decision: str
    when: OrderWhen
    number: OrderNumber
    scope: OrderScope
    until: OrderUntil
    about: Annotated[str, Meta(description="A heading: orders for the same kind of decision have the same one.")]
    text: str


class Orders(ServerMessage, frozen=True, tag="orders"):
    """The standing orders of this player, at `version`; they never depend on what others hold.

    Comes in answer to read_orders, set_order and drop_order, and again when one of them has answered or ended. One that
    is over with its phase is gone; one that was disarmed stays, with the reason, until it is dropped.
    """

    version: Version
    orders: list[GivenOrder]
    offered: list[OfferedOrder]


FromServer = Table | Accepted | Refused | Heartbeat | Pong | Why | Chat | Done | Orders

CLOSE_CODES: dict[int, str] = {
    1008: "Far too many frames at once; connect again, and more slowly.",
    1011: "The server had to give up on this socket; connect again.",
    1013: "The client fell too far behind, or the server cannot reach its database; connect again, a little later.",
    4401: "The session has ended (logged out, or the password was changed).",
    4404: "There is no such table for you.",
    4409: "The match has not begun; its page says when it does.",
}
"""Close codes and what they mean (part of the reference in ``docs/protocol.md``)."""

REFUSALS: dict[str, str] = {
    "malformed": "The frame is not one of the messages of this protocol.",
    "too_long": f"The frame has more than {FRAME_LIMIT} bytes.",
    "too_fast": "Too many frames in a short time; wait a second.",
    "late": "The question that the move answers is not asked any more; look at the table and choose again.",
    "ahead": "The move answers a version that does not exist yet.",
    "not_your_decision": "Another seat has to choose now.",
    "not_offered": "The option is not one of those offered.",
    "not_allowed": "The rules do not allow this now (nothing to take back, for instance).",
    "paused": "The match is paused; all have to resume it first.",
    "out_of_time": "The player has run out of time; the match goes on without them in a moment.",
    "id_reused": "The action id was used before for something else.",
    "no_chat": "Nobody writes to each other at this table: it is a lesson, or one of one person, or not for you.",
    "no_seat": "Who looks on cannot move.",
    "not_running": "The match has not begun.",
    "over": "The match is over.",
    "no_such_table": "There is no such table for you.",
    "outdated": "The match was begun with an older version of the rules program and cannot go on.",
    "logged_out": "The session has ended.",
    "busy": "The server could not store the move in time; send it again with the same id.",
    "unavailable": "The server cannot reach its database. Stay connected; send a move again with the same id"
    " after the next heartbeat, as only then it can be said whether it was stored.",
    "cannot_save": "The server cannot save anything (its disk is full, most likely). Nothing has changed; try later.",
    "fault": "A fault of the server; nothing has changed.",
}
"""Codes of refusals and what they mean (part of the reference in ``docs/protocol.md``)."""


HALF_A_SIGN = (
    "This was not taken: it holds a sign that cannot be read, half of an emoji perhaps. Change it and send it again."
)
"""For whoever wrote it: no keyboard writes such a text, but one that was cut apart holds it."""


class _WithId(Struct):
    id: ActionId


_with_id = Decoder(_WithId)
_decoder = msgspec.json.Decoder(FromClient, strict=True)
_encoder = msgspec.json.Encoder()


class Malformed(Exception):
    """A frame that is no message of this protocol; ``code`` and the text say why, ``action_id`` what it was about."""

    def __init__(self, code: Literal["malformed", "too_long"], message: str, action_id: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.action_id = action_id


def decode(frame: str | bytes) -> FromClient:
    """Read a client's frame. Raises :class:`Malformed` for whatever is not exactly one message."""
    try:
        data = frame.encode() if isinstance(frame, str) else frame
    except UnicodeEncodeError as error:
        raise Malformed("malformed", "The frame is not proper text.") from error
    if len(data) > FRAME_LIMIT:
        raise Malformed("too_long", f"The frame is longer than {FRAME_LIMIT} bytes.")
    try:
        return _decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _malformed(data, error) from error


def _malformed(frame: bytes, error: Exception) -> Malformed:
    """Return what to refuse a frame with; with the id that it tells, or a client would send it again for ever."""
    # msgspec's own words name fields and types of our schema and never quote what was sent.
    told, action_id = f"The frame is no message of this protocol: {error}", None
    try:
        # Python's own reader takes what msgspec does not: half of a sign, as browsers write a text cut apart.
        read = json.loads(frame)
        action_id = _with_id.from_plain(read).id
        json.dumps(read, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        told = HALF_A_SIGN
    except (ValueError, RecursionError, msgspec.ValidationError):
        pass
    return Malformed("malformed", told, action_id)


def encode(message: FromServer) -> str:
    """Write a message of the server as it goes over the socket."""
    return _encoder.encode(message).decode()
