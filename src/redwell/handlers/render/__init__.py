"""Renditions as PDF: a module for each row of core.work.renderers that makes one, and what they are made with."""
