"""Trip points: named places at commit edges where a fault test may kill the process.

Inert unless the environment arms one: REDWELL_TRIP="load.before_commit" dies at its first passing,
"load.before_commit:3" at its third. The whole process group dies, as in a power cut.
"""

import os
import signal

_armed, _, _count = os.environ.get("REDWELL_TRIP", "").partition(":")
_left = int(_count or 1)


def trip(name: str) -> None:
    """Die here when armed; otherwise cost nothing worth measuring."""
    if name == _armed:
        _pass_armed()


def _pass_armed() -> None:
    global _left
    _left -= 1
    if _left == 0:
        os.killpg(0, signal.SIGKILL)
