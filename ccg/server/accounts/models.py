"""Users. Other apps know them only as ``settings.AUTH_USER_MODEL`` and ``get_user_model()``."""

from __future__ import annotations

import secrets
from typing import Any, ClassVar, cast

from django.conf import settings
from django.contrib.auth.models import AbstractUser, UserManager
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.db.models.functions import Lower
from django.utils import timezone

from .names import new_guest_name


class PlayerManager(UserManager["User"]):
    """Makes users, and guests."""

    def create_guest(self) -> User:
        """A new user without a password, who exists as long as their session does or until they sign up."""
        for _ in range(20):
            try:
                with transaction.atomic():
                    return self.create_user(
                        username=f"guest-{secrets.token_hex(8)}", display_name=new_guest_name(), is_guest=True
                    )
            except IntegrityError:
                continue  # somebody has this name
        raise RuntimeError("No free guest name was found in 20 tries")

    def create_superuser(self, username: str, *args: Any, **fields: Any) -> User:
        """A new owner of the site; raises ValidationError if somebody plays under this name."""
        if self.filter(display_name__iexact=username).exists():
            raise ValidationError(f"Somebody is called {username} at the tables. Choose another username.")
        return cast("User", super().create_superuser(username, *args, **fields))

    def get_by_natural_key(self, username: str) -> User:
        """The user who signs in with this name, in whatever letters; raises ``User.DoesNotExist``."""
        return cast("User", super().get_by_natural_key(User.normalize_username(username)))


class User(AbstractUser):
    """Somebody who plays: an account with name and password, or a guest who may become one later.

    ``username`` is for signing in and kept in small letters; ``display_name`` is what others see.
    """

    first_name = None
    last_name = None
    username = models.CharField(max_length=40, unique=True)
    display_name = models.CharField(max_length=40)
    is_guest = models.BooleanField(default=False)
    table_settings = models.JSONField(default=dict, blank=True, editable=False)
    """What they have set for the table (``matches.table_settings``); empty until they set something."""

    objects: ClassVar[PlayerManager] = PlayerManager()

    class Meta:
        constraints = (models.UniqueConstraint(Lower("display_name"), name="accounts_user_display_name"),)

    def __str__(self) -> str:
        return self.display_name

    @classmethod
    def normalize_username(cls, username: str) -> str:
        """The name as it is kept: in small letters, as it is looked for when somebody signs in."""
        return cast(str, super().normalize_username(username)).lower()

    def get_full_name(self) -> str:
        """The name for people."""
        return self.display_name

    def get_short_name(self) -> str:
        """The name for people."""
        return self.display_name

    def save(self, *args: object, **kwargs: object) -> None:
        """Save; who has no display name yet is called by the username.

        Raises DatabaseError if the row was deleted since it was read: without that Django would insert it again, and
        a password that is changed while its account is being deleted would bring the account back.
        """
        self.display_name = self.display_name or self.username
        if not self._state.adding and not kwargs.get("force_insert"):
            kwargs["force_update"] = True
        super().save(*args, **kwargs)


class ApiToken(models.Model):
    """A personal token, by which a program acts for its owner. The token itself is stored nowhere."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=60, help_text="What it is for.")
    hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    used = models.DateTimeField(null=True, blank=True, help_text="When it was used last, to the hour.")
    expires = models.DateTimeField(null=True, blank=True, help_text="From when on it opens nothing; empty for never.")
    read_only = models.BooleanField(
        default=False, help_text="It can look at everything of its owner, and change nothing."
    )

    class Meta:
        ordering = ["-created", "-pk"]
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.name} of {self.user}"

    @property
    def expired(self) -> bool:
        """Whether its time is over."""
        return self.expires is not None and self.expires <= timezone.now()
