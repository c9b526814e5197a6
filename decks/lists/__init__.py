"""Lists of cards as such, without a database: read, named, compared, merged, counted, judged."""
