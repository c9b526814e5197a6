"""PostgreSQL and Redis started for one test run, on ports of their own, and thrown away after it."""

from ccg.server.proving.services import Missing, running_services

__all__ = ["Missing", "running_services"]
