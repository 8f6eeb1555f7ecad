"""How commands speak: lines, live displays, warnings."""
