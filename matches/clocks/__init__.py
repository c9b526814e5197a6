"""Tempos and clocks of matches, and what else stands at a table besides the game: offers and pauses.

``tempo``, ``arithmetic``, ``standing`` and ``afterwards`` only compute; ``site_time`` is the time that clocks go by,
``manners`` is what players agree on. ``matches.runners.clock_sweep`` finds who has run out of time.
"""
