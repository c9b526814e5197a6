"""Every message that a table can be sent, and what pages hear that wait for one: by everybody, at each kind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from ipaddress import IPv4Address
from itertools import count
from typing import Any, get_args

from channels.testing import WebsocketCommunicator
from django.conf import settings

from ccg.outbox.models import Job
from ccg.server.asgi import application
from matches.chat.models import Line
from matches.hints.listeners import listeners
from matches.hints.wire import TableChanged
from matches.models import Archive, Match, Move
from matches.orders.models import StandingOrder
from matches.protocol import messages as protocol
from matches.sockets.lobby import CHANGED
from matches.storage.seat_sets import seats_of
from matches.table import table_view

from .asking import forget
from .measuring import Measured
from .world import ROLES, World

PATIENCE = 20.0
_addresses = count(1)
AT = ("watched", "unwatched", "finished", "open", "withdrawn", "missing")
PLAYED = ("watched", "unwatched", "finished")
"""Tables that can be sat at or looked at; of the others only coming in is tried."""


def measure(world: World, measured: Measured, tables: Iterable[str] = AT) -> int:
    """Ask everything at these tables as everybody; return how many cells that were."""
    cells = 0
    for at in tables:
        hands = world.hands.get(at, {})
        for name, message in _messages(world, at).items():
            row = {role: _in_words(_ask(world, role, at, message), hands) for role in ROLES}
            measured.table[f"SOCKET {name} {at}"] = row
            measured.broken += [line for role, answer in row.items() for line in walls(name, at, role, answer)]
            cells += len(row)
    for at in ("list", *tables):
        row = {role: _wait(world, role, at) for role in ROLES}
        measured.table[f"SOCKET waiting {at}"] = row
        measured.broken += [line for role, answer in row.items() for line in walls("waiting", at, role, answer)]
        cells += len(row)
    measured.cells += cells
    return cells


def walls(name: str, at: str, role: str, answer: str) -> list[str]:
    """Return the violations in one cell of what holds whatever the table says, as sentences."""
    seated = role in ("alice", "bob")
    wrong = [
        ("fault" in answer or "1011" in answer, "is a fault of the server"),
        (any(f"hand of {who}" in answer and role != who for who in ("alice", "bob")), "tells a hand"),
        ("accepted" in answer and not seated, "moves without a seat"),
        (name == "waiting" and answer != CHANGED, "hears more than that something is new"),
        (
            at == "unwatched" and answer.startswith("table") and not seated,
            "looks on at a private table",
        ),
    ]
    return [f"SOCKET {name} {at} as {role} {what}: {answer}" for so, what in wrong if so]


def _messages(world: World, at: str) -> dict[str, str]:
    """Return a message of each type that there is, valid where it can be."""
    if at not in PLAYED:
        return {"coming": ""}
    match = Match.objects.get(public_id=world.matches[at])
    option = ""
    deciding = seats_of(match.deciders)
    if match.state == Match.State.RUNNING and deciding:
        decision = table_view.current_game(match)[1].view(deciding[0]).decision
        option = decision.options[0].key if decision else ""
    now = {"version": match.version}
    known: dict[str, dict[str, Any]] = {
        "hello": {},
        "choose": {"id": "rights", **now, "option": option or "none"},
        "back": {"id": "rights", **now},
        "concede": {"id": "rights"},
        "offer": {"id": "rights", "what": "draw"},
        "agree": {"id": "rights", "what": "draw"},
        "decline": {"id": "rights", "what": "draw"},
        "resume": {"id": "rights"},
        "claim": {"id": "rights", "seat": 0},
        "ping": {},
        "why": now,
        "read_chat": {},
        "say": {"id": "rights", "text": "Well met."},
        "block_writer": {"id": "rights", "line": 1},
        "report_line": {"id": "rights", "line": 1, "reason": "spam"},
        "read_orders": {"id": "rights"},
        "set_order": {"id": "rights", **now, "decision": "action", "when": "always", "scope": "phase", "until": "end"},
        "drop_order": {"id": "rights", "number": 1},
    }
    types = [one.__struct_config__.tag for one in get_args(protocol.FromClient)]
    # A type that is not known here is sent bare, and has no row in the table: that fails.
    sent = {name: json.dumps({"type": name, **known.get(name, {})}) for name in types}
    return {"coming": "", **sent, "rubbish": "{"}


def _ask(world: World, role: str, at: str, message: str) -> list[str]:
    """Return what a socket was sent, and how it was closed; whatever was done to the match is undone."""
    match_id = world.matches.get(at, "2" * 16)
    before = list(Match.objects.filter(public_id=match_id).values())
    forget()
    try:
        return asyncio.run(_talk(match_id, world.sessions.get(role, ""), message))
    finally:
        forget()
        for columns in before:
            Move.objects.filter(match=columns["id"], seq__gt=columns["version"]).delete()
            Archive.objects.filter(match=columns["id"]).exclude(match__state=columns["state"]).delete()
            Job.objects.filter(key__endswith=match_id).delete()
            Line.objects.filter(match=columns["id"]).delete()
            StandingOrder.objects.filter(match=columns["id"]).delete()
            Match.objects.filter(pk=columns["id"]).update(**columns)


def _wait(world: World, role: str, at: str) -> str:
    """Return what a page hears that waits at the table, or at the list of all, when that changes."""
    match_id = "" if at == "list" else world.matches.get(at, "2" * 16)
    return asyncio.run(_hear(match_id, world.sessions.get(role, "")))


async def _hear(match_id: str, session: str) -> str:
    line = _line(f"lobby/{match_id}/" if match_id else "lobby/", session)
    connected, code = await line.connect(PATIENCE)
    if not connected:
        return f"closed {code}"
    await line.send_to(text_data='{"type":"hello"}')
    listeners.tell(TableChanged(match_id, listed=True))
    heard = await line.receive_from(PATIENCE)
    await line.disconnect(timeout=PATIENCE)
    return heard


def _line(path: str, session: str) -> WebsocketCommunicator:
    headers = [(b"origin", settings.SITE_ORIGINS[0].encode())]
    if session:
        headers.append((b"cookie", f"{settings.SESSION_COOKIE_NAME}={session}".encode()))
    line = WebsocketCommunicator(application, f"/ws/{path}", headers)
    # Each comes from an address of its own: how many one address may have is not what is asked here.
    line.scope["client"] = (str(IPv4Address("10.0.0.0") + next(_addresses)), 4)
    return line


async def _talk(match_id: str, session: str, message: str) -> list[str]:
    line = _line(f"matches/{match_id}/", session)
    connected, code = await line.connect(PATIENCE)
    if not connected:
        return [f"closed {code}"]
    heard: list[str] = []
    if message:
        await line.send_to(text_data=message)
    # Answered in the order in which they were sent: after this pong, all that came of the message has been said.
    await line.send_to(text_data='{"type":"ping"}')
    pongs = 2 if '"ping"' in message else 1
    while pongs:
        event = await line.receive_output(PATIENCE)
        if event["type"] == "websocket.close":
            heard.append(f"closed {event.get('code')}")
            break
        heard.append(event["text"])
        pongs -= '"type":"pong"' in event["text"]
    else:
        heard.pop()
        await line.disconnect(timeout=PATIENCE)
    return heard


def _in_words(heard: list[str], hands: dict[str, set[str]]) -> str:
    """Return the types of the messages that were received, and whose hands they reveal, as text."""
    kinds: list[str] = []
    for one in heard:
        if one.startswith("closed"):
            kinds.append(one)
            continue
        message = json.loads(one)
        code = f" {message['code']}" if message["type"] == "refused" else ""
        kinds.append(f"{message['type']}{code}")
    seen_hands = [
        whose for whose, cards in sorted(hands.items()) if any(card in one for card in cards for one in heard)
    ]
    return "; ".join([", ".join(dict.fromkeys(kinds)) or "nothing", *(f"tells {whose}" for whose in seen_hands)])
