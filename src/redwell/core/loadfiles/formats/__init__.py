"""How load files are written: each format's reader and writer, and how it is found out which one a file has. Pure."""
