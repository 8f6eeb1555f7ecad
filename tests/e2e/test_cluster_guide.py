"""docs/cluster.md, command by command, on hosts that are network namespaces; and what it says of hosts that die.

PostgreSQL and OpenSearch are real, the S3 server is that of the tests.
"""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.support import aws, postgres
from tests.support.engine import until
from tests.support.evidence import mail, zipped
from tests.support.hosts import Host, Network, network
from tests.support.product import REPO, environment, normal_form, redwell

from redwell.runtime.bootstrap.settings import load_settings
from redwell.runtime.upkeep import status

# not beside a browser: Chromium breaks off what it loads when the machine gets another network
pytestmark = pytest.mark.xdist_group("web")
GUIDE = REPO / "docs" / "cluster.md"
CASE = "Valves 2023"
NAMES = ["laptop", "host-b", "host-c"]
LEASE_S = 6
HURRY = {
    "REDWELL_LEASE_S": str(LEASE_S),
    "REDWELL_SLOTS": "1",
    "REDWELL_MESSAGE_DOCUMENTS": "5",
    "REDWELL_CHUNK": "5",
    "REDWELL_OCR": "none",
}
INCOMING = 60


@dataclass(frozen=True)
class Step:
    hosts: list[str]
    stays: bool
    lines: list[str]


def steps() -> Iterator[Step]:
    """The blocks of the guide; the first line of each says where."""
    for block in re.findall(r"^```\n# (.*?)^```$", GUIDE.read_text(), re.MULTILINE | re.DOTALL):
        where, *lines = block.splitlines()
        hosts = NAMES if where == "everywhere" else re.findall(r"laptop|host-[a-z]", where)
        assert hosts, f"the guide says {where!r}, which is no host"
        yield Step(hosts, "stay" in where, lines)


@dataclass
class Cluster:
    network: Network
    places: dict[str, str]  # what stands for the names of the guide
    exported: dict[str, str] = field(default_factory=dict)
    running: dict[str, "subprocess.Popen[str]"] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)

    def follow(self, step: Step) -> None:
        for line in step.lines:
            for theirs, ours in self.places.items():
                line = line.replace(theirs, ours)
            if line.startswith("export "):
                self.exported |= dict([line.removeprefix("export ").split("=", 1)])
            else:
                for name in step.hosts:
                    self.do(name, line, stays=step.stays)

    def do(self, name: str, line: str, *, stays: bool = False) -> str:
        process = self._start(self.network.hosts[name], line, stays)
        if stays:
            self.running[name] = process
            return ""
        out, err = process.communicate(timeout=200)
        assert process.returncode == 0, f"{name}: {line}: {out}{err}"
        self.said.append(line)
        return out

    def _start(self, host: Host, line: str, stays: bool) -> "subprocess.Popen[str]":
        env = {**environment(host.home), **aws.server().environment(), **HURRY, **self.exported}
        if self.exported:
            env["AWS_ENDPOINT_URL"] = self.network.env["AWS_ENDPOINT_URL"]
            env["REDWELL_NAME_PREFIX"] = self.places["prefix"]
        env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"
        with self.log_of(host.name).open("a") as log:
            return subprocess.Popen(
                [*host.through, "bash", "-c", f"exec {line}"],
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=log if stays else subprocess.PIPE,
                stderr=log if stays else subprocess.PIPE,
                text=True,
                start_new_session=True,
            )

    def log_of(self, name: str) -> Path:
        """What those say who stay there."""
        return self.network.hosts[name].home.parent / f"{name}.log"

    def kill(self, name: str) -> None:
        process = self.running.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def batch(self, number: int) -> dict[str, Any]:
        """As one more machine sees it, outside of the hosts' network."""
        said = {**self.exported, **HURRY, "REDWELL_NAME_PREFIX": self.places["prefix"]}
        rows = status.jobs(self.network.hosts["laptop"].home, load_settings(environ=said), None, True)
        return next((row for row in rows if row["batch"] == number), {"state": "", "done": 0})

    def is_finished(self) -> bool:
        return bool(self.batch(2)["state"] == "finished")


@pytest.fixture
def evidence(tmp_path: Path) -> Path:
    folder = tmp_path / "evidence" / "archer"
    folder.mkdir(parents=True)
    for number in range(4):
        (folder / f"{number}.eml").write_bytes(mail(f"report {number}", "the coating failed", {"a.txt": b"coating"}))
    return folder


@pytest.fixture
def bucket() -> str:
    name, client = aws.server().new_bucket(), aws.client("s3")
    for key, data in incoming().items():
        client.put_object(Bucket=name, Key=f"incoming/{key}", Body=data)
    client.close()
    return name


@pytest.fixture
def cluster(tmp_path: Path, evidence: Path, bucket: str) -> Iterator[Cluster]:
    (tmp_path / "hosts").mkdir()
    with network(NAMES, tmp_path / "hosts", evidence.parent) as made:
        places = {
            "/evidence/archer": shlex.quote(str(evidence)),
            "postgresql://redwell@db.example.org:5432/cases": made.env["REDWELL_DATABASE"],
            "https://search.example.org:9200": made.env["REDWELL_OPENSEARCH"],
            "s3://evidence-store": f"s3://{bucket}",
            "prefix": f"t{uuid.uuid4().hex[:10]}",
        }
        cluster = Cluster(made, places)
        try:
            yield cluster
        finally:
            for name in list(cluster.running):
                cluster.kill(name)


def incoming() -> dict[str, bytes]:
    mails = {
        f"{n:03}.eml": mail(f"batch {n}", f"number {n}: the coating", {"x.zip": zipped({f"{n}.txt": b"%d in it" % n})})
        for n in range(INCOMING)
    }
    return {**mails, "copy.eml": mails["000.eml"]}


@pytest.fixture
def expected(evidence: Path, bucket: str, tmp_path: Path) -> list[dict[str, Any]]:
    """What two undisturbed imports into SQLite and files make of the same evidence."""
    home, env = tmp_path / "clean", aws.server().environment()
    for source in (str(evidence), f"s3://{bucket}/incoming"):
        run = redwell(home, "import", source, "--case", CASE, **env)
        assert run.returncode == 0, run.stderr
    return normal_form(home, CASE, **env)


def disturbed(cluster: Cluster) -> None:
    """The host that keeps the case dies in the middle; the one that follows is cut off while the database restarts."""
    until(lambda: cluster.batch(2)["done"] > 0)
    cluster.kill("host-b")
    until(lambda: f"case {CASE!r} is kept here now: host-b" in cluster.log_of("host-c").read_text())
    cluster.network.hosts["host-c"].unplug()
    postgres.server().stop(signal.SIGQUIT)
    postgres.server().start()
    cluster.do("host-b", "redwell worker", stays=True)
    time.sleep(LEASE_S)  # of what the one that is cut off holds
    cluster.network.hosts["host-c"].plug_in()


@pytest.mark.requirement("F2", "A10")
def test_the_guide_leads_from_a_laptop_to_a_cluster_that_outlives_its_hosts(
    cluster: Cluster, expected: list[dict[str, Any]]
) -> None:
    followed = list(steps())
    for step in followed:
        if step.lines[0] == "redwell jobs --all":
            until(cluster.is_finished)
        cluster.follow(step)
        if "import s3://" in step.lines[0]:
            disturbed(cluster)
    assert len(followed) == GUIDE.read_text().count("```") / 2
    home, env = cluster.network.hosts["laptop"].home, {**cluster.exported, **aws.server().environment()}
    assert normal_form(home, CASE, REDWELL_NAME_PREFIX=cluster.places["prefix"], **env) == expected
