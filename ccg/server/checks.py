"""System checks: what is wrong with this installation, said at its start."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Warning, register

from .templatetags.client import manifest_path


@register()
def client_is_built(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Without the client's files pages have no styles and there is no table."""
    if manifest_path().exists():
        return []
    return [Warning("The browser client has not been built.", hint="Run `make client`.", id="ccg.W001")]
