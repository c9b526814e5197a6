"""Forms about people."""

from __future__ import annotations

from django import forms
from django.contrib.auth import get_user_model

from .models import User
from .names import validate_display_name


def free_display_name(name: str, person: User) -> str:
    """Return ``name`` if ``person`` may use it; raises ValidationError if it is misleading or taken."""
    validate_display_name(name)
    if get_user_model().objects.filter(display_name__iexact=name).exclude(pk=person.pk).exists():
        raise forms.ValidationError("Another player has this name.")
    return name


class DisplayNameForm(forms.ModelForm):
    """Change the name that others see."""

    class Meta:
        model = get_user_model()
        fields = ("display_name",)
        labels = {"display_name": "Name others see"}
        help_texts = {"display_name": "At tables, on decks and in lists. You go on signing in with your username."}

    def clean_display_name(self) -> str:
        """The name, checked and free."""
        return free_display_name(self.cleaned_data["display_name"], self.instance)
