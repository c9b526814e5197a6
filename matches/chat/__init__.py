"""What people write to each other at a table: players among themselves, and those who look on among themselves."""
