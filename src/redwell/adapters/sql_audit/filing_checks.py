"""Rules of verify about where an exhibit lies; a value that is there and another is found in the index."""

from redwell.core.case.findings import Check

FILING_RULES: tuple[tuple[Check, str, str], ...] = (
    (
        Check.REFERENCE,
        "(x.folder IS NULL) <> (x.sort_date IS NULL)"
        " OR (x.folder IS NOT NULL AND NOT EXISTS (SELECT 1 FROM folder w WHERE w.id = x.folder))",
        "'its folder is missing'",
    ),
)
