"""What stands on the pages that are put in the place of documents. Pure."""

from redwell.core.production.values import Member, Treatment

_TITLES = {
    Treatment.NATIVE: "Document provided in native format",
    Treatment.WITHHELD: "Document withheld",
    Treatment.NO_RENDITION: "Document without pages",
    Treatment.PRODUCED: "Pages that could not be drawn",
}


def sheet_of(member: Member, number: str, native: str, trouble: str = "") -> tuple[str, list[tuple[str, str]]]:
    """Title and lines. Of what is withheld nothing is told but its number and the ground."""
    fields = [("Number", number)]
    match member.treatment:
        case Treatment.WITHHELD:
            fields.append(("Ground", member.reason))
        case Treatment.NATIVE if native:
            fields.append(("File", native))
        case Treatment.NATIVE:
            return "Document withheld in native format", [*fields, ("Ground", "it holds what is redacted or withheld")]
        case Treatment.NO_RENDITION:
            fields.append(("Why", "no pages can be made of a document of this kind, or it could not be read"))
        case Treatment.PRODUCED:
            fields.append(("Why", trouble or "unknown"))
    return _TITLES[member.treatment], fields
