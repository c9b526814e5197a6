"""Background work that cannot be lost: rows written together with the change that asks for them.

Apps use :func:`ccg.outbox.services.post` and :func:`ccg.outbox.handlers.register`; why it is made this
way is told in docs/decisions/0002-outbox.md.
"""
