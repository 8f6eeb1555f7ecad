"""What a job records of how its documents are worked on, so that every worker does the same with them."""

import json
from functools import lru_cache
from typing import Any

from redwell.runtime.bootstrap.settings import Settings

# settings that change what is made of a content; others may differ between runs
RECIPE_SETTINGS = ("max_members", "max_member_mb", "max_total_mb", "max_ratio", "max_text_chars", "embedded_images")
RENDITION_SETTINGS = (
    *"pdf pages ocr ocr_inline ocr_languages ocr_dpi ocr_second ocr_tries page_dpi sheet_pages".split(),
    *("pdf_compression", "jpeg_quality"),
)
# all that a job's documents are worked on with, whichever process does it
JOB_SETTINGS = (
    *RECIPE_SETTINGS,
    *("max_depth", "max_copies", "spool_mb"),
    *("small_wall_s", "large_wall_s", "small_rss_mb", "large_rss_mb"),
    *("small_tries", "large_tries", "plain_tries"),
    *RENDITION_SETTINGS,
    "render_wall_s",
)
_EQUIPMENT = "equipment"
_DEFAULTS = Settings()


def terms_of(settings: Settings, equipment: str) -> str:
    """The settings, and the handlers and libraries there were."""
    return json.dumps({_EQUIPMENT: equipment, **{key: getattr(settings, key) for key in JOB_SETTINGS}})


@lru_cache
def equipment_in(terms: str) -> str:
    """Empty: nobody said."""
    return str(_values(terms).get(_EQUIPMENT, ""))


@lru_cache
def settings_in(terms: str) -> str:
    """The same text for the same settings; empty: anybody's."""
    return json.dumps(_settings(terms)) if terms else ""


def on_terms(settings: Settings, terms: str) -> Settings:
    return settings.with_overrides({key: str(value) for key, value in _settings(terms).items()})


def renditions_in(terms: str) -> list[str]:
    """What a job wants made of its documents, as assignments: whoever goes on with it makes the same."""
    values = _values(terms)
    return [f"{key}={values[key]}" for key in RENDITION_SETTINGS if key in values]


def _settings(terms: str) -> dict[str, Any]:
    """Those that a job of this release has: an older one may have recorded more, or less."""
    values = _values(terms)
    return {key: values.get(key, getattr(_DEFAULTS, key)) for key in JOB_SETTINGS} if values else {}


def _values(terms: str) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(terms or "{}")
    return values
