"""``manage.py cluster``: the full profile on one machine, each of its processes watched and started again."""
