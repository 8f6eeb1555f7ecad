"""Facts of a transcript that came as a PDF, by the text of its pages. Called by the PDF handler in a child."""

from redwell.core.handler import MetaValue
from redwell.core.transcripts.facts import facts
from redwell.core.transcripts.layout import lay_out
from redwell.core.transcripts.probe import may_be_transcript

_HEAD = 4096


def transcript_facts(text: str) -> dict[str, MetaValue]:
    """Deponent, day, volume, pages and what was marked; nothing of any other text."""
    if not may_be_transcript(text[:_HEAD].encode("utf-8", "replace")):
        return {}
    layout = lay_out(text)
    return dict(facts(text, layout)) if layout else {}
