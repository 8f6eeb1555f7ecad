"""PST and OST: every item as a synthetic message, twice counted, salvaged where the store is damaged."""

import email
import email.policy
import struct
import zlib
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from tests.support.pieces import Pieces, read
from tests.support.pst_files import Folder, Item, Store, mail

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.core.handler import Contents
from redwell.core.outcomes import Code, Outcome
from redwell.handlers.outlook import composed_message
from redwell.handlers.pst import libpff_count, pst

pytestmark = pytest.mark.requirement("A7", "A20")

KINDS = [
    pytest.param({"ansi": ansi, "large": large, "method": method}, id=f"{name}-{method}")
    for name, ansi, large in (("unicode", False, False), ("ansi", True, False), ("large-pages", False, True))
    for method in (0, 1, 2)
]
RICH = Item(
    {
        0x001A: "IPM.Note",
        0x0037: "\x01\x05Re: Prüfung",
        0x0C1A: "Ann Müller",
        0x0C1F: "ann@example.org",
        0x0039: datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC),
        0x0E06: datetime(2020, 1, 2, 3, 5, tzinfo=UTC),
        0x1000: "Hello.\r\n" + "long " * 5000,
        0x1013: b"<p>Hello, <b>page</b>.</p>",
        0x3FDE: 65001,
        0x007D: "Received: from a by b; Thu, 2 Jan 2020 03:04:30 +0000\r\nSubject: other\r\nX-Mine: 1\r\n\r\n",
    },
    recipients=[(1, "Bob", "bob@example.org"), (2, "Cy, Jr.", "cy@example.org"), (3, "Dee", "dee@example.org")],
    attachments=[("Ünterlage.bin", bytes(range(256)) * 200), mail("Inner", "inside")],
)


def message(pieces: Pieces, number: int = 0) -> EmailMessage:
    data = list(pieces.contents.values())[number]
    parsed = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(parsed, EmailMessage)
    return parsed


def one(item: Item, tmp_path: Path, **kind: Any) -> EmailMessage:
    return message(read(pst, Store(**kind).with_folders(Folder("Top", [item])).data(), tmp_path))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_store_gives_every_item_and_both_readers_agree(kind: dict[str, Any], tmp_path: Path) -> None:
    items = [mail(f"Mail {n}", f"body {n} " * n) for n in range(40)]
    store = Store(**kind).with_folders(Folder("Top", items, [Folder("In/box", [RICH]), Folder("Empty")]))
    pieces = read(pst, store.data(), tmp_path)
    assert len(pieces.children) == 41 and not pieces.lost and not pieces.troubles
    assert pieces.of(Contents)[-1].declared == 41
    assert pieces.metadata["item_counts"] == [
        "Top: 40 by nodes, 40 by tables, 40 by the folder",
        "Top/In box: 1 by nodes, 1 by tables, 1 by the folder",
    ]
    assert pieces.names[0] == "Top/Mail 0.eml" and pieces.names[-1] == "Top/In box/Re: Prüfung.eml"
    assert {child.hash_kind for child in pieces.children.values()} == {"synthetic"}
    assert message(pieces, 39).get_content().strip() == ("body 39 " * 39).strip()


@pytest.mark.parametrize("kind", KINDS)
def test_a_message_keeps_people_dates_bodies_and_attachments(kind: dict[str, Any], tmp_path: Path) -> None:
    found = one(RICH, tmp_path, **kind)
    assert found["from"] == "Ann Müller <ann@example.org>"
    assert (found["to"], found["cc"]) == ("Bob <bob@example.org>", '"Cy, Jr." <cy@example.org>')
    assert found["bcc"] == "Dee <dee@example.org>"
    assert found["subject"] == "Re: Prüfung"
    assert found["date"] == "Thu, 02 Jan 2020 03:04:05 +0000"
    assert found["x-mine"] == "1" and found["received"].startswith("from a by b")
    body = found.get_body(("plain",))
    page = found.get_body(("html",))
    assert body and body.get_content().startswith("Hello.\nlong ")
    assert page and page.get_content() == "<p>Hello, <b>page</b>.</p>"
    attached, inner = found.iter_attachments()
    assert attached.get_filename() == "Ünterlage.bin"
    assert attached.get_content() == bytes(range(256)) * 200
    assert inner.get_content()["subject"] == "Inner"


