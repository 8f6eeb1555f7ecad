"""How `make bench` asks other libraries: a fact is found fairly, and one that hangs or dies costs its file alone."""

import json
import sys
from pathlib import Path

import pytest
from benchmarks.peer_facts import facts_of
from benchmarks.peer_process import PeerProcess, command

PEER = """
import json, os, sys, time
print(json.dumps({"said": "", "error": ""}), flush=True)
for line in sys.stdin:
    if "hang" in line: time.sleep(3600)
    if "crash" in line: os._exit(9)
    print(json.dumps({"said": line, "error": "no" if "bad" in line else ""}), flush=True)
"""


def test_what_hangs_or_dies_is_counted_and_the_next_file_is_answered() -> None:
    peer = PeerProcess([sys.executable, "-c", PEER], file_s=2)
    ends = [peer.ask(Path(name)).ended for name in ("good", "hang", "good", "crash", "good", "bad")]
    peer.close()
    assert ends == ["well", "hang", "well", "crash", "well", "error"]


def test_a_peer_that_cannot_start_says_what_to_do() -> None:
    peer = PeerProcess([sys.executable, "-c", "raise SystemExit(1)"])
    with pytest.raises(RuntimeError, match=r"tools/peers\.sh"):
        peer.ask(Path("any"))
    peer.close()


def test_the_handlers_are_asked_as_the_peers_are(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("four million valves")
    handlers = PeerProcess(command("redwell"))
    answer = handlers.ask(tmp_path / "note.txt")
    handlers.close()
    assert "four million valves" in answer.said and answer.ended == "well"


def test_facts_are_compared_without_what_nobody_sees(tmp_path: Path) -> None:
    entry = {"path": "a.txt", "family": "text", "text_contains": ["four  million", "Valve", "office"], "children": 2}
    (tmp_path / "manifest.jsonl").write_text(json.dumps(entry) + "\n" + json.dumps({"path": "b", "family": "pdf"}))
    first, second = facts_of(tmp_path)
    assert first.found_in("fo\u00adur\n mil\u200blion in the o\ufb03ce, valve") == 2
    assert second.strings == () and second.family == "pdf"
