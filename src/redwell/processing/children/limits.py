"""What a child is given and allowed; made by the bootstrap, used by the pool in the parent."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from redwell.core.handler import Options
from redwell.core.work.kinds import Profile
from redwell.core.work.lanes import Lane
from redwell.core.work.profiles import RIGHTS, Rights


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneLimits:
    """What one document may take before its child is killed."""

    wall_s: float
    rss_mb: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildConfig:
    handlers: tuple[str, ...]
    readable: tuple[Path, ...]  # folders or files that hold the documents' bytes
    scratch: Path  # a folder of ours on a disk with room; each pool makes its own below it
    small: LaneLimits
    large: LaneLimits
    sandbox: Literal["required", "best"] = "required"
    profile: Profile = Profile.PARSER
    rights: Rights = RIGHTS[Profile.PARSER]
    life: int = 600  # units: a small document is 1, a large one 5
    retire_rss_mb: int = 768  # a child seen above this is replaced when it has done what it has
    spool_mb: int = 65_536  # what may come out of one document; as much may lie in its scratch folder
    start_s: float = 60
    options: Mapping[str, int] = field(default_factory=dict)  # the limits of core.handler.Options
    timezone: str = "UTC"
    ocr_languages: str = "eng"
    render_wall_s: float = 240  # of profiles that run programs

    def of(self, lane: Lane) -> LaneLimits:
        return self.large if lane is Lane.LARGE else self.small

    @property
    def max_members(self) -> int:
        """As handlers are told, or as `core.handler.Options` says by itself."""
        return self.options.get("max_members", Options(name="", media_type="").max_members)

    @property
    def address_space_mb(self) -> int:
        """A backstop: libraries reserve far more than they use, and what they use is watched as RSS."""
        return 2 * max(self.small.rss_mb, self.large.rss_mb) + 4096


def units(lane: Lane) -> int:
    return 5 if lane is Lane.LARGE else 1
