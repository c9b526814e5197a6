"""Everything that can be done with decks, one verb a function; pages, API and commands all go through here.

Who may do it is asked where the deck is fetched: :func:`visible`, :func:`own`, ``table_decks.take_to_table``.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping
from datetime import timedelta
from functools import lru_cache
from typing import Any

import msgspec
from django.db import connection, transaction
from django.db.models import Count, Exists, F, OuterRef, QuerySet
from django.utils import timezone

from cards_data import catalog as cards_data
from cards_data.catalog import CardData
from ccg.locking import lock_person
from ccg.outbox.deleting import PAUSE_SECONDS
from ccg.suspension import refuse_suspended
from ccg.words import one_line
from decks import formats, judging, links, results
from decks.lists import deck_list, listing, textlist
from decks.lists.deck_list import DeckList, Published, PublishedList
from decks.lists.similar import Likeness, most_alike
from decks.lists.textlist import Bounds, Line, Names, Reading
from decks.models import Deck, DeckVersion, Format

MAX_DECKS = 500
MAX_VERSIONS = 500
UNNAMED = "Unnamed deck"
ROWS_AT_ONCE = 500
"""Rows that go in one transaction where somebody leaves with many decks: some thirty milliseconds."""
ROWS_OF_A_DECK = 20
"""What a deck without its versions costs to be deleted, in rows."""
SECOND_CLICK = timedelta(minutes=1)
"""For how long the same request again is taken for a second click on the same button."""
SIMILAR_AMONG = 100
SIMILAR_SHOWN = 4


class DeckError(ValueError):
    """Something about a deck cannot be done; the message says why, for people."""

    code = "deck_error"


class ListError(DeckError):
    """A list that no deck can keep, whatever there is already; ``code`` says what is wrong with it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class UndecidedError(DeckError):
    """A list has lines for which somebody has to pick a card, or leave them out."""

    code = "undecided"

    def __init__(self, lines: list[Line]) -> None:
        numbers = ", ".join(str(line.number) for line in lines[:20])
        super().__init__(f"Decide what these lines mean, or leave them out: {numbers}.")
        self.lines = lines


def current_names(cards: CardData | None = None) -> Names:
    """Return the names of the cards as they are now (or of ``cards``); kept for as long as they stay the same."""
    cards = cards or cards_data.data()
    return _names(cards)


@lru_cache(maxsize=2)
def _names(cards: CardData) -> Names:
    return Names(cards.catalog, cards.printings)


def read_text(text: str, picks: Mapping[int, str] | None = None, bounds: Bounds = textlist.A_DECK) -> Reading:
    """Read a pasted list with the cards and formats as they are now; raises textlist.TextTooLongError."""
    return textlist.read(text, current_names(), formats.codes(), picks, bounds)


def read_clear_text(text: str, picks: Mapping[int, str] | None = None) -> Reading:
    """Read a pasted list that is to be stored; raises DeckError or textlist.TextTooLongError if it cannot be."""
    return _clear(read_text(text, picks))


def create_from_text(
    owner: Any,
    text: str,
    *,
    name: str = "",
    visibility: str = "private",
    picks: Mapping[int, str] | None = None,
) -> Deck:
    """Make a deck of ``owner`` from a pasted list; ``name`` wins over the name in the text.

    A deck need not be legal to be stored. Raises DeckError (UndecidedError while a line is not clear) and
    textlist.TextTooLongError; then nothing was stored.
    """
    listed = read_clear_text(text, picks).deck
    listed.name = deck_list.clean_name(name) or listed.name
    return create(owner, listed, visibility=visibility)


