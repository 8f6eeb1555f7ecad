"""What each command takes, by group of commands."""