def test_an_address_that_only_the_wire_had_is_taken_from_there(tmp_path: Path) -> None:
    wire = "Microsoft Mail Internet Headers Version 2.0\r\nFrom: Ann <ann@example.org>\r\nX-Mine: 1\r\n\r\n"
    item = Item({0x001A: "IPM.Note", 0x0C1A: "Ann", 0x0C1F: "/O=ACME/CN=ANN", 0x007D: wire})
    found = one(item, tmp_path)
    assert (found["from"], found["x-mine"]) == ("Ann <ann@example.org>", "1")


def test_the_same_item_gives_the_same_bytes_in_any_store_and_folder(tmp_path: Path) -> None:
    one_store = Store(method=0).with_folders(Folder("A", [mail("first"), RICH]))
    other = Store(large=True).with_folders(Folder("B", folders=[Folder("C", [RICH])]))
    mine = list(read(pst, one_store.data(), tmp_path).contents.values())[1]
    assert mine == next(iter(read(pst, other.data(), tmp_path).contents.values()))


def test_what_the_store_says_beside_the_message_is_metadata(tmp_path: Path) -> None:
    pieces = read(pst, Store().with_folders(Folder("Top", [RICH])).data(), tmp_path)
    ((locator, child),) = pieces.children.items()
    assert child.metadata == {
        "folder": "Top",
        "node_id": locator,
        "message_class": "IPM.Note",
        "date_received": "2020-01-02T03:05:00Z",
    }
    assert pieces.metadata["store_format"] == "PST, Unicode"


def test_reading_goes_on_behind_any_item_without_those_that_killed_a_child(tmp_path: Path) -> None:
    folders = (Folder("A", [mail("1"), mail("2")]), Folder("B", [mail("3"), mail("4"), mail("5")]))
    data = Store().with_folders(*folders).data()
    whole = list(read(pst, data, tmp_path).children)
    rest = read(pst, data, tmp_path, after=whole[1], skip=frozenset((whole[3],)))
    assert list(rest.children) == [whole[2], whole[4]] == rest.opened
    assert rest.metadata["item_counts"][1].startswith("B: 3 by nodes, 3 by tables")


def test_contacts_appointments_and_lists_say_what_they_hold(tmp_path: Path) -> None:
    contact = Item({0x001A: "IPM.Contact", 0x0037: "Ann", 0x3001: "Ann Lee", 0x3A16: "Acme", 0x8002: "ann@acme.org"})
    meeting = Item({0x001A: "IPM.Appointment", 0x8000: datetime(2021, 5, 6, 7, 8, tzinfo=UTC), 0x8001: "Room 1"})
    assert one(contact, tmp_path).get_content() == "Full name: Ann Lee\nOrganization: Acme\nEmail: ann@acme.org"
    assert one(meeting, tmp_path).get_content() == "Start: 2021-05-06T07:08:00Z\nLocation: Room 1"


def packed_rtf(rtf: bytes) -> bytes:
    """Stored RTF, not compressed."""
    return struct.pack("<IIII", len(rtf) + 12, len(rtf), 0x414C454D, 0) + rtf


def test_html_is_taken_out_of_an_rtf_body(tmp_path: Path) -> None:
    rtf = (
        rb"{\rtf1\ansi\ansicpg1252\fromhtml1 \deff0{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial;}}"
        rb"{\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 Caf\'e9 \u8364?{\*\mhtmltag no}{\f1 \'e4\'e0}{\*\htmltag72 </p>}"
        rb"\htmlrtf \par }\htmlrtf0 }"
    )
    page = one(Item({0x001A: "IPM.Note", 0x1009: packed_rtf(rtf)}), tmp_path)
    assert page.get_content_type() == "text/html"
    assert page.get_content() == "<p>Café €да</p>"


