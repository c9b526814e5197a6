"""Accounts, as people make them with the form."""

from __future__ import annotations

import re
import secrets

from playwright.sync_api import Page

PASSWORD = "raptor in the dark 7"


def new_name() -> str:
    """A username that nobody has yet."""
    return f"pilot-{secrets.token_hex(4)}"


def sign_up(page: Page, name: str) -> None:
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password (again)").fill(PASSWORD)
    page.get_by_role("button", name=re.compile("account")).click()
