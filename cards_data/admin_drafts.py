"""The import wizard of the admin site: upload, what was found, simulated games, publish.

Every page can be opened again at any time and says what has become of the draft meanwhile. What is done
is done by :mod:`cards_data.importing`, which asks for the right to it, refuses what is too late or too
early, and keeps the audit log; here is only what people see of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path, reverse
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_POST, require_safe

from cards_data import catalog, importing, trials
from cards_data.admin_parts import ImportPages
from cards_data.changes import CHANGES
from cards_data.export import card_facts
from cards_data.importing import NotNow, Removes
from cards_data.models import Card, ImportDraft
from cards_data.trials import Trial
from cards_data.uploads import MAX_UPLOAD
from cards_data.wording import describe, words_of
from ccg.numbers import whole_number
from ccg.rules.authoring.card_files import CardSet
from ccg.rules.cards.definitions import CardDef

DRAFTS_A_PAGE = 25
CARDS_A_PAGE = 24
GAMES = (5, 20, 60, 200, 1000)
LIST = "admin:cards_data_importdraft_changelist"
DRAFT = "admin:cards_data_importdraft_change"

State = ImportDraft.State

STEPS = ("Upload", "Check", "Simulated games", "Publish")
AT_STEP = {State.REFUSED: 1, State.CHECKED: 1, State.TRYING: 2, State.TRIED: 2, State.PUBLISHED: 4, State.DISCARDED: -1}


class UploadForm(forms.Form):
    """One file: a whole set as YAML, or a zip of set folders."""

    file = forms.FileField(
        label="Card set",
        max_length=200,
        widget=forms.FileInput(attrs={"accept": ".yaml,.yml,.zip", "data-most": MAX_UPLOAD}),
        help_text=f"One .yaml file with a whole set, or a .zip of a set folder; at most {MAX_UPLOAD // 1_000_000} MB.",
    )

    def clean_file(self) -> Any:
        """Return the file, which is not opened; raises ValidationError if it is too large."""
        file = self.cleaned_data["file"]
        if file.size > MAX_UPLOAD:
            raise forms.ValidationError(
                f"This file has {file.size:,} bytes, and a set has at most {MAX_UPLOAD:,}. Nothing was uploaded."
            )
        return file


@admin.register(ImportDraft)
class ImportDraftAdmin(ImportPages):
    """Card sets on their way in."""

    list_parameters = ("page",)

    def get_urls(self) -> list[URLPattern]:
        """Return the addresses of the wizard, before Django's own."""
        mine = {
            "try": self.try_view,
            "check": self.check_view,
            "discard": self.discard_view,
            "publish": self.publish_view,
            "progress": self.progress_view,
            "catalog": self.catalog_view,
        }
        return [
            path(f"<uuid:pk>/{name}/", self.admin_site.admin_view(view), name=f"cards_data_importdraft_{name}")
            for name, view in mine.items()
        ] + super().get_urls()

    # --- upload ---------------------------------------------------------------------------------------

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Return the page of all drafts, with the form to upload another one."""
        if request.method == "POST":
            return self._upload(request)
        return self._list(request, UploadForm())

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Redirect to the list, where drafts are added."""
        return redirect(LIST)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether this person may import."""
        return importing.allowed(request.user, importing.IMPORT_SET)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """Redirect to the draft's page, which tells its history."""
        return redirect(DRAFT, object_id)

    def _upload(self, request: HttpRequest) -> HttpResponse:
        form = UploadForm(request.POST, request.FILES)
        if not form.is_valid() and importing.allowed(request.user, importing.IMPORT_SET):
            return self._list(request, form)
        # Without the right nothing of it is read; being refused is noted all the same.
        file = form.cleaned_data.get("file")
        draft = importing.upload(request.user, file.name if file else "", file.read() if file else b"")
        return redirect(DRAFT, draft.pk)

    def _list(self, request: HttpRequest, form: UploadForm) -> HttpResponse:
        self._may_look(request)
        drafts = ImportDraft.objects.select_related("author").defer("content", "checked", "changes", "trial")
        page = Paginator(drafts, DRAFTS_A_PAGE).get_page(request.GET.get("page"))
        return self.show(request, "drafts", title="Import a card set", form=form, page=page, steps=_steps(0))

    # --- one draft ------------------------------------------------------------------------------------

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Return the page of a draft: what was found in it, how its games went, what can be done with it now."""
        self._may_look(request)
        draft = _draft(object_id)
        changes = CHANGES.from_plain(draft.changes)
        cards = _cards(draft)
        new = Paginator([cards[card_id] for card_id in changes.new if card_id in cards], CARDS_A_PAGE)
        trial = Trial.of(draft)
        usual = trials.usual_games(len(changes.played))
        context = {
            "draft": draft,
            "steps": _steps(AT_STEP[State(draft.state)]),
            "problems": draft.found,
            "changes": changes,
            "gone": [(card_id, changes.names.get(card_id, card_id)) for card_id in changes.gone],
            "new": new.get_page(request.GET.get("page")),
            "uses": list(draft.uses.items()),
            "scenarios_passed": sum(bool(one["passed"]) for one in draft.scenarios),
            "trial": trial,
            "counts": _counts(trial, cards) if trial else [],
            "findings": [(one, _named(one.cards, cards)) for one in trial.findings] if trial else [],
            "games": [(games, games == usual) for games in sorted({*GAMES, usual})],
            "outdated": draft.state in (State.CHECKED, State.TRIED) and draft.base != catalog.current_number(),
            "newest": catalog.current_number(),
            "history": draft.audit.all(),
        }
        return self.show(request, "draft", title=draft.file_name, **context)

    @method_decorator(require_safe)
    def progress_view(self, request: HttpRequest, pk: Any) -> JsonResponse:
        """Return how far the simulated games are, for the script of the draft's page."""
        self._may_look(request)
        draft = _draft(pk)
        trial = Trial.of(draft)
        return JsonResponse(
            {
                "over": draft.state != State.TRYING or trial is None or trial.stale,
                "played": trial.played if trial else 0,
                "percent": trial.percent if trial else 0,
                "crashes": trial.crashes if trial else 0,
                "endless": trial.endless if trial else 0,
            }
        )

    @method_decorator(require_safe)
    def catalog_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Return the cards of the draft as the client draws cards: they are in no data version yet.

        Those that were never in one have no page to which anything could lead.
        """
        self._may_look(request)
        draft = _draft(pk)
        facts = {
            card.id: card_facts(card, next(p for p in one.printings if p.id == card.id))
            for one in _sets(draft)
            for card in one.cards
        }
        known = set(Card.objects.filter(pk__in=facts).values_list("pk", flat=True))
        unpublished = [card for card in facts if card not in known]
        body = msgspec.json.encode({"version": f"draft-{draft.pk}", "cards": facts, "unpublished": unpublished})
        return HttpResponse(body, content_type="application/json")

    # --- what is done with it -------------------------------------------------------------------------

    @method_decorator(require_POST)
    def try_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Begin the simulated games."""
        games = whole_number(request.POST.get("games", ""), 6)
        return self._do(request, pk, lambda draft: importing.begin_trial(draft, request.user, games), "")

    @method_decorator(require_POST)
    def check_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Check the draft again, against the newest data version."""
        message = "It has been checked against the cards as they are now."
        return self._do(request, pk, lambda draft: importing.check_again(draft, request.user), message)

    @method_decorator(require_POST)
    def discard_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Discard the draft; the card database stays as it is."""
        message = "The draft has been put aside; no card was changed."
        return self._do(request, pk, lambda draft: importing.discard(draft, request.user), message)

    def publish_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Ask whether it shall be published, and publish it."""
        draft = _draft(pk)
        if request.method != "POST":
            self._may_look(request)
            if draft.state != State.TRIED:
                messages.error(request, _why_not_publish(draft))
                return redirect(DRAFT, draft.pk)
            changes = CHANGES.from_plain(draft.changes)
            context = {"draft": draft, "changes": changes, "uses": list(draft.uses.items()), "steps": _steps(3)}
            return self.show(request, "publish", title=f"Publish {draft.file_name}?", trial=Trial.of(draft), **context)
        if draft.state == State.PUBLISHED and importing.allowed(request.user, importing.IMPORT_SET):
            messages.info(request, f"This was published already: it is version {draft.version_id}.")
            return redirect(DRAFT, draft.pk)
        base, removing = (whole_number(request.POST.get(field, "").strip(), 9) for field in ("base", "removing"))
        try:
            return self._do(
                request, pk, lambda draft: importing.publish(draft, request.user, base, removing), "Published: {done}."
            )
        except Removes as error:
            messages.error(request, str(error))
            return redirect("admin:cards_data_importdraft_publish", draft.pk)

    def _do(
        self, request: HttpRequest, pk: Any, act: Callable[[ImportDraft], Any], message: str
    ) -> HttpResponseRedirect:
        """Call ``act`` with the draft, show ``message`` or the reason of a refusal, and redirect to the draft's page.

        ``message`` may contain ``{done}``, which is replaced by what ``act`` returned. Raises Removes if ``act`` does.
        """
        draft = _draft(pk)
        try:
            done = act(draft)
        except Removes:
            raise
        except NotNow as error:
            messages.error(request, str(error))
        else:
            if message:
                messages.success(request, message.format(done=done))
        return redirect(DRAFT, draft.pk)

    def _may_look(self, request: HttpRequest) -> None:
        if not self.has_view_permission(request):
            raise PermissionDenied("Imports are for staff with the right to them.")


def _draft(pk: Any) -> ImportDraft:
    return get_object_or_404(ImportDraft.objects.select_related("author").defer("content"), pk=_uuid(pk))


def _uuid(pk: Any) -> Any:
    """Return ``pk`` as a UUID, or None, which no draft has, if it is not one."""
    try:
        return ImportDraft._meta.pk.to_python(str(pk))  # noqa: SLF001
    except forms.ValidationError:
        return None


def _sets(draft: ImportDraft) -> tuple[CardSet, ...]:
    return catalog.decode(0, bytes(draft.checked)).sets if draft.checked else ()


def _cards(draft: ImportDraft) -> dict[str, dict[str, Any]]:
    """Return what the page shows of each card in the draft's sets, by id."""
    return {card.id: _shown(card) for one in _sets(draft) for card in one.cards}


