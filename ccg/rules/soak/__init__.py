"""The soak: random games in which everything that must always hold is looked at after every choice.

``python -m ccg.rules.soak --games 200 --players 3 --seed 1`` plays; a failure is told with its seed and a
shrunk list of moves, kept as a file that ``--replay FILE`` plays again. Pure Python, no framework.
"""
