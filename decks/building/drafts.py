"""Drafts: what somebody is building, kept on the server while they build it.

A page saves often, and not always in order: there are several tabs, other devices, answers that were lost. So no save
is the last word. Each names the revision that it knows and the content that this had; where somebody else has saved
since, both are merged card by card (:mod:`decks.lists.merging`), and the answer says what that brought.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from typing import Annotated, Any

import msgspec
from django.db import IntegrityError, transaction
from django.utils import timezone
from msgspec import Meta, Struct

from ccg.locking import lock_person
from ccg.rules.decoding import Decoder
from ccg.words import without_heaps
from decks import formats, services
from decks.lists import deck_list, textlist
from decks.lists.deck_list import DeckList
from decks.lists.merging import Brought, Content, merge
from decks.models import Deck, DeckVersion, Draft, GoneDeck
from decks.services import DeckError
from decks.social import opinions

MAX_DRAFTS = 200
MAX_CARDS = 500
"""Different cards that a draft may name, in the deck and considered, each."""
MAX_SENDERS = 8
"""Pages whose last save is remembered: more than anybody has open at once."""
MAX_BYTES = textlist.MAX_BYTES
MAX_GONE_ON_WITH = 10**9
"""The revision from which a draft that is made anew may count on, which a page says and nobody can check."""
MADE_ANEW = 10_000
"""How much further it counts: more saves than another page of it may have heard of beyond that."""
EMPTY_FOR = timedelta(days=1)
"""How long an emptied draft of no deck is kept: a window that is still open may fill it again."""

UID = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)

CardId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9-]{1,15}\Z")]
Copies = Annotated[int, Meta(ge=1, le=textlist.MAX_QUANTITY * textlist.MAX_LINES)]
"""As many as a list can say on all its lines: what is imported can be gone on with, legal or not."""
Counts = Annotated[dict[CardId, Copies], Meta(max_length=MAX_CARDS)]
Tag = Annotated[str, Meta(pattern=r"^[^\s#\x00]{1,40}\Z")]


class SentContent(Struct, kw_only=True, forbid_unknown_fields=True):
    """The content of a draft as a page sends it, with its bounds."""

    name: Annotated[str, Meta(max_length=deck_list.MAX_NAME)] = ""
    format: Annotated[str, Meta(max_length=40)] = ""
    base: Annotated[str, Meta(pattern=r"^[A-Za-z0-9-]{0,15}\Z")] = ""
    counts: Counts = msgspec.field(default_factory=dict)
    considering: Counts = msgspec.field(default_factory=dict)
    tags: Annotated[dict[CardId, Annotated[list[Tag], Meta(max_length=10)]], Meta(max_length=MAX_CARDS)] = (
        msgspec.field(default_factory=dict)
    )

    def checked(self) -> Content:
        """Return it as it is kept; the name is cleaned, and formats and tags that can be none are left out."""
        content = Content(
            name=deck_list.clean_name(self.name),
            format=self.format if self.format in formats.codes() else "",
            base=self.base,
            counts=self.counts,
            considering=self.considering,
            tags={
                card: kept
                for card, tags in self.tags.items()
                if (kept := [without_heaps(one) for one in tags if one.isprintable()])
            },
        )
        copies = (*content.counts.values(), *content.considering.values())
        if sum(-(-count // textlist.MAX_QUANTITY) for count in copies) > 2 * MAX_CARDS:
            raise DeckError("A draft may not hold so many copies of so many cards.")
        if len(msgspec.json.encode(content)) > MAX_BYTES:
            raise DeckError(f"A draft may be {MAX_BYTES // 1024} KiB long at most.")
        return content


class Save(Struct, kw_only=True, forbid_unknown_fields=True):
    """What a page sends to save: the content it has, and what it knew of the draft when it last heard of it.

    ``known`` is the content at ``revision``; ``sender`` is an id of the page, and of two saves of a page the later one
    has the greater ``made``, by its clock; 0 where that is not known.
    """

    sender: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{8,22}\Z")]
    revision: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    content: SentContent
    known: SentContent
    made: Annotated[int, Meta(ge=0, le=2**53)] = 0


_SAVE = Decoder(Save)
_CONTENT = Decoder(Content)


class Saved(Struct, kw_only=True):
    """A draft as it is now, and what of it the page that asks did not know.

    ``parent`` is the number of the version that it began with, 0 if there was none. ``made`` has, by the ids of pages
    that have saved lately, when each made its last save that is in it: one that had no answer may have arrived, or not.
    """

    uid: str
    revision: int
    content: Content
    parent: int = 0
    brought: list[Brought] = msgspec.field(default_factory=list)
    made: dict[str, int] = msgspec.field(default_factory=dict)


def read(sent: object) -> Save:
    """Return plain data as a save; raises msgspec.ValidationError where it is none, or beyond the bounds."""
    return _SAVE.from_plain(sent)


def find(user: Any, uid: str) -> Saved:
    """Return the draft ``uid`` of ``user``, or their deck of this id as a draft that nobody has begun.

    Raises Draft.DoesNotExist, whether it is somebody else's or never was.
    """
    if not user.is_authenticated or not UID.fullmatch(uid):
        raise Draft.DoesNotExist
    draft = Draft.objects.filter(owner=user, uid=uid).select_related("parent", "deck__head").first()
    if draft is not None:
        return _current(draft)
    try:
        deck = services.own(user, uid)
    except Deck.DoesNotExist:
        raise Draft.DoesNotExist from None
    return _current(_unsaved(user, deck))


def save(user: Any, uid: str, sent: Save) -> Saved:
    """Keep what a page sent, merged with what others saved since the revision that it knows.

    The first save of an id makes the draft. Raises Draft.DoesNotExist where the id is somebody else's, or was that
    of a deck since deleted; StaleError where a later save of the page was here first; DeckError where there is no
    room. Locks the draft: of two saves at once one comes after the other and is merged.
    """
    if not UID.fullmatch(uid):
        raise Draft.DoesNotExist
    content, known = sent.content.checked(), sent.known.checked()
    try:
        with transaction.atomic():
            draft = _locked(user, uid)
            brought = _take(draft, sent, content, known)
            draft.save()
    except IntegrityError as error:
        # Two first saves at once, or an id that is somebody else's: the second try finds which.
        if not Draft.objects.filter(owner=user, uid=uid).exists():
            raise Draft.DoesNotExist from error
        return save(user, uid, sent)
    return _saved(draft, brought)


def publish(
    user: Any,
    uid: str,
    revision: int,
    *,
    parent: int | None = None,
    note: str = "",
    visibility: str | None = None,
    tags: str | None = None,
) -> Deck:
    """Make the draft the next version of its deck, or a new deck; it stays, to be gone on with.

    ``parent`` is the number of the deck's newest version as far as the page knows, None for the one that the draft
    was last saved on: what became of the deck since, by a revert or a pasted list, is not undone unseen. ``visibility``
    and ``tags`` (with commas between them) are those of the deck from now on; None leaves them as they are, and a new
    deck private. Raises Draft.DoesNotExist, StaleError if there is a newer revision or version than the one meant, and
    DeckError as :func:`decks.services.create` and :func:`decks.social.opinions.tag` do.
    """
    if not UID.fullmatch(uid):
        raise Draft.DoesNotExist
    with _locked_to_publish(user, uid) as draft:
        current = _current(draft)
        known = parent if parent is not None else _saved(draft, []).parent
        listed = as_list(current.content)
        # The page does not know of a version that it has published itself, where the answer was lost on its way.
        is_done = draft.deck is not None and services.is_newest(draft.deck, listed)
        if draft.revision != revision or (current.parent != known and not is_done):
            raise StaleError
        draft.content = msgspec.to_builtins(current.content)
        if draft.deck is None:
            draft.deck = services.create(user, listed, visibility=visibility or "private", uid=uid, note=note)
        else:
            services.publish(draft.deck, listed, note)
            services.settle(draft.deck, visibility=visibility)
        if tags is not None:
            opinions.tag(draft.deck, tags)
        draft.parent = draft.deck.head
        draft.save(update_fields=["content", "deck", "parent", "changed"])
        return draft.deck


class StaleError(DeckError):
    """Somebody else has saved since: what would be published is not what the page shows."""

    code = "stale"

    def __init__(
        self, words: str = "This draft was changed in another window meanwhile. Look at it again, then publish it."
    ) -> None:
        super().__init__(words)


def begun(user: Any) -> list[Draft]:
    """Return the drafts of ``user`` that no deck has come of yet, the last one first."""
    drafts = Draft.objects.filter(owner=user, deck=None)[:MAX_DRAFTS]
    return [draft for draft in drafts if not _is_empty(draft)]


def never_published(user: Any, uid: str) -> Draft:
    """Return the draft ``uid`` of ``user`` that no deck has come of; raises Draft.DoesNotExist."""
    if not user.is_authenticated:
        raise Draft.DoesNotExist
    return Draft.objects.get(owner=user, deck=None, uid=uid if UID.fullmatch(uid) else "")


def delete(user: Any, uid: str) -> None:
    """Delete a draft of ``user`` that no deck has come of; raises Draft.DoesNotExist.

    A window in which it is still open has all of it, and saves it again with its next change.
    """
    with transaction.atomic():
        Draft.objects.select_for_update().get(pk=never_published(user, uid).pk, deck=None).delete()


def unpublished(user: Any, **which: Any) -> set[str]:
    """Return the ids of the decks of ``user`` whose drafts are other than their newest versions."""
    drafts = Draft.objects.filter(owner=user, deck__isnull=False, **which).defer("senders")
    rows = drafts.select_related("deck__head", "parent")
    return {draft.uid for draft in rows if draft.deck and _is_changed(draft, draft.deck)}


def _is_changed(draft: Draft, deck: Deck) -> bool:
    """Return whether publishing the draft would change more than the name, which a deck gets without a version."""
    now, then = as_list(_current(draft).content), as_list(of_version(deck, deck.head))
    now.name = then.name = ""
    return now != then


def as_list(content: Content) -> DeckList:
    """Return the content of a draft as lists of decks are."""
    return DeckList(
        name=content.name,
        format=content.format or formats.standard().code,
        bases=[content.base] if content.base else [],
        counts=dict(content.counts),
        considering=dict(content.considering),
        tags={card: list(tags) for card, tags in content.tags.items()},
    )


def of_version(deck: Deck, version: DeckVersion | None) -> Content:
    """Return a version of a deck as the content of a draft; without one, that of an empty deck."""
    if version is None:
        return Content(name=deck.name, format=deck.format_id)
    return Content(
        name=deck.name,
        format=deck.format_id,
        base=version.base,
        counts=version.counts,
        considering=version.considering,
        tags=version.tags,
    )


def _lock_deck(user: Any, uid: str) -> bool:
    """Lock the deck that the draft is of, if there is one: before the draft, as whoever deletes a deck does.

    In another order each could hold what the other waits for. Returns whether there is one.
    """
    return Deck.objects.select_for_update().filter(owner=user, uid=uid).values_list("pk").first() is not None


@contextmanager
def _locked_to_publish(user: Any, uid: str) -> Iterator[Draft]:
    """Lock the draft in a transaction, and its deck before it; raises Draft.DoesNotExist.

    Where another request has made the deck between the two, both are let go, and locked once more in this order.
    """
    with ExitStack() as transactions:
        for _ in range(2):
            transactions.close()
            transactions.enter_context(transaction.atomic())
            has_deck = _lock_deck(user, uid)
            draft = Draft.objects.select_for_update().get(owner=user, uid=uid)
            if has_deck or draft.deck_id is None:
                break
        yield draft


def _locked(user: Any, uid: str) -> Draft:
    _lock_deck(user, uid)
    draft = Draft.objects.select_for_update().filter(owner=user, uid=uid).first()
    if draft is not None:
        return draft
    try:
        return _unsaved(user, services.own(user, uid))
    except Deck.DoesNotExist:
        # In this order: what is deleted between the two questions is found by the second.
        if Deck.objects.filter(uid=uid).exists() or GoneDeck.had(uid):
            raise Draft.DoesNotExist from None
    lock_person(user)
    _forget_emptied(user)
    if Draft.objects.filter(owner=user, deck=None).count() >= MAX_DRAFTS:
        raise DeckError(f"You have begun {MAX_DRAFTS} decks, which is the most there can be. Publish or delete one.")
    return Draft(uid=uid, owner=user)


def _forget_emptied(user: Any) -> None:
    """Delete what ``user`` has begun and emptied again; not at once, as an open window may still fill it."""
    before = timezone.now() - EMPTY_FOR
    old = Draft.objects.filter(owner=user, deck=None, changed__lt=before).defer("senders")
    Draft.objects.filter(pk__in=[draft.pk for draft in old if _is_empty(draft)]).delete()


def _is_empty(draft: Draft) -> bool:
    """Return whether there is nothing in it but perhaps a format."""
    return _content(draft) == Content(format=draft.content.get("format", ""))


def _unsaved(user: Any, deck: Deck) -> Draft:
    """Return the draft of a deck that was never edited: what the deck is."""
    content = msgspec.to_builtins(of_version(deck, deck.head))
    return Draft(uid=deck.uid, owner=user, deck=deck, parent=deck.head, content=content)


def _take(draft: Draft, sent: Save, content: Content, known: Content) -> list[Brought]:
    """Put what was sent into ``draft``; return what others had changed."""
    last, heard = draft.senders.get(sent.sender), known
    if last and last["revision"] > sent.revision:
        if 0 < sent.made < last.get("made", 0):
            # The page had given it up and sent what it had by then: merged, this one would take that back.
            raise StaleError("Later changes of this window are saved already.")
        # The answer to that save was lost on its way, so the page does not know of the revision that it made; what it
        # has heard of others since it sent it is no change of its own.
        before = _CONTENT.from_plain(last["known"]) if "known" in last else known
        known = merge(before, known, _CONTENT.from_plain(last["content"])).content
    is_new = draft.pk is None and draft.deck is None
    if is_new and sent.revision > 0:
        # One that was deleted while windows had it open counts on from where none of them is, so that each hears of it.
        draft.revision = min(sent.revision, MAX_GONE_ON_WITH) + MADE_ANEW
    elif sent.revision > draft.revision:
        # A backup was restored that is older than what the page knows: all that it has beyond that is its own to save.
        known = _current(draft).content
        draft.revision = max(draft.revision, min(sent.revision, MAX_GONE_ON_WITH))
    merged = merge(known, known if is_new else _current(draft).content, content)
    draft.content = msgspec.to_builtins(merged.content)
    draft.revision += 1
    draft.senders = _with_sender(draft, sent, content, heard)
    if draft.deck is not None:
        draft.parent = draft.deck.head
    return merged.brought


def _with_sender(draft: Draft, sent: Save, content: Content, known: Content) -> dict[str, Any]:
    """Return the last saves with this one, and what the page knew as it sent it; of other pages only the newest."""
    others = [(key, last) for key, last in draft.senders.items() if key != sent.sender]
    newest = sorted(others, key=lambda one: int(one[1]["revision"]))[-(MAX_SENDERS - 1) :]
    last = {
        "revision": draft.revision,
        "content": msgspec.to_builtins(content),
        "known": msgspec.to_builtins(known),
        "made": sent.made,
    }
    return {**dict(newest), sent.sender: last}


def _current(draft: Draft) -> Saved:
    """Return the draft with what became of its deck otherwise, by a pasted list or a revert: nothing is written."""
    deck, parent = draft.deck, draft.parent
    content = _content(draft)
    if deck is None or deck.head is None or parent is None or parent.pk == deck.head_id:
        return _saved(draft, [])
    merged = merge(of_version(deck, parent), of_version(deck, deck.head), content)
    return Saved(
        uid=draft.uid,
        revision=draft.revision,
        content=merged.content,
        parent=deck.head.number,
        brought=merged.brought,
        made=_made(draft),
    )


def _saved(draft: Draft, brought: list[Brought]) -> Saved:
    return Saved(
        uid=draft.uid,
        revision=draft.revision,
        content=_content(draft),
        parent=draft.parent.number if draft.parent else 0,
        brought=brought,
        made=_made(draft),
    )


def _made(draft: Draft) -> dict[str, int]:
    return {sender: last.get("made", 0) for sender, last in draft.senders.items()}


def _content(draft: Draft) -> Content:
    return _CONTENT.from_plain(draft.content)
