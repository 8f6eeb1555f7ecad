"""Importing as people do it: odd names, odd files, two at once, interrupted, on a full disk."""

import json
import os
import signal
import socket
import subprocess
import threading
import time
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from tests.support.evidence import mail, make_evidence, protected_pdf, zipped
from tests.support.product import ask, command, documents, environment, redwell, start, verified, wait_until_at_work


def imported(home: Path, source: Path, case: str = "c", *args: str, **env: Any) -> dict[str, Any]:
    run = redwell(home, "import", str(source), "--case", case, "--json", *args, **env)
    assert run.returncode == 0, run.stdout + run.stderr
    summary: dict[str, Any] = json.loads(run.stdout)
    return summary


def by_path(home: Path, case: str = "c") -> dict[str, dict[str, Any]]:
    return {row["path"]: row for row in documents(home, case)}


def codes(row: dict[str, Any]) -> set[str]:
    return {problem["code"] for problem in row["problems"]}


def test_a_missing_source_is_named_and_nothing_is_created(tmp_path: Path) -> None:
    run = redwell(tmp_path / "home", "import", str(tmp_path / "nowhere"), "--case", "c")
    assert run.returncode == 3
    assert "nowhere: No such file or directory" in run.stderr
    assert not (tmp_path / "home").exists()


def test_an_empty_folder_is_balanced_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    summary = imported(tmp_path / "home", tmp_path / "in")
    assert (summary["documents"], summary["balanced"]) == (0, True)
    verified(tmp_path / "home", "c")


def test_a_single_file_is_a_source_too(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("just one file")
    imported(tmp_path / "home", tmp_path / "note.txt")
    assert by_path(tmp_path / "home")["note.txt"]["text"] == "just one file"


def test_links_loops_pipes_and_sockets_are_named_exceptions_and_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (tmp_path / "outside.txt").write_text("not evidence")
    (folder / "link").symlink_to(tmp_path / "outside.txt")
    (folder / "loop").symlink_to(folder)
    os.mkfifo(folder / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "socket"))
        imported(tmp_path / "home", folder)
    rows = by_path(tmp_path / "home")
    assert {path: codes(row) for path, row in rows.items()} == {
        "link": {"SYMLINK_NOT_FOLLOWED"},
        "loop": {"SYMLINK_NOT_FOLLOWED"},
        "pipe": {"SPECIAL_FILE"},
        "socket": {"SPECIAL_FILE"},
    }
    assert {row["outcome"] for row in rows.values()} == {"UNSUPPORTED"}
    verified(tmp_path / "home", "c")


