"""Evidence and lists of known files in a bucket: imported as from a folder, never written to."""

import hashlib
import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tests.support import aws
from tests.support.product import ask, normal_form, redwell, verified

from redwell.adapters.aws.s3_source import S3Source
from redwell.core.exit_codes import ExitCode
from redwell.ports.remote_source import Changed

pytestmark = [pytest.mark.requirement("A1"), pytest.mark.xdist_group("services")]
KNOWN = b"a file that ships with an operating system"


def _zip() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("inside.txt", "a word inside")
    return buffer.getvalue()


FILES = {
    "mails/1.eml": b"From: ann@example.org\r\nSubject: valves\r\n\r\nhello\r\n",
    "mails/caf\u00e9 100%.txt": "caf\u00e9".encode(),
    "packed.zip": _zip(),
    "large.txt": b"many words " * 40_000,  # above what goes into packs
    "empty.txt": b"",
    "windows/known.dll": KNOWN,
}


@pytest.fixture
def bucket() -> str:
    name, s3 = aws.server().new_bucket(), aws.client("s3")
    for key, data in FILES.items():
        s3.put_object(Bucket=name, Key=f"evidence/{key}", Body=data)
    s3.put_object(Bucket=name, Key="evidence/mails/", Body=b"")  # how some tools mark a folder
    s3.put_object(Bucket=name, Key="evidence-of-others/x.txt", Body=b"not ours")
    s3.close()
    return name


def _imported(home: Path, source: str, *more: str, **env: str) -> dict[str, tuple[Any, ...]]:
    """By path; a bucket is listed in another order than a folder, so numbers differ."""
    run = redwell(home, "import", source, "--case", "case", "--set", "slots=1", *more, **env)
    assert run.returncode == 0, run.stderr
    verified(home, "case", **env)
    rows = normal_form(home, "case", **env)
    return {row["path"]: tuple(row[key] for key in ("sha256", "outcome", "name", "root", "depth")) for row in rows}


@pytest.mark.requirement("A12")
def test_a1_a_bucket_gives_the_documents_that_a_folder_gives_and_a12_lists_of_known_files_hold(
    bucket: str, tmp_path: Path
) -> None:
    env, s3 = aws.server().environment(), aws.client("s3")
    for key, data in FILES.items():
        path = tmp_path / "evidence" / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    hashes = tmp_path / "hashes.txt"
    hashes.write_text(hashlib.md5(KNOWN).hexdigest() + "\n")
    assert ask(tmp_path, "nist", "build", str(hashes), "--output", str(tmp_path / "known.nist")).returncode == 0
    s3.put_object(Bucket=bucket, Key="lists/known.nist", Body=(tmp_path / "known.nist").read_bytes())
    s3.put_object(Bucket=bucket, Key=f"md5/{hashlib.md5(KNOWN).hexdigest().upper()}", Body=b"")
    before = s3.list_objects_v2(Bucket=bucket)["KeyCount"]

    expected = _imported(tmp_path / "a", str(tmp_path / "evidence"), "--nist", str(tmp_path / "known.nist"))
    assert expected["windows/known.dll"][1] == "FILTERED" and len(expected) == len(FILES) + 1
    listed = _imported(tmp_path / "b", f"s3://{bucket}/evidence", "--nist", f"s3://{bucket}/lists/known.nist", **env)
    keyed = _imported(tmp_path / "c", f"s3://{bucket}/evidence/", "--nist", f"s3://{bucket}/md5/", **env)
    assert listed == keyed == expected
    assert s3.list_objects_v2(Bucket=bucket)["KeyCount"] == before
    s3.close()


def test_a_place_without_objects_is_refused_at_once(bucket: str, tmp_path: Path) -> None:
    for place in (f"s3://{bucket}/evid", "s3://no-such-bucket-here/x", "s3://"):
        run = ask(tmp_path, "import", place, "--case", "case", **aws.server().environment())
        assert run.returncode in {ExitCode.NOT_FOUND, ExitCode.USAGE}, (place, run)
        assert place.rstrip("/") in run.stderr
        assert not (tmp_path / "cases").exists()


def test_names_are_taken_as_they_are_and_what_changes_or_goes_is_told(
    bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key, value in aws.server().environment().items():
        monkeypatch.setenv(key, value)
    s3 = aws.client("s3")
    s3.put_object(Bucket=bucket, Key="odd/a//b.txt", Body=b"one")
    odd = S3Source(f"s3://{bucket}/odd")
    [found] = odd.listed()
    assert (found.place, found.size, b"".join(odd.parts(found))) == ("a//b.txt", 3, b"one")
    s3.put_object(Bucket=bucket, Key="odd/a//b.txt", Body=b"two")
    with pytest.raises(Changed):
        list(odd.parts(found))
    single = S3Source(f"s3://{bucket}/odd/a//b.txt")
    assert [each.place for each in single.listed()] == ["b.txt"]
    assert b"".join(single.parts(single.look("b.txt"))) == b"two"
    s3.delete_object(Bucket=bucket, Key="odd/a//b.txt")
    with pytest.raises(FileNotFoundError):
        odd.look("a//b.txt")
    s3.close()
