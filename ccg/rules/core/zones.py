"""Where cards go: into discard piles, hands and decks, each to its own owner; and how a piece leaves play.

Rulebook: Game Zones, Glossary (defeat, sacrifice), ruling 14.
"""

from __future__ import annotations

from collections.abc import Iterable

from ccg.rules.core.engine import Engine
from ccg.rules.core.state import CardNumber, Piece, owner_of


def to_discard(engine: Engine, cards: Iterable[CardNumber]) -> None:
    """Put each of ``cards`` on its own owner's discard pile; a card whose owner has left leaves the game."""
    for card in cards:
        owner = engine.player(owner_of(card))
        (owner.gone if owner.lost else owner.discard).append(card)


def put_card(engine: Engine, card: CardNumber, place: str) -> None:
    """Put ``card`` into its owner's hand, or on top of, under, or shuffled into their deck."""
    owner = engine.player(owner_of(card))
    if owner.lost:
        owner.gone.append(card)
    elif place == "hand":
        owner.hand.append(card)
        owner.shown.append(card)
    elif place == "discard pile":
        owner.discard.append(card)
    elif place == "bottom of deck":
        owner.deck.insert(0, card)
    else:
        owner.deck.append(card)
        if place == "deck":
            engine.shuffle(owner_of(card), "put into deck")


def cards_of(piece: Piece) -> list[CardNumber]:
    """Return every card that lies in ``piece``: the stack, supply cards and linked missions."""
    return [*piece.cards, *lying_with(piece)]


def lying_with(piece: Piece) -> list[CardNumber]:
    """Return the cards that lie with the stack of ``piece``: supply cards and linked missions."""
    return [*piece.supplies, *(card for link in piece.links for card in link.cards)]


def leave_play(engine: Engine, piece: Piece, place: str = "") -> None:
    """Take ``piece`` out of play, with all that lies with it: every card goes to its own owner (ruling 14).

    All go to discard piles, or those of the stack to another ``place`` and what lies with it is discarded.
    """
    engine.remove(piece)
    if not place:
        to_discard(engine, cards_of(piece))
        return
    to_discard(engine, lying_with(piece))
    for card in reversed(piece.cards) if place == "top of deck" else piece.cards:  # a pile stays as it lay
        put_card(engine, card, place)
