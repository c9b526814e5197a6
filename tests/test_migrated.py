"""The migrated database that tests begin with is made anew when anything changes that it follows from."""

from __future__ import annotations

import inspect

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from tests import migrated


def test_all_our_models_and_migrations_are_among_what_it_follows_from() -> None:
    made_from = [*apps.get_models(), *map(type, MigrationLoader(None).disk_migrations.values())]
    ours = [one for one in made_from if one.__module__.partition(".")[0] in migrated.PACKAGES]
    files = {inspect.getsourcefile(one) for one in ours}
    assert len(files) > 80
    assert files <= set(map(str, migrated.sources()))


def test_of_other_sources_another_one_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    before = migrated.kept_file()
    assert migrated.kept_file() == before
    monkeypatch.setattr(migrated, "sources", lambda: [migrated.ROOT / "pyproject.toml"])
    assert migrated.kept_file() != before


@pytest.mark.django_db
def test_nothing_is_left_to_migrate() -> None:
    call_command("migrate", check_unapplied=True, verbosity=0)
    assert connection.introspection.table_names()
