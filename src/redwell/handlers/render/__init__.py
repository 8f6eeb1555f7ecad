"""Renditions: PDFs and page images, a module for each row of core.work.renderers, and what they are made with."""