def test_a_body_that_is_only_rtf_becomes_text(tmp_path: Path) -> None:
    body = one(Item({0x001A: "IPM.Note", 0x1009: packed_rtf(rb"{\rtf1\ansi Only \b rich\b0  text.\par}")}), tmp_path)
    assert body.get_content().strip() == "Only rich text."


def test_an_rtf_body_that_does_not_unpack_is_named_and_the_item_stands(tmp_path: Path) -> None:
    item = Item({0x001A: "IPM.Note", 0x0037: "Kept", 0x1009: struct.pack("<IIII", 99, 9, 0x75465A4C, 1) + b"xx"})
    pieces = read(pst, Store().with_folders(Folder("Top", [item])).data(), tmp_path)
    assert message(pieces)["subject"] == "Kept"
    assert [trouble.code for trouble in pieces.troubles] == [Code.MEMBER_FAILED]


def test_a_bad_item_costs_that_item_and_is_named_with_folder_and_index(tmp_path: Path) -> None:
    store = Store(method=0).with_folders(Folder("Top", [mail("One"), mail("Tw0"), mail("Three")]))
    data = store.data()
    start = data.rindex("Tw0".encode("utf-16-le")) // 64 * 64
    pieces = read(pst, data[:start] + bytes(8) + data[start + 8 :], tmp_path)
    (lost,) = pieces.lost.values()
    assert (lost.outcome, lost.name) == (Outcome.INVALID_FILE, "Top/item 2.eml")
    assert lost.detail.startswith("item 2 of 3 in Top: ")
    assert pieces.names == ["Top/One.eml", "Top/Three.eml"]


def test_bytes_that_have_changed_since_they_were_written_are_told(tmp_path: Path) -> None:
    item = Item({0x001A: "IPM.Note", 0x0037: "Hit"}, attachments=[("a.bin", b"payload-" * 900)])
    data = bytearray(Store(method=0).with_folders(Folder("Top", [item])).data())
    data[data.index(b"payload-payload-") + 3] ^= 1
    pieces = read(pst, bytes(data), tmp_path)
    (child,) = pieces.children.values()
    assert child.metadata["missing"] == ["1 of its blocks have changed since they were written"]
    assert [trouble.code for trouble in pieces.troubles] == [Code.MEMBER_FAILED]
    assert message(pieces)["x-redwell-missing"]


def test_an_attachment_that_is_lost_is_named_and_the_message_stands(tmp_path: Path) -> None:
    item = Item({0x001A: "IPM.Note", 0x0037: "Hit"}, attachments=[("a.bin", b"payload-" * 900), ("b.txt", b"fine")])
    data = Store(method=0).with_folders(Folder("Top", [item])).data()
    place = struct.pack("<Q", data.index(b"payload-payload-"))
    at = data.rindex(place)
    pieces = read(pst, data[:at] + struct.pack("<Q", 1 << 40) + data[at + 8 :], tmp_path)
    assert [part.get_filename() for part in message(pieces).iter_attachments()] == ["b.txt"]
    assert "attachment 1" in pieces.troubles[0].detail


def test_what_a_message_inside_a_message_lacks_is_told_of_the_item(tmp_path: Path) -> None:
    bad = Item({0x001A: "IPM.Note", 0x1009: struct.pack("<IIII", 99, 9, 0x75465A4C, 1) + b"xx"})
    pieces = read(pst, Store().with_folders(Folder("Top", [Item({0x0037: "A"}, attachments=[bad])])).data(), tmp_path)
    assert ["a message inside: the RTF body" in trouble.detail for trouble in pieces.troubles] == [True]


def leaf_pages(data: bytes) -> list[int]:
    return [at for at in range(0, len(data), 512) if data[at + 496 : at + 498] == b"\x81\x81" and not data[at + 491]]


