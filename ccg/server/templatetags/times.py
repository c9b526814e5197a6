"""Template filters for times, which every template has."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.timesince import timesince

register = template.Library()


@register.filter
def age(when: datetime) -> str:
    """Return how long ago that was, in its largest unit: "3 days ago"."""
    told = timesince(when, timezone.now(), depth=1)
    return "just now" if told.startswith("0") else f"{told} ago"
