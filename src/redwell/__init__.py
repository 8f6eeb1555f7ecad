"""Redwell: evidence goes in; documents or named exceptions come out."""

__version__ = "0.1.0"
