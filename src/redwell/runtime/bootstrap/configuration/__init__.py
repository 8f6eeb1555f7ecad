"""Where settings come from besides the command line: files, jobs, secrets."""
