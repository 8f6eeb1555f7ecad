"""Mails that SES puts into a bucket, over the real API of S3: each is taken once, whatever happens to it meanwhile."""

import json
from pathlib import Path

import pytest
from tests.support import aws
from tests.support.product import ask, redwell

from redwell.adapters.aws.ses_mails import SesMails
from redwell.core.errors import RedwellError

pytestmark = [pytest.mark.requirement("B1", "B2"), pytest.mark.xdist_group("services")]
MAIL = b"From: bo@example.org\r\nTo: ann@example.org\r\nSubject: %b\r\n\r\nthe coating\r\n"


@pytest.fixture
def bucket() -> str:
    name, s3 = aws.server().new_bucket(), aws.client("s3")
    s3.put_object(Bucket=name, Key="in/AMAZON_SES_SETUP_NOTIFICATION", Body=b"From: x\r\n\r\nset up")
    s3.put_object(Bucket=name, Key="in/0a1b2c", Body=MAIL % b"first")
    s3.put_object(Bucket=name, Key="of-others/9z", Body=MAIL % b"not ours")
    s3.close()
    return name


def listed(home: Path) -> list[str]:
    return [json.loads(line)["name"] for line in ask(home, "documents", "--case", "A", "--json").stdout.splitlines()]


def test_each_mail_is_imported_once_under_its_name(bucket: str, tmp_path: Path) -> None:
    environ = aws.server().environment()
    assert redwell(tmp_path, "watch", "--once", "--case", "A").returncode == 0
    refused = redwell(tmp_path, "source", "add", "ses", "/srv/mails", "--case", "A")
    assert refused.returncode != 0 and "s3://BUCKET/PREFIX" in refused.stderr
    added = redwell(tmp_path, "source", "add", "ses", f"s3://{bucket}/in/", "--case", "A")
    assert added.returncode == 0, added.stderr
    for _ in range(2):
        run = redwell(tmp_path, "watch", "--once", "--case", "A", **environ)
        assert run.returncode == 0, run.stderr
        assert listed(tmp_path) == ["0a1b2c.eml"]
    s3 = aws.client("s3")
    s3.put_object(Bucket=bucket, Key="in/00aa", Body=MAIL % b"second")
    s3.close()
    assert redwell(tmp_path, "watch", "--once", "--case", "A", **environ).returncode == 0
    assert sorted(listed(tmp_path)) == ["00aa.eml", "0a1b2c.eml"], "before the other one in the bucket's order"


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch) -> None:
    for key, value in aws.server().environment().items():
        monkeypatch.setenv(key, value)


@pytest.mark.usefixtures("reached")
def test_what_was_replaced_or_taken_away_is_not_taken_for_what_was_seen(bucket: str) -> None:
    s3, mails = aws.client("s3"), SesMails(f"s3://{bucket}/in")
    s3.put_object(Bucket=bucket, Key="in/ff", Body=MAIL % b"third")
    first, third = mails.look("")
    brought = mails.fetch(first)
    assert brought and brought.said["subject"] == "first"
    with brought.open() as mail:
        assert mail.read() == MAIL % b"first"
    s3.put_object(Bucket=bucket, Key="in/0a1b2c", Body=MAIL % b"another")
    s3.delete_object(Bucket=bucket, Key="in/ff")
    assert mails.fetch(first) is None and mails.fetch(third) is None
    mails.close()
    s3.close()


@pytest.mark.usefixtures("reached")
def test_a_bucket_that_is_not_there_is_named() -> None:
    mails = SesMails("s3://nobody-has-this-bucket/in")
    with pytest.raises(RedwellError, match="nobody-has-this-bucket"):
        list(mails.look(""))
    mails.close()
