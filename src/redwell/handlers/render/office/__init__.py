"""Renditions of Office documents, by LibreOffice. Runs in a child of the office profile."""