def test_names_that_are_not_utf8_decomposed_or_very_long_come_out_whole(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    deep = folder / ("d" * 100) / ("e" * 100) / ("f" * 100)
    deep.mkdir(parents=True)
    (deep / "long.txt").write_text("long path")
    decomposed = unicodedata.normalize("NFD", "Übergröße.txt")
    (folder / decomposed).write_text("decomposed")
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9%41.txt")).write_text("latin name")
    (folder / "line\nbreak.txt").write_text("line break")
    imported(tmp_path / "home", folder)
    texts = {path: row["text"] for path, row in by_path(tmp_path / "home").items()}
    assert texts == {
        f"{'d' * 100}/{'e' * 100}/{'f' * 100}/long.txt": "long path",
        decomposed: "decomposed",
        "caf\\xe9%41.txt": "latin name",
        "line\nbreak.txt": "line break",
    }
    verified(tmp_path / "home", "c")


def test_a_file_that_changes_while_it_is_read_is_named_source_changed(tmp_path: Path) -> None:
    folder, stop = tmp_path / "in", threading.Event()
    folder.mkdir()
    growing = folder / "growing.log"
    growing.write_bytes(b"line of a log\n" * 2_000_000)

    def grow() -> None:
        with growing.open("ab", buffering=0) as out:
            while not stop.is_set():
                out.write(b"more\n")
                time.sleep(0.0005)

    writer = threading.Thread(target=grow)
    writer.start()
    try:
        imported(tmp_path / "home", folder)
    finally:
        stop.set()
        writer.join()
    row = by_path(tmp_path / "home")["growing.log"]
    assert "SOURCE_CHANGED" in codes(row)
    assert row["size"] >= 28_000_000
    verified(tmp_path / "home", "c")


def test_what_a_user_may_not_read_is_a_named_exception_that_says_what_to_do(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    (folder / "closed").mkdir(parents=True)
    (folder / "fine.txt").write_text("fine")
    for denied in (folder / "denied.txt", folder / "closed" / "inside.txt"):
        denied.write_text("denied")
    (folder / "denied.txt").chmod(0)
    (folder / "closed").chmod(0)
    # root reads everything, unless that is taken from it
    rights = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    home = tmp_path / "home"
    run = subprocess.run([*rights, *command("import", str(folder), "--case", "c")], env=environment(home))
    (folder / "closed").chmod(0o700)
    assert run.returncode == 0
    rows = by_path(home)
    assert {path: row["outcome"] for path, row in rows.items()} == {
        "fine.txt": "SUCCESS",
        "denied.txt": "INVALID_FILE",
        "closed": "INVALID_FILE",
    }
    assert codes(rows["denied.txt"]) == codes(rows["closed"]) == {"SOURCE_UNREADABLE"}
    assert ask(home, "exceptions", "--case", "c").stdout.count("let this user read it") == 2
    verified(home, "c")


def test_a_file_that_vanishes_before_it_is_read_is_a_named_exception(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "fine.txt").write_text("fine")
    (folder / "gone.txt").write_text("gone")
    running = start(tmp_path / "home", "import", str(folder), "--case", "c", REDWELL_TRIP="walk.after_close")
    running.communicate()
    (folder / "gone.txt").unlink()
    assert redwell(tmp_path / "home", "resume", "--case", "c").returncode == 0
    rows = by_path(tmp_path / "home")
    assert (rows["fine.txt"]["outcome"], rows["gone.txt"]["outcome"]) == ("SUCCESS", "INVALID_FILE")
    assert codes(rows["gone.txt"]) == {"SOURCE_VANISHED"}
    verified(tmp_path / "home", "c")


def test_odd_case_names_work_and_impossible_ones_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text")
    for name in ("../../etc", "Müller ./. Söhne, 3:21-cv-00042 / sealed", "'; DROP TABLE cases; --", "📁", "-"):
        imported(tmp_path / "home", tmp_path / "a.txt", name)
        assert [row["text"] for row in documents(tmp_path / "home", name)] == ["text"]
    for name in ("", "   ", "a\nb", "x" * 201):
        assert redwell(tmp_path / "home", "import", str(tmp_path / "a.txt"), "--case", name).returncode == 2
    assert {p.name for p in tmp_path.iterdir()} == {"a.txt", "home"}


@pytest.mark.requirement("B2")
def test_the_same_folder_twice_processes_nothing_again_and_says_so(tmp_path: Path) -> None:
    source = make_evidence(tmp_path / "in", mails=10)
    first = imported(tmp_path / "home", source, "c", "--custodian", "Ann", faulty=True)
    run = redwell(tmp_path / "home", "import", str(source), "--case", "c", "--custodian", "Bob", faulty=True)
    assert run.returncode == 0, run.stderr
    assert "nothing was processed again" in run.stdout
    rows = documents(tmp_path / "home", "c")
    assert len(rows) == 2 * first["documents"]
    second = [row for row in rows if row["custodian"] == "Bob" and row["sha256"]]
    assert second and all(row["duplicate_of"] and row["custodians"] == ["Ann", "Bob"] for row in second)
    verified(tmp_path / "home", "c")


def test_two_imports_at_once_on_one_home_and_one_case_lose_nothing(tmp_path: Path) -> None:
    source = make_evidence(tmp_path / "in", mails=60)
    single = imported(tmp_path / "single", source, "c", faulty=True)
    runs = [start(tmp_path / "home", "import", str(source), "--case", "c", "--json", faulty=True) for _ in range(2)]
    outputs = [run.communicate(timeout=120) for run in runs]
    assert [run.returncode for run in runs] == [0, 0], outputs
    for out, _ in outputs:
        summary = json.loads(out)
        assert (summary["documents"], summary["outcomes"]) == (single["documents"], single["outcomes"])
    verified(tmp_path / "home", "c")


def test_ctrl_c_once_drains_and_says_how_to_resume(tmp_path: Path) -> None:
    source = make_evidence(tmp_path / "in", mails=400)
    run = start(tmp_path / "home", "import", str(source), "--case", "c c", faulty=True)
    wait_until_at_work(tmp_path / "home", run)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert run.returncode == 130, out + err
    assert "redwell resume --case 'c c' 1" in out
    assert redwell(tmp_path / "home", "resume", "--case", "c c", "1", faulty=True).returncode == 0
    verified(tmp_path / "home", "c c")


def test_ctrl_c_twice_stops_at_once_and_resume_still_finishes(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "hang.bin").write_bytes(b"FAULT hang_after_a_file\n")
    run = start(tmp_path / "home", "import", str(tmp_path / "in"), "--case", "c", faulty=True)
    while run.poll() is None and not list(tmp_path.glob("home/cases/*/scratch/**/begun")):
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    time.sleep(0.3)
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=10)
    assert run.returncode == 130
    limits = ("--set", "small_wall_s=1", "--set", "large_wall_s=1")
    assert redwell(tmp_path / "home", "resume", "--case", "c", *limits, faulty=True).returncode == 0
    assert by_path(tmp_path / "home")["hang.bin"]["outcome"] == "TIMED_OUT"
    verified(tmp_path / "home", "c")


def test_a_disk_that_is_too_small_is_refused_before_a_byte_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text")
    free_mb = os.statvfs(tmp_path).f_bavail * os.statvfs(tmp_path).f_frsize >> 20
    run = redwell(
        tmp_path / "home", "import", str(tmp_path / "a.txt"), "--case", "c", "--set", f"reserve_mb={free_mb + 9999}"
    )
    assert run.returncode == 6
    assert "Make room, then: redwell resume" in run.stderr
    assert redwell(tmp_path / "home", "resume", "--case", "c").returncode == 0
    verified(tmp_path / "home", "c")


def test_a_disk_that_fills_up_in_the_middle_stops_cleanly_and_can_be_resumed(tmp_path: Path) -> None:
    """A tmpfs in a mount namespace of its own is the small disk; it is enlarged before the resume."""
    source = tmp_path / "in"
    source.mkdir()
    for i in range(120):
        (source / f"{i}.bin").write_bytes(os.urandom(200_000))
    home = tmp_path / "home"
    home.mkdir()
    steps = " ; ".join(
        [
            f"mount -t tmpfs -o size=16m none {home}",
            "$RUN import $SOURCE --case c --set reserve_mb=0 --set sandbox=best; echo first $?",
            f"mount -o remount,size=200m {home}",
            "$RUN resume --case c --set reserve_mb=0 --set sandbox=best; echo resumed $?",
            "$RUN verify --case c; echo verified $?",
        ]
    )
    env = environment(home, RUN=" ".join(command()), SOURCE=str(source))
    run = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", steps],
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
    )
    said = run.stdout + run.stderr
    assert "first 6" in said and "resumed 0" in said and "verified 0" in said, said
    assert "Nothing is lost. Make room" in said


