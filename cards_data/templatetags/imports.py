"""Template tags for the admin pages about imports."""

from __future__ import annotations

from django import template

from cards_data.models import AuditEntry

register = template.Library()


@register.filter
def in_words(entry: AuditEntry) -> str:
    """Return the details of an audit log entry as readable text: names with their values."""
    return "; ".join(
        f"{key.replace('_', ' ')}: {_formatted(value)}" for key, value in entry.detail.items() if value != ""
    )


def _formatted(value: object) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
