"""What a command says when it has answered from a case that is not complete."""

import json
import sys

from redwell.core.case.completeness import Completeness


def tell_incomplete(case: str, told: Completeness, as_json: bool) -> None:
    """Words on stderr; with --json also a last object on stdout, `{"unfinished": …}`. Nothing for a complete case."""
    if as_json and not told.is_complete:
        print(json.dumps({"unfinished": told.for_json(case)}))
    sys.stdout.flush()
    for line in told.in_words(case):
        print(line, file=sys.stderr)
