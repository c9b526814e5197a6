"""The sockets of tables: what clients ask for, and what they are told without asking."""
