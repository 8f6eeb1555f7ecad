"""What work on a case is keyed by, from its settings: what is read with, and which renditions are wanted how."""

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import Any

from redwell.core.work.kinds import Profile, TaskType
from redwell.core.work.recipe import Recipe, Rendition
from redwell.core.work.renderers import PICTURES, RENDERERS, Goal, Renderer
from redwell.runtime.bootstrap.configuration.job_settings import RECIPE_SETTINGS
from redwell.runtime.bootstrap.settings import Settings

_OCR = ("ocr_dpi", "ocr_languages", "ocr_second")
# settings that change what is made, by kind of work: a change of one makes nothing else anew
SETTINGS_OF: Mapping[TaskType, tuple[str, ...]] = {
    TaskType.RENDER_XLSX: ("sheet_pages",),
    TaskType.RENDER_PAGE_IMAGES: ("page_dpi",),
    TaskType.OCR_PAGE_IMAGES: (*_OCR, "ocr_all"),
    TaskType.TEXT_FROM_IMAGE: _OCR,
    TaskType.TEXT_FROM_IMAGE_LIST: _OCR,
    TaskType.OCR_INLINE_IMAGES: _OCR,
}
# what came later, which is part of a key only where it is not the default: an upgrade makes nothing anew
_PACKING = ("pdf_compression", "jpeg_quality")
_PACKING_PICTURES = frozenset(
    "picture-pdf page-list-pdf office-pdf locked-pdf sheets-pdf ocr-image ocr-image-list ocr-page-list".split()
)
_DEFAULTS = Settings()


def recipe_of(settings: Settings, profiles: Collection[Profile]) -> Recipe:
    """`profiles` are those that there are handlers for; nothing is asked of others."""
    goals = wanted_goals(settings)
    rows = [row for row in RENDERERS if row.goal in goals and row.profile in profiles]
    values: dict[str, Any] = {key: asdict(settings)[key] for key in RECIPE_SETTINGS}
    return Recipe(
        settings=_digest(values),
        large_bytes=settings.large_mb << 20,
        renditions=tuple(_rendition(row, settings) for row in rows),
    )


def wanted_goals(settings: Settings) -> set[Goal]:
    """What is made without being asked for; page images are made of a PDF."""
    goals = {goal for goal in (Goal.PDF, Goal.PAGES) if getattr(settings, goal) == "eager"}
    goals |= {Goal.PDF} if Goal.PAGES in goals else set()
    if settings.ocr != "none":
        goals |= {Goal.OCR, Goal.COMBINED, *([Goal.INLINE] if settings.ocr_inline == "yes" else [])}
    return goals


def _rendition(row: Renderer, settings: Settings) -> Rendition:
    values = {**asdict(settings), "ocr_all": settings.ocr == "all"}
    later = [key for key in _PACKING if row.name in _PACKING_PICTURES and values[key] != getattr(_DEFAULTS, key)]
    digest = _digest({key: values[key] for key in (*SETTINGS_OF.get(row.task, ()), *later)})
    is_picture = row.media_types <= PICTURES
    if_pending = row.goal is Goal.OCR and not is_picture and settings.ocr == "auto"
    return Rendition(renderer=row, settings=digest, if_pending=if_pending)


def _digest(values: Mapping[str, Any]) -> str:
    return hashlib.blake2b(json.dumps(values, sort_keys=True).encode(), digest_size=6).hexdigest()
