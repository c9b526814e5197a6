"""Forms about people."""

from __future__ import annotations

from django import forms
from django.contrib.auth import get_user_model

from .names import validate_display_name


class DisplayNameForm(forms.ModelForm):
    """Change the name that others see."""

    class Meta:
        model = get_user_model()
        fields = ("display_name",)
        labels = {"display_name": "Name others see"}
        help_texts = {"display_name": "At tables, on decks and in lists. You go on signing in with your username."}

    def clean_display_name(self) -> str:
        """The name, checked and free."""
        name: str = self.cleaned_data["display_name"]
        validate_display_name(name)
        taken = get_user_model().objects.filter(display_name__iexact=name).exclude(pk=self.instance.pk)
        if taken.exists():
            raise forms.ValidationError("Another player has this name.")
        return name
