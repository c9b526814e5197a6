"""Scenarios: rules and cards tested as they are told (docs/scenarios.md).

A scenario is a YAML file: a position (:mod:`.positions`), what players do (:mod:`.steps`), what must be
true (:mod:`.checks`). ``python -m ccg.rules.scenario PATH...`` runs files or folders.
"""

from ccg.rules.scenario.files import LIBRARY, Scenario, ScenarioError, find_files, read_each, read_scenarios
from ccg.rules.scenario.running import Failure, Watcher, run_scenario

__all__ = [
    "LIBRARY", "Failure", "Scenario", "ScenarioError", "Watcher", "find_files", "read_each", "read_scenarios",
    "run_scenario",
]  # fmt: skip
