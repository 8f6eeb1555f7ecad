"""Which tests run one after the other on one worker: those of modules that name the same group.

xdist writes the group behind a test's name where pytest 9.2 no longer looks for it, and would tear groups apart.
"""

import re
from pathlib import Path

import pytest
from xdist.scheduler import LoadGroupScheduling

_TESTS = Path(__file__).resolve().parents[1]
_GROUP = re.compile(r'^pytestmark = .*xdist_group\("([\w-]+)"\)', re.MULTILINE)


class ByModule(LoadGroupScheduling):
    """Whoever marks a module with `xdist_group` shares what its tests make."""

    def __init__(self, config: pytest.Config, log: object = None) -> None:
        super().__init__(config, log)
        self._groups = groups_below(_TESTS)

    def _split_scope(self, nodeid: str) -> str:
        return self._groups.get(nodeid.partition("::")[0], nodeid)


def groups_below(tests: Path) -> dict[str, str]:
    """By the path of a module, as test names begin with it."""
    found = {}
    for path in sorted(tests.rglob("test_*.py")):
        if named := _GROUP.search(path.read_text("utf-8")):
            found[path.relative_to(tests.parent).as_posix()] = named[1]
    return found
