"""How children are set up, from the settings. Used by whoever starts a pool."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from redwell.core.compression import PdfCompression
from redwell.core.work.kinds import Profile
from redwell.core.work.profiles import RIGHTS
from redwell.processing.children.limits import ChildConfig, LaneLimits
from redwell.runtime.bootstrap.settings import Settings

MB = 1 << 20
_RETIRE_RSS_MB = 768


def parsers(
    settings: Settings, modules: Sequence[str], readable: Sequence[Path], scratch: Path, timezone: str = "UTC"
) -> ChildConfig:
    """Children that offer these handlers, read what is given, and write below `scratch` alone."""
    s = settings
    return ChildConfig(
        handlers=tuple(modules),
        readable=tuple(readable),
        scratch=scratch,
        sandbox="best" if s.sandbox == "best" else "required",
        small=LaneLimits(wall_s=s.small_wall_s, rss_mb=s.small_rss_mb),
        large=LaneLimits(wall_s=s.large_wall_s, rss_mb=s.large_rss_mb),
        life=s.child_life,
        spool_mb=s.spool_mb,
        retire_rss_mb=_RETIRE_RSS_MB,
        options={
            "max_members": s.max_members,
            "max_member_bytes": s.max_member_mb * MB,
            "max_total_bytes": s.max_total_mb * MB,
            "max_ratio": s.max_ratio,
            "max_text_chars": s.max_text_chars,
            "embedded_images": int(s.embedded_images == "children"),
            "page_dpi": s.page_dpi,
            "sheet_pages": s.sheet_pages,
            "pdf_compression": PdfCompression[s.pdf_compression.upper()],
            "jpeg_quality": s.jpeg_quality,
            "ocr_dpi": s.ocr_dpi,
            "ocr_all": int(s.ocr == "all"),
            "ocr_second": int(s.ocr_second == "yes"),
            "ocr_tries": int(s.ocr_tries == "keep"),
        },
        timezone=timezone,
        ocr_languages=s.ocr_languages,
        render_wall_s=s.render_wall_s,
    )


def of_profile(profile: Profile, like: ChildConfig, modules: Sequence[str]) -> ChildConfig:
    """Children of another profile for the same work: with its rights, and the memory that its programs need."""
    least = RIGHTS[profile].least_rss_mb
    # a range of pages to recognise takes minutes, be it small; a converter that takes longer than it may hangs
    small_s, large_s = (like.large.wall_s,) * 2 if profile is Profile.OCR else (like.render_wall_s,) * 2
    return replace(
        like,
        profile=profile,
        rights=RIGHTS[profile],
        handlers=tuple(modules),
        small=LaneLimits(wall_s=small_s, rss_mb=max(least, like.small.rss_mb)),
        large=LaneLimits(wall_s=large_s, rss_mb=max(least, like.large.rss_mb)),
        retire_rss_mb=max(least, like.retire_rss_mb),
    )
