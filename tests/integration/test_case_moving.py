"""A case goes from one home and kind of storage to another: the same rows and bytes, or a clear word and no change."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support import aws, postgres
from tests.support.cases import NAME
from tests.support.product import ask

from redwell.adapters.sql.tables import blob
from redwell.core.exit_codes import ExitCode
from redwell.runtime.bootstrap.cases import case_transfer
from redwell.runtime.bootstrap.open_ledger import open_ledger
from redwell.runtime.bootstrap.settings import Settings

pytestmark = pytest.mark.requirement("F2")
NEW = "in the cluster"


@pytest.fixture
def cluster() -> dict[str, str]:
    server = aws.server()
    return {
        **server.environment(),
        "REDWELL_DATABASE": postgres.server().url,
        "REDWELL_BLOBS": f"s3://{server.new_bucket()}/cases",
    }


def said(home: Path, *args: str, code: int = ExitCode.OK, **env: Any) -> str:
    run = ask(home, *args, **env)
    assert run.returncode == code, (args, run.stdout, run.stderr)
    return run.stdout if code == ExitCode.OK else run.stderr


def documents(home: Path, case: str, **env: Any) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in said(home, "documents", "--case", case, "--json", **env).splitlines()]
    return sorted(rows, key=lambda row: str(row["control_number"]))


def test_a_case_goes_out_into_the_cluster_and_back_and_is_the_same(
    home: Path, tmp_path: Path, cluster: dict[str, str]
) -> None:
    before = documents(home, NAME)
    out, other = tmp_path / "out", tmp_path / "other"
    told = json.loads(said(home, "case", "export", "--case", NAME, "-o", str(out), "--json"))
    assert told["exhibits"] == len(before)
    said(other, "case", "import", str(out), "--as", NEW, **cluster)
    assert documents(other, NEW, **cluster) == before
    said(other, "verify", "--case", NEW, **cluster)

    said(other, "case", "move", "--case", NEW, "--yes", "--set", "database=", "--set", "blobs=", **cluster)
    assert documents(other, NEW) == before  # without the cluster
    said(other, "verify", "--case", NEW)
    assert documents(home, NAME) == before  # an export leaves it as it was


def test_a_transfer_that_was_stopped_is_gone_on_with_and_nobody_opens_half_a_case(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, other = tmp_path / "out", tmp_path / "other"
    said(home, "case", "export", "--case", NAME, "-o", str(out))
    with monkeypatch.context() as broken:

        def stop(point: str) -> None:
            if point == "transfer.before_rows":
                raise KeyboardInterrupt

        broken.setattr(case_transfer, "trip", stop)
        assert ask(other, "case", "import", str(out)).returncode == ExitCode.INTERRUPTED
    assert "has not arrived" in said(other, "documents", "--case", NAME, code=ExitCode.NOT_FOUND)
    assert "arriving" in said(other, "cases")
    said(other, "case", "import", str(out))
    assert documents(other, NAME) == documents(home, NAME)
    assert "already" in said(other, "case", "import", str(out), code=ExitCode.USAGE)


def test_what_was_changed_on_the_way_is_refused(home: Path, tmp_path: Path) -> None:
    out, other = tmp_path / "out", tmp_path / "other"
    said(home, "case", "export", "--case", NAME, "-o", str(out))
    database = open_ledger(out, Settings())
    database.write(lambda tx: tx.execute(blob.delete().where(blob.c.length > 0)))
    database.close()
    run = ask(other, "case", "import", str(out))
    assert run.returncode != ExitCode.OK and "not what was exported" in run.stderr
    assert not (other / "cases").exists()
    (out / "redwell-case.json").unlink()
    assert "not finished" in said(other, "case", "import", str(out), code=ExitCode.USAGE)


def test_an_open_batch_stays_where_it_is(home: Path, tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / "a.txt").write_text("word")
    said(home, "import", str(source), "--case", NAME, "--queue")
    told = said(home, "case", "export", "--case", NAME, "-o", str(tmp_path / "out"), code=ExitCode.USAGE)
    assert "is not finished" in told and not (tmp_path / "out").exists()
