"""The commands about the home and the machine: settings, people, known files, what the machine gives."""
