"""Settings of the tests: the real ones, with data of their own and cheap passwords."""

import atexit
import os
import shutil
import tempfile

# Nothing of a developer's own installation is used or changed. Processes of one parallel run share the
# folder (pytest-xdist gives each its own database in it); runs at the same time do not.
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["VAR_DIR"] = tempfile.mkdtemp(prefix="ragtag-fleet-tests-")
    atexit.register(shutil.rmtree, os.environ["VAR_DIR"], ignore_errors=True)
# Sites that tests run begin with a copy of the first one's database. `make test` names one file for all its runs.
os.environ.setdefault("PREPARED_DATABASE", os.environ["VAR_DIR"] + "/prepared.sqlite3")

from ccg.server.settings import *  # noqa: F403

# Static files are the built client; what is tested here does not need them. A folder of its own: files of the
# databases beside it come and go while it is read.
STATIC_ROOT = VAR_DIR / "static"  # noqa: F405
STATIC_ROOT.mkdir(exist_ok=True)
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# All tests come from one address.
LIMITS = 0.0
RESET_SECONDS = 0.0
# Tests drain the outbox themselves, when they want to.
OUTBOX_THREADS = 0
# A picture takes seconds on a busy machine; those that test pictures have them drawn.
DECK_PREVIEWS = False
