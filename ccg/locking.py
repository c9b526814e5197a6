"""Waiting for one another, where something is counted before one more is added."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model


def lock_person(user: Any) -> None:
    """Let everybody else who does this for ``user`` wait until the transaction ends; needs one.

    Between counting what somebody has and adding to it, another request of theirs may add as well; so both lock the
    person first. Where decks are locked too, they come before the person, so that no two wait for each other. On SQLite
    this does nothing: there a transaction has the database for itself from its beginning.
    """
    # Rows that refer to the person may still be added meanwhile: that is what "no key" means.
    get_user_model().objects.select_for_update(no_key=True).filter(pk=user.pk).values_list("pk").first()