@pytest.mark.requirement("F1")
def test_the_evidence_and_everything_outside_the_home_stay_as_they_were(tmp_path: Path) -> None:
    source = make_evidence(tmp_path / "in", mails=10)
    user_home = tmp_path / "user"
    user_home.mkdir()
    paths = sorted([source, *source.rglob("*")], key=os.fsencode)
    contents = {path: path.read_bytes() for path in paths if path.is_file() and not path.is_symlink()}
    for path in paths:  # an access time before the modification time is one that any reading would change
        os.utime(path, ns=(1_000_000_000, path.lstat().st_mtime_ns), follow_symlinks=False)
    before = {path: (path.lstat().st_mtime_ns, path.lstat().st_mode, path.lstat().st_size) for path in paths}
    imported(tmp_path / "home", source, "c", faulty=True, HOME=str(user_home), TMPDIR=str(user_home))
    links = {path for path in paths if path.is_symlink()}  # naming a link's target counts as an access
    assert {path for path in paths if path.lstat().st_atime_ns != 1_000_000_000} <= links
    assert {path: (path.lstat().st_mtime_ns, path.lstat().st_mode, path.lstat().st_size) for path in paths} == before
    assert sorted([source, *source.rglob("*")], key=os.fsencode) == paths
    assert {path: path.read_bytes() for path in contents} == contents
    assert list(user_home.rglob("*")) == []


def test_a_source_that_contains_the_home_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text")
    run = redwell(tmp_path / "home", "import", str(tmp_path), "--case", "c")
    assert run.returncode == 2
    assert "choose another REDWELL_HOME" in run.stderr


