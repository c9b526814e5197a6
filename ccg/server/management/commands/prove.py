"""``manage.py prove NAME``: carry out a proof, and print what came of it as one line of JSON."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser

from ccg.server.proving.proof import PROOFS, Options, ProofError, proof_named
from ccg.server.proving.versions import versions


class Command(BaseCommand):
    """Starts servers of its own, with data of its own; whatever runs here already is left alone."""

    help = "Prove a promise of docs/operating.md. Prints one line of JSON; ends with 1 if the promise is not kept."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Which proof, on what, and how thoroughly."""
        parser.add_argument("name", choices=sorted(PROOFS), metavar="NAME", help=", ".join(sorted(PROOFS)))
        parser.add_argument("--profile", choices=["embedded", "full"], default="embedded")
        parser.add_argument("--seed", type=int, default=1, help="which chance (default 1)")
        parser.add_argument("--short", action="store_true", help="the short form, of some seconds or minutes")
        parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="see docs/operating.md")
        parser.add_argument("--keep", action="store_true", help="leave the folder with data and logs behind")

    def handle(self, *args: Any, **options: Any) -> None:
        """Carry it out."""
        folder = Path(tempfile.mkdtemp(prefix="prove-"))
        began = time.monotonic()
        try:
            proof_options = Options(
                folder=folder,
                profile=options["profile"],
                seed=options["seed"],
                short=options["short"],
                more=_named(options["option"]),
            )
            proof = proof_named(options["name"])(proof_options)
        except ProofError as error:
            raise CommandError(str(error)) from error
        finally:
            if options["keep"]:
                self.stderr.write(f"data and logs are in {folder}")
            else:
                shutil.rmtree(folder, ignore_errors=True)
        report = msgspec.structs.replace(
            proof,
            name=options["name"],
            profile=proof_options.profile,
            short=proof_options.short,
            seed=proof_options.seed,
            versions=versions(),
            seconds=round(time.monotonic() - began, 1),
        )
        self.stdout.write(msgspec.json.encode(report).decode())
        if not report.holds:
            sys.exit(1)


def _named(options: list[str]) -> dict[str, str]:
    pairs = [option.partition("=") for option in options]
    for name, equals, _ in pairs:
        if not name or not equals:
            raise ProofError(f"--option wants NAME=VALUE, not {name!r}")
    return {name: value for name, _, value in pairs}
