"""Proofs: what is promised about this site, tried as an attacker, a crowd or an accident would.

``manage.py prove NAME`` runs one; docs/operating.md says what each shows. A proof starts servers of its own
(:mod:`.systems`) with data in a temporary folder, tries them from outside, and returns a :class:`.proof.Proof`. It also
runs against servers and functions that were broken on purpose (:mod:`.inside`), and fails if it does not notice.

The site itself imports nothing from here (pyproject.toml has a contract for that).
"""
