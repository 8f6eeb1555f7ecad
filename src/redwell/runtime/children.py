"""How the children of a case are set up, from its settings. Used by whoever starts a pool."""

from redwell.extract.limits import ChildConfig, LaneLimits
from redwell.runtime.bootstrap import Case

MB = 1 << 20


def child_config(case: Case) -> ChildConfig:
    s = case.settings
    return ChildConfig(
        handlers=tuple(case.handlers),
        readable=(case.folder / "blobs",),
        scratch=case.scratch,
        sandbox="best" if s.sandbox == "best" else "required",
        small=LaneLimits(wall_s=s.small_wall_s, rss_mb=s.small_rss_mb),
        large=LaneLimits(wall_s=s.large_wall_s, rss_mb=s.large_rss_mb),
        life=s.child_life,
        spool_mb=s.spool_mb,
        options={
            "max_members": s.max_members,
            "max_member_bytes": s.max_member_mb * MB,
            "max_total_bytes": s.max_total_mb * MB,
            "max_ratio": s.max_ratio,
            "max_text_chars": s.max_text_chars,
            "embedded_images": int(s.embedded_images == "children"),
        },
    )
