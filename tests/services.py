"""PostgreSQL and Redis started for one test run, on ports of their own, and thrown away after it."""

from ccg.server.proving.services import UNSYNCED, Missing, running_services

__all__ = ["UNSYNCED", "Missing", "running_services"]
