"""Standing orders as they are stored."""

from __future__ import annotations

from typing import cast

from django.db import models

from matches.models import Match
from matches.orders.matching import Challenge, Order, Terms
from matches.protocol.messages import OrderScope, OrderUntil, OrderWhen

MARK = "order "
"""How the action ids of all answers of orders begin."""


def mark_in(action_id: str) -> str:
    """Return the mark of the order (:attr:`StandingOrder.mark`) that has made the move with this action id."""
    return action_id.rpartition(" ")[0] + " "


class StandingOrder(models.Model):
    """What a player wants answered for them. Only its owner ever sees it."""

    class State(models.TextChoices):
        """How far it is; one that is over is gone."""

        ARMED = "armed"
        DISARMED = "disarmed"
        """Something has happened that it was not meant for."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="standing_orders")
    seat = models.PositiveSmallIntegerField()
    action_id = models.CharField(max_length=64)
    """The client's own name for giving it: sent again, it is the same order."""
    decision = models.CharField(max_length=20)
    """The kind of decision that it answers; with the next four fields it is ``matches.orders.matching.Terms``."""
    when = models.CharField(max_length=20)
    number = models.PositiveSmallIntegerField(default=0)
    scope = models.CharField(max_length=10)
    until = models.CharField(max_length=10)
    since = models.PositiveIntegerField()
    """The version that its owner saw as they gave it: what happens after that counts."""
    turn = models.PositiveIntegerField()
    phase = models.CharField(max_length=10)
    """With ``turn``, the phase for which it is, and with which it ends."""
    challenge = models.CharField(max_length=5, default="", blank=True)
    """Whether a challenge was going on as it was given: none, one of its owner's ("own"), or an "other"."""
    begun = models.BooleanField(default=False, db_default=False)
    """Whether its owner saw that phase going on as they gave it: a turn may have a second one of its kind."""
    state = models.CharField(max_length=10, choices=State.choices, default=State.ARMED)
    why = models.CharField(max_length=200, default="", blank=True)
    """What has disarmed it, in a sentence for its owner."""
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = (models.UniqueConstraint("match", "seat", "action_id", name="order_given_once"),)
        indexes = (models.Index("match", "seat", "state", name="order_of_seat"),)

    def __str__(self) -> str:
        return f"order {self.pk} of seat {self.seat} in match {self.match_id} ({self.state})"

    @property
    def terms(self) -> Terms:
        """What it says."""
        when, scope = cast("OrderWhen", self.when), cast("OrderScope", self.scope)
        return Terms(self.decision, when, self.number, scope, cast("OrderUntil", self.until))

    @property
    def order(self) -> Order:
        """It, as it is judged."""
        challenge = cast("Challenge", self.challenge)
        return Order(self.terms, self.seat, self.since, self.turn, self.phase, challenge, self.begun)

    @property
    def mark(self) -> str:
        """How the action ids of its answers begin: ids of clients hold no space."""
        return f"{MARK}{self.pk} "