def create(
    owner: Any, listed: DeckList, *, visibility: str = "private", uid: str | None = None, note: str = ""
) -> Deck:
    """Make a deck of ``owner`` with a list that was read or made before, with the id ``uid`` if that is given.

    Raises DeckError for an empty list, one that is too long, or one deck too many; then nothing was stored.
    """
    _refuse_unstorable(listed)
    with transaction.atomic():
        _refuse_one_more(owner)
        deck = Deck(
            owner=owner,
            name=listed.name or UNNAMED,
            format=format_of(listed),
            **({"uid": uid} if uid else {}),
        )
        _open_to(deck, Deck.Visibility(visibility))
        refuse_if_shown(deck)
        deck.save()
        _add_version(deck, listed, note)
    return deck


def publish(deck: Deck, listed: DeckList, note: str = "") -> DeckVersion:
    """Store a list as the new head version of ``deck``, as :func:`new_version` does with text; raises DeckError."""
    _refuse_unstorable(listed)
    return _next_version(deck, listed, note)


def new_version(deck: Deck, text: str, *, note: str = "", picks: Mapping[int, str] | None = None) -> DeckVersion:
    """Store a list as the new head version of ``deck``, which takes name and format from it too.

    The same cards, considered cards and tags as the head make no new version. Locks the deck, so that two
    tabs saving at once get two numbers. Raises as :func:`create_from_text` does.
    """
    return _next_version(deck, read_clear_text(text, picks).deck, note)


def revert(deck: Deck, version: DeckVersion) -> DeckVersion:
    """Make a new head version of ``deck`` with the list of its older ``version``; nothing is taken away.

    Raises DeckError if the head has that list already, or the deck has as many versions as there can be.
    """
    listed = as_list(deck, version)
    if is_newest(deck, listed):
        raise DeckError(f"Version {version.number} has the same list as the newest one.")
    return _next_version(deck, listed, f"As in version {version.number} again.")


def is_newest(deck: Deck, listed: DeckList) -> bool:
    """Return whether the head of ``deck`` has this list."""
    return deck.head is not None and _same(deck.head, listed)


def fork(owner: Any, version: DeckVersion, name: str = "") -> Deck:
    """Make a private deck of ``owner`` that begins with the list of ``version``, and remembers where it is from.

    Once more within a minute, while nothing was done with that copy, is a second click, and no other deck. Whether
    ``owner`` may see ``version`` is asked where it is fetched. Raises DeckError if they have too many decks.
    """
    source = version.deck
    with transaction.atomic():
        lock(source)
        lock_person(owner)
        called = deck_list.clean_name(name) or source.name
        lately = Deck.objects.filter(owner=owner, origin=version, created__gt=timezone.now() - SECOND_CLICK)
        again = lately.filter(name=called, head__number=1, draft=None).with_head().first()
        if again is not None:
            return again
        _refuse_one_more(owner)
        deck = Deck(owner=owner, name=called, format=source.format)
        deck.derived, deck.origin = True, version
        deck.save()
        _add_version(deck, as_list(source, version))
    return deck


def lock(deck: Deck) -> None:
    """Read ``deck`` again and have whoever else would change it wait until the transaction ends, which there has to be.

    Raises Deck.DoesNotExist if it was deleted since it was read, which pages answer with 404 by a middleware.
    """
    deck.refresh_from_db(from_queryset=Deck.objects.select_for_update())


def refuse_if_shown(deck: Deck) -> None:
    """Raise ``ccg.suspension.Suspended`` if others can see ``deck`` and its owner is suspended: it stays as it is."""
    if deck.visibility != Deck.Visibility.PRIVATE:
        refuse_suspended(deck.owner)


def rename(deck: Deck, name: str) -> None:
    """Rename ``deck``; raises DeckError if nothing of it can be shown."""
    cleaned = deck_list.clean_name(name)
    if not cleaned:
        raise DeckError("A deck needs a name.")
    with transaction.atomic():
        lock(deck)
        refuse_if_shown(deck)
        deck.name = cleaned
        deck.save(update_fields=["name", "changed"])


