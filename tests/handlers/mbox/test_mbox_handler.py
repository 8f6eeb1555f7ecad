"""MBOX: every message with its exact bytes, at the offset of its separator, whatever the variant."""

from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.pieces import Pieces, read

from redwell.core.outcomes import Outcome
from redwell.handlers.detect.detect import detect
from redwell.handlers.mail import mbox

pytestmark = pytest.mark.requirement("A7")

DAY = b"Mon Jun  1 10:00:00 2009"


def message(number: int, body: bytes = b"Hello.\n", *fields: bytes) -> bytes:
    head = (b"From: ann@example.org", b"Date: Mon, 1 Jun 2009 10:00:00 +0000", b"Subject: Mail %d" % number, *fields)
    return b"".join(field + b"\n" for field in head) + b"\n" + body


def store(*messages: bytes, blank: bytes = b"\n") -> bytes:
    return b"".join(b"From ann@example.org " + DAY + b"\n" + each + blank for each in messages)


def parts(pieces: Pieces) -> list[bytes]:
    return list(pieces.contents.values())


def test_each_message_comes_out_with_its_exact_bytes_at_the_offset_of_its_separator(tmp_path: Path) -> None:
    mails = [message(n, b"body %d\n\ntext\n" % n) for n in range(3)]
    data = store(*mails)
    pieces = read(mbox, data, tmp_path)
    assert parts(pieces) == mails
    assert all(data[int(offset) :].startswith(b"From ann@") for offset in pieces.children)
    assert pieces.names == ["Mail 0.eml", "Mail 1.eml", "Mail 2.eml"]
    assert pieces.opened == list(pieces.children)
    assert pieces.is_container
    assert {child.hash_kind for child in pieces.children.values()} == {"bytes"}


def test_the_envelope_is_kept_as_metadata(tmp_path: Path) -> None:
    (child,) = read(mbox, store(message(0)), tmp_path).children.values()
    assert child.metadata == {"mbox_envelope": f"ann@example.org {DAY.decode()}"}


def test_reading_goes_on_behind_any_message_without_those_that_killed_a_child(tmp_path: Path) -> None:
    data = store(*(message(n) for n in range(6)))
    whole = list(read(mbox, data, tmp_path).children)
    rest = read(mbox, data, tmp_path, after=whole[2], skip=frozenset((whole[4],)))
    assert list(rest.children) == [whole[3], whole[5]]


def test_a_line_that_begins_with_from_is_no_separator_without_an_envelope_and_mail_behind_it(tmp_path: Path) -> None:
    body = b"My favourite film:\n\nFrom Russia with love\nYear: 1963\n\nFrom 1998 to 2004\n\nThe end.\n"
    pieces = read(mbox, store(message(0, body), message(1)), tmp_path)
    assert parts(pieces) == [message(0, body), message(1)]


def test_a_separator_needs_no_empty_line_before_it_when_mail_follows(tmp_path: Path) -> None:
    data = b"From - \n" + message(0) + b"From - \n" + message(1)
    assert parts(read(mbox, data, tmp_path)) == [message(0), message(1)]


def test_a_content_length_that_fits_is_believed(tmp_path: Path) -> None:
    inner = b"Forwarded:\n\n" + store(message(7)) + b"end\n"
    first = message(0, inner, b"Content-Length: %d" % len(inner))
    pieces = read(mbox, store(first, message(1)), tmp_path)
    assert parts(pieces) == [first, message(1)]


def test_a_content_length_that_lies_is_not_believed(tmp_path: Path) -> None:
    first = message(0, b"short\n", b"Content-Length: 9")
    beyond = message(1, b"short\n", b"Content-Length: 99999999")
    assert parts(read(mbox, store(first, beyond, message(2)), tmp_path)) == [first, beyond, message(2)]


def test_quoting_stays_where_nothing_tells_the_variant(tmp_path: Path) -> None:
    mail = message(0, b">From here\n>>From there\n")
    pieces = read(mbox, store(mail), tmp_path)
    assert parts(pieces) == [mail]