def test_items_behind_a_damaged_page_are_salvaged_from_an_older_copy_and_marked(tmp_path: Path) -> None:
    """A store writes changed pages elsewhere, so copies of a page stay in the file until their place is needed."""
    data = Store().with_folders(Folder("Top", [mail(f"Mail {n}") for n in range(30)])).data()
    whole = read(pst, data, tmp_path)
    page = leaf_pages(data)[-1]
    copied = data[:page] + bytes(512) + data[page + 512 :] + data[page : page + 512]
    pieces = read(pst, copied, tmp_path)
    assert sorted(pieces.children) == sorted(whole.children)
    salvaged = [child for child in pieces.children.values() if "salvaged" in child.metadata]
    assert 0 < len(salvaged) < 30
    assert Code.FILE_MISSING_OR_INCOMPLETE in [trouble.code for trouble in pieces.troubles]


@pytest.mark.parametrize("kind", [b"\x80\x80", b"\x81\x81"])
def test_items_below_a_page_that_names_no_other_are_salvaged(kind: bytes, tmp_path: Path) -> None:
    data = bytearray(Store().with_folders(Folder("Top", [mail(f"Mail {n}") for n in range(30)])).data())
    above = [at for at in range(0, len(data), 512) if data[at + 496 : at + 498] == kind and data[at + 491]]
    for page in above:
        data[page + 488] = 0
    pieces = read(pst, bytes(data), tmp_path)
    assert above and pieces.error is None and len(pieces.children) == 30


def test_a_page_of_deleted_items_is_left_alone_in_a_sound_store(tmp_path: Path) -> None:
    data = Store().with_folders(Folder("Top", [mail(f"Mail {n}") for n in range(30)])).data()
    older = bytearray(data[leaf_pages(data)[-1] :][:512])
    struct.pack_into("<Q", older, 0, 0x00FF0004)
    struct.pack_into("<I", older, 500, ~zlib.crc32(bytes(older[:496]), 0xFFFFFFFF) & 0xFFFFFFFF)
    assert len(read(pst, data + bytes(older), tmp_path).children) == 30


def test_items_that_the_tables_do_not_list_are_a_count_mismatch_by_folder(tmp_path: Path) -> None:
    store = Store().with_folders(Folder("Top", [mail("One"), mail("Two")]))
    last = store._nodes[-1]
    store._put(last[0] + 0x20, last[3], (last[1], last[2]))
    pieces = read(pst, store.data(), tmp_path)
    assert len(pieces.children) == 3
    assert ["salvaged" in child.metadata for child in pieces.children.values()] == [False, False, True]
    assert pieces.metadata["item_counts"] == ["Top: 3 by nodes, 2 by tables, 2 by the folder"]
    (trouble,) = pieces.troubles
    assert (trouble.code, trouble.partial) == (Code.COUNT_MISMATCH, False)


def test_items_that_only_the_tables_list_make_the_store_partial(tmp_path: Path) -> None:
    store = Store().with_folders(Folder("Top", [mail("One"), mail("Two")]))
    store._nodes.pop()
    pieces = read(pst, store.data(), tmp_path)
    assert len(pieces.children) == 1
    (trouble,) = pieces.troubles
    assert (trouble.code, trouble.partial) == (Code.COUNT_MISMATCH, True)


def test_items_of_a_folder_that_is_gone_are_kept_under_its_number(tmp_path: Path) -> None:
    store = Store().with_folders(Folder("Top", folders=[Folder("Gone", [mail("Orphan")])]))
    store._nodes = [node for node in store._nodes if node[0] != 0x8042]
    pieces = read(pst, store.data(), tmp_path)
    assert pieces.names == ["folder 0x8042/Orphan.eml"]


def test_a_second_reader_that_fails_is_a_problem_and_not_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_file: object) -> dict[int, int]:
        raise libpff_count.Uncounted("broken")

    monkeypatch.setattr(pst, "count_again", fail)
    pieces = read(pst, Store().with_folders(Folder("Top", [mail("One")])).data(), tmp_path)
    assert len(pieces.children) == 1
    (trouble,) = pieces.troubles
    assert (trouble.code, trouble.partial) == (Code.COUNT_MISMATCH, False)


def test_folders_in_a_circle_and_trees_that_refer_to_themselves_end(tmp_path: Path) -> None:
    store = Store().with_folders(Folder("Top", [mail("One")], [Folder("Below")]))
    store._nodes = [(nid, data, sub, 0x8042 if nid == 0x8022 else parent) for nid, data, sub, parent in store._nodes]
    assert len(read(pst, store.data(), tmp_path).children) == 1


