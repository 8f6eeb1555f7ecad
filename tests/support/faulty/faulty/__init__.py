"""A package that offers Redwell a handler which does on purpose what handlers must not do."""
