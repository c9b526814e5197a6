"""What each right gives, and that it is no more: every page and every message of a table, asked as everybody.

The table (``table.txt``) says for every route, verb and role what comes of it: the status, the tables written to, the
secrets told. Rights of staff are tried one by one. A route without a row fails, and so does a cell that differs.

``--option write=1`` writes the table anew from what was found; the difference to the old one wants to be read.
"""

from __future__ import annotations

from ccg.server.proving import inside
from ccg.server.proving.processes import Site
from ccg.server.proving.proof import Options, Proof, ProofError
from ccg.server.proving.services import Missing, Postgres, running

GOAL = (
    "every route, verb and role, staff rights one by one and every message of a table: at least 900 cells, none wrong"
)
LEAST = 900
TOLD = 20


def prove(options: Options) -> Proof:
    """Measure on a database of its own, compare with the table, and see that planted faults are noticed."""
    env = {"VAR_DIR": str(options.room("site") / "var"), "GUESTS_PER_HOUR": "1000000", "MAILS_PER_HOUR": "1000000"}
    if options.profile == "full":
        try:
            database = Postgres(options.folder)
        except Missing as missing:
            raise ProofError(str(missing)) from missing
        with running(database):
            return _proof(options, {**env, "DATABASE_URL": database.url})
    return _proof(options, env)


def _proof(options: Options, env: dict[str, str]) -> Proof:
    Site(options.folder, env).prepare()
    parameters = {"short": options.short, "write": bool(options.number("write", 0))}
    result = inside.call("ccg.server.proving.rights.carrying_out:carry_out", parameters, env)
    wrong = result["wrong"]
    return Proof(
        goal=GOAL,
        passed=not wrong and result["cells"] >= LEAST,
        figures={
            **{name: result[name] for name in ("cells", "routes", "rights", "cells_by_right", "cells_of_sockets")},
            "wrong": len(wrong),
            "first_wrong": wrong[:TOLD],
        },
        planted=result["planted"],
    )
