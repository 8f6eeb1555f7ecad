"""Generators of sample evidence: one module per family of formats, `story` and `bulk` put them together."""
