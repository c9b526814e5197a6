"""Drafts: what somebody is building, kept on the server while they build it.

A page saves often, and not always in order: there are several tabs, other devices, answers that were lost. So a save
names changes, not what all is now: each a value of one card, or of one other part, with the id of the page that made it
and a number that grows with every change of that page. The draft remembers the last number of each page. So a change is
made once, however often and by whichever page it is sent (a page that was closed leaves its changes to the next one of
its browser), and one that is late does not undo a later one of its page. Of two pages the one whose change comes later
stands, and is told what it has replaced.
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
from decks.lists.merging import SINGLE, Brought, Content, Part, merge
from decks.models import Deck, DeckVersion, Draft, GoneDeck
from decks.services import DeckError
from decks.social import opinions

MAX_DRAFTS = 200
MAX_CARDS = 500
"""Different cards that a draft may name, in the deck and considered, each."""
MAX_CHANGES = 6 * MAX_CARDS + 3
"""Changes of one save: as many as make any draft out of any other."""
MAX_SENDERS = 64
"""Pages whose last change is remembered: more than anybody has had open within the time that a save can be late."""
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
Sender = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{8,22}\Z")]
Number = Annotated[int, Meta(ge=1, le=2**53)]


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


class Change(Struct, kw_only=True, forbid_unknown_fields=True):
    """What a page changed: one part of a draft, or what it says of one card, is ``now`` this; None takes it out.

    ``sender`` is the id of the page; of two changes of a page the later one has the greater ``number``.
    """

    sender: Sender
    number: Number
    part: Part
    card: Annotated[str, Meta(pattern=r"^[A-Za-z0-9-]{0,15}\Z")] = ""
    now: str | int | list[str] | None = None


class Save(Struct, kw_only=True, forbid_unknown_fields=True):
    """What a page sends to save: its changes, and the content that it has with them.

    ``revision`` is that of the draft when the page last heard of it. ``last`` has, by their ids, the number of the last
    change of each page that it has gone on with, also where it has made another in its place: what of them is on its
    way yet is no news. The content counts where the server knows less of the draft than the page does. A page that is
    open since before changes were sent has ``known`` instead, the content at the revision, and ``made``, a number that
    grows with every save: what differs are its changes.
    """

    sender: Sender
    revision: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    content: SentContent
    changes: Annotated[list[Change], Meta(max_length=MAX_CHANGES)] | None = None
    last: Annotated[dict[Sender, Number], Meta(max_length=MAX_CARDS)] = msgspec.field(default_factory=dict)
    known: SentContent = msgspec.field(default_factory=SentContent)
    made: Annotated[int, Meta(ge=0, le=2**53)] = 0


_SAVE = Decoder(Save)
_CONTENT = Decoder(Content)
_SENT_CONTENT = Decoder(SentContent)


class Replaced(Struct, frozen=True, kw_only=True):
    """What a change has replaced, as it was taken: perhaps what another page had made of it meanwhile."""

    part: Part
    card: str = ""
    value: Any = None


class Saved(Struct, kw_only=True):
    """A draft as it is now.

    ``parent`` is the number of the version that it began with, 0 if there was none. ``made`` has, by the ids of pages
    that have saved lately, the number of the last change of each that is in it: one that had no answer may have
    arrived, or not. ``replaced`` tells, of each change that this save has made, what was there before; ``brought``, to
    pages that send no changes, what they did not know.
    """

    uid: str
    revision: int
    content: Content
    parent: int = 0
    brought: list[Brought] = msgspec.field(default_factory=list)
    made: dict[str, int] = msgspec.field(default_factory=dict)
    replaced: list[Replaced] = msgspec.field(default_factory=list)


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
    """Make the changes that a page sent, those that are not made yet.

    The first save of an id makes the draft. Raises Draft.DoesNotExist where the id is somebody else's, or was that
    of a deck since deleted; DeckError where there is no room, and msgspec.ValidationError where the draft would be
    none; then nothing is changed. Locks the draft: of two saves at once one comes after the other.
    """
    if not UID.fullmatch(uid):
        raise Draft.DoesNotExist
    content = sent.content.checked()
    try:
        with transaction.atomic():
            draft = _locked(user, uid)
            return _take(draft, sent, content)
    except IntegrityError as error:
        # Two first saves at once, or an id that is somebody else's: the second try finds which.
        if not Draft.objects.filter(owner=user, uid=uid).exists():
            raise Draft.DoesNotExist from error
        return save(user, uid, sent)


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
        known = parent if parent is not None else _saved(draft).parent
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

    def __init__(self) -> None:
        super().__init__("This draft was changed in another window meanwhile. Look at it again, then publish it.")


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
    # Not what an open window has filled again since they were read, told that it is saved.
    old.filter(pk__in=[draft.pk for draft in old if _is_empty(draft)]).delete()


def _is_empty(draft: Draft) -> bool:
    """Return whether there is nothing in it but perhaps a format."""
    return _content(draft) == Content(format=draft.content.get("format", ""))


def _unsaved(user: Any, deck: Deck) -> Draft:
    """Return the draft of a deck that was never edited: what the deck is."""
    content = msgspec.to_builtins(of_version(deck, deck.head))
    return Draft(uid=deck.uid, owner=user, deck=deck, parent=deck.head, content=content)


def _take(draft: Draft, sent: Save, content: Content) -> Saved:
    """Put the changes that were sent, or where the page knows more than the server all it has, into ``draft``."""
    before = _current(draft)
    changes = _changes(draft, sent, content)
    is_new = draft.pk is None and draft.deck is None
    knows_more = is_new or sent.revision > draft.revision
    if knows_more:
        draft.revision = _revision_beyond(draft, sent, is_new)
        taken, replaced = content, [Replaced(part=one.part, card=one.card, value=one.now) for one in changes]
    else:
        changes = [one for one in changes if one.number > _numbers(draft).get(one.sender, 0)]
        if not changes:
            _remember(draft, sent)
            before.brought = _unknown(sent, before.content, content)
            return before
        taken, replaced = _with_changes(before.content, changes)
    draft.content = msgspec.to_builtins(taken)
    draft.revision += 1
    draft.senders = _with_numbers(_numbers(draft), sent, changes)
    if draft.deck is not None:
        draft.parent = draft.deck.head
    draft.save()
    saved = _saved(draft)
    saved.replaced = replaced
    if not knows_more:
        saved.brought = _unknown(sent, before.content, content)
    return saved


def _remember(draft: Draft, sent: Save) -> None:
    """Remember what a page has gone on with of others, where its own changes are made already."""
    numbers = _with_numbers(_numbers(draft), sent, [])
    if draft.pk is not None and numbers != draft.senders:
        draft.senders = numbers
        draft.save(update_fields=["senders"])


def _unknown(sent: Save, there: Content, content: Content) -> list[Brought]:
    """Return what a page that sends no changes did not know of the draft; the others find that out themselves."""
    return [] if sent.changes is not None else merge(sent.known.checked(), there, content).brought


def _changes(draft: Draft, sent: Save, content: Content) -> list[Change]:
    """Return the changes that were sent; of a page that sends none, what differs from the content that it knew."""
    if sent.changes is not None:
        return sent.changes
    number = sent.made or _numbers(draft).get(sent.sender, 0) + 1
    known = sent.known.checked()
    return [
        Change(sender=sent.sender, number=number, part=one.part, card=one.card, now=one.now)
        for one in merge(known, content, known).brought
    ]


def _revision_beyond(draft: Draft, sent: Save, is_new: bool) -> int:
    """Return the revision that a draft goes on from of which the page has heard more than the server knows."""
    known = min(sent.revision, MAX_GONE_ON_WITH)
    # One that was deleted while windows had it open counts on from where none of them is, so that each hears of it;
    # the other was restored from a backup.
    return known + MADE_ANEW if is_new and sent.revision > 0 else max(draft.revision, known)


def _with_changes(content: Content, changes: list[Change]) -> tuple[Content, list[Replaced]]:
    """Return the content with the changes, and what each has replaced; raises as :func:`save` does."""
    plain: dict[str, Any] = msgspec.to_builtins(content)
    replaced = []
    for one in changes:
        before = plain[one.part] if one.part in SINGLE else plain[one.part].get(one.card)
        replaced.append(Replaced(part=one.part, card=one.card, value=before))
        if one.part in SINGLE:
            plain[one.part] = "" if one.now is None else one.now
        elif one.now is None:
            plain[one.part].pop(one.card, None)
        else:
            plain[one.part][one.card] = one.now
    return _SENT_CONTENT.from_plain(plain).checked(), replaced


def _numbers(draft: Draft) -> dict[str, int]:
    """Return the number of the last change of each page.

    A server of the version before, which goes on until a new one stands in its place, writes a record of the save.
    """
    return {
        sender: last if isinstance(last, int) else int(last.get("made", 0)) for sender, last in draft.senders.items()
    }


def _with_numbers(numbers: dict[str, int], sent: Save, changes: list[Change]) -> dict[str, int]:
    """Return the last number of each page with what a save tells; of very many other pages only the greatest."""
    all_of_it = dict(numbers)
    for sender, number in [*sent.last.items(), *((one.sender, one.number) for one in changes)]:
        all_of_it[sender] = max(number, all_of_it.get(sender, 0))
    newest = sorted(all_of_it, key=lambda sender: (sender == sent.sender, all_of_it[sender]))[-MAX_SENDERS:]
    return {sender: all_of_it[sender] for sender in newest}


def _current(draft: Draft) -> Saved:
    """Return the draft with what became of its deck otherwise, by a pasted list or a revert: nothing is written."""
    saved = _saved(draft)
    deck, parent = draft.deck, draft.parent
    if deck is None or deck.head is None or parent is None or parent.pk == deck.head_id:
        return saved
    merged = merge(of_version(deck, parent), of_version(deck, deck.head), saved.content)
    return msgspec.structs.replace(saved, content=merged.content, parent=deck.head.number, brought=merged.brought)


def _saved(draft: Draft) -> Saved:
    return Saved(
        uid=draft.uid,
        revision=draft.revision,
        content=_content(draft),
        parent=draft.parent.number if draft.parent else 0,
        made=_numbers(draft),
    )


def _content(draft: Draft) -> Content:
    return _CONTENT.from_plain(draft.content)
