"""Artifacts wait for the members of their document, wherever their bytes are meanwhile."""

from pathlib import Path

import pytest
from tests.support.benches import PLAIN, Bench, handler, says

from redwell.core import wire
from redwell.core.artifacts import ArtifactKind
from redwell.core.handler import Artifact, Child, Text
from redwell.core.outcomes import Code, Outcome

LARGE = b"l" * ((4 << 20) + 1)
SMALL = b"small"
MEMBER = Child(locator="1", name="m.txt", data=b"member")


def made(data: bytes | memoryview | Path) -> Artifact:
    return Artifact(kind=ArtifactKind.CELL_MAP, data=data, media_type="application/json")


@pytest.mark.parametrize("inside", [False, True], ids=["sent", "held"])
def test_bytes_in_memory_in_views_and_in_files_come_behind_all_members_and_in_their_order(
    tmp_path: Path, inside: bool
) -> None:
    file = tmp_path / "made"
    file.write_bytes(b"f" * 3_000_000)
    pieces = [made(LARGE), made(file), MEMBER, made(SMALL), made(memoryview(LARGE)), Text(text="words")]
    bench = Bench(tmp_path, [handler("maker", 50, says(*pieces), types=PLAIN)], quota=16 << 20)
    *_, member, done = bench.work(b"document", inside=inside)
    assert isinstance(member, wire.Member)
    assert isinstance(done, wire.Done)
    slices = [member.data, *(each.data for each in done.made)]
    ends = [0]
    for each in slices:
        assert each
        assert each.offset >= ends[-1], "the parent takes bytes in their order only"
        ends.append(each.offset + each.length)
    given = [bench.bytes_of(each) for each in slices]
    assert given == [b"member", LARGE, b"f" * 3_000_000, SMALL, LARGE, b"words"]
    assert not file.exists()


def test_what_does_not_fit_is_refused_at_once_and_costs_no_text(tmp_path: Path) -> None:
    pieces = [Text(text="words"), made(LARGE)]
    (done,) = Bench(tmp_path, [handler("maker", 50, says(*pieces), types=PLAIN)], quota=4 << 20).work(b"document")
    assert isinstance(done, wire.Done)
    assert (done.outcome, [problem.code for problem in done.problems]) == (Outcome.PARTIAL, [Code.LIMIT_REACHED])
    assert [each.kind for each in done.made] == [ArtifactKind.TEXT]


def test_the_bytes_of_an_artifact_are_in_a_regular_file(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/dev/zero")
    (done,) = Bench(tmp_path, [handler("maker", 50, says(made(tmp_path / "link")), types=PLAIN)]).work(b"document")
    assert done.outcome is Outcome.INVALID_FILE
