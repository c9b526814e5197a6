"""The search language: one grammar, one tree, read and evaluated alike on the server and in the browser.

``grammar.lark`` says what can be written, :mod:`syntax` reads it, :mod:`language` finds out what it means from the
fields it is given, as a tree of :mod:`nodes`. :mod:`database` and :mod:`memory` evaluate that tree; so does the
browser (``ccg/client/src/search``), from what :mod:`browser` writes for it. :mod:`cards` has the fields of cards.
"""
