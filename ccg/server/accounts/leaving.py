"""Deleting an account: what goes with it, and what stays without its name."""

from __future__ import annotations

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction

from ccg.locking import lock_person
from decks import services as decks
from decks.social import opinions
from matches.chat import services as chat
from matches.lobby import leaving
from matches.ratings import services as ratings

from .models import User


def leave(user: User | AbstractBaseUser, *, keep_decks: bool, keep_chat: bool = False) -> None:
    """Delete the account of ``user``.

    Likes and comments go; public decks stay as nobody's with ``keep_decks``, and so with ``keep_chat`` does what they
    wrote at tables.
    Matches they play are conceded, and past ones have a former player in their place: others have played them, too.
    Rated ones count as if the account were still there.
    """
    leaving.leave_all(user)
    decks.give_up(user, keep_public=keep_decks)
    with transaction.atomic():
        lock_person(user)
        if not User.objects.filter(pk=user.pk).exists():
            return  # a second click: the first has done it
        user.is_active = False
        user.save(update_fields=["is_active"])  # tells their open tables to look again who they are
        opinions.forget(user)
        chat.forget(user, keep=keep_chat)
        decks.give_up(user, keep_public=keep_decks)  # those that were made meanwhile
        ratings.keep_for(user)
        leaving.take_names_out(user)
        user.delete()
