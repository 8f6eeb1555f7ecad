"""What the index is told of copies, and what their keys are made of. Read by the steps of the load."""

from collections.abc import Iterable

import msgspec
from sqlalchemy import Connection, and_, case, func, null, select

from redwell.adapters.sql.case_tables import exhibit, held_by
from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import batch, ingestion
from redwell.core.case.copies import Method, Rule, Scope, Standing
from redwell.core.case.numbers import MEMBER_MARK

_ATTACHED = Prepared(
    select(ingestion.c.parent, ingestion.c.name, ingestion.c.size).where(among(ingestion.c.parent, "parents"))
)
_SETTINGS = Prepared(select(batch.c.id, batch.c.settings).where(among(batch.c.id, "ids")))
_head, _front, _same, _original = (exhibit.alias(name) for name in ("head", "front", "same", "original"))
# the member of the family in front that has the same content; that family's head where there is none
_counterpart = (
    select(_same.c.id)
    .join_from(
        _front,
        _same,
        and_(
            _same.c.number == _front.c.number,
            _same.c.control > _front.c.control + constant(MEMBER_MARK),
            _same.c.control < _front.c.control + constant(chr(ord(MEMBER_MARK) + 1)),
        ),
    )
    .where(_front.c.id == _head.c.copy_of, _same.c.document == exhibit.c.document)
    .order_by(_same.c.control)
    .limit(constant(1))
    .correlate(_head, exhibit)
    .scalar_subquery()
)
_original_of = case(
    (_head.c.copy_of.is_(None), null()),
    (exhibit.c.id == _head.c.id, _head.c.copy_of),
    else_=func.coalesce(_counterpart, _head.c.copy_of),
)
_STANDINGS = Prepared(
    select(exhibit.c.id, _original.c.control, held_by.c.custodian)
    .join_from(exhibit, _head, _head.c.id == exhibit.c.family)
    .join(held_by, held_by.c.copy_key == _head.c.copy_key)
    .join(_original, _original.c.id == _original_of, isouter=True)
    .where(among(exhibit.c.id, "ids"))
    .order_by(exhibit.c.id, held_by.c.custodian)
)


class _Chosen(msgspec.Struct):
    dedupe: Scope = Scope.GLOBAL
    dedupe_mail: Method = Method.RECIPE


def standings(tx: Connection, exhibits: Iterable[int]) -> dict[int, Standing]:
    """Of those whose families have copies, or are some."""
    found: dict[int, Standing] = {}
    for key, original, custodian in _STANDINGS.all(tx, ids=as_list(exhibits)):
        before = found[key].custodians if key in found else ()
        names = (*before, custodian) if custodian else before
        found[key] = Standing(original=original or "", custodians=names, is_copied=True)
    return found


def attached(tx: Connection, mails: Iterable[int]) -> dict[int, list[tuple[str, int]]]:
    """Name and size of what is attached to each."""
    found: dict[int, list[tuple[str, int]]] = {}
    for parent, name, size in _ATTACHED.all(tx, parents=as_list(mails)):
        found.setdefault(parent, []).append((name, size or 0))
    return found


def rules(tx: Connection, batches: Iterable[int]) -> dict[int, Rule]:
    """How each batch looks for copies; one that was begun before there was a choice does it by the default."""
    decode = msgspec.json.Decoder(_Chosen).decode
    chosen = {key: decode(settings) for key, settings in _SETTINGS.all(tx, ids=as_list(batches))}
    return {key: Rule(each.dedupe, each.dedupe_mail) for key, each in chosen.items()}
