"""Handler for mail: its fields, then its body as a reader saw it. Runs in a child of the browser profile.

HTML is printed by the browser. Plain text needs none and takes the quicker way, as does HTML where the browser fails.
"""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.artifacts import ArtifactKind
from redwell.core.handler import Artifact, Options, Piece, Source, Trouble
from redwell.core.outcomes import Code
from redwell.core.work.renderers import spec_of
from redwell.handlers.render.html_cleaning import Cleaned, cleaned
from redwell.handlers.render.mail_contents import Mail, read_mail, shown_above
from redwell.handlers.render.printing import NotPrinted, page_of, printed
from redwell.handlers.render.typeset import typeset

SPEC = spec_of("mail-pdf")
_MOST_MARKUP = 8_000_000  # characters; more is shown as text


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """One PDF, whatever the mail is; trouble where it does not look as it did."""
    mail = read_mail(source, options)
    fields = shown_above(mail, options.timezone)
    if mail.has_html:
        try:
            if options.plain:
                raise NotPrinted("the browser failed on it before")
            yield _printed(mail, fields)
            return
        except NotPrinted as reason:
            yield Trouble(code=reason.code, detail=f"its HTML is shown as plain text: {reason}", partial=False)
    if mail.shut:
        yield Trouble(code=Code.PDF_UNAVAILABLE, detail=f"only its fields are shown: {mail.shut}", partial=False)
    yield from _typeset(mail, fields, scratch)


def _printed(mail: Mail, fields: list[tuple[str, str]]) -> Artifact:
    if sum(len(body.text) for body in mail.bodies) > _MOST_MARKUP:
        raise NotPrinted(f"over {_MOST_MARKUP:,} characters of markup")
    parts = [cleaned(body.text, mail.files) if body.is_html else body.text for body in mail.bodies]
    missing = sum(part.missing for part in parts if isinstance(part, Cleaned))
    if missing:
        pictures = "1 picture that lies" if missing == 1 else f"{missing} pictures that lie"
        fields = [*fields, ("Not fetched", f"{pictures} elsewhere")]
    made = printed(page_of(parts, fields))
    return Artifact(
        kind=ArtifactKind.PDF,
        data=made.pdf,
        media_type="application/pdf",
        amount=made.pages,
        figures={"not_fetched": missing} if missing else {},
    )


def _typeset(mail: Mail, fields: list[tuple[str, str]], scratch: Path) -> Iterator[Piece]:
    made = typeset(f"[{mail.shut}]" if mail.shut else mail.text, scratch, fields)
    if made.left_out:
        yield Trouble(code=Code.LIMIT_REACHED, detail=made.left_out, partial=False)
    yield Artifact(kind=ArtifactKind.PDF, data=made.pdf, media_type="application/pdf", amount=made.pages)