def _shown(card: CardDef) -> dict[str, Any]:
    return {"card": card, "words": words_of(card), "description": describe(card)}


def _named(card_ids: Iterable[str], cards: dict[str, dict[str, Any]]) -> list[tuple[str, str]]:
    """Return ids with the names that the draft's cards have; other cards are called by their id."""
    return [(card_id, cards[card_id]["card"].name if card_id in cards else card_id) for card_id in card_ids]


def _counts(trial: Trial, cards: dict[str, dict[str, Any]]) -> list[tuple[str, str, int, list[str]]]:
    """Return id, name, number of uses and unused abilities of every card that the games were about, rarest first."""
    rows = [
        (key, name, trial.plays.get(key, 0), [ability for card, ability in trial.unused if card == key])
        for key, name in _named(trial.cards, cards)
    ]
    return sorted(rows, key=lambda row: (row[2], row[0]))


def _steps(at: int) -> list[tuple[str, str]]:
    """Return the steps of the wizard with how they stand, where ``at`` is the one that is being done."""
    return [(name, "done" if n < at else "now" if n == at else "") for n, name in enumerate(STEPS)]


def _why_not_publish(draft: ImportDraft) -> str:
    if draft.state == State.PUBLISHED:
        return f"This was published already: it is version {draft.version_id}."
    return f"It cannot be published as it is. {draft.get_state_display()}."


def draft_address(draft_id: Any) -> str:
    """Return the address of a draft's page."""
    return reverse(DRAFT, args=[draft_id])
