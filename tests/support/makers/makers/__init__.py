"""Stand-ins for engines: they read lines such as `page: WORDS` and make what an engine would."""
