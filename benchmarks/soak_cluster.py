"""`make soak`, second part: a cluster under fire, for as long as wanted.

python -m benchmarks.soak_cluster [--minutes M] [--seed S] [--workers N] [--mails N] [--queue ledger|sql|sqs]

Each round queues imports into one or two cases of a home on PostgreSQL and S3, and workers do them, in every second
round as members of services. They are killed, frozen past their lease, told to stop, all at random, and whoever is
gone is replaced; the servers restart, and connections to them are cut. When the fire ends a last worker finishes. Then
no job may be open and no service busy, every exhibit must be as in an undisturbed import into SQLite and files,
`verify` must be content, and no process may be left.
"""

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random

from examples.evidence.bulk import write_mails
from tests.support import aws, postgres
from tests.support.children import processes_of
from tests.support.evidence import make_evidence
from tests.support.product import REPO, normal_form, redwell

from benchmarks.soak import FATAL
from benchmarks.soak_checks import DYING_S, HANG_S, Tally, comparable
from benchmarks.soak_fleet import OPTIONS, Fleet, Servers
from benchmarks.soak_page import write_cluster

LONGEST_PAUSE_S = 1.5
SERVICES = (0, 2, 0, 1)  # that the workers of a round belong to; with one, the second case waits for it


class ClusterSoak:
    def __init__(self, work: Path, servers: Servers, options: argparse.Namespace) -> None:
        self._work, self._servers, self._options = work, servers, options
        self._chance, self.tally = Random(options.seed), Tally(work)

    def round(self, number: int) -> None:
        self.tally.begin_round()
        home, reference = self._work / f"home{number}", self._work / f"reference{number}"
        env, cases = self._servers.environment(), ["one", "two"][: 1 + number % 2]
        for case in cases:
            evidence = self._evidence(number, case)
            self._ask(reference, {}, "import", str(evidence), "--case", case, *OPTIONS)
            self._ask(home, env, "import", str(evidence), "--case", case, "--queue", *OPTIONS)
        fleet = Fleet(home, env, SERVICES[number % len(SERVICES)], self._chance, self.tally)
        fleet.begin(self._options.workers)
        self._disturb(fleet)
        fleet.finish()
        self._check(home, reference, env, cases)
        if not self.tally.failures:
            shutil.rmtree(home)
            shutil.rmtree(reference)

    def _evidence(self, number: int, case: str) -> Path:
        folder = make_evidence(self._work / "evidence" / f"{number}-{case}", mails=20)
        write_mails(folder / "new", self._options.mails, seed=100 + number)
        fault = self._chance.choice(FATAL)
        (folder / f"{fault}.bin").write_text(f"FAULT {fault} {number}-{case}\n")
        return folder

    def _disturb(self, fleet: Fleet) -> None:
        deeds: dict[str, Callable[[], None]] = {
            "kills": fleet.kill,
            "freezes": fleet.freeze,
            "replacements": fleet.replace,
            "restarts": lambda: self._servers.restart(self._chance),
            "cuts": lambda: self._servers.cut(self._chance),
        }
        for _ in range(self._chance.randint(8, 16)):
            time.sleep(self._chance.random() * LONGEST_PAUSE_S)
            deed = self._chance.choice([name for name in deeds if name != "kills" or fleet.kills_left])
            self.tally.count(deed)
            deeds[deed]()

    def _ask(self, home: Path, env: dict[str, str], *command: str) -> str:
        run = redwell(home, *command, timeout=HANG_S, faulty=True, **env)
        if run.returncode:
            self.tally.fail(f"{command[0]} ended with {run.returncode}: {(run.stdout + run.stderr)[-2_000:]}")
        return run.stdout

    def _check(self, home: Path, reference: Path, env: dict[str, str], cases: list[str]) -> None:
        rows = [json.loads(line) for line in self._ask(home, env, "jobs", "--all", "--json").splitlines()]
        if [row["state"] for row in rows] != ["finished"] * len(cases):
            self.tally.fail(f"jobs are stuck: {rows}")
            return
        workers = [json.loads(line) for line in self._ask(home, env, "workers", "--json").splitlines()]
        if busy := [row for row in workers if row.get("status", "FREE") != "FREE"]:
            self.tally.fail(f"services are not free: {busy}")
        for case in cases:
            found, wanted = normal_form(home, case, **env), normal_form(reference, case)
            self.tally.count("documents", len(found))
            if extra := set(comparable(found, case)) ^ set(comparable(wanted, case)):
                self.tally.fail(f"case {case!r}: {len(extra)} rows differ: {sorted(extra)[:2]}")
            self._ask(home, env, "verify", "--case", case)
        self._nothing_is_left(home)

    def _nothing_is_left(self, home: Path) -> None:
        deadline = time.monotonic() + DYING_S
        while (strays := processes_of(home)) and time.monotonic() < deadline:
            time.sleep(0.05)
        for pid in strays:
            self.tally.fail(f"process {pid} is left")


@contextmanager
def servers(queue: str) -> Iterator[Servers]:
    with ExitStack() as resources:
        resources.callback(aws.stop_server)
        resources.callback(postgres.stop_server)
        yield Servers(resources, queue)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--mails", type=int, default=100, help="new mails in each import")
    parser.add_argument("--queue", choices=("ledger", "sql", "sqs"), default="sqs", help="how tasks reach workers")
    parser.add_argument("--page", type=Path, default=REPO / "docs" / "soak.md")
    return parser.parse_args()


def main() -> int:
    args, started = parsed(), time.monotonic()
    work, number = Path(tempfile.mkdtemp(prefix="redwell-cluster-soak-")), 0
    with servers(args.queue) as opened:
        soak = ClusterSoak(work, opened, args)
        while not soak.tally.failures and time.monotonic() - started < args.minutes * 60:
            soak.round(number)
            number += 1
            print(soak.tally.line(), file=sys.stderr)
    told = {"seed": args.seed, "workers at once": args.workers, "queue": args.queue}
    write_cluster(args.page, soak.tally, told, time.monotonic() - started)
    return soak.tally.exit_code()


if __name__ == "__main__":
    sys.exit(main())
