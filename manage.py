#!/usr/bin/env python
"""Django's command line, with this project's settings."""

import gc
import os
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    """Run the command named in ``sys.argv``."""
    if sys.argv[1:2] == ["serve"]:
        # What a start makes is there to stay, and looking for garbage in it takes a tenth of the time to the first
        # answer. The server lets the collector work once it has started (ccg.server.garbage).
        gc.disable()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ccg.server.settings")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
