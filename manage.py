#!/usr/bin/env python
"""Django's command line, with this project's settings."""

import os
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    """Run the command named in ``sys.argv``."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ccg.server.settings")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
