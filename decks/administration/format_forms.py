"""The form of an edition of a format: sets and cards are picked, and what is not known is refused."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.admin.widgets import FilteredSelectMultiple

from cards_data.models import Card, Set
from decks import services
from decks.lists import textlist
from decks.models import FormatEdition

Choice = tuple[str, str]


def set_choices() -> list[Choice]:
    """Return every set that there is."""
    return [(code, f"{name} ({code})") for code, name in Set.objects.order_by("code").values_list("code", "name")]


def card_choices() -> list[Choice]:
    """Return every card that there is or was, by name."""
    return [(card, f"{name} ({card})") for card, name in Card.objects.order_by("name", "id").values_list("id", "name")]


class PickField(forms.MultipleChoiceField):
    """Several of what the card database has; what it has not can be seen, and has to be taken out."""

    default_error_messages = {"invalid_choice": "%(value)s is not in the card database. Take it out."}

    def show_unknown(self, stored: Any) -> None:
        """Offer what is stored and not known in the picker alone, so that it is not dropped unseen."""
        known = {value for value, _ in self.choices}
        strange = [one for one in stored if isinstance(one, str) and one not in known] if stored else []
        self.widget.choices = [*self.choices, *((one, f"{one}: not known, to be taken out") for one in strange)]


class CopiesField(forms.CharField):
    """Limits of single cards, written as a deck list is: ``20 Skirmishing Raider``, a line each."""

    widget = forms.Textarea(attrs={"rows": 3, "cols": 60, "placeholder": "20 Skirmishing Raider"})

    def prepare_value(self, value: Any) -> Any:
        """Return what is stored as lines."""
        if not isinstance(value, dict):
            return value
        names = services.current_names()
        known = names.catalog
        return "\n".join(f"{n} {known[card].name if card in known else card}" for card, n in value.items())

    def to_python(self, value: Any) -> Any:
        """Return limits by card id; raises ValidationError with every line that is not clear."""
        try:
            reading = textlist.read(value or "", services.current_names())
        except textlist.TextTooLongError as error:
            raise forms.ValidationError(str(error)) from error
        wrong = [_error_message(line) for line in reading.lines if line.kind not in ("matched", "blank")]
        wrong += [
            f"Line {line.number}, {line.text!r}: this card has a limit already."
            for line in reading.lines
            if line.kind == "matched" and any(note.startswith("Also on line") for note in line.notes)
        ]
        if wrong:
            raise forms.ValidationError(
                [forms.ValidationError("%(message)s", params={"message": message}) for message in wrong]
            )
        return {line.cards[0]: line.quantity for line in reading.lines if line.kind == "matched"}

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Return whether the lines say something else than what is stored."""
        try:
            return bool(self.to_python(data) != (initial or {}))
        except forms.ValidationError:
            return True


def _error_message(line: textlist.Line) -> str:
    known = services.current_names().catalog
    near = f" Near: {', '.join(known[card].name for card in line.cards[:5])}." if line.cards else ""
    why = " ".join(line.notes) or "A line is a number and the name of a card."
    return f"Line {line.number}, {line.text[:80]!r}: {why}{near}"


class EditionForm(forms.ModelForm):
    """An edition, with pickers in place of lists of codes."""

    sets = PickField(
        choices=set_choices, widget=forms.CheckboxSelectMultiple, help_text="Cards first printed in these are allowed."
    )
    banned = PickField(
        choices=card_choices, required=False, widget=FilteredSelectMultiple("cards", is_stacked=False),
        help_text="Not one copy of these. Type a part of the name to find a card.",
    )  # fmt: skip
    restricted = PickField(
        choices=card_choices, required=False, widget=FilteredSelectMultiple("cards", is_stacked=False),
        help_text="One copy of each of these at most.",
    )  # fmt: skip
    copies_of = CopiesField(
        required=False,
        label="Other limits",
        help_text="A line each as in a deck list: how many copies, and which card.",
    )

    class Meta:
        model = FormatEdition
        fields = ("starts", "ends", "sets", "minimum", "copies", "copies_of", "banned", "restricted")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("sets", "banned", "restricted"):
            self.fields[name].show_unknown(getattr(self.instance, name, None))

    def clean(self) -> Any:
        """Refuse a card that is on both lists, since only one of them can hold."""
        cleaned = super().clean() or self.cleaned_data
        both = set(cleaned.get("banned") or ()) & set(cleaned.get("restricted") or ())
        if both:
            self.add_error("restricted", f"{', '.join(sorted(both))}: banned already. Take it off one of the lists.")
        return cleaned
