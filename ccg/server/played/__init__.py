"""The scenarios that prove rules and cards, to be watched at a table: "See it played" (docs/scenarios.md).

:mod:`.library` says which there are and what each shows, :mod:`.recording` plays one and keeps every position on the
way as a message of the table's protocol, :mod:`.pages` are the pages. There is no match and no socket behind them.
"""
