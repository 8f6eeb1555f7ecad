"""A mailbox of gigabytes, killed halfway and resumed: memory stays flat, no message is lost or doubled.

Used by benchmarks.soak before its rounds. Memory is that of the importing process and all its children together,
pages that they share counted once, looked at all the time.
"""

import contextlib
import subprocess
import time
from pathlib import Path

from tests.support.product import kill_tree, redwell, start

from benchmarks.soak_checks import HANG_S, Tally
from redwell.processing.children.processes import descendants

CASE = "mailbox"
MAX_MB = 500
LOOK_S = 0.2
_BODY_BYTES = 20_000
_LINE = "The valve of pump {number} was coated on day {line} of the campaign, said the inspector.\n"


def write_mailbox(path: Path, megabytes: int) -> int:
    """How many messages it has; no two are alike."""
    count = 0
    with path.open("wb") as out:
        while out.tell() < megabytes << 20:
            out.write(_message(count))
            count += 1
    return count


def _message(number: int) -> bytes:
    head = (
        "From ann@example.org Mon Jun  1 10:00:00 2009\n"
        f"From: ann@example.org\nTo: bob@example.org\nSubject: Report {number}\n"
        f"Date: Mon, 1 Jun 2009 10:00:00 +0000\nMessage-ID: <{number}@example.org>\n\n"
    )
    lines = (_LINE.format(number=number, line=line) for line in range(_BODY_BYTES // len(_LINE)))
    return (head + "".join(lines) + "\n").encode()


class Mailbox:
    def __init__(self, work: Path, megabytes: int, tally: Tally) -> None:
        self._home, self._source, self._tally = work / "mailbox-home", work / "large.mbox", tally
        self._megabytes, self._peak_mb = megabytes, 0

    def run(self) -> dict[str, str]:
        """What the page says; failures go to the tally."""
        messages, started = write_mailbox(self._source, self._megabytes), time.monotonic()
        killed_at = self._killed_halfway(messages)
        self._watch(start(self._home, "resume", "--case", CASE))
        found = redwell(self._home, "documents", "--case", CASE, timeout=HANG_S).stdout.count("message/rfc822")
        if found != messages:
            self._tally.fail(f"the mailbox has {messages:,} messages, the case {found:,}")
        if redwell(self._home, "verify", "--case", CASE, timeout=HANG_S).returncode:
            self._tally.fail("verify is not content with the mailbox")
        if self._peak_mb > MAX_MB:
            self._tally.fail(f"a mailbox of {self._megabytes:,} MB took {self._peak_mb} MB of memory")
        return {
            "mailbox": f"{self._megabytes:,} MB, {messages:,} messages, killed after {killed_at:,}",
            "mailbox memory": f"{self._peak_mb} MB at most, the importing process and its children",
            "mailbox time": f"{time.monotonic() - started:.0f} s, verify included",
        }

    def _killed_halfway(self, messages: int) -> int:
        process = start(self._home, "import", str(self._source), "--case", CASE)
        while process.poll() is None:
            self._look(process)
            time.sleep(LOOK_S)
            if (done := self._members()) > messages // 2:
                kill_tree(process)
                return done
        self._tally.fail("the import was over before it could be killed")
        process.communicate()
        return messages

    def _members(self) -> int:
        """As the ledger has them; a reader disturbs nobody."""
        import sqlite3

        with contextlib.suppress(sqlite3.Error, StopIteration):
            file = next(self._home.glob("cases/*/case.sqlite"))
            with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as ledger:
                return int(ledger.execute("SELECT coalesce(max(ordinal), -1) + 1 FROM member").fetchone()[0])
        return 0

    def _watch(self, process: "subprocess.Popen[str]") -> None:
        while process.poll() is None:
            self._look(process)
            time.sleep(LOOK_S)
        out, err = process.communicate()
        if process.returncode:
            self._tally.fail(f"resume ended with {process.returncode}: {(out + err)[-2_000:]}")

    def _look(self, process: "subprocess.Popen[str]") -> None:
        used = sum(map(_own_kb, (process.pid, *descendants(process.pid)))) >> 10
        self._peak_mb = max(self._peak_mb, used)


def _own_kb(pid: int) -> int:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0
