"""`make soak`: imports that are killed and stopped at random moments and resumed at once, for as long as wanted.

python -m benchmarks.soak [--minutes M] [--seed S] [--mails N] [--mailbox-mb N]

One home has several cases; each round imports new evidence into one or two of them, some rounds two imports at once.
A second home gets the same imports undisturbed. After each round both must say the same of every exhibit, `verify`
must be silent, and nothing may be left: no process, no temporary file, no more disk than the documents need.
Before them a mailbox of gigabytes is imported, killed halfway and resumed, in flat memory.
"""

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from examples.evidence.bulk import write_mails
from tests.support.evidence import make_evidence
from tests.support.product import REPO

from benchmarks.soak_checks import Checks, Tally, fingerprint
from benchmarks.soak_disturbance import Disturbance, Job
from benchmarks.soak_mailbox import Mailbox
from benchmarks.soak_page import write_page

FATAL = ("segfault", "abort", "eat_memory", "panic", "start_daemon_and_segfault", "start_processes_without_end")
CASES_LIVE_ROUNDS = 9
HANG_EVERY = 4


class Soak:
    def __init__(self, work: Path, seed: int, mails: int) -> None:
        self._work, self._mails = work, mails
        self._chance = Random(seed)
        self.tally = Tally(work)
        self._reference = work / "reference"
        self._disturbance = Disturbance(work / "home", self._chance, self.tally)
        self._checks = Checks(work / "home", self._reference, self.tally)

    def round(self, number: int) -> None:
        self.tally.begin_round()
        jobs = [Job(case, self._evidence(number, i)) for i, case in enumerate(self._cases(number))]
        before = [fingerprint(job.evidence) for job in jobs]
        for job in jobs:
            self._checks.ask(self._reference, "import", job.case, *job.source)
        self._disturbance.run(jobs)
        self._checks.run(job.case for job in jobs)
        if [fingerprint(job.evidence) for job in jobs] != before:
            self.tally.fail("the evidence has changed")
        shutil.rmtree(self._work / "evidence")

    def _cases(self, number: int) -> list[str]:
        """One import, or two at once: into two cases, or into the same one. New cases come now and then."""
        age = number // CASES_LIVE_ROUNDS
        return [[f"first {age}"], [f"first {age}", f"second {age}"], [f"shared {age}"] * 2][number % 3]

    def _evidence(self, number: int, which: int) -> Path:
        """Some of it is in every round, so that cases hold duplicates; most mails and some that bite are new."""
        folder = make_evidence(self._work / "evidence" / f"{number}-{which}", mails=20)
        write_mails(folder / "new", self._mails, seed=100 + 2 * number + which)
        faults = [self._chance.choice(FATAL)] + (["hang_in_c"] if number % HANG_EVERY == 0 else [])
        for fault in faults:
            (folder / f"{fault}.bin").write_text(f"FAULT {fault} {number}-{which}\n")
        return folder


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mails", type=int, default=250, help="new mails in each import")
    parser.add_argument("--mailbox-mb", type=int, default=2048, help="size of the large mailbox; 0: none")
    parser.add_argument("--page", type=Path, default=REPO / "docs" / "soak.md")
    return parser.parse_args()


def main() -> int:
    args, started = parsed(), time.monotonic()
    work = Path(tempfile.mkdtemp(prefix="redwell-soak-"))
    soak, number = Soak(work, args.seed, args.mails), 0
    mailbox = Mailbox(work, args.mailbox_mb, soak.tally).run() if args.mailbox_mb else {}
    print(*(f"{key}: {value}" for key, value in mailbox.items()), sep="\n", file=sys.stderr)
    while not soak.tally.failures and time.monotonic() - started < args.minutes * 60:
        soak.round(number)
        number += 1
        print(soak.tally.line(), file=sys.stderr)
    write_page(args.page, soak.tally, {"seed": args.seed, **mailbox}, time.monotonic() - started)
    return soak.tally.exit_code()


if __name__ == "__main__":
    sys.exit(main())
