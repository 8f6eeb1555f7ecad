"""The folder or schema of a case: found, made, locked, upgraded, moved and removed."""
