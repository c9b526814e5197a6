"""The forms in which decks go out and come in, one module for each; :mod:`decks.exchange.registry` lists them.

All of them are read by way of the text form: a file becomes a list, and every line of it is told and asked about as
if somebody had pasted it. So there is one reader that decides what a card is (:mod:`decks.lists.textlist`), and one
page on which people say yes.
"""
