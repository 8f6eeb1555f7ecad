"""Tags that volumes bring, as rows: each is made once in a case, and set once on each exhibit that came with it.

What a person has taken away since stays away, however often the exhibit is loaded.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, select

from redwell.adapters.sql.review_tables import coded, coding, tag
from redwell.adapters.sql_review.coding import add_tag, chunks, code
from redwell.core.review.imported_tags import IMPORTER
from redwell.core.review.values import Coding


def import_tags(tx: Connection, wanted: Mapping[int, Sequence[str]]) -> None:
    names = {name.casefold(): name for names in wanted.values() for name in names}
    known = {row.folded: row.id for row in tx.execute(select(tag.c.folded, tag.c.id))}
    for folded, name in names.items():
        key = known[folded] if folded in known else add_tag(tx, name, IMPORTER).id
        exhibits = [each for each, tags in wanted.items() if folded in {name.casefold() for name in tags}]
        before = {each for chunk in chunks(exhibits) for each in _imported(tx, key, chunk)}
        if new := tuple(each for each in exhibits if each not in before):
            code(tx, Coding(who=IMPORTER, tag=key, on=True, exhibits=new))


def _imported(tx: Connection, key: int, chunk: Sequence[int]) -> Sequence[int]:
    by_import = select(coded.c.exhibit).join(coding, coding.c.id == coded.c.coding)
    mine = by_import.where(coding.c.who == IMPORTER, coding.c.tag == key, coded.c.exhibit.in_(chunk))
    return tx.execute(mine).scalars().all()