def set_visibility(deck: Deck, visibility: str) -> None:
    """Let only the owner, whoever has the link, or everybody see ``deck``; raises DeckError.

    A private deck has no link: what was sent around before opens nothing, also when the deck is unlisted again.
    """
    if visibility not in Deck.Visibility.values:
        raise DeckError("There is no such visibility.")
    with transaction.atomic():
        lock(deck)
        if deck.taken_down and visibility != "private":
            raise DeckError("Moderators have taken this deck down: only you see it until they bring it back.")
        _open_to(deck, Deck.Visibility(visibility))
        refuse_if_shown(deck)
        deck.save(update_fields=["visibility", "link_nonce", "link_hash", "changed"])


def settle(deck: Deck, *, name: str | None = None, visibility: str | None = None) -> None:
    """Rename ``deck`` and say who may see it, both or neither; None leaves that as it is. Raises DeckError."""
    with transaction.atomic():
        lock(deck)
        if name is not None:
            rename(deck, name)
        if visibility is not None and visibility != deck.visibility:
            set_visibility(deck, visibility)


def give_up(owner: Any, *, keep_public: bool) -> None:
    """Take the decks of ``owner``, who is leaving, away; with ``keep_public`` public ones stay, as nobody's.

    What others wrote about those stays with them; the write-up does, too. Some decks go at a time, each time in a
    transaction of its own unless there is one: five hundred decks with all their versions take many seconds, in which
    no table could write to SQLite.
    """
    decks = Deck.objects.filter(owner=owner)
    if keep_public:
        decks.public().update(owner=None, link_nonce="", link_hash=None)
    for number, some in enumerate(_portions(decks)):
        if number and not connection.in_atomic_block:
            time.sleep(PAUSE_SECONDS)
        decks.filter(pk__in=some).delete()


def count_match(lists: Collection[str]) -> None:
    """Count a match of people for every public deck whose newest version is one of the lists played, by content hash.

    Call it when the match is over: the number is public, and would tell an opponent which deck they face. It only says
    how much a deck is liked, so a count that is lost with its process is not made up for.
    """
    public = Deck.objects.public().filter(head__content_hash__in=lists)
    Deck.objects.filter(pk__in=public.values("pk")).update(played=F("played") + 1)


def take_down(deck: Deck) -> None:
    """Make ``deck`` private until :func:`bring_back`, as moderators want it. Raises DeckError for a starter deck."""
    if deck.starter:
        raise DeckError("A starter deck comes with the site, and stays.")
    with transaction.atomic():
        lock(deck)
        deck.taken_down = True
        _open_to(deck, Deck.Visibility("private"))
        deck.save(update_fields=["taken_down", "visibility", "link_nonce", "link_hash"])


def bring_back(deck: Deck) -> None:
    """Let the owner of ``deck`` show it again; nobody's deck is public again at once."""
    with transaction.atomic():
        lock(deck)
        deck.taken_down = False
        if deck.owner_id is None:
            _open_to(deck, Deck.Visibility("public"))
        deck.save(update_fields=["taken_down", "visibility"])


def renew_link(deck: Deck) -> None:
    """Give an unlisted ``deck`` another link; the old one opens nothing any more. Raises DeckError for other decks."""
    with transaction.atomic():
        lock(deck)
        _refuse_unless_unlisted(deck)
        links.give_link(deck)
        deck.save(update_fields=["link_nonce", "link_hash", "changed"])


def revoke_link(deck: Deck) -> None:
    """Make an unlisted ``deck`` private, so that its link opens nothing any more. Raises DeckError for other decks."""
    with transaction.atomic():
        lock(deck)
        _refuse_unless_unlisted(deck)
        set_visibility(deck, "private")


def delete(deck: Deck) -> None:
    """Delete ``deck`` with all its versions. Matches keep their own copies of what was played."""
    with transaction.atomic():
        lock(deck)
        deck.delete()