def test_an_archive_that_contains_itself_ends_at_the_depth_limit(tmp_path: Path) -> None:
    content = b"x"
    for _ in range(6):
        content = zipped({"inner.zip": content})
    (tmp_path / "nest.zip").write_bytes(content)
    imported(tmp_path / "home", tmp_path / "nest.zip", "c", "--set", "max_depth=3")
    rows = by_path(tmp_path / "home")
    deepest = rows["nest.zip//inner.zip//inner.zip//inner.zip"]
    assert len(rows) == 4 and deepest["outcome"] == "PARTIAL" and "LIMIT_REACHED" in codes(deepest)
    verified(tmp_path / "home", "c")


def test_retry_with_a_password_opens_what_was_protected_in_every_place_and_touches_nothing_else(tmp_path: Path) -> None:
    source = make_evidence(tmp_path / "in", mails=3)
    protected = protected_pdf("zinc clause", "opensesame")
    (source / "locked.pdf").write_bytes(protected)
    (source / "with.eml").write_bytes(mail("with", "attached", {"locked copy.pdf": protected}))
    home = tmp_path / "home"
    imported(home, source, "c", faulty=True)
    before = by_path(home)
    assert before["locked.pdf"]["outcome"] == before["with.eml//locked copy.pdf"]["outcome"] == "PASSWORD_PROTECTED"
    (tmp_path / "passwords").write_text("wrong\nopensesame\n")
    retried = ("retry", "--case", "c", "--outcome", "PASSWORD_PROTECTED", "--passwords", str(tmp_path / "passwords"))
    run = redwell(home, *retried, faulty=True)
    assert run.returncode == 0, run.stderr
    after = by_path(home)
    for path in ("locked.pdf", "with.eml//locked copy.pdf"):
        assert (after[path]["outcome"], "zinc clause" in after[path]["text"]) == ("SUCCESS", True)
        assert after[path]["control_number"] == before[path]["control_number"]
        assert after[path]["metadata"]["opened_with_password"] is True, "it is told, and not which one"
    others = {path for path, row in before.items() if row["outcome"] != "PASSWORD_PROTECTED"}
    assert {path: after[path] for path in others} == {path: before[path] for path in others}
    assert "zinc" in ask(home, "search", "--case", "c", '"zinc clause"').stdout
    assert not [p for p in home.rglob("*") if p.is_file() and b"opensesame" in p.read_bytes()]
    verified(home, "c")


def test_an_archive_whose_members_multiply_is_opened_a_bounded_number_of_times(tmp_path: Path) -> None:
    """Each level holds the one below three times: 3 to the power of 9 leaves from a few hundred bytes."""
    content = b"leaf"
    for level in range(9):
        content = zipped({f"{level}-{copy}.zip": content for copy in "abc"})
    (tmp_path / "multiplying.zip").write_bytes(content)
    summary = imported(tmp_path / "home", tmp_path / "multiplying.zip", "c", "--set", "max_copies=50")
    rows = by_path(tmp_path / "home")
    cut = [row for row in rows.values() if "max_copies=50" in str(row["problems"])]
    assert cut and {row["outcome"] for row in cut} == {"PARTIAL"}
    assert summary["documents"] < 9 * 50 * 3 * 3
    verified(tmp_path / "home", "c")


@pytest.mark.requirement("D6")
def test_a_mail_in_two_mailboxes_is_one_copy_with_its_attachments_in_both(tmp_path: Path) -> None:
    """They differ in a Received line; the one in front keeps both custodians and both paths."""
    home, sent = tmp_path / "home", mail("quarterly figures", "the zinc numbers", {"figures.txt": b"1 2 3"})
    for name, custodian in (("ann", "Ann"), ("bob", "Bob")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "mail.eml").write_bytes(f"Received: by {name}.example.com\n".encode() + sent)
        imported(home, tmp_path / name, "c", "--custodian", custodian)
    front, attached, copy, also_attached = documents(home, "c")
    assert front["sha256"] != copy["sha256"] and copy["duplicate_of"] == front["id"]
    assert (front["custodians"], front["paths"]) == (["Ann", "Bob"], ["mail.eml", "mail.eml"])
    assert also_attached["duplicate_of"] == attached["id"] and also_attached["family"] == copy["id"]
    listed = redwell(home, "documents", "--case", "c").stdout.splitlines()
    assert listed[2].endswith("duplicate of RW00000001")
    verified(home, "c")
