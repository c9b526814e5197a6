"""Users. Other apps know them only as ``settings.AUTH_USER_MODEL`` and ``get_user_model()``."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection
from typing import Any, ClassVar, cast

from django.conf import settings
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import AbstractUser, UserManager
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.db.models import Q
from django.utils import timezone

from ccg.people import KEY_LENGTH, called, name_key

from .names import look_key, new_guest_name


class PlayerManager(UserManager["User"]):
    """Makes users, and guests."""

    def create_guest(self) -> User:
        """Make a user without a password, who exists as long as their session does or until they sign up."""
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
        """Make an owner of the site; raises ValidationError if somebody plays under this name, or one that looks so."""
        if self.filter(called(username)).exists():
            raise ValidationError(f"Somebody is called {username} at the tables. Choose another username.")
        if self.filter(look_key=look_key(username)).exists():
            raise ValidationError(
                f"{username} looks like what somebody is called at the tables. Choose another username."
            )
        return cast("User", super().create_superuser(username, *args, **fields))

    def get_by_natural_key(self, username: str) -> User:
        """Return the user who signs in with this name, in whatever letters; raises ``User.DoesNotExist``."""
        return cast("User", super().get_by_natural_key(User.normalize_username(username)))


class NameKeyField(models.CharField):
    """A form of the display name in which names are compared, kept up whenever a row is written."""

    made: Callable[[str], str]

    def __init__(self, *args: Any, made: Callable[[str], str] = name_key, **options: Any) -> None:
        self.made = made
        super().__init__(*args, **{"max_length": KEY_LENGTH, "editable": False, **options})

    def deconstruct(self) -> Any:
        """Return a usual field, for migrations: what fills it is the model's concern."""
        name, _, args, options = super().deconstruct()
        return name, "django.db.models.CharField", args, options

    def pre_save(self, model_instance: Any, add: bool) -> str:
        """Return the key of the name that is written; also where many rows are written at once."""
        key = self.made(model_instance.display_name)
        setattr(model_instance, self.attname, key)
        return key


class User(AbstractUser):
    """Somebody who plays: an account with name and password, or a guest who may become one later.

    ``username`` is for signing in and kept in small letters; ``display_name`` is what others see.
    """

    first_name = None
    last_name = None
    username = models.CharField(max_length=40, unique=True)
    display_name = models.CharField(max_length=40)
    name_key = NameKeyField()
    look_key = NameKeyField(made=look_key, db_index=True, default="", db_default="")
    """The same for all names that look alike, so that no two people have one.

    Empty for those that an older server makes while the site is updated: with them no name is compared.
    """
    is_guest = models.BooleanField(default=False)
    suspended_until = models.DateTimeField(
        null=True, blank=True, help_text="Until then they finish what runs, and begin and publish nothing."
    )
    suspended_why = models.CharField(
        max_length=200, blank=True, default="", db_default="", help_text="They read it themselves."
    )
    table_settings = models.JSONField(default=dict, blank=True, editable=False)
    """What they have set for the table (``matches.table.table_settings``); empty until they set something."""
    settings_revision = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    """How often they have set something, by which a page knows whether it has seen what it changes."""

    _password_gone = False
    """Whether the password was taken away since the row was read."""

    objects: ClassVar[PlayerManager] = PlayerManager()

    class Meta:
        constraints = (
            models.UniqueConstraint("name_key", name="accounts_user_name_key"),
            models.UniqueConstraint(fields=["look_key"], condition=~Q(look_key=""), name="accounts_user_look_key"),
        )

    def __str__(self) -> str:
        return self.display_name

    @classmethod
    def normalize_username(cls, username: str) -> str:
        """Return the name as it is kept: in small letters, as it is looked for when somebody signs in."""
        return cast(str, super().normalize_username(username)).lower()

    def get_full_name(self) -> str:
        """Return the name for people."""
        return self.display_name

    def get_short_name(self) -> str:
        """Return the name for people."""
        return self.display_name

    @property
    def has_confirmed_address(self) -> bool:
        """Whether whoever reads the mail to this address has said that it is theirs."""
        from allauth.account.models import EmailAddress  # which asks for this model as it is loaded

        addresses = EmailAddress.objects.filter(user=self, verified=True)
        return bool(self.email) and addresses.filter(email__iexact=self.email).exists()

    def set_unusable_password(self) -> None:
        """Take the password away."""
        super().set_unusable_password()
        self._password_gone = True

    def save(self, *args: object, **kwargs: object) -> None:
        """Save; who has no display name yet is called by the username.

        With the old password all tokens end, and no browser gets notices any more: one of them may be a stranger's. Who
        was a guest had none, and keeps the browser.

        Raises DatabaseError if the row was deleted since it was read: without that Django would insert it again, and
        a password that is changed while its account is being deleted would bring the account back.
        """
        self.display_name = self.display_name or self.username
        fields = kwargs.get("update_fields")
        if isinstance(fields, Collection) and "display_name" in fields:
            kwargs["update_fields"] = {*fields, "name_key", "look_key"}
        if not self._state.adding and not kwargs.get("force_insert"):
            kwargs["force_update"] = True
            if self._password is not None or self._password_gone:  # Django hashes anew at sign-in without saying so
                with transaction.atomic():
                    before = User.objects.filter(pk=self.pk).exclude(password__startswith=UNUSABLE_PASSWORD_PREFIX)
                    had_one = before.exists()
                    super().save(*args, **kwargs)
                    self.api_tokens.all().delete()
                    if had_one:
                        self.push_subscriptions.all().delete()
                self._password_gone = False
                return
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
