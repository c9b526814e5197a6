"""Names that people carry on the site."""

from __future__ import annotations

import re
import secrets
from typing import Protocol

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator

CALLSIGNS = """
    Viper Raptor Talon Ember Comet Falcon Nomad Drifter Beacon Lancer Harrier Osprey Sable Cinder Tempest
    Vanguard Wayfarer Kestrel Pulsar Meteor Zephyr Corsair Marlin Jackal Bison Cobalt Onyx Quartz Saber Torch
""".split()

_GUEST = "Guest "

username_validators = [
    RegexValidator(r"\A[A-Za-z0-9_.-]+\Z", "Use letters A to Z, digits, and the signs _ . - only."),
    RegexValidator(r"\A[A-Za-z0-9]", "Start the name with a letter or a digit."),
]


class Named(Protocol):
    """Somebody who has a display name."""

    display_name: str


def new_guest_name() -> str:
    """A name for a guest, such as "Guest Viper 4821"; somebody else may have it already."""
    return f"{_GUEST}{secrets.choice(CALLSIGNS)} {1000 + secrets.randbelow(9000)}"


def display_name(user: Named) -> str:
    """How ``user`` is called on pages and at tables."""
    return user.display_name


def validate_display_name(name: str) -> None:
    """Raise ValidationError unless the name can be read and does not pass for a guest's."""
    if not name.isprintable() or name != " ".join(name.split()):
        raise ValidationError("Use letters, digits and signs that can be seen, with single spaces between words.")
    if re.match(_GUEST.strip(), name, re.IGNORECASE):
        raise ValidationError("Names that begin with “Guest” are for guests.")