def test_quoting_is_undone_in_a_store_that_is_named_mboxrd(tmp_path: Path) -> None:
    mail = message(0, b">From here\n>>From there\n> From\n")
    pieces = read(mbox, store(mail), tmp_path, name="document.mboxrd")
    assert parts(pieces) == [message(0, b"From here\n>From there\n> From\n")]
    (child,) = pieces.children.values()
    assert child.metadata["from_quoting_undone"] is True
    assert pieces.metadata == {"mbox_variant": "mboxrd"}


def test_quoting_is_undone_where_the_content_length_is_that_of_the_plain_body(tmp_path: Path) -> None:
    plain = b"From here\nto there.\n"
    mail = message(0, b">" + plain, b"Content-Length: %d" % len(plain))
    assert parts(read(mbox, store(mail), tmp_path)) == [message(0, plain, b"Content-Length: %d" % len(plain))]


def test_line_ends_of_windows_and_a_mark_at_the_start_change_nothing(tmp_path: Path) -> None:
    mails = [message(n).replace(b"\n", b"\r\n") for n in range(2)]
    data = b"\xef\xbb\xbf" + b"".join(b"From x@y " + DAY + b"\r\n" + mail + b"\r\n" for mail in mails)
    pieces = read(mbox, data, tmp_path)
    assert parts(pieces) == mails
    assert next(iter(pieces.children)) == "3"


def test_a_message_without_header_or_body_costs_no_other(tmp_path: Path) -> None:
    data = store(message(0), b"\nno header at all\n", b"", message(1))
    pieces = read(mbox, data, tmp_path)
    assert parts(pieces)[0] == message(0) and parts(pieces)[-1] == message(1)
    assert [name.partition(" at ")[0] for name in pieces.names] == ["Mail 0.eml", "message", "message", "Mail 1.eml"]


def test_a_message_over_the_limit_is_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    data = store(message(0), message(1, b"x" * 5000), message(2))
    pieces = read(mbox, data, tmp_path, max_member_bytes=2000)
    (lost,) = pieces.lost.values()
    assert (lost.outcome, lost.name) == (Outcome.TOO_LARGE, "Mail 1.eml")
    assert pieces.names == ["Mail 0.eml", "Mail 2.eml"]


def test_a_large_message_travels_as_a_file(tmp_path: Path) -> None:
    large = message(0, b"line of text\n" * 700_000)
    pieces = read(mbox, store(large, message(1)), tmp_path)
    assert [isinstance(child.data, Path) for child in pieces.children.values()] == [True, False]
    assert parts(pieces) == [large, message(1)]


def test_a_separator_is_found_where_two_reads_meet(tmp_path: Path) -> None:
    for shift in range(12):
        first = message(0, b"x" * ((1 << 20) - 150 - shift) + b"\n")
        assert parts(read(mbox, store(first, message(1)), tmp_path)) == [first, message(1)]


@pytest.mark.parametrize("name", ["Inbox", "mail.mbox", "mail.txt", "mail.mboxrd"])
def test_a_store_is_known_by_its_content_whatever_its_name(name: str) -> None:
    data = store(message(0), message(1))
    assert detect(lambda: BytesIO(data), len(data), name) == "application/mbox"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(
    bodies=st.lists(st.lists(st.text("abFrom >\t:", max_size=12), max_size=6), min_size=1, max_size=6), cut=st.data()
)
def test_no_byte_is_lost_or_doubled_and_every_resume_gives_the_rest(
    bodies: list[list[str]], cut: st.DataObject, tmp_path: Path
) -> None:
    mails = [message(n, "".join(f"{line}\n" for line in lines).encode()) for n, lines in enumerate(bodies)]
    data = store(*mails)
    pieces = read(mbox, data, tmp_path)
    assert parts(pieces) == mails
    behind = cut.draw(st.sampled_from(list(pieces.children)))
    rest = read(mbox, data, tmp_path, after=behind)
    assert list(rest.children) == [offset for offset in pieces.children if int(offset) > int(behind)]
