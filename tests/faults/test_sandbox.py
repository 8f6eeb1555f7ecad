"""The sandbox holds: as root, as a normal user, with and without namespaces."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support import children
from tests.support.children import AFTER, BEFORE, config, elsewhere, plan, write_tasks
from tests.support.outside import Outside

from redwell.core.work.kinds import Profile
from redwell.core.work.lanes import Lane
from redwell.processing.children.limits import LaneLimits
from redwell.processing.children.pool import Pool
from redwell.runtime.bootstrap import handler_modules


@pytest.fixture
def outside(folder: Path) -> Iterator[Outside]:
    there = Outside(folder)
    yield there
    there.close()


def escapes(folder: Path, outside: Outside) -> list[str]:
    pack, victim = folder / "in" / "pack", outside.victim.pid
    return [
        f"connect_tcp {outside.tcp.getsockname()[1]}",
        f"send_udp {outside.udp.getsockname()[1]}",
        f"connect_unix {folder / 's'}",
        f"connect_abstract_unix {outside.abstract.getsockname()[1:].decode()}",
        f"send_from_a_socket_pair {folder / 'd'}",
        "listen",
        "use_io_uring",
        f"read_outside {outside.secret}",
        "read_outside /etc/passwd",
        f"list_outside {folder}",
        f"read_the_memory_of_a_process {victim}",
        f"read_the_environment_of_a_process {victim}",
        f"write_outside {folder}",
        "write_outside /tmp",
        "write_outside /dev/shm",
        f"write_to_the_input {pack}",
        f"write_to_the_input_through_its_descriptor {pack}",
        f"truncate_the_input {pack}",
        f"remove_the_input {pack}",
        f"rename_the_input {pack}",
        f"change_the_mode_of_the_input {pack}",
        f"change_the_times_of_the_input {pack}",
        f"mark_the_input {pack}",
        f"link_the_input_into_scratch {pack}",
        f"replace_scratch_by_a_link {folder / 'in'}",
        "move_scratch_away",
        f"leave_a_link_in_scratch {outside.secret}",
        "reopen_the_spool",
        f"signal_a_process {victim}",
        "signal_everyone",
        f"lower_the_limits_of_a_process {victim}",
        f"trace_a_process {victim}",
        "mount_something",
        "make_a_namespace",
        "start_a_program",
        "raise_own_limits",
        "see_secrets_in_the_environment REDWELL_TEST_SECRET",
    ]


WORLDS = {
    "as we are": ((), []),
    "as a normal user": (("unshare", "--user", "--map-user=1000", "--map-group=1000"), []),
    "without namespaces": ((), ["unshare"]),
}


@pytest.mark.parametrize("world", WORLDS)
def test_no_way_out_of_the_sandbox(folder: Path, outside: Outside, world: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every escape ends as that document's error; nothing arrives outside; the input is as it was."""
    prefix, refuse = WORLDS[world]
    if os.geteuid() != 0 and world == "as a normal user":
        prefix = ()  # we are one
    monkeypatch.setenv("REDWELL_TEST_SECRET", "x")
    tasks = write_tasks(folder, [BEFORE, *(f"FAULT {escape}" for escape in escapes(folder, outside)), AFTER])
    pack = folder / "in" / "pack"
    before = (pack.read_bytes(), pack.stat().st_mtime_ns, pack.stat().st_mode, pack.stat().st_nlink)
    found = elsewhere(plan(folder, tasks, refuse), prefix)
    ends = [found["ends"][str(task.id)] for task in tasks]
    assert [end["text"] for end in (ends[0], ends[-1])] == ["before", "after"]
    got_out = [escape for escape, end in zip(escapes(folder, outside), ends[1:-1], strict=True) if not _refused(end)]
    assert got_out == []
    assert outside.reached() == []
    assert (pack.read_bytes(), pack.stat().st_mtime_ns, pack.stat().st_mode, pack.stat().st_nlink) == before
    assert sorted(entry.name for entry in folder.iterdir()) == ["d", "in", "s", "scratch", "secret"]
    assert (found["layers"]["namespaces"] == "on") == (world != "without namespaces")


def _refused(end: dict[str, Any]) -> bool:
    return end["outcome"] == "INVALID_FILE" and end["problems"][0].startswith("HANDLER_ERROR")


def test_the_libraries_of_the_handlers_work_inside(folder: Path) -> None:
    """In a first host, and in one that finds them imported."""
    tasks = write_tasks(folder, ["FAULT use_libraries"] * 2)
    roomy = LaneLimits(wall_s=60, rss_mb=1_000)
    with Pool(config(folder, life=1, small=roomy, large=roomy), 1) as pool:
        for task in tasks:
            pool.submit([task], Lane.SMALL)
            while not (events := pool.wait(5)):
                pass
            assert events[0].made[0].read().decode() == "rust 1 page 3 letters Europe/Berlin after use_libraries"


def test_files_left_at_home_are_gone_for_the_next_document(folder: Path) -> None:
    run = children.run(write_tasks(folder, ["FAULT leave_files_at_home"] * 3), config(folder))
    assert [run.ends[n].text for n in range(3)] == ["after leave_files_at_home"] * 3


@pytest.mark.parametrize(
    ("calls", "layer"), [(["seccomp", "prctl 22"], "seccomp"), (["landlock_create_ruleset"], "landlock")]
)
def test_a_required_sandbox_refuses_to_start_without_a_layer(folder: Path, calls: list[str], layer: str) -> None:
    tasks = write_tasks(folder, [BEFORE])
    with pytest.raises(
        RuntimeError, match=rf"SandboxUnavailable: the sandbox can't be had here: .*{layer}.*sandbox=best"
    ):
        elsewhere(plan(folder, tasks, calls))


def test_the_best_sandbox_goes_on_without_a_layer_and_says_so(folder: Path) -> None:
    found = elsewhere(plan(folder, write_tasks(folder, [BEFORE]), ["landlock_create_ruleset"], sandbox="best"))
    assert found["layers"]["landlock"] == "Operation not permitted"
    assert found["layers"]["seccomp"] == "on"
    assert found["ends"]["0"]["text"] == "before"


def test_a_package_on_the_path_offers_its_handler(folder: Path) -> None:
    program = "from redwell.runtime.bootstrap.handler_modules import discover; print(discover()['parser'])"
    names = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert names.stdout.strip() == str((*handler_modules.BUILT_IN_OF[Profile.PARSER], "faulty.handler"))
