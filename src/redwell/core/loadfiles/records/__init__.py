"""One row of a load file as a document: its fields, names and files."""
