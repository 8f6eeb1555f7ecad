"""Mail stores through the whole product: what `documents`, `verify` and `exceptions` say of them."""

import json
from pathlib import Path

import pytest
from tests.support.product import ask, documents, redwell, verified
from tests.support.pst_files import Folder, Item, Store, mail

pytestmark = pytest.mark.requirement("A7", "A20")

CASE = "stores"


def test_items_of_a_store_are_synthetic_messages_and_their_attachments_are_bytes(tmp_path: Path) -> None:
    inner = Item({0x001A: "IPM.Note", 0x0037: "Inner", 0x1000: "inside"}, attachments=[("deep.txt", b"deep down")])
    outer = Item(
        {0x001A: "IPM.Note", 0x0037: "Outer", 0x1000: "the zinc figures"},
        recipients=[(1, "Bob", "bob@example.org")],
        attachments=[("note.txt", b"plain note"), inner],
    )
    source = tmp_path / "in" / "archive.pst"
    source.parent.mkdir()
    source.write_bytes(Store().with_folders(Folder("Top", folders=[Folder("Inbox", [outer])])).data())
    assert redwell(tmp_path / "home", "import", str(source.parent), "--case", CASE).returncode == 0
    rows = {row["path"].partition("//")[2]: row for row in documents(tmp_path / "home", CASE)}
    assert {path: (row["hash_kind"], row["outcome"]) for path, row in rows.items()} == {
        "": ("bytes", "SUCCESS"),
        "Top/Inbox/Outer.eml": ("synthetic", "SUCCESS"),
        "Top/Inbox/Outer.eml//note.txt": ("bytes", "SUCCESS"),
        "Top/Inbox/Outer.eml//Inner.eml": ("synthetic", "SUCCESS"),
        "Top/Inbox/Outer.eml//Inner.eml//deep.txt": ("bytes", "SUCCESS"),
    }
    assert rows["Top/Inbox/Outer.eml"]["metadata"]["to"] == ["Bob <bob@example.org>"]
    assert rows["Top/Inbox/Outer.eml"]["text"] == "the zinc figures"
    assert rows[""]["metadata"]["item_counts"] == ["Top/Inbox: 1 by nodes, 1 by tables, 1 by the folder"]
    verified(tmp_path / "home", CASE)


def test_a_store_that_two_readers_count_differently_is_noted_by_verify_and_all_is_in_order(tmp_path: Path) -> None:
    store = Store().with_folders(Folder("Top", [mail("One"), mail("Two")]))
    last = store._nodes[-1]
    store._put(last[0] + 0x20, last[3], (last[1], last[2]))
    (tmp_path / "odd.pst").write_bytes(store.data())
    assert redwell(tmp_path / "home", "import", str(tmp_path / "odd.pst"), "--case", CASE).returncode == 0
    run = redwell(tmp_path / "home", "verify", "--case", CASE, "--json")
    assert run.returncode == 0, run.stdout + run.stderr
    *notes, _closing = (json.loads(line) for line in run.stdout.splitlines())
    assert {note["check"] for note in notes} == {"counts"}
    assert "Top: 3 items by the node database, 2 by the second reader" in [note["detail"] for note in notes]
    assert "all in order, 2 notes" in run.stderr
    told = ask(tmp_path / "home", "exceptions", "--case", CASE).stdout
    assert "3 items by the node database" in told
