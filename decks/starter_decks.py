"""The decks that come with the site: their lists are files, and loaded into the database as decks that nobody owns."""

from __future__ import annotations

from pathlib import Path

from django.db import transaction

from ccg.rules.telling.wording.marks import plain
from decks import judging, services
from decks.lists import textlist
from decks.models import Deck
from decks.services import DeckError

STARTERS = Path(__file__).resolve().parent / "starters"
"""The lists of the decks that come with the site."""


def load_starters(folder: Path = STARTERS) -> list[Deck]:
    """Make the starter decks from the lists in ``folder``, or give them the versions that are new there.

    Loading the same lists again changes nothing; a starter deck whose file is gone is deleted. Raises
    DeckError, naming the file, for a list that is not clear or not legal, and then changes nothing.
    """
    files = sorted(folder.glob("*.txt"))
    with transaction.atomic():
        decks = [_load_starter(file) for file in files]
        Deck.objects.starters().exclude(starter__in=[file.stem for file in files]).delete()
    return decks


def _load_starter(file: Path) -> Deck:
    try:
        listed = services.read_clear_text(file.read_text(encoding="utf-8")).deck
        problems = judging.check_list(listed)
        if problems:
            raise DeckError(" ".join(plain(problem.text) for problem in problems))
        deck = Deck.objects.select_for_update().filter(starter=file.stem).first()
        if deck is None:
            deck = Deck(starter=file.stem, name=listed.name or file.stem, format=services.format_of(listed))
            deck.visibility = Deck.Visibility.PUBLIC
            deck.save()
        services.publish(deck, listed)
    except (DeckError, textlist.TextTooLongError) as error:
        raise DeckError(f"{file.name}: {error}") from error
    return deck
