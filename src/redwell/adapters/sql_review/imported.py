"""Tags that volumes bring, as rows: each is made once in a case, and set once on each exhibit that came with it.

What a person has taken away since stays away, however often the exhibit is loaded. One that records write differently
is spelt as the first of its spellings in order, whichever of them is loaded first; one that a person made, as they did.
"""

import json
from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, select, update

from redwell.adapters.sql.review_tables import audit_entry, coded, coding, tag
from redwell.adapters.sql_review.audit_log import append
from redwell.adapters.sql_review.coding import add_tag, chunks, code
from redwell.core.review.imported_tags import IMPORTER
from redwell.core.review.values import Action, Coding, Entry, Tag


def import_tags(tx: Connection, wanted: Mapping[int, Sequence[str]]) -> None:
    names = dict[str, str]()
    for name in sorted({name for tags in wanted.values() for name in tags}):
        names.setdefault(name.casefold(), name)
    known = {row.folded: Tag(id=row.id, name=row.name, key=row.key) for row in tx.execute(select(tag))}
    for folded, name in names.items():
        key = (known.get(folded) or add_tag(tx, name, IMPORTER)).id
        if folded in known and name < known[folded].name:
            _spell(tx, known[folded], name)
        exhibits = [each for each, tags in wanted.items() if folded in {name.casefold() for name in tags}]
        before = {each for chunk in chunks(exhibits) for each in _imported(tx, key, chunk)}
        if new := tuple(each for each in exhibits if each not in before):
            code(tx, Coding(who=IMPORTER, tag=key, on=True, exhibits=new))


def _spell(tx: Connection, known: Tag, name: str) -> None:
    made = select(audit_entry.c.detail).where(
        audit_entry.c.who == IMPORTER, audit_entry.c.action == str(Action.TAG_MADE)
    )
    if name.casefold() in {json.loads(detail)["tag"].casefold() for detail in tx.execute(made).scalars()}:
        tx.execute(update(tag).where(tag.c.id == known.id).values(name=name))
        append(tx, [Entry(who=IMPORTER, action=Action.TAG_MADE, detail={"tag": name, "before": known.name})])


def _imported(tx: Connection, key: int, chunk: Sequence[int]) -> Sequence[int]:
    by_import = select(coded.c.exhibit).join(coding, coding.c.id == coded.c.coding)
    mine = by_import.where(coding.c.who == IMPORTER, coding.c.tag == key, coded.c.exhibit.in_(chunk))
    return tx.execute(mine).scalars().all()
