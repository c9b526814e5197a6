"""Waiting for one another, where something is counted before one more is added."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.auth import get_user_model


def lock_person(user: Any) -> None:
    """Let everybody else who does this for ``user`` wait until the transaction ends; needs one.

    Between counting what somebody has and adding to it, another request of theirs may add as well; so both lock the
    person first. Where decks are locked too, they come before the person, so that no two wait for each other. On SQLite
    this does nothing: there a transaction has the database for itself from its beginning.
    """
    lock_people([user.pk])


def lock_people(people: Iterable[int]) -> None:
    """Do as :func:`lock_person` for all with these ids; everybody locks in the same order, so none wait in a ring."""
    # Rows that refer to a person may still be added meanwhile: that is what "no key" means.
    rows = get_user_model().objects.select_for_update(no_key=True).filter(pk__in=set(people)).order_by("pk")
    list(rows.values_list("pk"))
