"""The Django app of the chat."""

from __future__ import annotations

from django.apps import AppConfig


class ChatConfig(AppConfig):
    """Lines that people write at tables."""

    name = "matches.chat"
    label = "chat"
    verbose_name = "Chat"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Say what moderators do with a line that was reported."""
        from decks.social import moderation
        from matches.chat import services

        moderation.register(services.KIND, moderation.Kind("Line of the chat", services.show, of=services.subjects_of))
