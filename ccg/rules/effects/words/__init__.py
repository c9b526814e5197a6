"""The words of the ability language, by what they are about; each is one class that says everything of its word.

A class with a verb in a module of this package is a word: :mod:`ccg.rules.effects.language` finds it here.
"""
