"""Another machine on this one: another name, another home, and nothing to be seen of the folders of the first one."""

import os
from collections.abc import Sequence
from pathlib import Path

_SCRIPT = """
set -e
hostname "$1"
shift
while [ "$1" != -- ]; do mount -t tmpfs none "$1"; shift; done
shift
exec "$@"
"""


def elsewhere(name: str, hidden: Sequence[Path]) -> list[str]:
    """What a command is started through, to run there. The process and its id stay the same."""
    mapped = [] if os.geteuid() == 0 else ["--map-root-user"]
    return ["unshare", "--mount", "--uts", *mapped, "sh", "-c", _SCRIPT, "sh", name, *map(str, hidden), "--"]
