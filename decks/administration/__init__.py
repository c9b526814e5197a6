"""What staff do with formats and reports in the admin."""
