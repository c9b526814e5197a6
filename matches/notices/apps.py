"""The Django app of the notices."""

from __future__ import annotations

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """Who is told what while they are away."""

    name = "matches.notices"
    label = "notices"
    verbose_name = "Notices"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Say who does our background work, and who looks for it."""
        # Models can only be imported now that all apps are loaded.
        from ccg.outbox.handlers import register
        from ccg.outbox.sweeps import register_sweep
        from matches.notices import mails, posting, pushing, reminders, signals  # noqa: F401

        register(mails.TASK, mails.handle)
        register(mails.DIGEST_TASK, mails.handle_digest)
        register(mails.TEST_TASK, mails.handle_test)
        register(pushing.TASK, pushing.handle)
        register_sweep("matches.notices", posting.sweep, seconds=30)
        register_sweep("matches.notices.reminders", reminders.sweep, seconds=30)
