"""The commands about volumes that come in and go out: load files, overlays, exports, productions, redactions."""