def origin_of(deck: Deck, viewer: Any) -> DeckVersion | None:
    """Return the version that ``deck`` was copied from, if it is still there and ``viewer`` may see it."""
    if deck.origin_id is None:
        return None
    seen = Deck.objects.visible_to(viewer).filter(pk=OuterRef("deck_id"))
    found: DeckVersion | None = (
        DeckVersion.objects.filter(Exists(seen), pk=deck.origin_id).select_related("deck__owner").first()
    )
    return found


def similar_to(deck: Deck, version: DeckVersion) -> list[Likeness[Deck]]:
    """Return the public and starter decks most like ``version`` of ``deck``, the most alike first.

    They are looked for among those with the same base that are liked most, and those changed last.
    """
    public = Deck.objects.public().filter(head__isnull=False).exclude(pk=deck.pk)
    listed = public.values_list("pk", "head__base", "head__counts")
    of_base = listed.filter(head__base=version.base).order_by("-liked", "-id")[:SIMILAR_AMONG]
    others = {
        pk: (base, counts) for pk, base, counts in (*of_base, *listed.order_by("-changed", "-id")[:SIMILAR_AMONG])
    }
    found = most_alike(version.base, version.counts, [(pk, *rest) for pk, rest in others.items()], SIMILAR_SHOWN)
    decks = Deck.objects.with_head().in_bulk([one.deck for one in found])
    return [Likeness(decks[one.deck], one.shared, one.same_base) for one in found if one.deck in decks]


def visible(user: Any, ref: str) -> Deck:
    """Return the deck with this id, or that this link opens, if ``user`` may see it.

    Else raises Deck.DoesNotExist, forbidden or missing.
    """
    if not ref.startswith(links.MARK):
        return Deck.objects.with_head().visible_to(user).known_as(ref).get()
    deck = Deck.objects.with_head().opened_by(links.hash_of(links.token_in(ref))).get()
    if deck.visibility == Deck.Visibility.UNLISTED and deck.owner != user:
        deck.link = ref
    return deck


def own(user: Any, uid: str) -> Deck:
    """Return the deck with this id if it is the user's own; else raises Deck.DoesNotExist."""
    if not user.is_authenticated:
        raise Deck.DoesNotExist
    return Deck.objects.with_head().filter(owner=user).known_as(uid).get()


def format_of(deck: DeckList) -> Format:
    """Return the format that a list names, the usual one if it names none; raises Format.DoesNotExist."""
    return Format.objects.get(code=deck.format) if deck.format else formats.standard()


def as_list(deck: Deck, version: DeckVersion) -> DeckList:
    """Return ``version`` of ``deck`` as the text form takes it."""
    return DeckList(
        name=deck.name,
        format=deck.format_id,
        bases=version.bases,
        counts=dict(version.counts),
        considering=dict(version.considering),
        tags=dict(version.tags),
    )


def as_published(deck: Deck, version: DeckVersion) -> PublishedList:
    """Return ``version`` of ``deck`` as :func:`as_list` does, with which version it is; takes two queries."""
    published = Published(
        version=version.number,
        parent=version.parent.number if version.parent else 0,
        notes=version.note,
        data_version=cards_data.current_number(),
    )
    return PublishedList(**msgspec.structs.asdict(as_list(deck, version)), published=published)


def as_text(deck: Deck, version: DeckVersion) -> str:
    """Return ``version`` of ``deck`` as text."""
    return listing.write(as_list(deck, version), current_names())


def count_with(card_ids: Collection[str]) -> int:
    """Return how many decks hold at least one of these cards, as their base or in the list that is played."""
    wanted = frozenset(card_ids)
    lists = Deck.objects.filter(head__isnull=False).values_list("head__base", "head__counts")
    return sum(base in wanted or not wanted.isdisjoint(counts) for base, counts in lists.iterator())