def test_a_message_that_holds_itself_twice_ends(tmp_path: Path) -> None:
    store = Store(method=0).with_folders(Folder("Top", [Item({0x0037: "Me"}, attachments=[mail("A"), mail("B")])]))
    nid, data, subnodes, _ = store._nodes[-1]
    for block, raw in list(store._blocks):
        if raw[:2] == b"\x02\x00" and struct.unpack_from("<Q", raw, 8)[0] == 0x9004:  # the messages inside
            store._blocks.remove((block, raw))
            store._blocks.append((block, raw[:8] + struct.pack("<QQQ", 0x9004, data, subnodes)))
    pieces = read(pst, store.data(), tmp_path)
    assert pieces.names == ["Top/Me.eml"] and list(pieces.children) == [f"{nid:x}"]
    assert [trouble.code for trouble in pieces.troubles] == [Code.MEMBER_FAILED] * len(pieces.troubles) != []


@pytest.mark.parametrize("length", [4, 100, 563, 600])
def test_a_store_that_is_cut_off_is_invalid(length: int, tmp_path: Path) -> None:
    data = Store().with_folders(Folder("Top", [mail("One")])).data()
    pieces = read(pst, data[:length], tmp_path, media_type="application/vnd.ms-outlook-pst")
    assert isinstance(pieces.error, InvalidFile)


def test_a_store_sealed_by_windows_is_protected(tmp_path: Path) -> None:
    data = bytearray(Store().with_folders(Folder("Top")).data())
    data[513] = 0x10
    assert isinstance(read(pst, bytes(data), tmp_path).error, PasswordProtected)


@pytest.mark.parametrize("kind", [{}, {"ansi": True}])
def test_an_attachment_of_many_megabytes_keeps_every_byte(kind: dict[str, bool], tmp_path: Path) -> None:
    """From 8 MB on its blocks are listed in lists of lists."""
    content = b"".join(struct.pack("<I", n) for n in range(2_300_000))
    item = Item({0x001A: "IPM.Note", 0x0037: "Big"}, attachments=[("big.bin", content)])
    pieces = read(pst, Store(method=0, **kind).with_folders(Folder("Top", [item])).data(), tmp_path)
    (attached,) = message(pieces).iter_attachments()
    assert attached.get_content() == content


def test_an_item_over_the_limit_is_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    big = Item({0x001A: "IPM.Note", 0x0037: "Big"}, attachments=[("a.bin", b"x" * 9000)])
    data = Store().with_folders(Folder("Top", [big, mail("Small")])).data()
    pieces = read(pst, data, tmp_path, max_member_bytes=5000)
    assert [lost.outcome for lost in pieces.lost.values()] == [Outcome.TOO_LARGE]
    assert pieces.names == ["Top/Small.eml"]


def test_a_large_item_travels_as_a_file_with_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = Store().with_folders(Folder("Top", [RICH])).data()
    small = read(pst, data, tmp_path)
    monkeypatch.setattr(composed_message, "_IN_MEMORY", 1000)
    large = read(pst, data, tmp_path)
    assert all(isinstance(child.data, Path) for child in large.children.values())
    assert small.contents == large.contents


def test_a_body_that_claims_to_be_many_and_is_none_costs_no_other_message(tmp_path: Path) -> None:
    data = Store(method=0).with_folders(Folder("Top", [mail(f"Mail {n}", f"body {n}") for n in range(3)])).data()
    body = b"\x00\x10\x1f\x00"  # the property and its kind; where it lies follows
    at = data.index(body, data.index(body) + 1)
    pieces = read(pst, data[:at] + b"\x00\x10\x1f\x10\0\0\0\0" + data[at + 8 :], tmp_path)
    assert pieces.error is None and pieces.names == [f"Top/Mail {n}.eml" for n in range(3)]
    assert [message(pieces, n).get_content().strip() for n in range(3)] == ["body 0", "", "body 2"]
