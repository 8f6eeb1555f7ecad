"""Handlers of the office, browser and ocr profiles that turn an engine's output into pieces, and one that fails."""
