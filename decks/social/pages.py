"""Pages about a deck that people share: its write-up, likes and comments, and a first look at its hands."""

from __future__ import annotations

import random
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cards_data import catalog as cards_data
from ccg.numbers import whole_number
from ccg.rules.rulebook.ready_phase import CARDS_DRAWN
from decks import services
from decks.finding import own_or_404, version_or_404, visible_or_404
from decks.keeping import kept_if_public
from decks.lists.stats import known
from decks.models import Comment, Deck
from decks.social import moderation, opinions, reported
from decks.social.prose import as_html

COMMENTS_A_PAGE = 20
UNHEARD_SHOWN = 100
"""Comments by people whom the owner of a deck blocks; where there are more, removing some brings the others."""
MAX_TURNS = 12
SEEDS = 10**6


@require_http_methods(["GET", "HEAD", "POST"])
def about(request: HttpRequest, uid: str) -> HttpResponse:
    """Write about a deck of one's own: the text below its cards, and its tags."""
    deck = own_or_404(request, uid)
    text, tags = deck.write_up, ", ".join(deck.labels.values_list("word", flat=True))
    wrong = ""
    if request.method == "POST":
        text, tags = request.POST.get("text", ""), request.POST.get("tags", "")
        if request.POST.get("do") == "save":
            try:
                opinions.describe(deck, text, tags)
            except services.DeckError as error:
                wrong = str(error)
            else:
                messages.success(request, "Saved.")
                return redirect(deck)
    context = {
        "deck": deck,
        "text": text,
        "tags": tags,
        "wrong": wrong,
        "preview": as_html(text[: opinions.MAX_WRITE_UP], cards_data.data()) if request.method == "POST" else "",
        "most": opinions.MAX_WRITE_UP,
        "most_tags": opinions.MAX_TAGS,
    }
    return render(request, "decks/about.html", context, status=400 if wrong else 200)


@require_POST
def like(request: HttpRequest, uid: str) -> HttpResponse:
    """Like a deck, or take that back."""
    deck = visible_or_404(request, uid)
    try:
        if request.POST.get("do") == "unlike":
            opinions.unlike(request.user, deck)
        else:
            opinions.like(request.user, deck)
    except services.DeckError as error:
        messages.error(request, str(error))
    return redirect(deck)


@require_POST
def comment(request: HttpRequest, uid: str) -> HttpResponse:
    """Say something about a deck."""
    deck = visible_or_404(request, uid)
    text = request.POST.get("text", "")
    try:
        made = opinions.comment(request.user, deck, text)
    except services.DeckError as error:
        # On a page of its own, so that what was written is still there.
        context = {"deck": deck, "text": text[: 2 * opinions.MAX_COMMENT], "wrong": error, "most": opinions.MAX_COMMENT}
        return kept_if_public(render(request, "decks/comment.html", context, status=400), deck)
    return redirect(f"{deck.get_absolute_url()}#comment-{made.pk}")


@require_http_methods(["GET", "HEAD", "POST"])
def remove_comment(request: HttpRequest, uid: str, comment: int) -> HttpResponse:
    """Ask whether to take a comment of one's own away, or one below a deck of one's own; do it on POST."""
    deck = visible_or_404(request, uid)
    found = _comment_or_404(request, deck, comment)
    if not opinions.may_remove(request.user, found):
        raise Http404
    back = f"{deck.get_absolute_url()}#comments"
    if request.method != "POST":
        words = f"What {found.author} wrote cannot be brought back."
        asked = {"question": "Remove the comment?", "words": words, "button": "Remove it", "keep": "Keep it"}
        return kept_if_public(render(request, "decks/sure.html", {**asked, "back": back}), deck)
    opinions.remove(request.user, found)
    messages.success(request, "The comment is removed.")
    return redirect(back)


