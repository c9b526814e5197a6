"""``python -m ccg.native``: compile the engine for this Python."""

import sys

from ccg.native.building import main

sys.exit(main())
