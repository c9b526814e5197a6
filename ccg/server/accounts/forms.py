"""Forms about people."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import AddEmailForm, SignupForm
from django import forms
from django.conf import settings
from django.contrib.auth import get_user_model

from ccg.counting import counted
from ccg.people import plain

from .models import User
from .names import refuse_taken, validate_display_name

PASSWORDS_AN_HOUR = 10


def free_display_name(name: str, person: User) -> str:
    """Return ``name`` in plain signs if ``person`` may use it; raises ValidationError if it is misleading or taken."""
    validate_display_name(name, staff=person.is_staff)
    name = plain(name)
    refuse_taken(name, person.pk)
    return name


class SignUpForm(SignupForm):
    """Make an account; a site without a mail server asks for no address."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields[
            "username"
        ].help_text = "Letters A to Z, digits, and the signs _ . - without spaces. Others see it too."
        if not settings.EMAIL_HOST:
            del self.fields["email"]


class AddressForm(AddEmailForm):
    """Add a mail address to one's account."""

    def clean_email(self) -> str:
        """Return the address, if this site sends mail at all."""
        if not settings.EMAIL_HOST:
            raise forms.ValidationError("This site sends no mail, so it keeps no addresses.")
        return str(super().clean_email())


class LeavingForm(forms.Form):
    """Delete one's own account."""

    decks = forms.ChoiceField(
        label="Your public decks",
        choices=(("leave", "Leave them, without my name"), ("take", "Delete them")),
        initial="leave",
        help_text="Private and unlisted ones are deleted in any case.",
    )
    chat = forms.ChoiceField(
        label="What you wrote at tables",
        choices=(("take", "Delete it"), ("leave", "Leave it, without my name")),
        initial="take",
        required=False,
    )
    password = forms.CharField(label="Password", widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}))

    def __init__(self, user: User, *args: Any, **options: Any) -> None:
        self._user = user
        super().__init__(*args, **options)

    def clean_password(self) -> str:
        """Return the password, if it is theirs."""
        password = str(self.cleaned_data["password"])
        if not counted("leaving", str(self._user.pk), PASSWORDS_AN_HOUR, 3600):
            raise forms.ValidationError("Too many wrong passwords. Please come back in an hour.")
        if not self._user.check_password(password):
            raise forms.ValidationError("That is not your password.")
        return password


class DisplayNameForm(forms.ModelForm):
    """Change the name that others see."""

    class Meta:
        model = get_user_model()
        fields = ("display_name",)
        labels = {"display_name": "Name others see"}
        help_texts = {"display_name": "At tables, on decks and in lists. You go on signing in with your username."}

    def clean_display_name(self) -> str:
        """Return the name, checked and free."""
        return free_display_name(self.cleaned_data["display_name"], self.instance)
