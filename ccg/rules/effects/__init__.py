"""What cards do: the verbs of the ability language, and how abilities are compiled."""
