"""The rules, each in the module that bears its rulebook name."""
