"""Where hits stand, as people cite it."""