def _open_to(deck: Deck, visibility: Deck.Visibility) -> None:
    """Say who may see ``deck``, with the link that belongs to it. Saves nothing."""
    deck.visibility = visibility
    if visibility == Deck.Visibility.PRIVATE:
        links.take_link(deck)
    elif visibility == Deck.Visibility.UNLISTED and not deck.link_nonce:
        links.give_link(deck)


def _portions(decks: QuerySet[Deck]) -> Iterator[list[int]]:
    """Yield the keys of these decks, so many at a time as have about :data:`ROWS_AT_ONCE` rows."""
    some: list[int] = []
    rows = 0
    for pk, versions in list(decks.annotate(Count("versions")).order_by("pk").values_list("pk", "versions__count")):
        some.append(pk)
        rows += ROWS_OF_A_DECK + versions
        if rows >= ROWS_AT_ONCE:
            yield some
            some, rows = [], 0
    if some:
        yield some


def _refuse_unless_unlisted(deck: Deck) -> None:
    if deck.visibility != Deck.Visibility.UNLISTED:
        raise DeckError("Only an unlisted deck is opened by a link.")


def _refuse_one_more(owner: Any) -> None:
    """Raise DeckError if ``owner`` has as many decks as there can be; locks them."""
    lock_person(owner)
    if Deck.objects.filter(owner=owner).count() >= MAX_DECKS:
        raise DeckError(f"You have {MAX_DECKS} decks, which is the most there can be. Delete one first.")


def _clear(reading: Reading) -> Reading:
    """Return ``reading`` unchanged if it can be stored; raises DeckError otherwise."""
    if reading.undecided:
        raise UndecidedError(reading.undecided)
    _refuse_unstorable(reading.deck)
    return reading


def _refuse_unstorable(listed: DeckList) -> None:
    """Raise ListError if there is nothing in the list, or more than a deck can keep."""
    if len(listed.bases) > 1:
        raise ListError("many_bases", "A deck keeps one base: take the others off the list.")
    if not (listed.counts or listed.bases or listed.considering):
        raise ListError("empty_list", "There is no card in this list.")
    if textlist.too_long(listing.write(listed, current_names())):
        raise ListError("too_long", "This list is too long to be written out again.")


def _next_version(deck: Deck, listed: DeckList, note: str = "") -> DeckVersion:
    with transaction.atomic():
        locked = Deck.objects.select_for_update().get(pk=deck.pk)
        refuse_if_shown(locked)
        locked.name = listed.name or locked.name
        locked.format = format_of(listed) if listed.format else locked.format
        locked.save(update_fields=["name", "format", "changed"])
        head = locked.head
        if head is None or not _same(head, listed):
            if head is not None and head.number >= MAX_VERSIONS:
                raise DeckError(f"A deck has {MAX_VERSIONS} versions at most. Save this list as a new deck.")
            head = _add_version(locked, listed, note)
        elif locked.format_id != deck.format_id:
            verdict = judging.verdict(judging.check_version(head, locked))
            DeckVersion.objects.filter(pk=head.pk).update(**verdict)
    deck.refresh_from_db()
    return head


def _same(version: DeckVersion, listed: DeckList) -> bool:
    stored = (version.bases, version.counts, version.considering, version.tags)
    return stored == (listed.bases, listed.counts, listed.considering, listed.tags)


def _add_version(deck: Deck, listed: DeckList, note: str = "") -> DeckVersion:
    head = deck.head
    problems = judging.check_list(DeckList(format=deck.format_id, bases=listed.bases, counts=listed.counts))
    version = DeckVersion.objects.create(
        deck=deck,
        number=head.number + 1 if head else 1,
        parent=head,
        base=listed.bases[0] if listed.bases else "",
        counts=listed.counts,
        considering=listed.considering,
        tags=listed.tags,
        note=one_line(note, 200),
        **judging.verdict(problems),
    )
    deck.head = version
    record = results.columns(results.of(version.content_hash))
    for name, value in record.items():
        setattr(deck, name, value)
    deck.save(update_fields=["head", "changed", *record])
    return version