@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, uid: str, comment: int | None = None) -> HttpResponse:
    """Tell moderators that a deck, or a comment on it, should not be there."""
    deck = visible_or_404(request, uid)
    about, wrong = None, ""
    if comment is not None:
        about = _comment_or_404(request, deck, comment)
    if request.method == "POST":
        try:
            why = request.POST.get("reason", ""), request.POST.get("words", "")
            if about is not None:
                reported.report_comment(request.user, about, *why)
            else:
                reported.report_deck(request.user, deck, *why)
        except services.DeckError as error:
            wrong = str(error)
        else:
            messages.success(request, "Thank you. Moderators look at it.")
            return redirect(deck)
    context = {
        "deck": deck,
        "comment": about,
        "html": as_html(about.text, cards_data.data()) if about else "",
        "reasons": moderation.REASONS,
        "reason": request.POST.get("reason", ""),
        "words": request.POST.get("words", "")[: moderation.MAX_WORDS],
        "wrong": wrong,
    }
    return kept_if_public(render(request, "decks/report.html", context, status=400 if wrong else 200), deck)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def blocks(request: HttpRequest) -> HttpResponse:
    """Whom one blocks; with ``name`` somebody else is blocked, or is no more."""
    if request.method == "POST":
        name = request.POST.get("name", "")
        try:
            if request.POST.get("do") == "unblock":
                opinions.unblock(request.user, name)
            else:
                messages.success(request, f"You hear nothing more of {opinions.block(request.user, name)}.")
        except services.DeckError as error:
            messages.error(request, str(error))
        return redirect("decks:blocks")
    people = request.user.blocks.select_related("person")[: opinions.MAX_BLOCKS]
    return render(request, "decks/blocks.html", {"people": [one.person for one in people]})


@require_safe
def draw(request: HttpRequest, uid: str, number: int | None = None) -> HttpResponse:
    """A hand to begin with, and what comes in the turns after it; ``seed`` shuffles the deck."""
    deck = visible_or_404(request, uid)
    version = version_or_404(deck, number)
    cards = cards_data.current()
    base = known(version.base, cards)
    seed = _number(request.GET.get("seed"), SEEDS) or random.randrange(1, SEEDS)
    turns = _number(request.GET.get("turns"), MAX_TURNS)
    pile = [cards[card] for card, copies in sorted(version.counts.items()) for _ in range(copies) if card in cards]
    random.Random(seed).shuffle(pile)
    size = (base.hand if base else None) or 0
    context = {
        "deck": deck,
        "version": version,
        "hand": pile[:size],
        "turns": [pile[size + CARDS_DRAWN * turn :][:CARDS_DRAWN] for turn in range(turns)],
        "left": max(0, len(pile) - size - CARDS_DRAWN * turns),
        "seed": seed,
        "next_turn": turns + 1 if turns < MAX_TURNS else 0,
    }
    return kept_if_public(render(request, "decks/draw.html", context), deck)


def discussion(request: HttpRequest, deck: Deck) -> dict[str, Any]:
    """Return what the page of a deck shows of comments and likes."""
    user, cards = request.user, cards_data.data()
    page: Page[Comment] = Paginator(opinions.comments_on(deck, user), COMMENTS_A_PAGE).get_page(
        request.GET.get("comments")
    )
    return {
        "comments": page,
        "told": [
            {
                "comment": one,
                "html": as_html(one.text, cards),
                "removable": opinions.may_remove(user, one),
            }
            for one in page
        ],
        "unheard": opinions.unheard(deck, user)[:UNHEARD_SHOWN],
        "may_comment": opinions.has_account(user),
        "likes": opinions.likes(user, deck),
        "most_comment": opinions.MAX_COMMENT,
        "write_up": as_html(deck.write_up, cards) if deck.write_up else "",
    }


def _comment_or_404(request: HttpRequest, deck: Deck, pk: int) -> Comment:
    try:
        return opinions.within_reach(deck, request.user).get(pk=pk)
    except (Comment.DoesNotExist, OverflowError):
        raise Http404 from None


def _number(value: str | None, most: int) -> int:
    """Return what stands in the address as a whole number, 0 for anything else or more than ``most``."""
    number = whole_number(value or "", 7) or 0
    return number if number <= most else 0
