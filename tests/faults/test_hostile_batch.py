"""A whole import in which every kind of bad document lies among good ones."""

import socket
import threading
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from tests.support.children import processes_of
from tests.support.evidence import zipped
from tests.support.product import documents, redwell, verified

pytestmark = pytest.mark.requirement("A11", "A20")

LIMITS = [
    f"--set={setting}"
    for setting in ("small_wall_s=3", "large_wall_s=3", "small_rss_mb=300", "large_rss_mb=300", "spool_mb=8")
]
OUTSIDE = "outside.txt"
REFUSED = "refused, then read as the plain text it is"
EXPECTED = {
    "hang_in_c": "TIMED_OUT",
    "eat_memory": "OUT_OF_MEMORY",
    "segfault": "CRASHED",
    "exit_at_once 3": "CRASHED",
    "write_junk_to_the_pipe": "CRASHED",
    "announce_a_giant_frame": "CRASHED",
    "print_ten_gigabytes": "SUCCESS",  # nobody reads what a handler prints
    "fill_the_spool": "PARTIAL",
    "panic": REFUSED,
    "start_daemon redwell-stray": REFUSED,
    "connect_tcp {port}": REFUSED,
    "send_udp {port}": REFUSED,
    "connect_unix {folder}/listener": REFUSED,
    "read_outside {folder}/outside.txt": REFUSED,
    "write_to_the_input": REFUSED,
    "replace_scratch_by_a_link {folder}": REFUSED,
    "leave_a_link_in_scratch {folder}/outside.txt": REFUSED,
    "signal_everyone": REFUSED,
}


@pytest.fixture
def listeners(tmp_path: Path) -> list[bytes]:
    """Real sockets outside; whatever a child gets through to them is noted."""
    heard: list[bytes] = []
    tcp = socket.create_server(("127.0.0.1", 0))
    unix = socket.socket(socket.AF_UNIX)
    unix.bind(str(tmp_path / "listener"))
    unix.listen()
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(tcp.getsockname())
    for server in (tcp, unix):
        threading.Thread(target=lambda s=server: heard.append(s.accept()[0].recv(99)), daemon=True).start()
    threading.Thread(target=lambda: heard.append(udp.recv(99)), daemon=True).start()
    heard.append(str(tcp.getsockname()[1]).encode())
    return heard


def said(row: dict[str, Any]) -> str:
    """The outcome; REFUSED where the faulty handler met an error and the handler for text took over."""
    return (
        REFUSED if (row["handler"] or "").startswith("text/") and row["text"].startswith("FAULT ") else row["outcome"]
    )


def test_each_hostile_document_costs_one_named_outcome_and_the_rest_is_right(
    tmp_path: Path, listeners: list[bytes]
) -> None:
    source, home = tmp_path / "in", tmp_path / "home"
    source.mkdir()
    (tmp_path / OUTSIDE).write_text("secret")
    port = listeners.pop().decode()
    faults = {fault.format(port=port, folder=tmp_path): outcome for fault, outcome in EXPECTED.items()}
    for number, fault in enumerate(faults):
        (source / f"{number:02}-bad.bin").write_text(f"FAULT {fault}\n")
        (source / f"{number:02}-good.txt").write_text(f"good document {number}")
    (source / "family.zip").write_bytes(zipped({"a.txt": b"first", "b.bin": b"FAULT segfault\n", "c.txt": b"last"}))
    run = redwell(home, "import", str(source), "--case", "c", *LIMITS, faulty=True)
    assert run.returncode == 0, run.stdout + run.stderr
    rows = {row["path"]: row for row in documents(home, "c")}
    assert {fault: said(rows[f"{number:02}-bad.bin"]) for number, fault in enumerate(faults)} == faults
    for number in range(len(faults)):
        good = rows[f"{number:02}-good.txt"]
        assert (good["outcome"], good["text"]) == ("SUCCESS", f"good document {number}")
    assert [rows[f"family.zip//{name}"]["outcome"] for name in ("a.txt", "b.bin", "c.txt")] == [
        "SUCCESS",
        "CRASHED",
        "SUCCESS",
    ]
    assert listeners == []
    assert (tmp_path / OUTSIDE).read_text() == "secret"
    assert processes_of(tmp_path) == []
    assert list(home.glob("cases/*/scratch/*")) == []
    verified(home, "c")


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [("segfault", "CRASHED"), ("hang_in_c", "TIMED_OUT"), ("eat_memory", "OUT_OF_MEMORY"), ("abort", "CRASHED")],
)
def test_an_attachment_that_kills_is_a_document_with_its_bytes_and_the_mail_is_not_to_blame(
    tmp_path: Path, fault: str, outcome: str
) -> None:
    """Small ones are read by the child that reads the mail; whoever dies of one finds out in a task of its own."""
    (tmp_path / "in").mkdir()
    message = EmailMessage()
    message["Subject"] = "three files"
    message.set_content("see below")
    for name, words in (("a.txt", "first"), ("b.bin", f"FAULT {fault}\n"), ("c.txt", "last")):
        message.add_attachment(words.encode(), maintype="application", subtype="octet-stream", filename=name)
    (tmp_path / "in" / "m.eml").write_bytes(bytes(message))
    run = redwell(tmp_path / "home", "import", str(tmp_path / "in"), "--case", "c", *LIMITS, faulty=True)
    assert run.returncode == 0, run.stderr
    rows = {row["path"]: row for row in documents(tmp_path / "home", "c")}
    assert {path: row["outcome"] for path, row in rows.items()} == {
        "m.eml": "SUCCESS",
        "m.eml//a.txt": "SUCCESS",
        "m.eml//b.bin": outcome,
        "m.eml//c.txt": "SUCCESS",
    }
    assert [rows[f"m.eml//{name}"]["text"] for name in ("a.txt", "c.txt")] == ["first", "last"]
    assert rows["m.eml//b.bin"]["size"] == len(f"FAULT {fault}\n")
    verified(tmp_path / "home", "c")


@pytest.mark.parametrize("padding", ["", "x" * (1 << 20)], ids=["small", "large"])
def test_a_member_that_hangs_is_lost_alone_and_reading_goes_on_behind_it(tmp_path: Path, padding: str) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "box.bin").write_text(f"FAULT hang_in_the_third_member {padding}\n")
    limits = [*LIMITS, "--set=large_mb=1"]
    run = redwell(tmp_path / "home", "import", str(tmp_path / "in"), "--case", "c", *limits, faulty=True)
    assert run.returncode == 0, run.stderr
    rows = {row["path"]: row for row in documents(tmp_path / "home", "c")}
    members = [row for path, row in rows.items() if "//" in path]
    assert [row["outcome"] for row in members].count("TIMED_OUT") == 1
    assert len(members) > 3 and members[-1]["outcome"] != "TIMED_OUT"
    verified(tmp_path / "home", "c")
