"""Real server processes for tests that go through HTTP, sockets and browsers: those of the proofs."""

from ccg.server.proving.processes import ROOT, Process, Site, Worker, free_port, running_site

__all__ = ["ROOT", "Process", "Site", "Worker", "free_port", "running_site"]
