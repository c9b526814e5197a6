"""Deleting an account: what goes with it, and what stays without its name."""

from __future__ import annotations

from functools import partial

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import IntegrityError

from ccg.locking import lock_people
from decks import services as decks
from decks.social import opinions
from matches.chat import services as chat
from matches.lobby import leaving
from matches.pairing import services as queues
from matches.pairing.queues import CORRESPONDENCE, LIVE
from matches.ratings import services as ratings
from matches.storage import database

from .models import User

TRIES = 3
"""How often all matches are left: again where one has begun meanwhile. One that cannot be left keeps nobody here."""


def leave(user: User | AbstractBaseUser, *, keep_decks: bool, keep_chat: bool = False) -> None:
    """Delete the account of ``user``.

    Likes and comments go; public decks stay as nobody's with ``keep_decks``, and so with ``keep_chat`` does what they
    wrote at tables.
    Matches they play are conceded, and past ones have a former player in their place: others have played them, too.
    Rated ones count as if the account were still there.
    """
    _leave_tables(user)
    decks.give_up(user, keep_public=keep_decks)
    for tries_left in reversed(range(TRIES + 1)):
        _leave_tables(user)
        delete = partial(_deleted, user.pk, keep_decks=keep_decks, keep_chat=keep_chat, whatever_runs=not tries_left)
        try:
            # Others lock the rows that go with it in another order. Where two wait for each other, this is done anew.
            if database.write(delete):
                return
        except IntegrityError:
            if not tries_left:
                raise  # else a row of theirs came meanwhile, from another tab, and goes with the next try


def _leave_tables(user: User | AbstractBaseUser) -> None:
    """Let ``user`` wait in no queue, at no table and in no match any more."""
    for kind in (LIVE, CORRESPONDENCE):
        queues.leave(user, kind=kind)
    leaving.leave_all(user)


def _deleted(user_pk: int, *, keep_decks: bool, keep_chat: bool, whatever_runs: bool) -> bool:
    """Inside a transaction: delete the account, unless a match of theirs has begun since they have left all.

    Returns whether it is gone. Whoever begins a match locks the person first, and finds none afterwards. Others would
    wait for somebody who is no more.
    """
    lock_people([user_pk])
    user = User.objects.filter(pk=user_pk).first()
    if user is None:
        return True  # a second click: the first has done it
    if leaving.sits_somewhere(user) and not whatever_runs:
        return False
    user.is_active = False
    user.save(update_fields=["is_active"])  # tells their open tables to look again who they are
    opinions.forget(user)
    chat.forget(user, keep=keep_chat)
    decks.give_up(user, keep_public=keep_decks)  # those that were made meanwhile
    ratings.keep_for(user)
    leaving.take_names_out(user)
    user.delete()
    return True
