"""What the parent makes of a child's hello."""

from redwell.core import wire
from redwell.core.work.kinds import TaskType
from redwell.processing.children.offers import digest_of, equipment_of


def offer(name: str, version: int = 1) -> wire.Offer:
    return wire.Offer(name=name, version=version, kind="text", task=TaskType.EXTRACT_TEXT)


def hello(*offers: wire.Offer, tools: tuple[wire.Tool, ...] = ()) -> wire.Hello:
    return wire.Hello(layers={}, handlers=list(offers), tools=list(tools))


def test_the_digest_changes_with_a_handlers_version_and_not_with_their_order() -> None:
    before = digest_of(hello(offer("text"), offer("zip")))
    assert digest_of(hello(offer("zip"), offer("text"))) == before
    assert digest_of(hello(offer("text", 2), offer("zip"))) != before
    assert digest_of(hello(offer("text"))) != before


def test_equipment_names_the_tools_that_are_there() -> None:
    tools = (wire.Tool(name="libarchive13", version="libarchive.so.13"), wire.Tool(name="liblhasa0"))
    assert equipment_of(hello(offer("text"), tools=tools)).split()[1:] == ["libarchive13"]
